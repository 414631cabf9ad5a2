/**
 * One instruction of a tape in interval arithmetic. Where a function is defined on a part of its argument only, the result holds its values there, and
 * `domain.left` is set.
 */
import {
	absInto,
	addInto,
	type Bounds,
	hullInto,
	maxInto,
	minInto,
	mulInto,
	sqrInto,
} from "../../interval/arithmetic.ts";
import { divInto } from "../../interval/division.ts";
import { domain, leaveDomain } from "../../interval/domain.ts";
import {
	acosInto,
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
} from "../../interval/elementary/functions.ts";
import { type Instruction, ofPower } from "./tape.ts";

const one = Float64Array.of(1, 1);
const constant = new Float64Array(2);
const clipped = new Float64Array(2);
const functions = {
	log: logInto,
	sin: sinInto,
	cos: cosInto,
	tan: tanInto,
	asin: asinInto,
	acos: acosInto,
	atan: atanInto,
	sinh: sinhInto,
	cosh: coshInto,
	tanh: tanhInto,
} as const;

/**
 * Bounds of slot k into `v` (stride 2), those of its arguments being known; `box` holds the symbols. `branches`: an undecided `sign` or `if` is
 * enclosed without complaint.
 */
export function intervalInstruction(
	v: Float64Array,
	k: number,
	{ op, a, b, c, d, n, value }: Instruction,
	box: Bounds,
	branches: boolean,
): void {
	const o = 2 * k;
	switch (op) {
		case "const":
			v[o] = value.lo;
			v[o + 1] = value.hi;
			return;
		case "sym":
			v[o] = box[2 * n];
			v[o + 1] = box[2 * n + 1];
			return;
		case "add":
			return addInto(v, o, v, 2 * a, v, 2 * b);
		case "mul":
			return a === b ? sqrInto(v, o, v, 2 * a) : mulInto(v, o, v, 2 * a, v, 2 * b);
		case "scale":
			constant[0] = value.lo;
			constant[1] = value.hi;
			return mulInto(v, o, constant, 0, v, 2 * a);
		case "powInt":
			return powIntInto(v, o, v, 2 * a, n);
		case "recip":
			return divInto(v, o, one, 0, v, 2 * a);
		case "pow":
			constant[0] = value.lo;
			constant[1] = value.hi;
			return powInto(v, o, clip(v, 2 * a, 0, Number.POSITIVE_INFINITY), 0, constant, 0);
		case "log":
			return logInto(v, o, clip(v, 2 * a, 0, Number.POSITIVE_INFINITY), 0);
		case "exp":
			if (n === ofPower && v[2 * b] < 0) return leaveDomain(v, o);
			return expInto(v, o, v, 2 * a);
		case "asin":
		case "acos":
			return functions[op](v, o, clip(v, 2 * a, -1, 1), 0);
		case "abs":
			return absInto(v, o, v, 2 * a);
		case "min":
			return minInto(v, o, v, 2 * a, v, 2 * b);
		case "max":
			return maxInto(v, o, v, 2 * a, v, 2 * b);
		case "sign": {
			const lo = v[2 * a];
			const hi = v[2 * a + 1];
			v[o] = lo > 0 ? 1 : lo === 0 && hi === 0 ? 0 : -1;
			v[o + 1] = hi < 0 ? -1 : lo === 0 && hi === 0 ? 0 : 1;
			if (!branches && lo <= 0 && hi >= 0 && lo < hi) domain.left = true;
			return;
		}
		case "if": {
			const way = decided(v, a, b, n);
			if (way < 0) {
				if (!branches) domain.left = true;
				return hullInto(v, o, v, 2 * c, v, 2 * d);
			}
			const from = 2 * (way === 1 ? c : d);
			v[o] = v[from];
			v[o + 1] = v[from + 1];
			return;
		}
		default:
			return functions[op](v, o, v, 2 * a);
	}
}

/** What of an argument is in the domain; all of it where nothing is, for the function itself to complain. */
function clip(v: Float64Array, i: number, least: number, most: number): Float64Array {
	const lo = v[i];
	const hi = v[i + 1];
	const isPart = (lo < least || hi > most) && lo <= most && hi >= least;
	clipped[0] = isPart ? Math.max(lo, least) : lo;
	clipped[1] = isPart ? Math.min(hi, most) : hi;
	if (isPart) domain.left = true;
	return clipped;
}

/** Whether a < b (n = 1: a <= b): 1 certainly, 0 certainly not, -1 not known. */
export function decided(v: Bounds, a: number, b: number, n: number): -1 | 0 | 1 {
	if (n === 1 ? v[2 * a + 1] <= v[2 * b] : v[2 * a + 1] < v[2 * b]) return 1;
	if (n === 1 ? v[2 * a] > v[2 * b + 1] : v[2 * a] >= v[2 * b + 1]) return 0;
	return -1;
}

/** Whether a function is defined for no number of its argument. */
export function isBeyond({ op, a, n }: Instruction, v: Bounds): boolean {
	const lo = v[2 * a];
	const hi = v[2 * a + 1];
	if (op === "log") return n !== ofPower && hi <= 0;
	if (op === "pow") return hi < 0;
	if (op === "recip") return lo === 0 && hi === 0;
	return (op === "asin" || op === "acos") && (lo > 1 || hi < -1);
}

/** Whether slot k depends on something that is not defined or not continuous, by the flags of its arguments. */
export function inheritsBroken(
	broken: Uint8Array,
	{ op, a, b, c, d }: Instruction,
	way: -1 | 0 | 1,
): boolean {
	if (op === "const" || op === "sym") return false;
	if (op === "if") {
		const taken = way === 1 ? broken[c] : way === 0 ? broken[d] : broken[c] | broken[d];
		return (broken[a] | broken[b] | taken) !== 0;
	}
	const isPair = op === "add" || op === "mul" || op === "min" || op === "max";
	return (broken[a] | (isPair ? broken[b] : 0)) !== 0;
}
