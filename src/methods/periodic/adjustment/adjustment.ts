/**
 * The most likely λ and record together. The representation takes the record as exact; but the series c and the frequency
 * ω have errors with a known covariance Σ, and they enter ŷ too. Here z = (c, ω) is corrected by as little as possible
 * (in the metric of Σ) so that ŷ(λ; z) = y(z) holds for some λ: a Gauss–Helmert adjustment. It is the maximum of the
 * likelihood over periodic solutions, so it reaches the Cramér–Rao bound, whatever the observer's gains; and its
 * covariances include the error of the period.
 *
 * A step is taken back where ŷ - y grows by it: then what is not linear is given more slack, and λ is damped.
 *
 * Reference: Mikhail, Ackermann, Observations and Least Squares, 1976, chapter 5 (general case of adjustment).
 */
import { isTooLarge } from "../../../estimate/judge/size.ts";
import type { HarmonicFit } from "../../../num/harmonic-fit.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Evaluation, Representation } from "../observer/representation.ts";
import { mostAdjusted } from "../record/model-series.ts";
import { type AdjustmentStep, spreadOf, stepOf } from "./adjustment-step.ts";
import { linearize, type Represent } from "./linearization.ts";
import { quantitiesOf } from "./quantities.ts";

/** What the adjustment finds, and how each changes with the measured (c, ω). */
export interface Adjusted {
	readonly lambda: Float64Array;
	/** By how much λ would still move if it had no bounds. */
	readonly free: Float64Array;
	readonly c: Float64Array;
	readonly omega: number;
	readonly representation: Representation;
	readonly evaluation: Evaluation;
	/** λ, R, closures (by hidden state, 0 where there is none), hidden states at the origin, ω: their covariance / variance. */
	readonly quantities: Float64Array;
	readonly covariance: Float64Array;
	/** Sum of squared corrections in the metric of Σ / variance: `variance` times its degrees of freedom on average. */
	readonly misfit: number;
	readonly degrees: number;
	/** Mean square of ŷ - y that is left, relative to what noise makes of it: the misfit means something only where it is small. */
	readonly unclosed: number;
	/** Singular values of the whitened Jacobian by relative changes of λ. */
	readonly singular: Float64Array;
	/** Directions of λ, as relative changes, that are not seen to first order: errors hold nothing of them. */
	readonly unseen: readonly Float64Array[];
	readonly converged: boolean;
	readonly iterations: number;
}

const maxIterations = 30;
const maxTries = 12;
/** A step of λ that moves ŷ by less than this share of its standard deviation ends the iteration. */
const settled = 1e-3;
/** Steps of λ and record that are smaller, relative to them, are made of rounding. */
const rounding = 1e-9;
/** ŷ - y of this share of the variance of a coefficient is as good as none. */
const closed = 1e-5;
/** A condition of less variance, relative to the others, says nothing: that is rounding, or holds whatever the record. */
const resolved = 1e-6;
/** Slack, relative to the conditions' variance, that leaves nothing of it. */
const unweighted = 1e6;
/** Below this share a step may make it larger again. */
const closing = 1e-3;

export interface AdjustmentOptions {
	/** False: λ and the record stay as they are, and only errors are found. */
	readonly correct?: boolean;
	/** What λ may not leave. */
	readonly bounds?: readonly { readonly lo: number; readonly hi: number }[];
	/** Components of λ that are not determined and stay as they are. */
	readonly held?: ReadonlySet<number>;
}

/** How many times more than noise explains the record had to be corrected, squared; 1 where noise may explain it. */
export function excessOf(
	{ misfit, degrees }: Pick<Adjusted, "misfit" | "degrees">,
	variance: number,
): number {
	return isTooLarge(misfit / variance, degrees) ? misfit / variance / Math.max(degrees, 1) : 1;
}

/** How far the record pulls a λ beyond the bound that it is at, all others free: in standard deviations; inward is less than 0. */
export function pullOf(
	adjusted: Adjusted,
	variance: number,
	j: number,
	{ lo, hi }: { readonly lo: number; readonly hi: number },
): number {
	const { lambda, free, quantities, covariance } = adjusted;
	const ownVariance = covariance[j * (quantities.length + 1)] * variance * excessOf(adjusted, variance);
	const outward = lambda[j] - lo < hi - lambda[j] ? -free[j] : free[j];
	return outward / Math.sqrt(ownVariance);
}

