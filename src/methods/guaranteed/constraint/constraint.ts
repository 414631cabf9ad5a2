/**
 * What one datum says of the unknowns: a polynomial of them, known to ±r, lies in the bar of the datum. Kept for all data,
 * these are a description of the consistent set that needs no more integration.
 */
import type { Monomials } from "../../../interval/taylor/monomials.ts";
import { nonlinearBounds, shiftPolynomial } from "../../../interval/taylor/polynomial-shift.ts";
import type { OutputJump } from "./output-jumps.ts";
import type { Polytope } from "./polytope.ts";
import { searchRange } from "./range-search.ts";

const U = 2 ** -53;
const UP = 1 + 2 ** -40;

export interface Constraint {
	/** Unknowns that ζ stands for. */
	readonly variables: Int32Array;
	readonly centre: Float64Array;
	readonly scale: Float64Array;
	readonly coefficients: Float64Array;
	readonly radius: number;
	/** A consistent value is in [lo, hi]. */
	readonly lo: number;
	readonly hi: number;
	/** A value in [innerLo, innerHi] is surely consistent. */
	readonly innerLo: number;
	readonly innerHi: number;
	readonly t: number;
	readonly output: string;
	readonly experiment: number;
	/** The polynomial is not the output itself, but the output less or plus its error: see `sideBars`. */
	readonly isSide?: boolean;
	/** The output may be on either side of a jump, and both are in the radius. */
	readonly jump?: OutputJump;
	/** Bounds of the output by other means, for all of the box that it was made for. */
	readonly range?: readonly [number, number];
	/** What is left of the radius at a point of the box, where that was looked at: states are unsure of so much beside the unknowns. The rest is the output's own, whose polynomial is not near to it on so large a box. */
	readonly atPoint?: number;
}

export type Verdict = "inside" | "outside" | "unknown";

/** Reads constraints on boxes of the unknowns. */
export class ConstraintReader {
	readonly #table: Monomials;
	readonly #c: Float64Array;
	readonly #a: Float64Array;
	readonly #b: Float64Array;
	readonly #rest = new Float64Array(2);
	/** Error of the last shift. */
	#error = 0;
	/** Radius of the box in each variable. */
	readonly #half: Float64Array;
	readonly #middle: Float64Array;

	constructor(table: Monomials) {
		this.#table = table;
		this.#c = new Float64Array(table.length);
		this.#a = new Float64Array(table.nVars);
		this.#b = new Float64Array(table.nVars);
		this.#half = new Float64Array(table.nVars);
		this.#middle = new Float64Array(table.nVars);
	}

	/** The polynomial centred on the box. */
	#centre(constraint: Constraint, box: Float64Array): void {
		const { variables, centre, scale, coefficients } = constraint;
		this.#c.set(coefficients);
		for (let v = 0; v < variables.length; v++) {
			const lo = box[2 * variables[v]];
			const hi = box[2 * variables[v] + 1];
			const middle = lo === hi ? lo : lo / 2 + hi / 2;
			const half = lo === hi ? 0 : Math.max(hi - middle, middle - lo) * (1 + 4 * U);
			this.#middle[v] = middle;
			this.#half[v] = half;
			this.#a[v] = scale[v] === 0 ? 0 : (middle - centre[v]) / scale[v];
			this.#b[v] = scale[v] === 0 ? 0 : half / scale[v];
		}
		this.#error = (shiftPolynomial(this.#c, this.#table, this.#a, this.#b) + constraint.radius) * UP;
		nonlinearBounds(this.#rest, this.#c, this.#table);
	}

	/** Bounds of the output over the box, which is a part of the one that the constraint was made for. */
	range(constraint: Constraint, box: Float64Array): [number, number] {
		const { range } = constraint;
		const [lo, hi] = this.#modelRange(constraint, box);
		return range ? [Math.max(lo, range[0]), Math.min(hi, range[1])] : [lo, hi];
	}

