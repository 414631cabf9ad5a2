/**
 * States and sensitivities linearised together. The Jacobian matrix of the two is block triangular,
 *
 *     [ f_x                  0         ]
 *     [ (f_x S + f_p)_x      I x f_x   ]
 *
 * so one factorisation of the n x n matrix shift I - f_x serves the states and then every column of S. The block below the
 * diagonal enters as a product with the states' part alone: a directional second derivative, kept exact so
 * that the method keeps its order.
 */
import type { Ivp, SolveStats } from "../ivp.ts";
import type { SensitiveIvp } from "../sensitivity.ts";
import { DenseLinearization, differenceTimeInto, type Linearization } from "./linearization.ts";

const CUBE_ROOT_EPSILON = 6e-6;

export class SensitiveLinearization implements Linearization {
	readonly nStates: number;
	readonly jacobian: Float64Array;
	readonly timeDerivative: Float64Array;
	private readonly base: DenseLinearization;
	private t = 0;
	private readonly x: Float64Array;
	private readonly S: Float64Array;
	private readonly slope: Float64Array;
	/** The part of a stage that belongs to the states, the part of the columns, and what couples them. */
	private readonly k: Float64Array;
	private readonly columns: Float64Array;
	private readonly coupling: Float64Array;
	private readonly moved: Float64Array;
	private readonly ahead: Float64Array;
	private readonly behind: Float64Array;

	constructor(
		private readonly ivp: SensitiveIvp,
		private readonly together: Ivp,
		private readonly nColumns: number,
		private readonly atol: Float64Array,
		private readonly stats: SolveStats,
	) {
		const { n } = ivp;
		this.base = new DenseLinearization(ivp, atol, stats);
		this.nStates = n;
		this.jacobian = this.base.jacobian;
		this.timeDerivative = new Float64Array(together.n);
		this.x = new Float64Array(n);
		this.S = new Float64Array(n * nColumns);
		this.slope = new Float64Array(n);
		this.k = new Float64Array(n);
		this.columns = new Float64Array(n * nColumns);
		this.coupling = new Float64Array(n * nColumns);
		this.moved = new Float64Array(together.n);
		this.ahead = new Float64Array(together.n);
		this.behind = new Float64Array(together.n);
	}

	evaluateJacobian(t: number, z: Float64Array, slope: Float64Array, h: number): void {
		this.place(t, z, slope);
		this.base.evaluateJacobian(t, this.x, this.slope, h);
	}

	evaluate(t: number, z: Float64Array, slope: Float64Array, h: number): void {
		const { n } = this.ivp;
		this.place(t, z, slope);
		this.base.evaluate(t, this.x, this.slope, h);
		if (this.ivp.autonomous) return;
		const { sensitivityTimeDerivative } = this.ivp;
		if (sensitivityTimeDerivative) {
			sensitivityTimeDerivative.call(this.ivp, t, this.x, this.S, this.columns);
			this.timeDerivative.set(this.columns, n);
		} else {
			this.stats.rhs += differenceTimeInto(this.timeDerivative, this.together, t, z, slope, h);
		}
		this.timeDerivative.set(this.base.timeDerivative);
	}

	factor(shift: number): boolean {
		return this.base.factor(shift);
	}

	solveInto(u: Float64Array): void {
		const { n } = this.ivp;
		const { k, columns, coupling, base, nColumns } = this;
		copyInto(k, u, 0);
		base.solveInto(k);
		this.coupleInto(coupling, k);
		for (let i = 0; i < columns.length; i++) columns[i] = u[n + i] + coupling[i];
		base.solveColumnsInto(columns, nColumns);
		u.set(k);
		u.set(columns, n);
	}

	solveColumnsInto(columns: Float64Array, nColumns: number): void {
		this.base.solveColumnsInto(columns, nColumns);
	}

	spectralBound(): number {
		return this.base.spectralBound();
	}

	private place(t: number, z: Float64Array, slope: Float64Array): void {
		this.t = t;
		copyInto(this.x, z, 0);
		copyInto(this.S, z, this.ivp.n);
		copyInto(this.slope, slope, 0);
	}

	/** out = (f_x S + f_p)_x k */
	private coupleInto(out: Float64Array, k: Float64Array): void {
		if (this.ivp.secondDirectional) this.ivp.secondDirectional(this.t, this.x, this.S, k, out);
		else this.differenceCoupling(out, k);
	}

	private differenceCoupling(out: Float64Array, k: Float64Array): void {
		const { n } = this.ivp;
		const { moved, ahead, behind, x, t, together } = this;
		let sizeOfState = 0;
		let sizeOfK = 0;
		for (let i = 0; i < n; i++) {
			const scale = Math.abs(x[i]) + 1e3 * this.atol[i];
			const state = x[i] / scale;
			const along = k[i] / scale;
			sizeOfState += state * state + 1e-6;
			sizeOfK += along * along;
		}
		if (sizeOfK === 0) {
			out.fill(0);
			return;
		}
		const step = CUBE_ROOT_EPSILON * Math.sqrt(sizeOfState / sizeOfK);
		moved.set(this.S, n);
		for (let i = 0; i < n; i++) moved[i] = x[i] + step * k[i];
		together.rhs(t, moved, ahead);
		for (let i = 0; i < n; i++) moved[i] = x[i] - step * k[i];
		together.rhs(t, moved, behind);
		this.stats.rhs += 2;
		for (let i = 0; i < out.length; i++) out[i] = (ahead[n + i] - behind[n + i]) / (2 * step);
	}
}

function copyInto(out: Float64Array, from: Float64Array, offset: number): void {
	for (let i = 0; i < out.length; i++) out[i] = from[offset + i];
}
