/** Samples that are impossible because the spread of their noise is not positive: normal(x, 0.05*x) where x is 0. */
import { Likelihood } from "../likelihood/likelihood.ts";
import { drawPriors, naturalValues } from "../likelihood/unknowns.ts";

export interface SpreadTrouble {
	/** The measure, and the first instant at which its spread is not positive. */
	readonly output: string;
	readonly t: number;
	/** The spread there, of one parameter vector. */
	readonly spread: number;
	/** Share of the prior for which some sample is impossible. */
	readonly share: number;
}

/** Numbers that the simulations may hold. */
const mostNumbers = 4_000_000;

/** Simulates draws of the prior; undefined where every spread is positive. The same draws whatever the seed. */
export async function spreadTrouble(likelihood: Likelihood): Promise<SpreadTrouble | undefined> {
	const { unknowns, experiments, settings, compute, samples } = likelihood;
	const { graph, measures } = likelihood.model;
	const nOutputs = measures.length;
	const longest = Math.max(...samples.map(({ times }) => times.length));
	const n = Math.max(4, Math.min(128, Math.floor(mostNumbers / (longest * nOutputs))));
	// What is measured here is the spread itself.
	const model = {
		...likelihood.model,
		measures: measures.map((measure) => ({
			...measure,
			value: measure.spread ?? graph.one,
			spread: graph.one,
		})),
	};
	const exact = { ...settings, diffusion: "off" } as const;
	const spreads = new Likelihood(model, unknowns, experiments, exact, compute, samples);
	const theta = naturalValues(unknowns, drawPriors(unknowns, n, 0, "spread"), n);
	const isImpossible = new Uint8Array(n);
	let first: Omit<SpreadTrouble, "share"> | undefined;
	for (const [e, filter] of spreads.filters.entries()) {
		const particles = spreads.particles(theta, n, e);
		const state = filter.newState(n, false);
		const { value } = await filter.moments(compute, particles, state, 0, filter.nSamples);
		for (let place = 0; place < filter.nSamples * nOutputs; place++) {
			if (samples[e].present[place] === 0) continue;
			for (let b = 0; b < n; b++) {
				const spread = value[place * n + b];
				if (!(spread <= 0)) continue;
				isImpossible[b] = 1;
				first ??= {
					output: measures[place % nOutputs].name,
					t: samples[e].times[Math.floor(place / nOutputs)],
					spread,
				};
			}
		}
	}
	return first && { ...first, share: isImpossible.reduce((sum, one) => sum + one, 0) / n };
}

/** `The spread of the noise of y is 0 at t = 0` */
export function spreadText({ output, t, spread }: SpreadTrouble): string {
	const value = spread === 0 ? "0" : `negative (${Number(spread.toPrecision(2))}, for example)`;
	return `The spread of the noise of ${output} is ${value} at t = ${Number(t.toPrecision(6))}`;
}

export const spreadRemedy =
	"A spread is positive whatever the state: give a parameter in it a prior that is, as in  param s ~ lognormal(log(0.1), 1), and one that follows the state a floor, as in  normal(x, 0.01 + 0.05*abs(x)).";
