/**
 * Whole powers and roots in whole numbers: the best bounds, where pairs of doubles cannot tell.
 *
 * x^n = m^n·2^(e·n) with an odd m. A power of an odd m > 1 beyond 53 is no double, as it has more than 53 bits; so are all
 * reciprocals. Small powers are formed exactly. For large ones m^n is cut to 400 bits after each product, downwards, and again with one unit
 * added: the truth is between, and no double is, as x^n would have to be nearer than 2^-300 to one.
 */
import { InternalError } from "../errors.ts";
import { addDyadic, dyadic, mulDyadic } from "./dyadic.ts";
import { positiveRational } from "./exact.ts";
import type { Side } from "./rounding.ts";

/** Up to this |n| powers are formed exactly. */
const EXACT = 1100;
const BITS = 400;

/** Bound of x^n for a finite x > 0 and a whole n other than 0, where x^n is known to be between 2^-1200 and 2^1200. */
export function exactPowerToward(x: number, n: number, side: Side): number {
	const { m, e } = odd(x);
	const size = Math.abs(n);
	if (m === 1n || size <= EXACT) return of(wholePower(m, m === 1n ? 1 : size), e * size, n < 0, side);
	const [lo, loShift] = cutPower(m, size, 0n);
	const [hi, hiShift] = cutPower(m, size, 1n);
	const ends = [of(lo, loShift + e * size, n < 0, side), of(hi, hiShift + e * size, n < 0, side)];
	if (ends[0] !== ends[1]) throw new InternalError("a power was not rounded", [x, n]);
	return ends[0];
}

/** Bound of the n-th root of a finite x > 0 for a whole n other than 0, |n| <= 1100. */
export function rootToward(x: number, n: number, side: Side): number {
	const { m, e } = odd(x);
	const size = Math.abs(n);
	// The root of 2^(s·size)·x^(±1) as a whole number of about 80 bits: rounded down, and whether it is exact.
	const length = m.toString(2).length + e;
	const s = 80 - Math.floor((n < 0 ? -length : length) / size);
	const shift = s * size + (n < 0 ? -e : e);
	const [num, den] = n < 0 ? [1n, m] : [m, 1n];
	const scaled = shift >= 0 ? (num << BigInt(shift)) / den : num / (den << BigInt(-shift));
	const root = wholeRoot(scaled, size);
	const exact =
		wholePower(root, size) === scaled &&
		(shift >= 0 ? scaled * den === num << BigInt(shift) : scaled * (den << BigInt(-shift)) === num);
	// Between root and root + 1 no double lies: they have 80 bits, doubles 53.
	return of(exact ? root : 2n * root + 1n, exact ? -s : -s - 1, false, side);
}

/** Bound of √(x² + y²) for finite x and y, not both 0. */
export function hypotToward(x: number, y: number, side: Side): number {
	const [a, b] = [dyadic(x), dyadic(y)];
	const { m, e } = addDyadic(mulDyadic(a, a), mulDyadic(b, b));
	// e is even, as both exponents are doubled; 2^160 makes the root long enough.
	const root = wholeRoot(m << 160n, 2);
	return root * root === m << 160n
		? of(root, e / 2 - 80, false, side)
		: of(2n * root + 1n, e / 2 - 81, false, side);
}

/** An odd m and e with x = m·2^e. */
function odd(x: number): { m: bigint; e: number } {
	let { m, e } = dyadic(x);
	const zeros = trailingZeros(m);
	m >>= BigInt(zeros);
	e += zeros;
	return { m, e };
}

function trailingZeros(m: bigint): number {
	let zeros = 0;
	while (((m >> BigInt(zeros)) & 1n) === 0n) zeros++;
	return zeros;
}

/** Bound of m·2^e, or of its reciprocal. */
function of(m: bigint, e: number, reciprocal: boolean, side: Side): number {
	const [num, den] = e >= 0 ? [m << BigInt(e), 1n] : [m, 1n << BigInt(-e)];
	const { lo, hi } = reciprocal ? positiveRational(den, num) : positiveRational(num, den);
	return side < 0 ? lo : hi;
}

/** m^n·2^-shift, cut after each product, with `more` added. */
function cutPower(m: bigint, n: number, more: bigint): [bigint, number] {
	let power = 1n;
	let shift = 0;
	for (const bit of n.toString(2)) {
		power *= power;
		shift *= 2;
		if (bit === "1") power *= m;
		const excess = power.toString(2).length - BITS;
		if (excess <= 0) continue;
		power = (power >> BigInt(excess)) + more;
		shift += excess;
	}
	return [power, shift];
}

/** ⌊x^(1/n)⌋, by Newton's method from above. */
function wholeRoot(x: bigint, n: number): bigint {
	if (n === 1) return x;
	const [k, less] = [BigInt(n), BigInt(n - 1)];
	let root = 1n << BigInt(Math.ceil(x.toString(2).length / n));
	for (;;) {
		const next = (less * root + x / wholePower(root, n - 1)) / k;
		if (next >= root) return root;
		root = next;
	}
}

function wholePower(x: bigint, n: number): bigint {
	let power = 1n;
	for (const bit of n.toString(2)) power *= bit === "1" ? power * x : power;
	return power;
}
