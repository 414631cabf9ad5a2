/**
 * The search for λ: Σ (ŷ(λ, t_i) - y(t_i))² over a period, [tyukin2016] eq. (3.9), in units of the record's size, from one
 * start by one of three optimisers.
 */

import {
	type LeastSquaresOutcome,
	LevenbergMarquardt,
} from "../../../estimate/least-squares/levenberg-marquardt.ts";
import { fromSearch, type Unknown } from "../../../estimate/unknowns/unknowns.ts";
import { minimizeBounded } from "../../../num/bounded-bfgs.ts";
import { nelderMead } from "../../../num/nelder-mead.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Representation } from "../observer/representation.ts";
import { leastChange, type Orthonormal, orthonormal, projectInto } from "./linear-unknowns.ts";
import { searchBound } from "./unknowns.ts";

export type Optimizer = "levenberg-marquardt" | "bfgs" | "nelder-mead";

export interface Found {
	/** In search coordinates. */
	readonly z: readonly number[];
	/** Half the mean square of (ŷ - y) / size. */
	readonly cost: number;
	readonly outcome: LeastSquaresOutcome;
	readonly iterations: number;
	readonly evaluations: number;
}

/** The best of several searches; of answers that are equally good the first, which is nearest to what the user gave. */
export function bestOf(found: readonly Found[]): Found | undefined {
	const usable = found.filter(({ outcome, cost }) => outcome !== "diverged" && Number.isFinite(cost));
	return usable.reduce<Found | undefined>(
		(best, each) => (best && each.cost >= 0.999 * best.cost - asGood ? best : each),
		undefined,
	);
}

/** Costs that differ by less are both rounding. */
const asGood = 1e-18;

export interface Misfit {
	readonly residual: Float64Array;
	readonly jacobian: Float64Array;
}

export interface Relative {
	readonly jacobian: Float64Array;
	readonly dR: Float64Array;
	readonly dHidden: Float64Array;
	/** Of the parameters that closures give, by hidden state. */
	readonly dClosures: readonly (Float64Array | undefined)[];
}

export class Objective {
	readonly #representation: Representation;
	readonly #unknowns: readonly Unknown[];
	readonly #size: number;
	readonly #free: Orthonormal | undefined;

	/** `free`: what may be added to ŷ in any amount; residuals and Jacobians are what is left beside it. */
	constructor(representation: Representation, unknowns: readonly Unknown[], free?: Orthonormal) {
		this.#free = free;
		this.#representation = representation;
		this.#unknowns = unknowns;
		const { starts } = representation.y;
		const mean = starts.reduce((a, b) => a + b, 0) / starts.length;
		this.#size = Math.sqrt(starts.reduce((sum, y) => sum + squared(y - mean), 0)) || 1;
	}

	/** Root of the sum of squares of the record about its mean: what residuals are relative to. */
	get size(): number {
		return this.#size;
	}

