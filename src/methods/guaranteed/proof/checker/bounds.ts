/**
 * The checker's own interval arithmetic: ends are rounded to nearest and then moved outward by more than that can have been off. What overflows becomes no number, and no number is
 * below or above anything: nothing is excluded by it.
 */
export interface Bounds {
	readonly lo: number;
	readonly hi: number;
}

const step = 2 ** -52;
const tiny = Number.MIN_VALUE;

export const down = (x: number): number => x - (Math.abs(x) * step + tiny);
export const up = (x: number): number => x + (Math.abs(x) * step + tiny);
/** A sum that comes to nothing is exact. */
const sumDown = (x: number): number => (x === 0 ? 0 : down(x));
const sumUp = (x: number): number => (x === 0 ? 0 : up(x));

export const point = (x: number): Bounds => ({ lo: x, hi: x });
export const nothing = point(0);
export const unit = point(1);

export const isNumber = ({ lo, hi }: Bounds): boolean => Number.isFinite(lo) && Number.isFinite(hi);
export const isNothing = ({ lo, hi }: Bounds): boolean => lo === 0 && hi === 0;
export const middle = ({ lo, hi }: Bounds): number => (lo === hi ? lo : lo / 2 + hi / 2);
export const size = ({ lo, hi }: Bounds): number => Math.max(Math.abs(lo), Math.abs(hi));
export const holds = (outer: Bounds, inner: Bounds): boolean => outer.lo <= inner.lo && inner.hi <= outer.hi;

export function add(a: Bounds, b: Bounds): Bounds {
	return { lo: sumDown(a.lo + b.lo), hi: sumUp(a.hi + b.hi) };
}
export function subtract(a: Bounds, b: Bounds): Bounds {
	return { lo: sumDown(a.lo - b.hi), hi: sumUp(a.hi - b.lo) };
}
export function negate(a: Bounds): Bounds {
	return { lo: -a.hi, hi: -a.lo };
}

export function multiply(a: Bounds, b: Bounds): Bounds {
	if (isNothing(a) || isNothing(b)) return isNumber(a) && isNumber(b) ? nothing : point(Number.NaN);
	const [p, q, r, s] = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
	return { lo: down(Math.min(p, q, r, s)), hi: up(Math.max(p, q, r, s)) };
}

/** No number where the divisor may be 0. */
export function divide(a: Bounds, b: Bounds): Bounds {
	if (!(b.lo > 0 || b.hi < 0)) return point(Number.NaN);
	const [p, q, r, s] = [a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi];
	return { lo: down(Math.min(p, q, r, s)), hi: up(Math.max(p, q, r, s)) };
}

/** All that is in both: both hold the same number. */
export function both(a: Bounds, b: Bounds): Bounds {
	return { lo: Math.max(a.lo, b.lo), hi: Math.min(a.hi, b.hi) };
}

export function around(a: Bounds, b: Bounds): Bounds {
	return { lo: Math.min(a.lo, b.lo), hi: Math.max(a.hi, b.hi) };
}

/** A fraction of whole numbers. */
export function fraction(num: bigint, den: bigint): Bounds {
	const exact = 2n ** 53n;
	const isExact = (n: bigint): boolean => n >= -exact && n <= exact;
	const read = (n: bigint): Bounds => {
		const near = Number(n);
		return isExact(n) ? point(near) : { lo: down(near), hi: up(near) };
	};
	const [a, b] = [read(num), read(den)];
	if (den === 1n) return a;
	const near = a.lo / b.lo;
	// Where the quotient is a double, it is meant.
	if (isExact(num) && isExact(den) && Number.isFinite(near) && isSameFraction(near, num, den))
		return point(near);
	return divide(a, b);
}

function isSameFraction(x: number, num: bigint, den: bigint): boolean {
	let scaled = x;
	let power = 1n;
	while (!Number.isInteger(scaled) && power < 2n ** 60n) {
		scaled *= 2;
		power *= 2n;
	}
	return Number.isInteger(scaled) && BigInt(scaled) * den === num * power;
}
