/**
 * The equations of a Radau step, solved with the Jacobian matrix of the start of the step: first for the states; then,
 * with the derivatives at the stages found, for their sensitivities, whose equations are linear and have
 * the same matrices (staggered, as in W. F. Feehery, J. E. Tolsma, P. I. Barton, Efficient sensitivity analysis of
 * large-scale differential-algebraic systems, Applied Numerical Mathematics 25 (1997) 41-54).
 */
import { ErrorNorm } from "../error-norm.ts";
import type { Ivp, SolveStats } from "../ivp.ts";
import type { SensitiveIvp } from "../sensitivity.ts";
import { derivativesInto, sensitivitySlopesInto } from "../sensitivity-slopes.ts";
import { allFinite, firstNotFinite } from "../stepper.ts";
import type { Linearization } from "./linearization.ts";
import { type Convergence, RadauBlock } from "./radau-block.ts";
import { RadauSystems } from "./radau-systems.ts";
import type { RadauTable } from "./radau-table.ts";

export class RadauNewton {
	/** z in rows, one for each stage: the first guess before `solve`, the solution after it. */
	readonly z: Float64Array;
	readonly zRows: readonly Float64Array[];
	/** Which derivative was not finite when last one was; -1: the Jacobian. */
	culprit = -1;
	private readonly systems: RadauSystems;
	private readonly states: RadauBlock;
	private readonly columns: RadauBlock;
	private readonly nColumns: number;
	/** Derivatives by states and by parameters, at each stage. */
	private readonly J: readonly Float64Array[];
	private readonly fp: readonly Float64Array[];
	private readonly slope: Float64Array;

	/** `sensitive` is the problem of the states where `ivp` is that of states and sensitivities. */
	constructor(
		private readonly table: RadauTable,
		private readonly ivp: Ivp,
		private readonly sensitive: SensitiveIvp | undefined,
		linearization: Linearization,
		{ rtol, atol, origin }: ErrorNorm,
		private readonly stats: SolveStats,
	) {
		const { nStates } = linearization;
		const { n } = ivp;
		const { c, nStages } = table;
		this.nColumns = n / nStates - 1;
		this.systems = new RadauSystems(table, linearization, this.nColumns, stats);
		this.z = new Float64Array(nStages * n);
		this.zRows = c.map((_, i) => this.z.subarray(i * n, (i + 1) * n));
		const block = (offset: number, length: number, solve: () => void) => {
			const own = offset === 0 ? origin : undefined;
			const norm = new ErrorNorm(length, rtol, atol.subarray(offset, offset + length), 0, own);
			return new RadauBlock(table, norm, this.z, this.systems.all, n, offset, length, solve);
		};
		this.states = block(0, nStates, () => this.systems.solveStates());
		this.columns = block(nStates, n - nStates, () => this.systems.solveColumns());
		const nParams = sensitive?.nParams ?? 0;
		this.J = c.map(() => new Float64Array(sensitive ? nStates * nStates : 0));
		this.fp = c.map(() => new Float64Array(nStates * nParams));
		this.slope = new Float64Array(nStates);
	}

	/** Factors the systems for a step of length h. False when one is singular or not finite. */
	factor(h: number): boolean {
		return this.systems.factor(h);
	}

	/** Improves z for a step of length h, for which the systems are factored. */
	solve(t: number, x: Float64Array, h: number): Convergence {
		this.culprit = -1;
		const found = this.states.solve(x, h, () => this.stateSlopes(t, h));
		if (found !== "converged" || !this.sensitive) return found;
		this.evaluateDerivatives(this.sensitive, t, h);
		return this.columns.solve(x, h, () => this.columnSlopes());
	}

	private stateSlopes(t: number, h: number): boolean {
		const { c } = this.table;
		const { at, slopes } = this.states;
		const ivp = this.sensitive ?? this.ivp;
		for (let i = 0; i < c.length; i++) {
			ivp.rhs(t + c[i] * h, at[i], slopes[i]);
			this.stats.rhs++;
			if (!this.check(slopes[i], 0)) return false;
		}
		return true;
	}

	private evaluateDerivatives(ivp: SensitiveIvp, t: number, h: number): void {
		const { c } = this.table;
		for (let i = 0; i < c.length; i++)
			derivativesInto(this.slope, this.J[i], this.fp[i], ivp, t + c[i] * h, this.states.at[i]);
		this.stats.rhs += c.length;
	}

	private columnSlopes(): boolean {
		const { at, slopes } = this.columns;
		const { n, nParams } = this.sensitive!;
		for (let i = 0; i < at.length; i++) {
			sensitivitySlopesInto(slopes[i], this.J[i], this.fp[i], at[i], n, nParams, this.nColumns);
			if (!this.check(slopes[i], n)) return false;
		}
		return true;
	}

	private check(slope: Float64Array, offset: number): boolean {
		if (allFinite(slope)) return true;
		this.culprit = offset + firstNotFinite(slope);
		return false;
	}
}
