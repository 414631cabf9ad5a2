/** Each sample under each draw: how likely it is, and what might have been measured in its place. */
import { sampleLaw } from "../../../estimate/law/declared.ts";
import { decayOf } from "../../../estimate/observe/memory.ts";
import { isBetween } from "../../../estimate/observe/sample-terms.ts";
import { constantValue } from "../../../model/constant.ts";
import { stream } from "../../../num/random.ts";
import type { BayesRun } from "../bayes-run.ts";
import type { Moments } from "../filter/experiment-filter.ts";
import { isDriven } from "../filter/layout.ts";
import type { Likelihood } from "../likelihood/likelihood.ts";

/** One sample: where it stands, and numbers of all draws. */
export interface PointwiseSample {
	readonly experiment: number;
	readonly output: number;
	/** Among the instants of its record. */
	readonly instant: number;
	/** As it was measured; a limit, or the middle of what was rounded, where it is not known. */
	readonly observed: number;
	readonly isKnown: boolean;
	/** Log density or mass, in the user's units; of remembered errors, given the samples before. */
	readonly logLik: Float64Array;
	readonly replicated: Float64Array;
}

/** Whether samples have densities of their own given a draw: the solution is taken as exact, and nothing unseen drives the model. */
export function isPointwise({ settings, likelihood }: BayesRun): boolean {
	return settings.diffusion === "off" && !isDriven(likelihood.layout);
}

/** Of n draws, natural values in columns. */
export async function pointwise(
	likelihood: Likelihood,
	theta: Float64Array,
	n: number,
	seed: number,
): Promise<PointwiseSample[]> {
	const { model, samples } = likelihood;
	const nOutputs = model.measures.length;
	const laws = model.measures.map(sampleLaw);
	const digits = model.measures.map(({ rounded }) => (rounded ? constantValue(rounded) : 0));
	const byPlace = samples.map(({ y, present, within }, experiment) =>
		Array.from(present, (there, place): PointwiseSample | undefined => {
			if (there === 0) return undefined;
			const output = place % nOutputs;
			return {
				experiment,
				output,
				instant: Math.floor(place / nOutputs),
				observed: laws[output].scale.fromCompared(y[place]),
				isKnown: !isBetween({ within }, place),
				logLik: new Float64Array(n),
				replicated: new Float64Array(n),
			};
		}),
	);
	await likelihood.solved(theta, n, {
		terms(e, place, terms) {
			const { logLik, isKnown, output } = byPlace[e][place]!;
			const slope = isKnown ? laws[output].scale.logSlope(samples[e].y[place]) : 0;
			for (let b = 0; b < n; b++) logLik[b] = terms[b] + slope;
		},
		moments(e, moments, from, to, memory) {
			for (let place = from * nOutputs; place < to * nOutputs; place++) {
				const sample = byPlace[e][place];
				if (sample) replicateInto(sample, moments, (place - from * nOutputs) * n);
			}
			function replicateInto(
				{ output, instant, replicated }: PointwiseSample,
				{ value, noise }: Moments,
				row: number,
			): void {
				const law = laws[output];
				const random = stream(seed, `replicate ${e} ${output} ${instant}`);
				const past = memory[output];
				const gap = past ? samples[e].times[instant] - past.t : Number.NaN;
				for (let b = 0; b < n; b++) {
					const sd = Math.sqrt(noise[row + b]);
					if (law.isCount) {
						replicated[b] = law.draw(random, b, value[row + b], sd);
						continue;
					}
					let error = law.draw(random, b);
					if (past) {
						const { rho, fresh } = Number.isNaN(gap) ? { rho: 0, fresh: 1 } : decayOf(gap, past.time[b]);
						error = past.error[b] = rho * past.error[b] + fresh * error;
					}
					const made = law.scale.fromCompared(value[row + b] + sd * error);
					replicated[b] = digits[output] > 0 ? digits[output] * Math.round(made / digits[output]) : made;
				}
				if (past) past.t = samples[e].times[instant];
			}
		},
	});
	return byPlace.flat().filter((sample) => sample !== undefined);
}
