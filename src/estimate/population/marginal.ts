/**
 * The likelihood of what all records share, eta integrated out by Laplace's method with Fisher's information (as FOCE with
 * interaction has it), and its slopes by differences: near a value the etas move little, and the searches for them start there.
 *
 * Reference: Wang, "Derivation of various NONMEM estimation methods", J. Pharmacokinet. Pharmacodyn. 34, 2007.
 */

import { choleskySolveInto } from "../../num/linear/cholesky.ts";
import type { Integration } from "../forward/estimation.ts";
import { forwardOf } from "../forward/forward-of.ts";
import type { LikelihoodProblem } from "../observe/likelihood.ts";
import { type Cholesky, factored } from "./factored.ts";
import { type Mode, modeAt, modesOf } from "./modes.ts";
import type { PopulationProblem } from "./problem.ts";

/** At one value of what is shared. */
export interface Marginal {
	/** Search coordinates of the shared. */
	readonly shared: Float64Array;
	/** Minus log-likelihood; Infinity where a unit could not be simulated. */
	readonly value: number;
	/** One a unit. */
	readonly modes: readonly Mode[];
}

/** A marginal in plain values: the rest is evaluated again. */
export interface MarginalSnapshot {
	/** Of each unit: search coordinates of the shared, then eta; none where it could not be simulated. */
	readonly modes: readonly { readonly z: readonly number[]; readonly isFound: boolean }[];
	readonly shared: readonly number[];
}

export interface Slopes {
	readonly gradient: Float64Array;
	/** Of each unit: units × shared. */
	readonly scores: Float64Array;
}

/** Differences are taken over this share of what a unit standard error is. */
const differenceShare = 0.05;
/** The longest difference, and the shortest beside the coordinate. */
const longest = 0.05;
const shortest = 1e-5;

export class MarginalLikelihood {
	readonly #likelihoods: readonly LikelihoodProblem[];
	/** Batches of simulations so far, all units counted as one. */
	evaluations = 0;

