/**
 * The runs that know most. Only runs that stand at the same point can be weighed by their evidence: on the way that is one of
 * fewer data, and of none at the prior, so that the run that knows least would count most.
 */
import { Ibis } from "./ibis.ts";
import type { Sampler } from "./pooled.ts";

/** Where a run stands: a later one has a larger number in the first place that differs. */
function standing(sampler: Sampler): readonly number[] {
	if (sampler instanceof Ibis) return [sampler.at];
	const { outcome, approaches, bridge, lambda } = sampler;
	// In the order of the way: a first part, all samples, from a cheap likelihood over to the wanted one, the end.
	return [outcome === "converged" ? 3 : bridge ? 2 : approaches ? 0 : 1, lambda];
}

function compared(a: readonly number[], b: readonly number[]): number {
	const k = a.findIndex((value, i) => value !== b[i]);
	return k < 0 ? 0 : a[k] - b[k];
}

/** Those with a cloud than which none has come further. */
export function furthest(samplers: readonly Sampler[]): Sampler[] {
	const places = samplers
		.filter(({ outcome, cloud }) => outcome !== "diverged" && cloud)
		.map((sampler) => ({ sampler, at: standing(sampler) }));
	return places
		.filter(({ at }) => places.every((other) => compared(at, other.at) >= 0))
		.map(({ sampler }) => sampler);
}
