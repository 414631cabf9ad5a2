/** Outputs whose residuals are far smaller than the noise that the model declares for them. */

import { doubt, list } from "../../estimate/judge/words.ts";
import type { OutputGroup } from "../../estimate/observe/observations.ts";
import type { Doubt } from "../../estimate/result.ts";
import { squared } from "../../num/whole-power.ts";
import { isTooSmall } from "./chance.ts";
import type { InversionRun } from "./inversion-run.ts";

/** Sizes beside the declared noise that are worth a word, however many samples show them. */
const worthAWord = 0.7;
/** What cannot be counted any more. */
const countedUpTo = 1000;

/** Whether a model says how large the noise of an output is; a bound says only what it is not. */
export function isDeclared({ spread, measure }: Pick<OutputGroup, "spread" | "measure">): boolean {
	return spread.kind !== "common" && measure.kind === "distribution";
}

/** By output, how large the residuals are in declared standard deviations. */
export function cleanOutputs({ work, final, starts, degrees }: InversionRun): Map<string, number> {
	const { groups, nObservations } = work.setting.observations;
	const sums = new Map<string, { squares: number; count: number }>();
	for (const group of groups.filter(isDeclared)) {
		const own = sums.get(group.measure.name) ?? { squares: 0, count: 0 };
		for (let i = group.from; i < group.to; i++)
			own.squares += squared(final!.residual[i] / starts.noise.scale);
		own.count += group.to - group.from;
		sums.set(group.measure.name, own);
	}
	return new Map(
		[...sums].flatMap(([output, { squares, count }]) => {
			const freedom = (count * degrees) / nObservations;
			const share = squares / freedom;
			const size = Math.sqrt(share);
			return isTooSmall(share, freedom) && size <= worthAWord ? [[output, size] as const] : [];
		}),
	);
}

export function cleanerThanDeclared(run: InversionRun): Doubt[] {
	const clean = cleanOutputs(run);
	if (clean.size === 0) return [];
	const times = 1 / Math.max(...clean.values());
	const shown =
		times < countedUpTo ? String(Number(times.toPrecision(2))) : `more than ${countedUpTo / 1000},000`;
	return doubt(
		"noise-smaller",
		`Residuals of ${list([...clean.keys()])} are ${shown} times smaller than the declared noise`,
		"Is it right? Terms and standard errors were judged by the noise that the model declares: if the samples are better than that, weaker terms could be seen and errors are smaller. Declare the noise as it is, or leave it open, like  normal(x, s)  with  param s.",
		false,
	);
}
