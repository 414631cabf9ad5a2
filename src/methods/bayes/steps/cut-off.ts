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
import { isDriven } from "../filter/layout.ts";
import type { Likelihood } from "../likelihood/likelihood.ts";
import { naturalValues } from "../likelihood/unknowns.ts";
import type { Particles } from "../smc/pooled.ts";

export interface CutOff {
	readonly name: string;
	readonly side: "above" | "below";
	/** The outermost value that the posterior has there. */
	readonly edge: number;
}

/** Draws that are moved, for each unknown and side. */
const fewDraws = 8;
/** A log-likelihood that is lower by less is as good: the data do not exclude such a value. */
const asGood = 2;
/** One that is lower by more is impossible, in effect: so small are those of steps that overshoot before they blow up. */
const excluded = 20;

export async function cutOff(
	likelihood: Likelihood,
	experiments: readonly Experiment[],
	{ z, n }: Particles,
): Promise<CutOff[]> {
	const { unknowns, scales, layout } = likelihood;
	// A solver by itself knows nothing of what drives the model unseen.
	if (isDriven(layout)) return [];
	const stiff = stiffLikelihood(likelihood, experiments);
	if (!stiff) return [];
	const draws = Array.from({ length: Math.min(fewDraws, n) }, (_, k) => Math.floor((k * n) / fewDraws));
	const found: CutOff[] = [];
	for (const [i, { name, prior }] of unknowns.entries()) {
		if (scales.includes(i)) continue;
		const own = z.subarray(i * n, (i + 1) * n);
		const [lo, hi] = [Math.min(...own), Math.max(...own)];
		for (const [side, edge, beyond] of [
			["above", hi, hi + (hi - lo)],
			["below", lo, lo - (hi - lo)],
		] as const) {
			const at = columns(z, n, draws);
			const moved = at.slice();
			moved.fill(beyond, i * draws.length, (i + 1) * draws.length);
			const theta = naturalValues(unknowns, moved, draws.length);
			const inside = await likelihood.logLikelihoods(naturalValues(unknowns, at, draws.length), draws.length);
			const outside = await likelihood.logLikelihoods(theta, draws.length);
			const isOut = outside.map((value, b) => (value >= inside[b] - excluded ? 0 : 1));
			if (isOut.every((out) => out === 0)) continue;
			const solved = await stiff(theta, draws.length);
			const lost = solved.filter((value, b) => isOut[b] === 1 && value >= inside[b] - asGood).length;
			if (2 * lost >= draws.length) found.push({ name, side, edge: prior.fromSampled(edge) });
		}
	}
	return found;
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
