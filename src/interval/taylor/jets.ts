/** Taylor coefficients of elementary functions at every point of an interval: f^(k)(x)/k! for all x of it. */
import { addInto, type Bounds, mulInto, negInto, scaleInto, sqrInto } from "../arithmetic.ts";
import { divInto } from "../division.ts";
import {
	asinInto,
	atanInto,
	coshInto,
	cosInto,
	expInto,
	logInto,
	powIntInto,
	powInto,
	sinhInto,
	sinInto,
	tanhInto,
	tanInto,
} from "../elementary/functions.ts";

export type JetFunction =
	| "exp"
	| "log"
	| "sin"
	| "cos"
	| "tan"
	| "sinh"
	| "cosh"
	| "tanh"
	| "atan"
	| "asin"
	| "recip"
	| "pow";

const one = Float64Array.of(1, 1);
const x = new Float64Array(2);
const q = new Float64Array(2);
const p = new Float64Array(2);
const w = new Float64Array(2);
const number = new Float64Array(2);
let work = new Float64Array(64);

function numberAt(value: number): Bounds {
	number[0] = value;
	number[1] = value;
	return number;
}

/**
 * Coefficients 0 to `order` of f on [lo, hi] into out (stride 2). `exponent` is that of `pow`. Sets `domain.left`
 * where f is not defined all over the interval.
 */
export function jetInto(
	out: Float64Array,
	f: JetFunction,
	lo: number,
	hi: number,
	order: number,
	exponent: { readonly lo: number; readonly hi: number },
): void {
	x[0] = lo;
	x[1] = hi;
	switch (f) {
		case "exp":
			expInto(out, 0, x, 0);
			for (let k = 1; k <= order; k++) divInto(out, 2 * k, out, 2 * k - 2, numberAt(k), 0);
			return;
		case "sin":
		case "cos":
			return sines(out, f, order);
		case "sinh":
		case "cosh":
			return hyperbolic(out, f, order);
		case "tan":
		case "tanh":
			return tangents(out, f, order);
		case "recip":
			divInto(out, 0, one, 0, x, 0);
			for (let k = 1; k <= order; k++) {
				powIntInto(q, 0, out, 0, k + 1);
				if (k % 2 === 1) negInto(out, 2 * k, q, 0);
				else out.set(q, 2 * k);
			}
			return;
		case "log":
			logInto(out, 0, x, 0);
			divInto(p, 0, one, 0, x, 0);
			for (let k = 1; k <= order; k++) {
				powIntInto(q, 0, p, 0, k);
				divInto(out, 2 * k, q, 0, numberAt(k % 2 === 1 ? k : -k), 0);
			}
			return;
		case "pow":
			return powers(out, order, exponent);
		case "atan":
			return arc(out, "atan", order);
		case "asin":
			return arc(out, "asin", order);
	}
}

function sines(out: Float64Array, f: "sin" | "cos", order: number): void {
	let factorial = 1;
	const sin = new Float64Array(2);
	const cos = new Float64Array(2);
	sinInto(sin, 0, x, 0);
	cosInto(cos, 0, x, 0);
	for (let k = 0; k <= order; k++) {
		if (k > 0) factorial *= k;
		const turn = (k + (f === "cos" ? 1 : 0)) % 4;
		const source = turn % 2 === 0 ? sin : cos;
		if (turn >= 2) negInto(w, 0, source, 0);
		else w.set(source);
		// k! is a double up to k = 22; beyond, its relative error of at most 2^-48 is covered by a divisor from below.
		divInto(out, 2 * k, w, 0, numberAt(k <= 22 ? factorial : factorial * (1 - 2 ** -40)), 0);
		if (k > 22) spread(out, 2 * k);
	}
}

/** Derivatives take turns; each coefficient is the one two before over k·(k - 1). */
function hyperbolic(out: Float64Array, f: "sinh" | "cosh", order: number): void {
	const [even, odd] = f === "sinh" ? [sinhInto, coshInto] : [coshInto, sinhInto];
	even(out, 0, x, 0);
	if (order > 0) odd(out, 2, x, 0);
	for (let k = 2; k <= order; k++) divInto(out, 2 * k, out, 2 * k - 4, numberAt(k * (k - 1)), 0);
}