	#modelRange(constraint: Constraint, box: Float64Array): [number, number] {
		this.#centre(constraint, box);
		let linear = 0;
		const { nVars, length } = this.#table;
		if (length > 1) for (let v = 0; v < nVars; v++) linear += Math.abs(this.#c[1 + v]);
		const lo = this.#c[0] + this.#rest[0] - (linear + this.#error) * UP;
		const hi = this.#c[0] + this.#rest[1] + (linear + this.#error) * UP;
		const slack = 8 * U * (Math.abs(this.#c[0]) + linear - this.#rest[0] + this.#rest[1]);
		return [lo - slack, hi + slack];
	}

	/** The side of the box that the output depends on most; the widest where it seems to depend on none. */
	side({ variables }: Constraint, box: Float64Array): number {
		let best = variables[0] ?? 0;
		let most = 0;
		const { nVars, length } = this.#table;
		for (let v = 0; v < nVars && length > 1; v++) {
			let size = 0;
			for (let m = 1; m < length; m++)
				size += Math.abs(this.#c[m]) * this.#table.exponent(m, v) * this.#table.degree[m];
			if (this.#half[v] > 0 && size > most) [best, most] = [variables[v], size];
		}
		const share = (k: number): number =>
			(box[2 * k + 1] - box[2 * k]) / (Math.abs(box[2 * k]) + Math.abs(box[2 * k + 1]) + 1e-300);
		if (most === 0) for (const k of variables) if (share(k) > share(best)) best = k;
		return best;
	}

	/** Bounds of the output over the box, by pieces of it: at most so many evaluations. */
	closeRange(constraint: Constraint, box: Float64Array, most: number): [number, number] {
		const over = (part: Float64Array) => {
			const [lo, hi] = this.range(constraint, part);
			return { lo, hi, side: this.side(constraint, part) };
		};
		const { lo, hi } = searchRange(box, over, most)!;
		return [lo, hi];
	}

	verdict(constraint: Constraint, box: Float64Array): Verdict {
		const [lo, hi] = this.range(constraint, box);
		if (hi < constraint.lo || lo > constraint.hi) return "outside";
		return lo >= constraint.innerLo && hi <= constraint.innerHi ? "inside" : "unknown";
	}

	/** Adds for each unknown how much of the output's curvature over the box is by it, beside the bar: what a cut across it takes away. */
	addSmear(constraint: Constraint, box: Float64Array, score: Float64Array): void {
		this.#centre(constraint, box);
		const { nVars, length, degree } = this.#table;
		const bar = constraint.hi - constraint.lo;
		for (let m = 1 + nVars; m < length; m++)
			for (let v = 0; v < nVars; v++) {
				const power = this.#table.exponent(m, v);
				if (power > 0) score[constraint.variables[v]] += (Math.abs(this.#c[m]) * power) / (degree[m] * bar);
			}
	}

	/** What the constraint says when it is taken for linear on the box, as a row of a polytope in the unknowns scaled to it; false where no value is left. */
	addRow(constraint: Constraint, box: Float64Array, polytope: Polytope): boolean {
		const [lo, hi] = this.range(constraint, box);
		if (hi < constraint.lo || lo > constraint.hi) return false;
		if (this.#table.length === 1) return true;
		const { below, above } = this.#linear(constraint);
		polytope.add(constraint.variables, this.#c.subarray(1, 1 + this.#table.nVars), below, above);
		return true;
	}

	/** Σ_v c_v ζ_v is in [below, above], for the box that the polynomial is centred on. */
	#linear(constraint: Constraint): { below: number; above: number; total: number; size: number } {
		const c = this.#c;
		let total = 0;
		for (let v = 0; v < this.#table.nVars; v++) total += Math.abs(c[1 + v]);
		const size =
			Math.abs(c[0]) +
			total -
			this.#rest[0] +
			this.#rest[1] +
			Math.abs(constraint.lo) +
			Math.abs(constraint.hi);
		const slack = this.#error * UP + 16 * U * size;
		return {
			below: constraint.lo - c[0] - this.#rest[1] - slack,
			above: constraint.hi - c[0] - this.#rest[0] + slack,
			total,
			size,
		};
	}

	/**
	 * Contracts the box: with all but one unknown anywhere in it, the linear term of that one has to make up for what is
	 * left of the bar. This is the contractor of section 4.2.2 of [kletting2011], with the polynomial's linear terms for
	 * the sensitivities and its others bounded. Returns `outside` where nothing is left.
	 */
	contract(constraint: Constraint, box: Float64Array): Verdict {
		const [lo, hi] = this.range(constraint, box);
		if (hi < constraint.lo || lo > constraint.hi) return "outside";
		if (lo >= constraint.innerLo && hi <= constraint.innerHi) return "inside";
		const c = this.#c;
		const { nVars, length } = this.#table;
		if (length === 1) return "unknown";
		const { below, above, total, size } = this.#linear(constraint);
		for (let v = 0; v < nVars; v++) {
			const slope = c[1 + v];
			const own = Math.abs(slope);
			if (!(own > 1e-14 * size) || this.#half[v] === 0) continue;
			const others = (total - own + 4 * nVars * U * total) * UP;
			const from = (below - others) / own;
			const to = (above + others) / own;
			// ζ_v·sign is in [from, to], up to a relative rounding of 2^-52.
			const zLo = from - Math.abs(from) * 4 * U;
			const zHi = to + Math.abs(to) * 4 * U;
			if (zLo > 1 || zHi < -1) return "outside";
			const least = slope > 0 ? zLo : -zHi;
			const most = slope > 0 ? zHi : -zLo;
			const k = 2 * constraint.variables[v];
			const wide = (Math.abs(this.#middle[v]) + this.#half[v]) * 8 * U;
			if (least > -1) box[k] = Math.max(box[k], this.#middle[v] + this.#half[v] * least - wide);
			if (most < 1) box[k + 1] = Math.min(box[k + 1], this.#middle[v] + this.#half[v] * most + wide);
			if (!(box[k] <= box[k + 1])) return "outside";
		}
		return "unknown";
	}
}
