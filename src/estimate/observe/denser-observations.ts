/** The same outputs at more times, for curves between sparse samples. */
import type { Observations, OutputGroup } from "./observations.ts";
import type { Spread } from "./spread.ts";

/** `between`: into how many parts each interval of a record with these times is cut. */
export function denserObservations(
	observations: Observations,
	between: (times: Float64Array) => number,
): Observations {
	const grids = observations.grids.map(({ t0, times }) => {
		const parts = between(times);
		const dense: number[] = t0 < times[0] ? [t0] : [];
		times.forEach((t, i) => {
			dense.push(t);
			if (i + 1 < times.length)
				for (let k = 1; k < parts; k++) dense.push(t + ((times[i + 1] - t) * k) / parts);
		});
		return { t0, times: Float64Array.from(dense) };
	});
	let next = 0;
	const groups = observations.groups.map((group) => {
		const t = grids[group.experiment].times;
		const from = next;
		next += t.length;
		const { within: _, memory: __, ...rest } = group;
		return {
			...rest,
			from,
			to: next,
			t,
			gridIndex: Int32Array.from(t.keys()),
			observed: new Float64Array(t.length),
			spread: heldSpread(group, t),
		};
	});
	return { groups, grids, nObservations: next, values: new Float64Array(next) };
}

/** A declared spread holds from one sample to the next. */
function heldSpread({ spread, t: samples }: OutputGroup, t: Float64Array): Spread {
	if (spread.kind !== "known") return spread;
	let k = 0;
	return {
		kind: "known",
		sd: Float64Array.from(t, (at) => {
			while (k + 1 < samples.length && samples[k + 1] <= at) k++;
			return spread.sd[k];
		}),
	};
}