/** By the equation of the function itself: y' = 1 + y² for tan, y' = 1 - y² for tanh. */
function tangents(out: Float64Array, f: "tan" | "tanh", order: number): void {
	(f === "tan" ? tanInto : tanhInto)(out, 0, x, 0);
	for (let k = 0; k < order; k++) {
		// The square of a series: products of equal terms as squares, the others twice.
		w[0] = 0;
		w[1] = 0;
		for (let i = 0; 2 * i < k; i++) {
			mulInto(q, 0, out, 2 * i, out, 2 * (k - i));
			addInto(w, 0, w, 0, q, 0);
			addInto(w, 0, w, 0, q, 0);
		}
		if (k % 2 === 0) {
			sqrInto(q, 0, out, k);
			addInto(w, 0, w, 0, q, 0);
		}
		if (f === "tanh") negInto(w, 0, w, 0);
		if (k === 0) addInto(w, 0, w, 0, one, 0);
		divInto(out, 2 * k + 2, w, 0, numberAt(k + 1), 0);
	}
}

/** Both signs of the greatest magnitude: what is left to say after an inexact divisor. */
function spread(out: Float64Array, o: number): void {
	const most = Math.max(Math.abs(out[o]), Math.abs(out[o + 1]));
	out[o] = 0 - most;
	out[o + 1] = most;
}

/** C(a, k)·x^(a - k). */
function powers(
	out: Float64Array,
	order: number,
	exponent: { readonly lo: number; readonly hi: number },
): void {
	const binomial = Float64Array.of(1, 1);
	const a = new Float64Array(2);
	for (let k = 0; k <= order; k++) {
		addInto(a, 0, [exponent.lo, exponent.hi], 0, numberAt(-k), 0);
		powInto(w, 0, x, 0, a, 0);
		mulInto(out, 2 * k, binomial, 0, w, 0);
		mulInto(binomial, 0, binomial, 0, a, 0);
		divInto(binomial, 0, binomial, 0, numberAt(k + 1), 0);
	}
}

/** By the recurrence of the derivative, 1/(1 + x²) or (1 - x²)^(-1/2), as a series. */
function arc(out: Float64Array, f: "atan" | "asin", order: number): void {
	if (work.length < 2 * order + 2) work = new Float64Array(2 * order + 2);
	const g = work;
	const u0 = new Float64Array(2);
	const u1 = new Float64Array(2);
	sqrInto(u0, 0, x, 0);
	const sign = f === "atan" ? 1 : -1;
	scaleInto(u0, 0, u0, 0, sign);
	addInto(u0, 0, u0, 0, one, 0);
	scaleInto(u1, 0, x, 0, 2 * sign);
	const power = f === "atan" ? -1 : -0.5;
	if (f === "atan") divInto(g, 0, one, 0, u0, 0);
	else powInto(g, 0, u0, 0, [-0.5, -0.5], 0);
	for (let k = 1; k < order; k++) {
		// k·u0·g_k = Σ_j (power·j - (k - j)) u_j g_(k-j), with u2 = sign.
		mulInto(q, 0, u1, 0, g, 2 * k - 2);
		scaleInto(q, 0, q, 0, power - (k - 1));
		if (k > 1) {
			scaleInto(p, 0, g, 2 * k - 4, sign * (2 * power - (k - 2)));
			addInto(q, 0, q, 0, p, 0);
		}
		divInto(q, 0, q, 0, u0, 0);
		divInto(g, 2 * k, q, 0, numberAt(k), 0);
	}
	if (f === "atan") atanInto(out, 0, x, 0);
	else asinInto(out, 0, x, 0);
	for (let k = 1; k <= order; k++) divInto(out, 2 * k, g, 2 * k - 2, numberAt(k), 0);
}
