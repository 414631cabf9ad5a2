/** Each sample under each draw: how likely it is, and what might have been measured in its place. */
import { sampleLaw } from "../../../estimate/law/declared.ts";
import { Instrument } from "../../../estimate/observe/instrument.ts";
import { isBetween } from "../../../estimate/observe/sample-terms.ts";
import { stream } from "../../../num/random.ts";
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
	/** Log density or mass, in the user's units; of remembered errors, and where a filter goes along, given the samples before. */
	readonly logLik: Float64Array;
	/** Where the model has a solution. */
	readonly replicated?: Float64Array;
}

/** Whether samples have densities of their own given a draw: the solution is taken as exact, and nothing unseen drives the model. */
export function hasSolution({ settings, layout }: Likelihood): boolean {
	return settings.diffusion === "off" && !isDriven(layout);
}

/** Numbers of one window of a record. */
const windowNumbers = 1_000_000;

/** Of n draws, natural values in columns. */
export async function pointwise(
	likelihood: Likelihood,
	theta: Float64Array,
	n: number,
	seed: number,
): Promise<PointwiseSample[]> {
	const { model, samples, filters, compute } = likelihood;
	const nOutputs = model.measures.length;
	const laws = model.measures.map(sampleLaw);
	const isSolved = hasSolution(likelihood);
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
				...(isSolved && { replicated: new Float64Array(n) }),
			};
		}),
	);
	const keep = (e: number, place: number, terms: Float64Array): void => {
		const { logLik, isKnown, output } = byPlace[e][place]!;
		const slope = isKnown ? laws[output].scale.logSlope(samples[e].y[place]) : 0;
		for (let b = 0; b < n; b++) logLik[b] = terms[b] + slope;
	};
	if (isSolved) await replicate();
	else
		for (const [e, filter] of filters.entries()) {
			const particles = likelihood.particles(theta, n, e);
			const state = filter.newState(n);
			const window = Math.max(1, Math.floor(windowNumbers / (n * nOutputs)));
			for (let from = 0; from < filter.nSamples; from += window) {
				const to = Math.min(filter.nSamples, from + window);
				const terms = await filter.increments(compute, particles, state, from, to);
				for (let place = from * nOutputs; place < to * nOutputs; place++)
					if (byPlace[e][place]) keep(e, place, terms.subarray((place - from * nOutputs) * n));
			}
		}
	return byPlace.flat().filter((sample) => sample !== undefined);

	async function replicate(): Promise<void> {
		const instruments = model.measures.map((measure) => new Instrument(measure));
		await likelihood.solved(theta, n, {
			terms: keep,
			moments(e, { value, noise }, from, to, memory) {
				for (let place = from * nOutputs; place < to * nOutputs; place++) {
					const sample = byPlace[e][place];
					if (!sample) continue;
					const { output, instant } = sample;
					const replicated = sample.replicated!;
					const random = stream(seed, `replicate ${e} ${output} ${instant}`);
					const row = (place - from * nOutputs) * n;
					const t = samples[e].times[instant];
					for (let b = 0; b < n; b++)
						replicated[b] = instruments[output].shown(
							random,
							b,
							value[row + b],
							Math.sqrt(noise[row + b]),
							memory[output],
							b,
							t,
						);
				}
			},
		});
	}
}
