/**
 * Rosenbrock methods, stepped from their table (rosenbrock-table.ts has the formulas).
 */
import type { ErrorNorm } from "../error-norm.ts";
import { sumFromInto, sumInto, type WeightedSum, weightedSum } from "../explicit/weighted-sum.ts";
import type { Ivp, SolveStats } from "../ivp.ts";
import { allFinite, firstNotFinite, type Stepper } from "../stepper.ts";
import type { Linearization } from "./linearization.ts";
import type { RosenbrockTable } from "./rosenbrock-table.ts";

export class RosenbrockStepper implements Stepper {
	readonly method;
	readonly errorExponent;
	readonly beta;
	readonly nDense;
	readonly slope: Float64Array;
	culprit = -1;
	/** Slope at the end of the step last tried. */
	private readonly endSlope: Float64Array;
	private readonly rows: Float64Array;
	private readonly u: Float64Array[];
	private readonly a: WeightedSum[];
	private readonly C: WeightedSum[];
	private readonly m: WeightedSum;
	private readonly dense: WeightedSum[];
	private readonly argument: Float64Array;
	private readonly work: Float64Array;
	/** Whether the linearisation is that of the present point: a step tried again keeps it. */
	private linearized = false;

	constructor(
		private readonly table: RosenbrockTable,
		private readonly ivp: Ivp,
		private readonly linearization: Linearization,
		private readonly norm: ErrorNorm,
		private readonly stats: SolveStats,
	) {
		const { n } = ivp;
		const nStages = table.c.length;
		this.method = table.name;
		this.errorExponent = table.errorExponent;
		this.beta = table.beta;
		this.nDense = 1 + table.dense.length;
		this.slope = new Float64Array(n);
		this.endSlope = new Float64Array(n);
		this.rows = new Float64Array(nStages * n);
		this.u = Array.from({ length: nStages }, (_, s) => this.rows.subarray(s * n, (s + 1) * n));
		this.a = table.a.map((row) => weightedSum(row, n));
		this.C = table.C.map((row) => weightedSum(row, n));
		this.m = weightedSum(table.m, n);
		this.dense = table.dense.map((row) => weightedSum(row, n));
		this.argument = new Float64Array(n);
		this.work = new Float64Array(n);
	}

	start(t: number, x: Float64Array): boolean {
		this.linearized = false;
		return this.evaluate(t, x, this.slope);
	}

	attempt(t: number, x: Float64Array, h: number, xNew: Float64Array): number {
		const { n } = this.ivp;
		const { gamma, m } = this.table;
		if (!this.linearized) this.linearization.evaluate(t, x, this.slope, h);
		this.linearized = true;
		if (!this.linearization.factor(1 / (h * gamma))) {
			this.culprit = -1;
			return Number.NaN;
		}
		for (let s = 0; s < m.length; s++) if (!this.stage(s, t, x, h)) return Number.NaN;
		sumFromInto(xNew, x, this.m, this.rows, 1, n);
		const error = this.norm.of(this.u[m.length - 1], x, xNew);
		// A step whose end cannot be gone on from is no good; and the next step begins with this slope.
		if (error <= 1 && !this.evaluate(t + h, xNew, this.endSlope)) return Number.NaN;
		return error;
	}

	denseInto(out: Float64Array, t: number, x: Float64Array, h: number, xNew: Float64Array): void {
		const { n } = this.ivp;
		for (let s = this.table.m.length; s < this.u.length; s++) this.stage(s, t, x, h);
		for (let i = 0; i < n; i++) out[i] = xNew[i] - x[i];
		for (let j = 0; j < this.dense.length; j++) {
			sumInto(this.work, this.dense[j], this.rows, 1, n);
			out.set(this.work, (j + 1) * n);
		}
	}

	stiffness(h: number): number {
		return Math.abs(h) * this.linearization.spectralBound();
	}

	advance(): void {
		this.slope.set(this.endSlope);
		this.linearized = false;
	}

	private stage(s: number, t: number, x: Float64Array, h: number): boolean {
		const { n } = this.ivp;
		const { c, d } = this.table;
		const { work, rows } = this;
		const { timeDerivative } = this.linearization;
		const u = this.u[s];
		if (s === 0) {
			u.set(this.slope);
		} else {
			sumFromInto(this.argument, x, this.a[s], rows, 1, n);
			if (!this.evaluate(t + c[s] * h, this.argument, u)) return false;
		}
		sumInto(work, this.C[s], rows, 1 / h, n);
		const hd = h * d[s];
		for (let i = 0; i < n; i++) u[i] += work[i] + hd * timeDerivative[i];
		this.linearization.solveInto(u);
		return true;
	}

	private evaluate(t: number, x: Float64Array, out: Float64Array): boolean {
		this.ivp.rhs(t, x, out);
		this.stats.rhs++;
		if (allFinite(out)) return true;
		this.culprit = firstNotFinite(out);
		return false;
	}
}
