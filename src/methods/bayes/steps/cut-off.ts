/**
 * Unknowns whose posterior ends where the filter does: beyond it blows up, but a solver for stiff models comes through, and finds
 * the data as likely there. The interval is then the solver's, not the data's.
 */
import type { Experiment } from "../../../data/experiment.ts";
import { estimationOf } from "../../../estimate/forward/estimation.ts";
import { forwardOf } from "../../../estimate/forward/forward-of.ts";
import { sampleTerm } from "../../../estimate/observe/sample-terms.ts";
import { expandCombinations } from "../../../model/combination.ts";
import { foldFormulaInputs } from "../../../model/formula-inputs.ts";
import { exp } from "../../../num/elementary/number.ts";
import { stream } from "../../../num/random.ts";
import { squared } from "../../../num/whole-power.ts";
import { isDriven } from "../filter/layout.ts";
import type { Likelihood } from "../likelihood/likelihood.ts";
import { logPosterior } from "../likelihood/log-posterior.ts";
import { logPriors, naturalValues } from "../likelihood/unknowns.ts";
import type { Particles } from "../smc/pooled.ts";

export interface CutOff {
	readonly name: string;
	readonly side: "above" | "below";
	/** The outermost value that the posterior has there. */
	readonly edge: number;
}

/** A log density that is lower by more is impossible, in effect: so small are those of steps that overshoot before they blow up. */
const excluded = 20;
/** Share of the moves of a posterior that may lead to where only the solver ends it: about the share of it that is missing. */
const lostShare = 0.05;
/** Moves of each draw. */
const moves = 4;

/**
 * Draws are moved by differences of others, as a chain over the posterior would go: so they stay on a ridge, where an unknown that
 * is moved alone leaves it at once.
 */
export async function cutOff(
	likelihood: Likelihood,
	experiments: readonly Experiment[],
	draws: Particles,
): Promise<CutOff[]> {
	const { unknowns, scales, layout } = likelihood;
	// A solver by itself knows nothing of what drives the model unseen.
	if (isDriven(layout)) return [];
	const stiff = stiffLikelihood(likelihood, experiments);
	if (!stiff) return [];
	const n = moves * draws.n;
	const z = columns(
		draws.z,
		draws.n,
		Array.from({ length: n }, (_, b) => b % draws.n),
	);
	const moved = movedDraws(z, n);
	const [here, there] = [await logPosterior(likelihood, z, n), await logPosterior(likelihood, moved, n)];
	const out = Array.from(there.keys()).filter((b) => !(there[b] >= here[b] - excluded));
	if (out.length === 0) return [];
	const lost = columns(moved, n, out);
	const solved = await stiff(naturalValues(unknowns, lost, out.length), out.length);
	const priors = logPriors(unknowns, lost, out.length);
	// Moves as often as Metropolis takes them.
	const taken = (to: number, from: number): number => exp(Math.min(0, to - from)) || 0;
	const weights = out.map((b, k) => taken(solved[k] + priors[k], here[b]));
	const beyond = weights.reduce((sum, weight) => sum + weight, 0);
	const within = there.reduce((sum, value, b) => sum + taken(value, here[b]), 0);
	if (!(beyond > lostShare * (beyond + within))) return [];
	return unknowns.flatMap(({ name, prior }, i): CutOff[] => {
		if (scales.includes(i)) return [];
		const own = z.subarray(i * n, (i + 1) * n);
		const mean = own.reduce((sum, value) => sum + value / n, 0);
		const sd = Math.sqrt(own.reduce((sum, value) => sum + squared(value - mean) / n, 0));
		const shift = weights.reduce((sum, weight, k) => sum + weight * (lost[i * out.length + k] - mean), 0);
		if (!(Math.abs(shift) > sd * beyond)) return [];
		return shift > 0
			? [{ name, side: "above", edge: prior.fromSampled(Math.max(...own)) }]
			: [{ name, side: "below", edge: prior.fromSampled(Math.min(...own)) }];
	});
}

/** Each point moved by the difference of two others, half as far as suits a normal law of so many dimensions (ter Braak, 2006): ridges bend. */
function movedDraws(z: Float64Array, n: number): Float64Array {
	const d = z.length / n;
	const far = 1.19 / Math.sqrt(2 * d);
	const random = stream(0, "bayes cut-off");
	const other = (k: number): number => Math.floor(n * random.uniform(k));
	const pairs = Array.from({ length: n }, (_, b) => [other(2 * b), other(2 * b + 1)]);
	return z.map((own, at) => {
		const from = at - (at % n);
		const [p, q] = pairs[at % n];
		return own + far * (z[from + p] - z[from + q]);
	});
}

/** Some of n points, in columns too. */
function columns(z: Float64Array, n: number, chosen: readonly number[]): Float64Array {
	return Float64Array.from(
		{ length: (z.length / n) * chosen.length },
		(_, at) => z[Math.floor(at / chosen.length) * n + chosen[at % chosen.length]],
	);
}

/** The log-likelihood by an adaptive solver that is made for stiff models; undefined where the model is none for it. */
function stiffLikelihood(
	{ model, unknowns, compute }: Likelihood,
	experiments: readonly Experiment[],
): ((theta: Float64Array, n: number) => Promise<number[]>) | undefined {
	const plain = expandCombinations(foldFormulaInputs(model)).model;
	const estimation = estimationOf(plain, experiments, {}, compute, true);
	const { groups } = estimation.observations;
	const names = estimation.unknowns.map(({ name }) => name);
	if (names.length !== unknowns.length || unknowns.some(({ name }, i) => name !== names[i])) return undefined;
	if (groups.some(({ spread: { kind }, memory }) => kind === "common" || memory)) return undefined;
	const forward = forwardOf(estimation, { kind: "adaptive", rtol: 1e-6 });
	return async (theta, n) => {
		const points = Array.from({ length: n }, (_, b) =>
			Float64Array.from(unknowns, (_, i) => theta[i * n + b]),
		);
		const evaluations = await forward.evaluate(points, false);
		return evaluations.map(({ value, spread }) => {
			let sum = 0;
			for (const group of groups)
				for (let k = 0; k < group.to - group.from; k++) {
					const at = group.from + k;
					const sd = group.spread.kind === "known" ? group.spread.sd[k] : spread![at];
					sum += sampleTerm(group, k)(value[at], sd);
				}
			return sum;
		});
	};
}
