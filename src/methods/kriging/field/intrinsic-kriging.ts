/**
 * Intrinsic kriging: the best linear predictor of a process whose mean is an unknown combination of given functions,
 * from noisy linear functionals of it (the paper's eqs. 5–9). Instead of the saddle system (7) the data are split by an
 * orthogonal basis into what the mean can explain and contrasts that it cannot, so that a covariance need only be
 * positive definite on contrasts (a generalised covariance).
 *
 * With Q = [Q1 Z], P = Q1 R: W = Zᵀ K Z; a0 = Q1 R⁻ᵀ p0 + Z W⁻¹ r, r = Zᵀ (k0 - K Q1 R⁻ᵀ p0).
 */
import { choleskyInto, choleskySolveInto, solveLowerInto } from "../../../num/linear/cholesky.ts";
import { Reflections } from "../../../num/linear/reflections.ts";

/** One quantity to predict: its covariances with the observations, and the mean functions there. */
export interface Target {
	readonly k: Float64Array;
	readonly p: Float64Array;
}

/** What is left of a target when the mean is taken care of; two of them give the covariance of two errors. */
export interface Reduced {
	readonly prediction: number;
	/** R⁻ᵀ p0. */
	readonly u: Float64Array;
	/** Q1ᵀ k0. */
	readonly k1: Float64Array;
	/** L⁻¹ r. */
	readonly s: Float64Array;
}

export class IntrinsicKriging {
	readonly n: number;
	/** Independent mean functions. */
	readonly rank: number;
	readonly reflections: Reflections;
	/** Qᵀ K Q. */
	readonly rotated: Float64Array;
	/** L of W = L Lᵀ. */
	readonly factor: Float64Array;
	/** Qᵀ y. */
	readonly rotatedY: Float64Array;
	/** W⁻¹ Zᵀ y. */
	readonly solved: Float64Array;
	/** W is positive definite: otherwise nothing here means anything. */
	readonly isDefinite: boolean;

	/** `k`: covariance of the observations, noise included (n × n). `p`: mean functions at them (n × m). */
	constructor(
		k: Float64Array,
		p: Float64Array,
		y: Float64Array,
		readonly nMean: number,
	) {
		const n = y.length;
		this.n = n;
		this.reflections = new Reflections(p, n, nMean);
		const rank = this.reflections.rank;
		this.rank = rank;
		this.rotated = k.slice();
		this.reflections.congruenceInto(this.rotated);
		const size = n - rank;
		this.factor = new Float64Array(size * size);
		for (let i = 0; i < size; i++)
			for (let j = 0; j <= i; j++) this.factor[i * size + j] = this.rotated[(rank + i) * n + rank + j];
		this.isDefinite = choleskyInto(this.factor, size);
		this.rotatedY = y.slice();
		this.reflections.applyTransposeInto(this.rotatedY);
		this.solved = this.rotatedY.slice(rank);
		if (this.isDefinite) choleskySolveInto(this.solved, this.factor, size);
	}

	/** Coefficients c of f̂(x) = Σ c_i k(x, i) + Σ β_j p_j(x), as many as there are observations. */
	get dual(): Float64Array {
		const c = new Float64Array(this.n);
		c.set(this.solved, this.rank);
		this.reflections.applyInto(c);
		return c;
	}

	/** Coefficients β of the mean functions: zero for those that are not independent. */
	get beta(): Float64Array {
		return this.#meanCoefficients(this.rotatedY, this.solved);
	}

