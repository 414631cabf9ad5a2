/**
 * Explicit Runge-Kutta methods, stepped from their tables.
 */
import type { ErrorNorm } from "../error-norm.ts";
import type { Ivp, SolveStats } from "../ivp.ts";
import { allFinite, firstNotFinite, type Stepper } from "../stepper.ts";
import type { RungeKuttaTable } from "./runge-kutta-table.ts";
import { sumFromInto, sumInto, type WeightedSum, weightedSum } from "./weighted-sum.ts";

export class RungeKuttaStepper implements Stepper {
	readonly method;
	readonly errorExponent;
	readonly beta;
	readonly nDense;
	readonly slope: Float64Array;
	culprit = -1;
	/** Slopes in rows: the stages, the end point, the interpolant's further stages; and a view of each row. */
	private readonly rows: Float64Array;
	private readonly k: Float64Array[];
	private readonly a: WeightedSum[];
	private readonly b: WeightedSum;
	private readonly error: WeightedSum[];
	private readonly denseA: WeightedSum[];
	private readonly dense: WeightedSum[];
	private readonly errorNeedsEnd: boolean;
	private readonly argument: Float64Array;
	private readonly lastArgument: Float64Array;
	private readonly work: Float64Array;

	constructor(
		private readonly table: RungeKuttaTable,
		private readonly ivp: Ivp,
		private readonly norm: ErrorNorm,
		private readonly stats: SolveStats,
	) {
		const { n } = ivp;
		const nStages = table.c.length;
		const nRows = nStages + 1 + table.denseC.length;
		this.method = table.name;
		this.errorExponent = table.errorExponent;
		this.beta = table.beta;
		this.nDense = 1 + table.dense.length;
		this.rows = new Float64Array(nRows * n);
		this.k = Array.from({ length: nRows }, (_, s) => this.rows.subarray(s * n, (s + 1) * n));
		this.slope = this.k[0];
		const sums = (weights: readonly (readonly number[])[]) => weights.map((row) => weightedSum(row, n));
		this.a = sums(table.a);
		this.b = weightedSum(table.b, n);
		this.error = sums(table.error);
		this.denseA = sums(table.denseA);
		this.dense = sums(table.dense);
		this.errorNeedsEnd = table.error.some((row) => row.length > nStages && row[nStages] !== 0);
		this.argument = new Float64Array(n);
		this.lastArgument = new Float64Array(n);
		this.work = new Float64Array(n);
	}

	start(t: number, x: Float64Array): boolean {
		return this.evaluate(t, x, 0);
	}

	attempt(t: number, x: Float64Array, h: number, xNew: Float64Array): number {
		const { n } = this.ivp;
		const { c } = this.table;
		const nStages = c.length;
		for (let s = 1; s < nStages; s++) {
			const argument = s === nStages - 1 ? this.lastArgument : this.argument;
			sumFromInto(argument, x, this.a[s], this.rows, h, n);
			if (!this.evaluate(t + c[s] * h, argument, s)) return Number.NaN;
		}
		sumFromInto(xNew, x, this.b, this.rows, h, n);
		if (this.errorNeedsEnd && !this.evaluate(t + h, xNew, nStages)) return Number.NaN;
		const error = this.estimateError(h, x, xNew);
		// A step whose end cannot be gone on from is no good, however small its error.
		if (!this.errorNeedsEnd && error <= 1 && !this.evaluate(t + h, xNew, nStages)) return Number.NaN;
		return error;
	}

	denseInto(out: Float64Array, t: number, x: Float64Array, h: number, xNew: Float64Array): void {
		const { n } = this.ivp;
		const firstFurther = this.table.c.length + 1;
		for (let s = 0; s < this.denseA.length; s++) {
			sumFromInto(this.argument, x, this.denseA[s], this.rows, h, n);
			this.evaluate(t + this.table.denseC[s] * h, this.argument, firstFurther + s);
		}
		for (let i = 0; i < n; i++) out[i] = xNew[i] - x[i];
		for (let j = 0; j < this.dense.length; j++) {
			sumInto(this.work, this.dense[j], this.rows, h, n);
			out.set(this.work, (j + 1) * n);
		}
	}

	/**
	 * The last stage and the end point belong to the same time and lie close together: the change of slope between them
	 * gives the largest eigenvalue (E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.2).
	 */
	stiffness(h: number, x: Float64Array, xNew: Float64Array): number {
		const nStages = this.table.c.length;
		const last = this.k[nStages - 1];
		const end = this.k[nStages];
		for (let i = 0; i < this.ivp.n; i++) {
			this.argument[i] = end[i] - last[i];
			this.work[i] = xNew[i] - this.lastArgument[i];
		}
		const apart = this.norm.of(this.work, x, xNew);
		return apart > 0 ? (Math.abs(h) * this.norm.of(this.argument, x, xNew)) / apart : 0;
	}

	advance(): void {
		this.slope.set(this.k[this.table.c.length]);
	}

	private evaluate(t: number, x: Float64Array, row: number): boolean {
		const slope = this.k[row];
		this.ivp.rhs(t, x, slope);
		this.stats.rhs++;
		if (allFinite(slope)) return true;
		this.culprit = firstNotFinite(slope);
		return false;
	}

	private estimateError(h: number, x: Float64Array, xNew: Float64Array): number {
		const { n } = this.ivp;
		sumInto(this.work, this.error[0], this.rows, h, n);
		const fine = this.norm.of(this.work, x, xNew);
		if (this.error.length === 1 || fine === 0) return fine;
		sumInto(this.work, this.error[1], this.rows, h, n);
		const coarse = this.norm.of(this.work, x, xNew);
		return (fine * fine) / Math.sqrt(fine * fine + 0.01 * coarse * coarse);
	}
}
