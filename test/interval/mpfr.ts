/**
 * Truth from MPFR: values of operations and functions rounded down and up to doubles, and errors of pairs.
 */
import { init, type mpfr_ptr } from "gmp-wasm";

const { binding } = await init();
const NEAREST = 0;
const UP = 2;
const DOWN = 3;
/** Enough that a value that rounds down to a double here, and is not exact, is above that double. */
const precision = 120;
const finePrecision = 260;

type OneArgument = (out: mpfr_ptr, x: mpfr_ptr, rounding: number) => number;
type TwoArguments = (out: mpfr_ptr, x: mpfr_ptr, y: mpfr_ptr, rounding: number) => number;

function variable(bits: number): mpfr_ptr {
	const v = binding.mpfr_t();
	binding.mpfr_init2(v, bits);
	return v;
}
// Wide enough for any double, so that setting one is exact.
const x = variable(64);
const y = variable(64);
const result = variable(precision);
const fine = variable(finePrecision);
const pair = variable(finePrecision);

const bits = new BigInt64Array(1);
const double = new Float64Array(bits.buffer);

/** The place of a double among all doubles; 0 and -0 share theirs. */
function place(value: number): bigint {
	double[0] = value;
	return bits[0] >= 0n ? bits[0] : -(bits[0] & 0x7fffffffffffffffn);
}

/** How many doubles b is above a. */
export function doublesBetween(a: number, b: number): number {
	return Number(place(b) - place(a));
}

export function hex(value: number): string {
	double[0] = value;
	return `0x${BigInt.asUintN(64, bits[0]).toString(16).padStart(16, "0")} (${value})`;
}

/** The neighbours of the truth that was found last: the greatest double <= truth and the least >= truth. */
export const truth = { down: 0, up: 0 };

function read(inexact: number): void {
	truth.down = binding.mpfr_get_d(result, DOWN);
	truth.up = binding.mpfr_get_d(result, UP);
	if (inexact !== 0 && truth.down === truth.up) truth.up = nextUp(truth.down);
}

function nextUp(value: number): number {
	double[0] = value === 0 ? 0 : value;
	bits[0] += value >= 0 ? 1n : -1n;
	return double[0];
}

const one: Record<string, OneArgument> = {
	neg: binding.mpfr_neg,
	sqr: binding.mpfr_sqr,
	abs: binding.mpfr_abs,
	sqrt: binding.mpfr_sqrt,
	exp: binding.mpfr_exp,
	log: binding.mpfr_log,
	sin: binding.mpfr_sin,
	cos: binding.mpfr_cos,
	tan: binding.mpfr_tan,
	asin: binding.mpfr_asin,
	acos: binding.mpfr_acos,
	atan: binding.mpfr_atan,
	sinh: binding.mpfr_sinh,
	cosh: binding.mpfr_cosh,
	tanh: binding.mpfr_tanh,
	exp2: binding.mpfr_exp2,
	exp10: binding.mpfr_exp10,
	expm1: binding.mpfr_expm1,
	log2: binding.mpfr_log2,
	log10: binding.mpfr_log10,
	log1p: binding.mpfr_log1p,
	cot: binding.mpfr_cot,
	sec: binding.mpfr_sec,
	csc: binding.mpfr_csc,
	coth: binding.mpfr_coth,
	sech: binding.mpfr_sech,
	csch: binding.mpfr_csch,
	asinh: binding.mpfr_asinh,
	acosh: binding.mpfr_acosh,
	atanh: binding.mpfr_atanh,
	cbrt: binding.mpfr_cbrt,
	ceil: (out, argument) => binding.mpfr_rint_ceil(out, argument, NEAREST),
	floor: (out, argument) => binding.mpfr_rint_floor(out, argument, NEAREST),
	trunc: (out, argument) => binding.mpfr_rint_trunc(out, argument, NEAREST),
	roundTiesToEven: (out, argument) => binding.mpfr_rint_roundeven(out, argument, NEAREST),
	roundTiesToAway: (out, argument) => binding.mpfr_rint_round(out, argument, NEAREST),
};
const two: Record<string, TwoArguments> = {
	add: binding.mpfr_add,
	sub: binding.mpfr_sub,
	mul: binding.mpfr_mul,
	div: binding.mpfr_div,
	min: binding.mpfr_min,
	max: binding.mpfr_max,
	pow: binding.mpfr_pow,
	atan2: binding.mpfr_atan2,
	hypot: binding.mpfr_hypot,
};