/** In pieces, one for each step. `variance`: that of the noise. */
export function* adjust(
	represent: Represent,
	measured: HarmonicFit,
	start: Float64Array,
	variance: number,
	{ correct = true, bounds, held = new Set() }: AdjustmentOptions = {},
): Generator<void, Adjusted | undefined> {
	const harmonics = Math.min(measured.harmonics, mostAdjusted);
	const size = 2 * harmonics + 1;
	const sigma = covarianceOf(measured, size);
	const high = measured.c.subarray(size);
	const z0 = Float64Array.of(...measured.c.subarray(0, size), measured.omega);
	/** Components of λ that would leave their bounds, and stay on them. */
	const onBound = new Set<number>();
	let point = { z: z0, lambda: start };
	let floor = 0;
	let damping = 0;
	let least = Number.POSITIVE_INFINITY;
	let before: number | undefined;
	for (let iteration = 1; ; iteration++) {
		yield;
		const { z, lambda } = point;
		const linear = linearize(represent, z, high, lambda, harmonics);
		if (!linear) return undefined;
		const spread = spreadOf(linear, sigma);
		const slack = slackOf(linear.rep, linear.evaluation, size) / variance;
		const stepWith = (least: number, damped = 0): AdjustmentStep | undefined =>
			stepOf(linear, spread, lambda, z, z0, {
				slack: Math.max(least, resolved * spread.mean),
				damping: damped,
				held,
				onBound,
			});
		// A search by itself weighs all conditions alike: so it is when they have nothing but slack.
		const own = stepWith(correct ? Math.max(slack, floor) : unweighted * spread.mean);
		// What is left is measured against noise: slack must not explain it.
		const tested = !correct || slack > spread.mean ? stepWith(spread.mean) : own;
		if (!own || !tested) return undefined;
		const isClosed =
			slack < closed * spread.mean || (before !== undefined && Math.abs(slack - before) < 0.2 * slack);
		const converged =
			own.moved < rounding || (isClosed && own.length < squared(settled) * (own.misfit / size));
		before = slack;
		const here = (done: boolean): Adjusted => ({
			lambda,
			free: own.free,
			c: Float64Array.of(...z.subarray(0, size), ...high),
			omega: z[size],
			representation: linear.rep,
			evaluation: linear.evaluation,
			...quantitiesOf(linear, own.V, own.sigmaBt, sigma, own.gain, lambda, z[size]),
			misfit: tested.misfit,
			degrees: tested.degrees,
			unclosed: slack / spread.mean,
			singular: own.singular,
			unseen: own.unseen,
			converged: done,
			iterations: iteration,
		});
		if (!correct || (converged && iteration > 1)) return here(true);
		if (iteration === maxIterations) return here(false);
		least = Math.min(least, slack);
		const allowed = Math.max(2 * least, closing * spread.mean);
		let next: typeof point | undefined;
		let part = 1;
		for (let attempt = 0; attempt < maxTries && !next; attempt++) {
			const step = stepWith(Math.max(slack, floor), damping);
			if (!step) break;
			const trial = {
				z: z.map((value, j) => value + part * (step.z[j] - value)),
				lambda: within(
					lambda.map((value, j) => value + part * (step.lambda[j] - value)),
					bounds,
					onBound,
				),
			};
			if (slackAt(represent, trial, high, size) / variance <= allowed) {
				next = trial;
				damping = damping < 1e-6 ? 0 : damping / 10;
				continue;
			}
			floor = Math.max(floor, 10 * slack);
			damping = Math.max(10 * damping, 1e-6);
			if (attempt > 0) part /= 2;
		}
		if (!next) return here(false);
		point = next;
	}
}

/** Mean square of a coefficient of ŷ - y: what is not linear, and harmonics that were left out. */
function slackOf({ grid, y }: Representation, evaluation: Evaluation, size: number): number {
	let square = 0;
	for (let k = 0; k < grid.intervals; k++) square += squared(evaluation.y[k] - y.starts[k]);
	return (2 * square) / grid.intervals / size;
}

function slackAt(
	represent: Represent,
	{ z, lambda }: { z: Float64Array; lambda: Float64Array },
	high: Float64Array,
	size: number,
): number {
	const rep = represent(Float64Array.of(...z.subarray(0, size), ...high), z[size]);
	const evaluation = rep.evaluate(lambda, false);
	return evaluation ? slackOf(rep, evaluation, size) : Number.NaN;
}

function within(
	lambda: Float64Array,
	bounds: AdjustmentOptions["bounds"],
	onBound: Set<number>,
): Float64Array {
	return lambda.map((value, j) => {
		if (!bounds || (value > bounds[j].lo && value < bounds[j].hi)) return value;
		onBound.add(j);
		return Math.min(Math.max(value, bounds[j].lo), bounds[j].hi);
	});
}

/** Σ / variance of the adjusted coefficients and ω. */
function covarianceOf({ inverse, c }: HarmonicFit, size: number): Float64Array {
	const rows = [...Array(size).keys(), c.length];
	return Float64Array.from(rows.flatMap((i) => rows.map((j) => inverse[i * (c.length + 1) + j])));
}
