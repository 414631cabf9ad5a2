/**
 * Radau IIA collocation (radau-table.ts has the formulas). Unlike a Rosenbrock method it keeps a high order on stiff
 * problems, so it needs far fewer steps where the tolerance is tight.
 */
import { interpolateInto } from "../dense-output.ts";
import type { ErrorNorm } from "../error-norm.ts";
import { sumFromInto, sumInto, type WeightedSum, weightedSum } from "../explicit/weighted-sum.ts";
import type { Ivp, SolveStats } from "../ivp.ts";
import type { SensitiveIvp } from "../sensitivity.ts";
import { allFinite, firstNotFinite, type Stepper } from "../stepper.ts";
import type { Linearization } from "./linearization.ts";
import { RadauNewton } from "./radau-newton.ts";
import type { RadauTable } from "./radau-table.ts";

export class RadauStepper implements Stepper {
	readonly method;
	readonly errorExponent;
	readonly beta;
	readonly nDense;
	readonly slope: Float64Array;
	culprit = -1;
	/** Slope at the end of the step last tried, and its length. */
	private readonly endSlope: Float64Array;
	private triedStep = 0;
	private readonly newton: RadauNewton;
	private readonly startSlope: WeightedSum;
	private readonly dense: WeightedSum[];
	private readonly argument: Float64Array;
	private readonly work: Float64Array;
	private readonly error: Float64Array;
	/** Whether the Jacobian matrix is that of the present point, and the length for which the systems are factored. */
	private linearized = false;
	private factoredStep = 0;
	/** Length of the last good step, 0 where there is none to go by, and its polynomial from its start. */
	private lastStep = 0;
	private readonly lastVectors: Float64Array;
	private readonly origin: Float64Array;
	/** Whether no step was good yet in this piece, or the last one tried was not. */
	private unsure = true;

	constructor(
		private readonly table: RadauTable,
		private readonly ivp: Ivp,
		sensitive: SensitiveIvp | undefined,
		private readonly linearization: Linearization,
		private readonly norm: ErrorNorm,
		private readonly stats: SolveStats,
	) {
		const { n } = ivp;
		this.method = table.name;
		this.errorExponent = table.errorExponent;
		this.beta = table.beta;
		this.nDense = 1 + table.dense.length;
		this.slope = new Float64Array(n);
		this.endSlope = new Float64Array(n);
		this.newton = new RadauNewton(table, ivp, sensitive, linearization, norm, stats);
		this.startSlope = weightedSum(table.startSlope, n);
		this.dense = table.dense.map((row) => weightedSum(row, n));
		this.argument = new Float64Array(n);
		this.work = new Float64Array(n);
		this.error = new Float64Array(n);
		this.lastVectors = new Float64Array(this.nDense * n);
		this.origin = new Float64Array(n);
	}

	start(t: number, x: Float64Array): boolean {
		this.linearized = false;
		this.lastStep = 0;
		this.unsure = true;
		return this.evaluate(t, x, this.slope);
	}

	attempt(t: number, x: Float64Array, h: number, xNew: Float64Array): number {
		const { n } = this.ivp;
		const { newton } = this;
		this.triedStep = h;
		if (!this.factor(t, x, h)) {
			this.culprit = -1;
			return Number.NaN;
		}
		this.guess(h);
		const solved = newton.solve(t, x, h);
		const wasUnsure = this.unsure;
		this.unsure = true;
		if (solved === "not converged") return Infinity;
		if (solved === "not finite") {
			this.culprit = newton.culprit;
			return Number.NaN;
		}
		const end = newton.zRows[this.table.nStages - 1];
		for (let i = 0; i < n; i++) xNew[i] = x[i] + end[i];
		let error = this.estimateError(this.slope, x, h, xNew);
		if (error >= 1 && wasUnsure) {
			// Where the slope is steep because x is still off the slow motion, the slope a little further on says more.
			for (let i = 0; i < n; i++) this.argument[i] = x[i] + this.error[i];
			if (this.evaluate(t, this.argument, this.work)) error = this.estimateError(this.work, x, h, xNew);
		}
		// A step whose end cannot be gone on from is no good; and the next step begins with this slope.
		if (error <= 1 && !this.evaluate(t + h, xNew, this.endSlope)) return Number.NaN;
		this.unsure = !(error <= 1);
		return error;
	}

	denseInto(out: Float64Array): void {
		const { z, zRows } = this.newton;
		const { n } = this.ivp;
		out.set(zRows[this.table.nStages - 1]);
		for (let j = 0; j < this.dense.length; j++) {
			sumInto(this.work, this.dense[j], z, 1, n);
			out.set(this.work, (j + 1) * n);
		}
	}

	stiffness(h: number): number {
		return Math.abs(h) * this.linearization.spectralBound();
	}

	advance(): void {
		this.lastStep = this.triedStep;
		this.denseInto(this.lastVectors);
		this.slope.set(this.endSlope);
		this.linearized = false;
	}

	private factor(t: number, x: Float64Array, h: number): boolean {
		const { linearization } = this;
		if (!this.linearized) {
			linearization.evaluateJacobian(t, x, this.slope, h);
			this.linearized = true;
			this.factoredStep = 0;
		}
		if (this.factoredStep === h) return true;
		this.factoredStep = this.newton.factor(h) ? h : 0;
		return this.factoredStep === h;
	}

	/** First guess of z: the last step's polynomial, continued. */
	private guess(h: number): void {
		const { newton, lastStep, lastVectors, table } = this;
		const { n } = this.ivp;
		if (lastStep === 0) {
			newton.z.fill(0);
			return;
		}
		for (let i = 0; i < table.nStages; i++) {
			const z = newton.zRows[i];
			interpolateInto(z, 1 + (table.c[i] * h) / lastStep, this.origin, lastVectors, this.nDense, n);
			for (let j = 0; j < n; j++) z[j] -= lastVectors[j];
		}
	}

	/**
	 * What the polynomial's slope at the start lacks of `slope`; solved for with the system of the real eigenvalue, so that
	 * fast components, which make slopes steep, do not count for more than they are.
	 */
	private estimateError(slope: Float64Array, x: Float64Array, h: number, xNew: Float64Array): number {
		sumFromInto(this.error, slope, this.startSlope, this.newton.z, -1 / h, this.ivp.n);
		this.linearization.solveInto(this.error);
		return this.norm.of(this.error, x, xNew);
	}

	private evaluate(t: number, x: Float64Array, out: Float64Array): boolean {
		this.ivp.rhs(t, x, out);
		this.stats.rhs++;
		if (allFinite(out)) return true;
		this.culprit = firstNotFinite(out);
		return false;
	}
}
