/**
 * Elementary functions to about 200 bits, in whole numbers of 2^-bits: slow, simple, and nothing in common with what is
 * tested. A value is m·2^e; the functions reduce their argument and sum a Taylor series.
 */
export interface Big {
	readonly m: bigint;
	readonly e: number;
}

const precision = 260;

export function big(x: number): Big {
	let e = 0;
	let scaled = x;
	while (!Number.isInteger(scaled)) {
		scaled *= 2;
		e--;
	}
	return { m: BigInt(scaled), e };
}
function bitLength(m: bigint): number {
	return (m < 0n ? -m : m).toString(16).length * 4;
}
function trimmed({ m, e }: Big): Big {
	const surplus = bitLength(m) - precision - 40;
	return surplus > 0 ? { m: m >> BigInt(surplus), e: e + surplus } : { m, e };
}
function shift(m: bigint, by: number): bigint {
	return by >= 0 ? m << BigInt(by) : m >> BigInt(-by);
}
function add(a: Big, b: Big): Big {
	if (a.m === 0n) return b;
	if (b.m === 0n) return a;
	// The smaller of two very different numbers is lost.
	if (a.e + bitLength(a.m) > b.e + bitLength(b.m) + 2 * precision) return a;
	if (b.e + bitLength(b.m) > a.e + bitLength(a.m) + 2 * precision) return b;
	const e = Math.min(a.e, b.e);
	return trimmed({ m: shift(a.m, a.e - e) + shift(b.m, b.e - e), e });
}
export function negate(a: Big): Big {
	return { m: -a.m, e: a.e };
}
function subtract(a: Big, b: Big): Big {
	return add(a, negate(b));
}
function multiply(a: Big, b: Big): Big {
	return trimmed({ m: a.m * b.m, e: a.e + b.e });
}
function divide(a: Big, b: Big): Big {
	const up = precision + 40 + bitLength(b.m) - bitLength(a.m);
	return { m: shift(a.m, up) / b.m, e: a.e - b.e - up };
}
function squareRoot(a: Big): Big {
	if (a.m === 0n) return a;
	let up = 2 * precision - bitLength(a.m);
	if ((a.e - up) % 2 !== 0) up++;
	const m = shift(a.m, up);
	let root = 1n << BigInt((bitLength(m) >> 1) + 1);
	for (;;) {
		const next = (root + m / root) >> 1n;
		if (next >= root) return { m: root, e: (a.e - up) / 2 };
		root = next;
	}
}
function fixed({ m, e }: Big, bits: number): bigint {
	return shift(m, e + bits);
}
const ofFixed = (m: bigint, bits: number): Big => trimmed({ m, e: -bits });

/** π·2^bits by Machin's formula. */
function piFixed(bits: number): bigint {
	const guard = bits + 32;
	const arctan = (n: bigint): bigint => {
		let power = (1n << BigInt(guard)) / n;
		let sum = power;
		for (let k = 1n; power !== 0n; k++) {
			power /= n * n;
			sum += k % 2n === 1n ? -power / (2n * k + 1n) : power / (2n * k + 1n);
		}
		return sum;
	};
	return (4n * (4n * arctan(5n) - arctan(239n))) >> 32n;
}
const longPi = { bits: 1500, value: piFixed(1500) };
export const pi: Big = ofFixed(longPi.value >> BigInt(1500 - 400), 400);

/** Σ r^k/k! over k = first, first + step, …, with alternating signs where asked, r in units of 2^-bits. */
function series(r: bigint, bits: number, first: 0 | 1, step: 1 | 2, alternate: boolean): bigint {
	const b = BigInt(bits);
	let term = first === 0 ? 1n << b : r;
	let sum = term;
	const factor = step === 1 ? r : (r * r) >> b;
	for (let k = first; term !== 0n && term !== -1n; k += step) {
		const divisor = step === 1 ? BigInt(k + 1) : BigInt((k + 1) * (k + 2));
		term = ((term * factor) >> b) / divisor;
		if (alternate) term = -term;
		sum += term;
	}
	return sum;
}

const ln2 = ((): Big => {
	// log 2 = 2·atanh(1/3)
	const bits = 400;
	let power = (1n << BigInt(bits)) / 3n;
	let sum = 0n;
	for (let k = 1n; power !== 0n; k += 2n) {
		sum += power / k;
		power /= 9n;
	}
	return ofFixed(2n * sum, bits);
})();

