/** Samples that lie far from the answer beside the others of their output. */

import { doubt, list } from "../../estimate/judge/words.ts";
import type { Doubt } from "../../estimate/result.ts";
import { isDeclared } from "./clean-outputs.ts";
import type { InversionRun } from "./inversion-run.ts";

/** In standard deviations of the noise as most residuals show it: the median size over that of a normal one. */
const farFrom = 6;
const normalMedian = 0.6745;
/** In standard deviations of a declared noise: less than this is no news, however small the others are. */
const newsFrom = 3;
/** Fewer residuals tell their spread too badly. */
const fewest = 40;
/** How many are named. */
const named = 4;
/** Share of the sum of squares from which they, and not the noise, decide. */
const decisive = 0.25;

export function outliers({ work, final, starts, integrationError }: InversionRun): Doubt[] {
	const { scale, floored } = starts.noise;
	if (floored) return [];
	const { groups } = work.setting.observations;
	const several = work.setting.experiments.length > 1;
	let squares = 0;
	const found = [...new Set(groups.map(({ measure }) => measure.name))].flatMap((output) => {
		const own = groups.filter(({ measure }) => measure.name === output);
		const least = scale * Math.max(integrationError, own.some(isDeclared) ? newsFrom : 0);
		const all = own
			.flatMap(({ t, from, to, experiment }) =>
				Array.from(final!.residual.subarray(from, to), (r, k) => ({
					size: Math.abs(r),
					t: t[k],
					experiment,
				})),
			)
			.sort((a, b) => b.size - a.size);
		const spread = all[all.length >> 1].size / normalMedian;
		const far = all.filter(({ size }) => size > Math.max(farFrom * spread, least));
		if (all.length < fewest || far.length === 0) return [];
		squares += far.reduce((sum, { size }) => sum + size * size, 0);
		const texts = far
			.slice(0, named)
			.map(
				({ t, size, experiment }) =>
					`t = ${Number(t.toPrecision(4))}${several ? ` of ${work.setting.experiments[experiment].name}` : ""} (${(size / spread).toPrecision(2)})`,
			);
		const more = far.length > named ? ` and ${far.length - named} more` : "";
		return [{ output, count: far.length, text: `${output} at ${texts.join(", ")}${more}` }];
	});
	if (found.length === 0) return [];
	const count = found.reduce((sum, each) => sum + each.count, 0);
	const where = list(found.map(({ output }) => output));
	return doubt(
		"outliers",
		`${count} sample${count === 1 ? "" : "s"} of ${where} ${count === 1 ? "lies" : "lie"} far from the answer`,
		`In standard deviations of the other residuals: ${found.map(({ text }) => text).join("; ")}. Least squares gives such samples great weight: they move the weights, make the noise look larger, and hide weak terms. Look at them, and leave the cells of wrong ones empty.`,
		squares > decisive * final!.sse,
	);
}
