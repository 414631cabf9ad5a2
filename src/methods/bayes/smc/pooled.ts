/** The clouds of several runs as one, of particles that count alike. */
import { log } from "../../../num/elementary/number.ts";
import { normalisedWeights } from "../../../num/statistics/log-weights.ts";
import { systematicResample } from "../../../num/statistics/resampling.ts";
import { Ibis } from "./ibis.ts";
import type { Tempering } from "./tempering.ts";

export type Sampler = Tempering | Ibis;

/** Sampled coordinates in columns of n. */
export interface Particles {
	readonly z: Float64Array;
	readonly n: number;
}

/** Particles of some runs, each run by its mass. */
export function pooledClouds(runs: readonly Sampler[], masses: ArrayLike<number>, d: number): Particles {
	const n = runs.reduce((sum, { cloud }) => sum + cloud!.n, 0);
	const logWeights = runs.flatMap((sampler, r) => {
		const { cloud } = sampler;
		const within = sampler instanceof Ibis ? normalisedWeights(sampler.logWeights) : undefined;
		return Array.from({ length: cloud!.n }, (_, b) => log(masses[r] * (within ? within[b] : 1 / cloud!.n)));
	});
	const parents = systematicResample(normalisedWeights(logWeights), 0.5);
	const z = new Float64Array(d * n);
	// Parents rise: those of one cloud after those of another.
	let [k, first] = [0, 0];
	for (const { cloud } of runs) {
		for (; k < n && parents[k] < first + cloud!.n; k++)
			for (let i = 0; i < d; i++) z[i * n + k] = cloud!.z[i * cloud!.n + parents[k] - first];
		first += cloud!.n;
	}
	return { z, n };
}

/** At most `most` of them, evenly taken. */
export function thinned({ z, n }: Particles, most: number): Particles {
	if (n <= most) return { z, n };
	const d = z.length / n;
	const out = new Float64Array(d * most);
	for (let i = 0; i < d; i++)
		for (let k = 0; k < most; k++) out[i * most + k] = z[i * n + Math.floor(((k + 0.5) * n) / most)];
	return { z: out, n: most };
}

/** Particles of one run, of even weight. */
export function evenCloud(sampler: Sampler, d: number): Float64Array {
	const { cloud, n } = sampler;
	if (!(sampler instanceof Ibis)) return cloud!.z;
	const parents = systematicResample(normalisedWeights(sampler.logWeights), 0.5);
	return Float64Array.from({ length: d * n }, (_, k) => cloud!.z[k - (k % n) + parents[k % n]]);
}

/** How far a run is on its way. */
export function shareDone(sampler: Sampler): number {
	if (sampler.outcome !== "running") return 1;
	if (sampler instanceof Ibis) return sampler.at / sampler.likelihood.nSamples;
	// λ rises by orders of magnitude: its logarithm is what goes on evenly.
	const climbed = sampler.lambda > 0 ? Math.max(0.05, 1 + log(sampler.lambda) / log(1e8)) : 0;
	const { target, direct, bridge, lambda } = sampler;
	if (sampler.approaches) return 0.3 * climbed;
	const began = target.first || direct ? 0.3 : 0;
	if (!target.cheap || direct) return began + (1 - began) * climbed;
	return bridge ? 0.5 + 0.5 * lambda : began + (0.5 - began) * climbed;
}