	/** The same coefficients for other values at the same observations. */
	fitted(y: Float64Array): { dual: Float64Array; beta: Float64Array } {
		const rotated = y.slice();
		this.reflections.applyTransposeInto(rotated);
		const solved = rotated.slice(this.rank);
		choleskySolveInto(solved, this.factor, this.n - this.rank);
		const dual = new Float64Array(this.n);
		dual.set(solved, this.rank);
		this.reflections.applyInto(dual);
		return { dual, beta: this.#meanCoefficients(rotated, solved) };
	}

	reduce({ k, p }: Target): Reduced {
		const { n, rank, rotated, reflections } = this;
		const kQ = k.slice();
		reflections.applyTransposeInto(kQ);
		const u = this.#meanPart(p);
		const s = this.#contrastPart(kQ, u);
		let prediction = 0;
		for (let i = 0; i < rank; i++) prediction += u[i] * this.rotatedY[i];
		for (let i = 0; i < n - rank; i++) prediction += s[i] * this.solved[i];
		solveLowerInto(s, this.factor, n - rank);
		// K11 u enters the covariance of two errors; it is kept folded into k1.
		const k1 = new Float64Array(rank);
		for (let i = 0; i < rank; i++) {
			k1[i] = kQ[i];
			for (let j = 0; j < rank; j++) k1[i] -= 0.5 * rotated[i * n + j] * u[j];
		}
		return { prediction, u, k1, s };
	}

	/** Covariance of the prediction errors of two targets, whose own covariance is `k00`: eq. (8) for two. */
	errorCovariance(k00: number, a: Reduced, b: Reduced): number {
		let value = this.#meanError(k00, a, b);
		for (let i = 0; i < a.s.length; i++) value -= a.s[i] * b.s[i];
		return value;
	}

	/** The same of many targets with one; `own` holds their own covariances on entry. */
	errorCovariancesInto(own: Float64Array, all: readonly Reduced[], b: Reduced): void {
		const n = b.s.length;
		let i = 0;
		// Four at once: their sums do not wait for one another, and each adds up in the order that it has alone.
		for (; i + 3 < all.length; i += 4) {
			const [a0, a1, a2, a3] = [all[i].s, all[i + 1].s, all[i + 2].s, all[i + 3].s];
			let v0 = this.#meanError(own[i], all[i], b);
			let v1 = this.#meanError(own[i + 1], all[i + 1], b);
			let v2 = this.#meanError(own[i + 2], all[i + 2], b);
			let v3 = this.#meanError(own[i + 3], all[i + 3], b);
			for (let k = 0; k < n; k++) {
				const s = b.s[k];
				v0 -= a0[k] * s;
				v1 -= a1[k] * s;
				v2 -= a2[k] * s;
				v3 -= a3[k] * s;
			}
			own[i] = v0;
			own[i + 1] = v1;
			own[i + 2] = v2;
			own[i + 3] = v3;
		}
		for (; i < all.length; i++) own[i] = this.errorCovariance(own[i], all[i], b);
	}

	#meanError(k00: number, a: Reduced, b: Reduced): number {
		let value = k00;
		for (let i = 0; i < this.rank; i++) value -= a.u[i] * b.k1[i] + b.u[i] * a.k1[i];
		return value;
	}

	/** The weights a0 and multipliers μ0 of eq. (7). */
	weights({ k, p }: Target): { a: Float64Array; mu: Float64Array } {
		const kQ = k.slice();
		this.reflections.applyTransposeInto(kQ);
		const u = this.#meanPart(p);
		const v = this.#contrastPart(kQ, u);
		choleskySolveInto(v, this.factor, this.n - this.rank);
		const a = new Float64Array(this.n);
		a.set(u);
		a.set(v, this.rank);
		// μ = R⁻¹ Q1ᵀ (k0 - K a)
		const { n, rank, rotated } = this;
		const rest = new Float64Array(rank);
		for (let i = 0; i < rank; i++) {
			rest[i] = kQ[i];
			for (let j = 0; j < n; j++) rest[i] -= rotated[i * n + j] * a[j];
		}
		this.reflections.solveInto(rest);
		this.reflections.applyInto(a);
		return { a, mu: this.#spread(rest) };
	}

	/** Covariance of the errors of β (nMean × nMean); zero rows for coefficients that are not independent. */
	betaCovariance(): Float64Array {
		const { nMean, n } = this;
		const targets = Array.from({ length: nMean }, (_, j) => {
			const p = new Float64Array(nMean);
			p[j] = 1;
			return this.reduce({ k: new Float64Array(n), p });
		});
		const kept = new Set(this.reflections.kept);
		const covariance = new Float64Array(nMean * nMean);
		for (let i = 0; i < nMean; i++)
			for (let j = 0; j < nMean; j++)
				if (kept.has(i) && kept.has(j))
					covariance[i * nMean + j] = this.errorCovariance(0, targets[i], targets[j]);
		return covariance;
	}

	/** R⁻ᵀ p0. */
	#meanPart(p: Float64Array): Float64Array {
		const u = Float64Array.from(this.reflections.kept, (j) => p[j]);
		this.reflections.solveTransposeInto(u);
		return u;
	}

	/** r = Zᵀ (k0 - K Q1 u). */
	#contrastPart(kQ: Float64Array, u: Float64Array): Float64Array {
		const { n, rank, rotated } = this;
		const r = new Float64Array(n - rank);
		for (let i = 0; i < n - rank; i++) {
			let value = kQ[rank + i];
			const row = (rank + i) * n;
			for (let j = 0; j < rank; j++) value -= rotated[row + j] * u[j];
			r[i] = value;
		}
		return r;
	}

	/** β from Qᵀ y and W⁻¹ Zᵀ y: R β = Q1ᵀ (y - K c). */
	#meanCoefficients(yQ: Float64Array, solved: Float64Array): Float64Array {
		const { n, rank, rotated } = this;
		const rest = new Float64Array(rank);
		for (let i = 0; i < rank; i++) {
			rest[i] = yQ[i];
			for (let j = 0; j < n - rank; j++) rest[i] -= rotated[i * n + rank + j] * solved[j];
		}
		this.reflections.solveInto(rest);
		return this.#spread(rest);
	}

	#spread(values: Float64Array): Float64Array {
		const all = new Float64Array(this.nMean);
		this.reflections.kept.forEach((j, i) => {
			all[j] = values[i];
		});
		return all;
	}
}
