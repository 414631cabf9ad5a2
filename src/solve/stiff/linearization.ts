/**
 * The right-hand side linearised at the start of a step, as the stiff methods need it: W = shift I - df/dx, factored,
 * and df/dt. Finite differences stand in for derivatives that the problem does not give.
 */
import { luFactorInto, luSolveColumnsInto, luSolveInto } from "../../num/linear/lu.ts";
import type { Ivp, SolveStats } from "../ivp.ts";

export interface Linearization {
	readonly nStates: number;
	/** df/dx of the states alone, as last evaluated. */
	readonly jacobian: Float64Array;
	readonly timeDerivative: Float64Array;
	/** Evaluates df/dx alone. */
	evaluateJacobian(t: number, x: Float64Array, slope: Float64Array, h: number): void;
	/** Evaluates the derivatives at (t, x), where the slope is `slope`; h and atol give scales to finite differences. */
	evaluate(t: number, x: Float64Array, slope: Float64Array, h: number): void;
	/** Factors shift I - df/dx. False when it is singular or not finite. */
	factor(shift: number): boolean;
	/** Solves in place with what was factored. */
	solveInto(u: Float64Array): void;
	/** The same for columns, row-major nStates x nColumns, with df/dx of the states alone. */
	solveColumnsInto(columns: Float64Array, nColumns: number): void;
	/** A bound on the size of the eigenvalues of df/dx. */
	spectralBound(): number;
}

const ROOT_EPSILON = Math.sqrt(Number.EPSILON);

export class DenseLinearization implements Linearization {
	readonly nStates: number;
	readonly timeDerivative: Float64Array;
	readonly jacobian: Float64Array;
	readonly lu: Float64Array;
	readonly pivots: Int32Array;
	private readonly moved: Float64Array;
	private readonly movedSlope: Float64Array;

	constructor(
		private readonly ivp: Ivp,
		private readonly atol: Float64Array,
		private readonly stats: SolveStats,
	) {
		const { n } = ivp;
		this.nStates = n;
		this.timeDerivative = new Float64Array(n);
		this.jacobian = new Float64Array(n * n);
		this.lu = new Float64Array(n * n);
		this.pivots = new Int32Array(n);
		this.moved = new Float64Array(n);
		this.movedSlope = new Float64Array(n);
	}

	evaluateJacobian(t: number, x: Float64Array, slope: Float64Array, h: number): void {
		this.stats.jacobians++;
		if (this.ivp.jacobian) this.ivp.jacobian(t, x, this.jacobian);
		else this.differenceStates(t, x, slope, h);
	}

	evaluate(t: number, x: Float64Array, slope: Float64Array, h: number): void {
		const { ivp } = this;
		this.evaluateJacobian(t, x, slope, h);
		if (ivp.autonomous) this.timeDerivative.fill(0);
		else if (ivp.timeDerivative) ivp.timeDerivative(t, x, this.timeDerivative);
		else this.stats.rhs += differenceTimeInto(this.timeDerivative, ivp, t, x, slope, h);
	}

	factor(shift: number): boolean {
		const { n } = this.ivp;
		const { lu, jacobian } = this;
		for (let i = 0; i < n * n; i++) lu[i] = -jacobian[i];
		for (let i = 0; i < n; i++) lu[i * n + i] += shift;
		this.stats.factorizations++;
		return luFactorInto(lu, this.pivots, n);
	}

	solveInto(u: Float64Array): void {
		luSolveInto(u, this.lu, this.pivots, this.ivp.n);
	}

	solveColumnsInto(columns: Float64Array, nColumns: number): void {
		luSolveColumnsInto(columns, nColumns, this.lu, this.pivots, this.ivp.n);
	}

	/** The largest sum of a row or of a column, whichever is less. */
	spectralBound(): number {
		return Math.min(this.largestSum(this.ivp.n, 1), this.largestSum(1, this.ivp.n));
	}

	private largestSum(outer: number, inner: number): number {
		const { n } = this.ivp;
		let largest = 0;
		for (let i = 0; i < n; i++) {
			let sum = 0;
			for (let j = 0; j < n; j++) sum += Math.abs(this.jacobian[i * outer + j * inner]);
			largest = Math.max(largest, sum);
		}
		return largest;
	}

	private differenceStates(t: number, x: Float64Array, slope: Float64Array, h: number): void {
		const { n } = this.ivp;
		const { moved, movedSlope, jacobian } = this;
		moved.set(x);
		for (let j = 0; j < n; j++) {
			const scale = Math.max(Math.abs(x[j]), Math.abs(h * slope[j]), this.atol[j]);
			// Away from zero, and by a difference that is exact in binary.
			moved[j] = x[j] + (x[j] < 0 ? -1 : 1) * ROOT_EPSILON * scale;
			const step = moved[j] - x[j];
			this.ivp.rhs(t, moved, movedSlope);
			for (let i = 0; i < n; i++) jacobian[i * n + j] = (movedSlope[i] - slope[i]) / step;
			moved[j] = x[j];
		}
		this.stats.rhs += n;
	}
}

/** df/dt by a difference into the step, which lies within a smooth piece. Returns how often the slope was evaluated. */
export function differenceTimeInto(
	out: Float64Array,
	ivp: Ivp,
	t: number,
	x: Float64Array,
	slope: Float64Array,
	h: number,
): number {
	const size = Math.min(ROOT_EPSILON * Math.max(Math.abs(t), Math.abs(h)), Math.abs(h));
	const moved = t + (h < 0 ? -size : size);
	ivp.rhs(moved, x, out);
	for (let i = 0; i < ivp.n; i++) out[i] = (out[i] - slope[i]) / (moved - t);
	return 1;
}