	constructor(
		readonly problem: PopulationProblem,
		readonly integration: Integration,
		/** Minus log density of what is known of the shared beforehand. */
		readonly prior: (shared: Float64Array) => number = () => 0,
	) {
		const { unknowns, priors, units } = problem;
		this.#likelihoods = units.map(({ estimation }) => ({
			unknowns,
			observations: estimation.observations,
			priors,
			forward: forwardOf(estimation, integration),
		}));
	}

	likelihood(unit: number): LikelihoodProblem {
		return this.#likelihoods[unit];
	}

	/** The etas of one unit at several points, searched for from a mode nearby. */
	async modes(unit: number, points: readonly Float64Array[], known?: Mode, rounds?: number): Promise<Mode[]> {
		const { nShared, unknowns } = this.problem;
		const isKnown = known !== undefined && known.cost < Infinity;
		const starts = points.map((shared) => {
			const z = new Float64Array(unknowns.length);
			z.set(shared);
			if (isKnown) {
				z.set(known.z.subarray(nShared), nShared);
				moveEta(z, known, nShared);
			}
			return z;
		});
		return modesOf(this.#likelihoods[unit], starts, nShared, rounds);
	}

	/** At several points at once; `near` has etas to begin with. */
	async at(points: readonly Float64Array[], near?: Marginal): Promise<Marginal[]> {
		const { units } = this.problem;
		const modes: Mode[][] = points.map(() => []);
		for (const [u] of units.entries()) {
			const own = await this.modes(u, points, near?.modes[u]);
			for (const [k, mode] of own.entries()) modes[k].push(mode);
		}
		this.evaluations++;
		return points.map((shared, k) => this.#marginal(shared, modes[k]));
	}

	#marginal(shared: Float64Array, modes: readonly Mode[]): Marginal {
		const slopes = this.problem.units.reduce((sum, { logSlope }) => sum + logSlope, 0);
		const value = modes.reduce((sum, { marginal }) => sum + marginal, this.prior(shared) - slopes);
		return { shared, value: Number.isNaN(value) ? Infinity : value, modes };
	}

	/** The same bits as what the snapshot was taken of. */
	async again({ shared, modes }: MarginalSnapshot): Promise<Marginal> {
		const found = await Promise.all(
			modes.map(({ z, isFound }, u) =>
				modeAt(this.#likelihoods[u], Float64Array.from(z), this.problem.nShared, isFound),
			),
		);
		return this.#marginal(Float64Array.from(shared), found);
	}

	/** Slopes by central differences, at several points at once. */
	async slopes(marginals: readonly Marginal[]): Promise<Slopes[]> {
		const { nShared: p, units } = this.problem;
		const results: Slopes[] = [];
		for (const marginal of marginals) {
			const h = this.steps(marginal);
			const points = Array.from({ length: 2 * p }, (_, k) => {
				const z = marginal.shared.slice();
				z[k >> 1] += k % 2 === 0 ? h[k >> 1] : -h[k >> 1];
				return z;
			});
			const around = await this.at(points, marginal);
			const scores = new Float64Array(units.length * p);
			const gradient = new Float64Array(p);
			for (let k = 0; k < p; k++) {
				const [up, down] = [around[2 * k], around[2 * k + 1]];
				for (let u = 0; u < units.length; u++)
					scores[u * p + k] = (up.modes[u].marginal - down.modes[u].marginal) / (2 * h[k]);
				gradient[k] = (up.value - down.value) / (2 * h[k]);
			}
			results.push({ gradient, scores });
		}
		return results;
	}

	/** Lengths of differences. */
	steps(marginal: Marginal): Float64Array {
		const p = this.problem.nShared;
		const information = this.information(marginal);
		return Float64Array.from({ length: p }, (_, k) => {
			const sd = 1 / Math.sqrt(information[k * p + k]);
			const size = Math.max(1, Math.abs(marginal.shared[k]));
			return Math.max(Math.min(differenceShare * sd, longest * size), shortest * size);
		});
	}

	/** Information on what is shared once eta is eliminated, to first order: p × p. */
	information({ modes }: Marginal): Float64Array {
		const { nShared: p, unknowns } = this.problem;
		const n = unknowns.length;
		const q = n - p;
		const sum = new Float64Array(p * p);
		for (const { misfit, information } of modes) {
			const { jacobian, residual } = misfit;
			const factor = factored(information, q);
			if (!factor) continue;
			const cross = crossOf(jacobian, residual.length, n, p);
			for (let i = 0; i < p; i++) {
				const solved = eliminated(cross, i, factor, q);
				for (let j = 0; j <= i; j++) {
					let value = 0;
					for (let row = 0; row < residual.length; row++)
						value += jacobian[row * n + i] * jacobian[row * n + j];
					for (let k = 0; k < q; k++) value -= solved[k] * cross[j * q + k];
					sum[i * p + j] += value;
					if (j < i) sum[j * p + i] += value;
				}
			}
		}
		return sum;
	}
}

export function snapshotOf({ shared, modes }: Marginal): MarginalSnapshot {
	return {
		shared: [...shared],
		modes: modes.map(({ z, cost }) => ({ z: [...z], isFound: cost < Infinity })),
	};
}

/** Slopes by the shared times slopes by eta: p × q. */
function crossOf(jacobian: Float64Array, rows: number, n: number, p: number): Float64Array {
	const q = n - p;
	const cross = new Float64Array(p * q);
	for (let row = 0; row < rows; row++)
		for (let i = 0; i < p; i++)
			for (let k = 0; k < q; k++) cross[i * q + k] += jacobian[row * n + i] * jacobian[row * n + p + k];
	return cross;
}

function eliminated(cross: Float64Array, i: number, factor: Cholesky, q: number): Float64Array {
	const x = cross.slice(i * q, (i + 1) * q);
	choleskySolveInto(x, factor, q);
	return x;
}

/** Where eta goes, to first order, when the shared go from those of a mode to those of z. */
function moveEta(z: Float64Array, { z: from, misfit, information }: Mode, p: number): void {
	const n = z.length;
	const q = n - p;
	const factor = factored(information, q);
	if (!factor) return;
	const cross = crossOf(misfit.jacobian, misfit.residual.length, n, p);
	const right = new Float64Array(q);
	for (let i = 0; i < p; i++) for (let k = 0; k < q; k++) right[k] -= cross[i * q + k] * (z[i] - from[i]);
	choleskySolveInto(right, factor, q);
	// Far away the first order says nothing, and with another spread an eta of its own is another value, perhaps one that no step follows: begin in the middle.
	if (!right.every((each) => Math.abs(each) < 1)) {
		z.fill(0, p);
		return;
	}
	for (let k = 0; k < q; k++) z[p + k] += right[k];
}