/** Sets `truth` to the neighbours of f(a). */
export function truthOf(f: string, a: number): void {
	binding.mpfr_set_d(x, a, NEAREST);
	read(one[f](result, x, DOWN));
}

/** Sets `truth` to the neighbours of f(a, b). */
export function truthOf2(f: string, a: number, b: number): void {
	binding.mpfr_set_d(x, a, NEAREST);
	binding.mpfr_set_d(y, b, NEAREST);
	read(two[f](result, x, y, DOWN));
}

/** Sets `truth` to the neighbours of the n-th root of a. */
export function truthOfRoot(a: number, n: number): void {
	binding.mpfr_set_d(x, a, NEAREST);
	read(binding.mpfr_rootn_ui(result, x, n, DOWN));
}

/** Sets `truth` to the neighbours of the number that the text writes. */
export function truthOfText(text: string): void {
	binding.mpfr_set_string(result, text, 10, DOWN);
	truth.down = binding.mpfr_get_d(result, DOWN);
	binding.mpfr_set_string(result, text, 10, UP);
	truth.up = binding.mpfr_get_d(result, UP);
}

/** |(hi + lo)·2^k - f(a)| / |f(a)|, to 260 bits. */
export function relativeError(f: string, a: number, hi: number, lo: number, k = 0): number {
	binding.mpfr_set_d(x, a, NEAREST);
	one[f](fine, x, NEAREST);
	return errorOfPair(hi, lo, k);
}

/** |(hi + lo)·2^k - f(a, b)| / |f(a, b)|, to 260 bits. */
export function relativeError2(f: string, a: number, b: number, hi: number, lo: number, k = 0): number {
	binding.mpfr_set_d(x, a, NEAREST);
	binding.mpfr_set_d(y, b, NEAREST);
	two[f](fine, x, y, NEAREST);
	return errorOfPair(hi, lo, k);
}

/** The like for a function of a fraction num/den, for tables of constants. */
export function relativeErrorAtFraction(f: string, num: number, den: number, hi: number, lo: number): number {
	const argument = variable(finePrecision);
	binding.mpfr_set_d(argument, num, NEAREST);
	binding.mpfr_div_ui(argument, argument, den, NEAREST);
	(f === "exp2" ? binding.mpfr_exp2 : one[f])(fine, argument, NEAREST);
	return errorOfPair(hi, lo, 0);
}

/** π/2 less the sum of the parts, and log 2 less it. */
export function restOf(constant: "pi/2" | "ln2", parts: readonly number[]): number {
	(constant === "ln2" ? binding.mpfr_const_log2 : binding.mpfr_const_pi)(fine, NEAREST);
	if (constant === "pi/2") binding.mpfr_div_2ui(fine, fine, 1, NEAREST);
	for (const part of parts) binding.mpfr_sub_d(fine, fine, part, NEAREST);
	return binding.mpfr_get_d(fine, NEAREST);
}

function errorOfPair(hi: number, lo: number, k: number): number {
	binding.mpfr_set_d(pair, hi, NEAREST);
	binding.mpfr_add_d(pair, pair, lo, NEAREST);
	binding.mpfr_mul_2si(pair, pair, k, NEAREST);
	binding.mpfr_sub(pair, pair, fine, NEAREST);
	if (binding.mpfr_zero_p(pair)) return 0;
	binding.mpfr_div(pair, pair, fine, NEAREST);
	return Math.abs(binding.mpfr_get_d(pair, NEAREST));
}
