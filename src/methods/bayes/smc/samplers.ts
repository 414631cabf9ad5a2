/** The runs of a posterior: so many samplers of one likelihood, each with draws of its own. */
import type { Likelihood } from "../likelihood/likelihood.ts";
import { Ibis, type IbisSnapshot } from "./ibis.ts";
import type { Moves } from "./moves.ts";
import type { Sampler } from "./pooled.ts";
import { targetOf } from "./target.ts";
import { Tempering, type TemperingSnapshot } from "./tempering.ts";

export interface SamplerChoice {
	readonly runs: number;
	/** Of all runs together. */
	readonly particles: number;
	readonly sampler: string;
	readonly threshold: number;
	readonly maxStages: number;
}

export interface SamplerNeeds {
	readonly seed: number;
	readonly moves: Moves | undefined;
	/** Steps of a cheaper likelihood near the wanted one. */
	readonly rough: number | undefined;
}

/** `count` of them; `begun`: the first. */
export function samplersOf(
	likelihood: Likelihood,
	{ runs, particles, sampler, threshold, maxStages }: SamplerChoice,
	{ seed, moves, rough }: SamplerNeeds,
	count: number,
	begun: readonly Sampler[],
): Sampler[] {
	const n = Math.max(10, Math.ceil(particles / runs));
	return Array.from({ length: count }, (_, r) => {
		if (begun[r]) return begun[r];
		const common = { seed, name: `run ${r}`, moves, threshold };
		if (sampler === "ibis") return new Ibis(likelihood, n, { ...common, maxRejuvenations: maxStages });
		return new Tempering(targetOf(likelihood, seed, rough), n, { ...common, maxStages });
	});
}

export type SamplerSnapshot = TemperingSnapshot | IbisSnapshot;

export function restoreSampler(sampler: Sampler, snapshot: SamplerSnapshot): void {
	if (sampler instanceof Ibis) sampler.restore(snapshot as IbisSnapshot);
	else sampler.restore(snapshot as TemperingSnapshot);
}
