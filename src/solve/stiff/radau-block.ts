/**
 * A Newton iteration for the equations of a Radau step (radau-table.ts), for one block of its unknowns: the states, or then
 * their sensitivities. It goes on until rounding stops it: the order is high, so an error left here would soon be
 * the largest, and the answer stays a smooth function of parameters and initial values.
 */
import { wholePower } from "../../num/whole-power.ts";
import type { ErrorNorm } from "../error-norm.ts";
import { sumInto, type WeightedSum, weightedSum } from "../explicit/weighted-sum.ts";
import type { RadauTable } from "./radau-table.ts";

/** The iteration ends when the next correction, relative to the unknowns, would be less than this. */
const ROUNDING = 1e-16;
/**
 * Where rounding keeps corrections from falling so far, they are left below this part of the tolerance, or this many units
 * of rounding.
 */
const NEGLIGIBLE = 0.01;
const NEGLIGIBLE_UNITS = 10;
const ITERATIONS = 15;

export type Convergence = "converged" | "not converged" | "not finite";

export class RadauBlock {
	/** x at the start of the step, and x + z at the stages. */
	readonly start: Float64Array;
	readonly at: readonly Float64Array[];
	/** Where f at the stages is put. */
	readonly slopes: readonly Float64Array[];
	/** z and, in the coordinates of the systems, residual and correction: rows that begin `stride` apart. */
	private readonly z: Float64Array;
	private readonly turned: Float64Array;
	private readonly turnedRows: readonly Float64Array[];
	private readonly residual: Float64Array;
	private readonly D: WeightedSum[];
	private readonly T: WeightedSum[];
	private readonly inverseT: WeightedSum[];
	private readonly work: Float64Array;
	private readonly rounding: number;
	private readonly negligible: number;

	constructor(
		table: RadauTable,
		private readonly norm: ErrorNorm,
		z: Float64Array,
		turned: Float64Array,
		private readonly stride: number,
		private readonly offset: number,
		private readonly length: number,
		/** Solves the systems for the rows of this block. */
		private readonly solveSystems: () => void,
	) {
		const rows = (all: Float64Array) => table.c.map((_, i) => all.subarray(i * length, (i + 1) * length));
		const sums = (weights: readonly (readonly number[])[], apart: number) =>
			weights.map((row) => weightedSum(row, apart));
		this.start = new Float64Array(length);
		this.at = table.c.map(() => new Float64Array(length));
		this.residual = new Float64Array(table.nStages * length);
		this.slopes = rows(this.residual);
		this.z = z.subarray(offset);
		this.turned = turned.subarray(offset);
		this.turnedRows = table.c.map((_, i) => this.turned.subarray(i * stride, i * stride + length));
		this.D = sums(table.D, stride);
		this.T = sums(table.T, stride);
		this.inverseT = sums(table.inverseT, length);
		this.work = new Float64Array(length);
		// Over the tolerance, as the size of a correction is.
		this.rounding = ROUNDING / norm.rtol;
		this.negligible = Math.max(NEGLIGIBLE, (NEGLIGIBLE_UNITS * Number.EPSILON) / norm.rtol);
	}

	/**
	 * Improves z, for a step of length h from x for which the systems are factored. `evaluate` puts f into `slopes`, false
	 * when it is not finite.
	 */
	solve(x: Float64Array, h: number, evaluate: () => boolean): Convergence {
		const { rounding, negligible, start } = this;
		for (let j = 0; j < this.length; j++) start[j] = x[this.offset + j];
		this.placeStages();
		let previous = Infinity;
		for (let k = 1; k <= ITERATIONS; k++) {
			if (!evaluate()) return "not finite";
			const size = this.correct(h);
			if (!(size < Infinity)) return "not finite";
			const rate = size / previous;
			if (size <= rounding || (k > 1 && size * rate <= rounding * (1 - rate))) return "converged";
			// Corrections that fall no more are rounding errors, or worse.
			if (rate >= 1) return size <= negligible ? "converged" : "not converged";
			if (k > 1 && !(size * wholePower(rate, ITERATIONS - k) <= negligible)) return "not converged";
			previous = size;
		}
		return "converged";
	}

	private placeStages(): void {
		const { at, start, z, length } = this;
		for (let i = 0; i < at.length; i++) {
			const from = i * this.stride;
			for (let j = 0; j < length; j++) at[i][j] = start[j] + z[from + j];
		}
	}

	/** Corrects z by the residual, f less p'; returns the size of the correction over the tolerance. */
	private correct(h: number): number {
		const { length, work, at, start, z, slopes } = this;
		const nStages = at.length;
		for (let i = 0; i < nStages; i++) {
			sumInto(work, this.D[i], z, 1 / h, length);
			for (let j = 0; j < length; j++) slopes[i][j] -= work[j];
		}
		for (let i = 0; i < nStages; i++) sumInto(this.turnedRows[i], this.inverseT[i], this.residual, 1, length);
		this.solveSystems();
		let sum = 0;
		for (let i = 0; i < nStages; i++) {
			sumInto(work, this.T[i], this.turned, 1, length);
			const from = i * this.stride;
			for (let j = 0; j < length; j++) z[from + j] += work[j];
			for (let j = 0; j < length; j++) at[i][j] = start[j] + z[from + j];
			const size = this.norm.of(work, start, at[i]);
			sum += size * size;
		}
		return Math.sqrt(sum / nStages);
	}
}