	natural(z: ArrayLike<number>): Float64Array {
		return Float64Array.from(this.#unknowns, (unknown, i) => fromSearch(unknown, z[i]));
	}

	cost(z: Float64Array): number {
		const found = this.#representation.evaluate(this.natural(z), false);
		if (!found) return Number.POSITIVE_INFINITY;
		return this.#residual(found.y).reduce((sum, r) => sum + r * r, 0) / 2;
	}

	/** Derivatives of ŷ / size by relative changes of λ, intervals × unknowns, and relative ones of R and hidden starts. */
	relative(lambda: Float64Array): Relative | undefined {
		const found = this.#representation.evaluate(lambda);
		if (!found) return undefined;
		const n = lambda.length;
		const scale = (matrix: Float64Array, of: ArrayLike<number>): Float64Array =>
			matrix.map(
				(value, i) => (value * (Math.abs(lambda[i % n]) || 1)) / (Math.abs(of[Math.floor(i / n)]) || 1),
			);
		return {
			jacobian: scale(this.#beside(found.jacobian!, n), { length: 0 }).map((value) => value / this.#size),
			dR: scale(found.dR!, found.R),
			dHidden: scale(found.dHidden!, found.hidden),
			dClosures: found.dClosures!.map((row, i) => row && scale(row, [found.closures[i]!])),
		};
	}

	/** Residuals and Jacobian by the search coordinates (of `only`); NaN where there is no periodic solution. */
	misfit(z: Float64Array, only?: readonly number[]): Misfit {
		const natural = this.natural(z);
		const n = natural.length;
		const found = this.#representation.evaluate(natural, true, only);
		const m = this.#representation.grid.intervals;
		if (!found) return { residual: new Float64Array(m).fill(Number.NaN), jacobian: new Float64Array(m * n) };
		// d λ / d z is λ itself on a logarithmic scale.
		const chain = this.#unknowns.map(({ scale }, j) => (scale === "log" ? natural[j] : 1) / this.#size);
		const jacobian = this.#beside(found.jacobian!, n);
		for (let k = 0; k < m; k++) for (let j = 0; j < n; j++) jacobian[k * n + j] *= chain[j];
		return { residual: this.#residual(found.y), jacobian };
	}

	/**
	 * z with its `linear` coordinates where they are best, and the residuals and Jacobian of what is left of the others:
	 * Kaufman's form of variable projection.
	 */
	projected(
		z: Float64Array,
		linear: readonly number[],
		others: readonly number[],
	): Misfit & { z: Float64Array } {
		const n = z.length;
		if (linear.length === 0 && others.length === n) return { z, ...this.misfit(z) };
		const column = ({ jacobian, residual }: Misfit, j: number): Float64Array =>
			Float64Array.from(residual, (_, k) => jacobian[k * n + j]);
		const best = this.bestLinear(z, linear);
		const misfit = this.misfit(best);
		const basis = orthonormal(linear.map((j) => column(misfit, j)));
		const jacobian = new Float64Array(misfit.residual.length * others.length);
		others.forEach((j, c) => {
			const left = column(misfit, j);
			projectInto(left, basis);
			left.forEach((value, k) => {
				jacobian[k * others.length + c] = value;
			});
		});
		projectInto(misfit.residual, basis);
		return { z: best, residual: misfit.residual, jacobian };
	}

	/** z with its `linear` coordinates where they are best. */
	bestLinear(z: Float64Array, linear: readonly number[]): Float64Array {
		if (linear.length === 0) return z;
		const { residual, jacobian } = this.misfit(z, linear);
		const columns = linear.map((j) => Float64Array.from(residual, (_, k) => jacobian[k * z.length + j]));
		const change = leastChange(orthonormal(columns), residual);
		const best = z.slice();
		linear.forEach((j, a) => {
			if (Number.isFinite(change[a])) best[j] += change[a];
		});
		return best;
	}

	#residual(yhat: Float64Array): Float64Array {
		const { starts } = this.#representation.y;
		const residual = yhat.map((value, k) => (value - starts[k]) / this.#size);
		if (this.#free) projectInto(residual, this.#free);
		return residual;
	}

	/** Columns without what is free. */
	#beside(jacobian: Float64Array, n: number): Float64Array {
		if (!this.#free) return jacobian;
		for (let j = 0; j < n; j++) {
			const column = Float64Array.from({ length: jacobian.length / n }, (_, k) => jacobian[k * n + j]);
			projectInto(column, this.#free);
			column.forEach((value, k) => {
				jacobian[k * n + j] = value;
			});
		}
		return jacobian;
	}
}

export function search(
	objective: Objective,
	unknowns: readonly Unknown[],
	start: Float64Array,
	optimizer: Optimizer,
	maxEvaluations: number,
	held: ReadonlySet<number>,
	linear: readonly number[],
): Found {
	const bounds = (which: "lo" | "hi"): Float64Array =>
		Float64Array.from(unknowns, (unknown, i) =>
			held.has(i) ? start[i] : searchBound(unknown, unknown[which]),
		);
	const lo = bounds("lo");
	const hi = bounds("hi");
	if (unknowns.length === 0)
		return { z: [], cost: objective.cost(start), outcome: "converged", iterations: 0, evaluations: 1 };
	if (optimizer === "levenberg-marquardt")
		return separable(objective, { lo, hi }, start, maxEvaluations, held, linear);
	if (optimizer === "bfgs") {
		let size = 0;
		// The logarithm of the cost falls evenly however small the cost becomes.
		const f = (z: Float64Array): { value: number; gradient: Float64Array } => {
			const { residual, jacobian } = objective.misfit(z);
			const value = residual.reduce((sum, r) => sum + r * r, 0) / 2;
			const gradient = new Float64Array(z.length);
			residual.forEach((r, k) => {
				for (let j = 0; j < z.length; j++) gradient[j] += jacobian[k * z.length + j] * r;
			});
			size ||= value;
			return value < Number.POSITIVE_INFINITY
				? { value: value / size, gradient: gradient.map((g) => g / size) }
				: { value: Number.POSITIVE_INFINITY, gradient };
		};
		const { x, value, converged, evaluations } = minimizeBounded(f, start, lo, hi, {
			maxEvaluations,
			tolerance: 1e-13,
		});
		const outcome = value < Number.POSITIVE_INFINITY ? (converged ? "converged" : "maxSteps") : "diverged";
		return { z: [...x], cost: value * size, outcome, iterations: evaluations, evaluations };
	}
	const simplex = nelderMead((z) => objective.cost(z), start, lo, hi, {
		maxEvaluations: 10 * maxEvaluations,
	});
	return {
		z: [...simplex.x],
		cost: simplex.value,
		outcome:
			simplex.value < Number.POSITIVE_INFINITY ? (simplex.converged ? "converged" : "maxSteps") : "diverged",
		iterations: simplex.evaluations,
		evaluations: simplex.evaluations,
	};
}

/** Levenberg–Marquardt on the coordinates that are not linear. */
function separable(
	objective: Objective,
	bounds: { lo: Float64Array; hi: Float64Array },
	start: Float64Array,
	maxEvaluations: number,
	held: ReadonlySet<number>,
	linear: readonly number[],
): Found {
	const inner = linear.filter((j) => !held.has(j));
	const outer = [...start.keys()].filter((j) => !held.has(j) && !inner.includes(j));
	const pick = (all: Float64Array): Float64Array => Float64Array.from(outer, (j) => all[j]);
	const machine = new LevenbergMarquardt(
		pick(start),
		{ lo: pick(bounds.lo), hi: pick(bounds.hi) },
		{ maxEvaluations, tolerance: 1e-9 },
	);
	const at = (point: Float64Array): Float64Array => {
		const z = start.slice();
		outer.forEach((j, c) => {
			z[j] = point[c];
		});
		return z;
	};
	while (machine.trial) {
		const { residual, jacobian } = objective.projected(at(machine.trial), inner, outer);
		machine.tell(residual, jacobian);
	}
	const z = objective.bestLinear(at(machine.best), inner);
	return {
		z: [...z],
		cost: machine.cost,
		outcome: machine.outcome ?? "maxSteps",
		iterations: machine.iterations,
		evaluations: machine.evaluations,
	};
}
