/**
 * Whole powers and roots in whole numbers: the best bounds, where pairs of doubles cannot tell.
 *
 * x^n = m^n·2^(e·n) with an odd m. A power of an odd m > 1 beyond 53 is no double, as it has more than 53 bits; so are all
 * reciprocals. Small powers are formed exactly. For large ones m^n is cut to 400 bits after each product, downwards, and again with one unit
 * added: the truth is between, and no double is, as x^n would have to be nearer than 2^-300 to one.
 */
import { InternalError } from "../../errors.ts";
import { divPairs } from "../double-double.ts";
import { addDyadic, dyadic, mulDyadic } from "../dyadic.ts";
import { positiveRational } from "../exact.ts";
import { after, before, type Side, scaleToward } from "../rounding.ts";
import { divDown, divUp } from "../tightest.ts";
import { expPair } from "./exp.ts";
import { logPair } from "./log.ts";

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

/**
 * Bound of the n-th root of a finite x > 0 for a whole n other than 0, |n| <= 1100. It starts from e^(log x/n), which is off by less than 2^-66, and goes from
 * double to double until the powers, in whole numbers, say that it is the best.
 */
export function rootToward(x: number, n: number, side: Side): number {
	if (x === 1 || n === 1) return x;
	if (n === -1) return side < 0 ? divDown(1, x) : divUp(1, x);
	const logarithm = divPairs(logPair(x), { hi: n, lo: 0 });
	const { hi, k } = expPair(logarithm.hi, logarithm.lo);
	let root = scaleToward(hi, k, side);
	while (side * comparePower(root, n, x) < 0) root = side < 0 ? before(root) : after(root);
	for (;;) {
		const nearer = side < 0 ? after(root) : before(root);
		if (side * comparePower(nearer, n, x) < 0) return root;
		root = nearer;
	}
}

/** The sign of root - x^(1/n), which is that of root^n - x for n > 0, and of root^-n·x - 1 for n < 0. */
function comparePower(root: number, n: number, x: number): number {
	const r = odd(root);
	const power = { m: wholePower(r.m, Math.abs(n)), e: r.e * Math.abs(n) };
	const value = n > 0 ? power : mulDyadic(power, dyadic(x));
	const { m } = addDyadic(value, n > 0 ? dyadic(-x) : { m: -1n, e: 0 });
	return m > 0n ? 1 : m < 0n ? -1 : 0;
}

/** Bound of √(x² + y²) for finite x and y, not both 0. */
export function hypotToward(x: number, y: number, side: Side): number {
	const [a, b] = [dyadic(x), dyadic(y)];
	const { m, e } = addDyadic(mulDyadic(a, a), mulDyadic(b, b));
	// e is even, as both exponents are doubled; 2^160 makes the root long enough.
	const root = wholeSquareRoot(m << 160n);
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

/** ⌊√x⌋, by Newton's method from above. */
function wholeSquareRoot(x: bigint): bigint {
	let root = 1n << BigInt(Math.ceil(x.toString(2).length / 2));
	for (;;) {
		const next = (root + x / root) / 2n;
		if (next >= root) return root;
		root = next;
	}
}

function wholePower(x: bigint, n: number): bigint {
	let power = 1n;
	for (const bit of n.toString(2)) power *= bit === "1" ? power * x : power;
	return power;
}