export function exp(x: Big): Big {
	const bits = 340;
	const k = Math.round(approximate(x) / Math.LN2);
	const r = subtract(x, multiply({ m: BigInt(k), e: 0 }, ln2));
	// Halve the argument eight times, square the result as often.
	let value = series(fixed(r, bits) >> 8n, bits, 0, 1, false);
	for (let i = 0; i < 8; i++) value = (value * value) >> BigInt(bits);
	const { m, e } = ofFixed(value, bits);
	return { m, e: e + k };
}
export function log(x: Big, near: number): Big {
	// Halley's correction of a double that is near.
	const y = big(near);
	const at = exp(y);
	const once = add(y, divide(multiply(big(2), subtract(x, at)), add(x, at)));
	return once;
}
/** Sine and cosine of x, as small as they may be. */
function sineCosine(x: Big): { sin: Big; cos: Big } {
	const { bits, value } = longPi;
	const whole = fixed(x, bits);
	const half = value >> 1n;
	const n = (whole + (whole < 0n ? -half : half) / 2n) / half;
	const r = whole - n * half;
	const quadrant = Number(((n % 4n) + 4n) % 4n);
	const tiny = bitLength(r) < bits - 60;
	const work = 340;
	const small: Big = { m: r, e: -bits };
	const z = r >> BigInt(bits - work);
	const sin = tiny ? tinySine(small) : ofFixed(series(z, work, 1, 2, true), work);
	const cos = ofFixed(series(z, work, 0, 2, true), work);
	const turned = [
		{ sin, cos },
		{ sin: cos, cos: negate(sin) },
		{ sin: negate(sin), cos: negate(cos) },
		{ sin: negate(cos), cos: sin },
	];
	return turned[quadrant];
}
function tinySine(r: Big): Big {
	const square = multiply(r, r);
	return multiply(r, subtract(big(1), divide(square, big(6))));
}
export const sin = (x: Big): Big => (isTiny(x) ? tinySine(x) : sineCosine(x).sin);
export const cos = (x: Big): Big => sineCosine(x).cos;
export const tan = (x: Big): Big => {
	const { cos } = sineCosine(x);
	return divide(sin(x), cos);
};
export function sinh(x: Big): Big {
	if (isTiny(x)) return multiply(x, add(big(1), divide(multiply(x, x), big(6))));
	if (Math.abs(approximate(x)) < 1) {
		const bits = 400;
		return ofFixed(series(fixed(x, bits), bits, 1, 2, false), bits);
	}
	return divide(subtract(exp(x), exp(negate(x))), big(2));
}
export const cosh = (x: Big): Big => divide(add(exp(x), exp(negate(x))), big(2));
export const tanh = (x: Big): Big => divide(sinh(x), cosh(x));

/** The inverse functions correct a double that is near by a small angle. */
export function atan(x: Big, near: number): Big {
	const y = big(near);
	const s = sin(y);
	const c = cos(y);
	const tangent = divide(subtract(multiply(x, c), s), add(c, multiply(x, s)));
	return add(y, subtract(tangent, divide(multiply(tangent, multiply(tangent, tangent)), big(3))));
}
export function asin(x: Big, near: number): Big {
	const y = big(near);
	const other = squareRoot(subtract(big(1), multiply(x, x)));
	return add(y, arcOfSmall(subtract(multiply(x, cos(y)), multiply(other, sin(y)))));
}
export function acos(x: Big, near: number): Big {
	const y = big(near);
	const other = squareRoot(subtract(big(1), multiply(x, x)));
	return add(y, arcOfSmall(subtract(multiply(other, cos(y)), multiply(x, sin(y)))));
}
function arcOfSmall(s: Big): Big {
	return add(s, divide(multiply(s, multiply(s, s)), big(6)));
}
export const pow = (x: Big, nearLog: number, y: Big): Big => exp(multiply(y, log(x, nearLog)));

function isTiny(x: Big): boolean {
	return x.m === 0n || x.e + bitLength(x.m) < -80;
}
function approximate({ m, e }: Big): number {
	const drop = Math.max(0, bitLength(m) - 64);
	return Number(shift(m, -drop)) * 2 ** (e + drop);
}

/** How many units in the last place `x` is away from the truth. */
export function ulpError(x: number, truth: Big): number {
	if (truth.m === 0n) return x === 0 ? 0 : Number.POSITIVE_INFINITY;
	const size = truth.m < 0n ? -truth.m : truth.m;
	const top = truth.e + size.toString(2).length - 1;
	const unit = Math.max(top - 52, -1074);
	const { m, e } = subtract(big(x), truth);
	return Math.abs(Number(shift(m, e - unit + 40)) / 2 ** 40);
}

/** Whether the truth rounds to infinity. */
export function overflows({ m, e }: Big): boolean {
	return e + (m < 0n ? -m : m).toString(2).length > 1024;
}
