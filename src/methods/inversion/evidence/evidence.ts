/**
 * How well a set of terms is supported: minus twice its log evidence (smaller is better), by Laplace's approximation. A
 * term costs more the better the data could have shown it, and less the more its weight is needed:
 *
 *   S/σ² + log det(I + D^½ BᵀB D^½/σ²) + aᵀ D⁻¹ a
 *
 * The weights have the prior N(0, D). In its own units each term's effect (effect-scales.ts) is of one size κ, which the states
 * alone tell; terms of one parameter or function share a κ of their own, which may differ from that by a factor of e² or so.
 * Before the data most terms are rather not there than there (term-odds.ts).
 *
 * Reference: MacKay, "Bayesian interpolation", Neural Computation 4, 1992.
 */

import { exp, log } from "../../../num/elementary/number.ts";
import { choleskyInto, choleskyLogDeterminant } from "../../../num/linear/cholesky.ts";
import { squared } from "../../../num/whole-power.ts";
import type { EffectScales } from "../candidates/effect-scales.ts";

/** How far the scale of a group may lie from the common one: standard deviation of its logarithm. */
const groupSpread = 2;
/** Initial values that are unknown: a prior so wide that it says nothing, in deviations of the state. */
const openPrior = 10;

export interface Prior {
	/** Prior variance of each active unknown. */
	readonly variance: Float64Array;
	/** What the scales of the groups cost, and the terms themselves. */
	readonly penalty: number;
}

/** The prior that suits given values of the active unknowns best. */
export function priorFor(scales: EffectScales, active: readonly number[], values: Float64Array): Prior {
	const { effect, group, isRate } = scales;
	const groups = new Map<number, { squares: number; count: number; isRate: boolean }>();
	let penalty = 0;
	active.forEach((u, k) => {
		if (group[u] < 0) return;
		const own = groups.get(group[u]) ?? { squares: 0, count: 0, isRate: isRate[u] };
		own.squares += squared(values[k] * effect[u]);
		own.count++;
		penalty += scales.cost[u];
		groups.set(group[u], own);
	});
	const common = log(scales.typicalRate);
	const scale = new Map<number, number>();
	for (const [g, own] of groups) {
		const centre = own.isRate ? common : 0;
		// A candidate that stands alone must not make itself cheap by being small.
		const least = scales.shared[g] ? Number.NEGATIVE_INFINITY : centre;
		const l = Math.max(bestScale(own.squares, own.count, centre), least);
		scale.set(g, l);
		penalty += squared((l - centre) / groupSpread);
	}
	const variance = Float64Array.from(active, (u) =>
		group[u] < 0 ? squared(openPrior / effect[u]) : exp(2 * scale.get(group[u])!) / squared(effect[u]),
	);
	return { variance, penalty };
}

/** Of a scale as far from the common one as it may lie: three of its standard deviations. */
export function wideVariance({ effect, group, isRate, typicalRate }: EffectScales, u: number): number {
	if (group[u] < 0) return squared(openPrior / effect[u]);
	const centre = isRate[u] ? log(typicalRate) : 0;
	return exp(2 * (centre + 3 * groupSpread)) / squared(effect[u]);
}

/** What a term's cost can fall by, at most, from that scale to the one that suits it: the most of 2 (3 s - l) - (l/s)² over l, for the spread s. */
export const mostByWidth = 6 * groupSpread + squared(groupSpread);

/** Minimum over l of 2 n l + S exp(-2 l) + ((l - centre) / spread)²: Newton's method, each step at most 1. */
function bestScale(squares: number, count: number, centre: number): number {
	let l = centre;
	for (let k = 0; k < 40; k++) {
		const fall = squares * exp(-2 * l);
		const slope = 2 * count - 2 * fall + (2 * (l - centre)) / squared(groupSpread);
		const step = slope / (4 * fall + 2 / squared(groupSpread));
		l -= Math.min(Math.max(step, -1), 1);
		if (Math.abs(step) < 1e-9) break;
	}
	return l;
}

/** A fit of some terms, as far as the evidence needs it. */
export interface FittedTerms {
	readonly active: readonly number[];
	/** Values of the active unknowns. */
	readonly values: Float64Array;
	readonly sse: number;
	/** BᵀB of the active unknowns. */
	readonly gram: Float64Array;
}

export function evidenceOf(
	scales: EffectScales,
	{ active, values, sse, gram }: FittedTerms,
	variance: number,
): number {
	const n = active.length;
	const prior = priorFor(scales, active, values);
	const k = posteriorPrecision(gram, n, prior.variance, variance);
	if (!choleskyInto(k, n)) return Number.POSITIVE_INFINITY;
	let cost = sse / variance + choleskyLogDeterminant(k, n) + prior.penalty;
	// Least of (a - â)ᵀ BᵀB (a - â)/σ² + aᵀ D⁻¹ a: what the prior asks for moves the values a little.
	const z = new Float64Array(n);
	for (let i = 0; i < n; i++) {
		let sum = values[i] / prior.variance[i];
		cost += log(prior.variance[i]) + values[i] * sum;
		for (let j = 0; j < i; j++) sum -= k[i * n + j] * z[j];
		z[i] = sum / k[i * n + i];
		cost -= z[i] * z[i];
	}
	return Number.isNaN(cost) ? Number.POSITIVE_INFINITY : cost;
}

function posteriorPrecision(
	gram: Float64Array,
	n: number,
	prior: Float64Array,
	variance: number,
): Float64Array {
	const k = new Float64Array(n * n);
	for (let i = 0; i < n; i++) {
		for (let j = 0; j <= i; j++) k[i * n + j] = gram[i * n + j] / variance;
		k[i * n + i] += 1 / prior[i];
	}
	return k;
}
