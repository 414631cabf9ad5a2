/** Doubts about how the chosen terms and the data go together: larger residuals than declared, residuals that are not noise. */

import { doubt, list } from "../../estimate/judge/words.ts";
import type { Doubt } from "../../estimate/result.ts";
import { squared } from "../../num/whole-power.ts";
import type { Finding } from "./finding.ts";
import type { InversionRun } from "./inversion-run.ts";
import { dependentResiduals, misfitRatio } from "./residuals.ts";

export function misfit(run: InversionRun, finding: Finding): Doubt[] {
	const { final, starts, work, degrees } = run;
	const ratio = misfitRatio(run);
	const limit = 1 + 4 / Math.sqrt(2 * degrees);
	const { values } = work.setting.observations;
	let signal = 0;
	for (let i = 0; i < values.length; i++)
		signal += squared((values[i] * starts.noise.scale) / starts.noise.sd[i]);
	const doubts: Doubt[] = [];
	if (starts.noise.declared && ratio > limit)
		doubts.push(
			...doubt(
				"noise-larger",
				`Residuals are ${ratio.toPrecision(3)} times as large as the noise that the model declares`,
				"No combination of the proposed terms that was found fits as well as the declared noise says. Propose more terms, check the noise and the conditions of each record, or give another start under  set:.",
				ratio > 2,
			),
		);
	if (final!.sse > 0.25 * signal && finding === "terms")
		doubts.push(
			...doubt(
				"poor-fit",
				"The chosen terms leave most of the data unexplained",
				"The optimum that was found may be a wrong one, or the right terms are not among the candidates. Give a start under  set:, or propose other terms.",
				true,
			),
		);
	return doubts;
}

/** What the terms miss shows in residuals that go on from sample to sample, whatever the size of the noise. */
export function systematicResiduals(run: InversionRun): Doubt[] {
	const found = dependentResiduals(run);
	if (found.length === 0) return [];
	const [{ factor }] = found;
	const sizes = found.map(({ output, next }) => `${next.toFixed(2)} in ${output}`).join(", ");
	return doubt(
		"dependent-residuals",
		`Residuals of ${list(found.map(({ output }) => output))} are not noise`,
		`They are correlated in time (from one sample to the next ${sizes}): something systematic is left that no chosen term explains. Either the right terms are not among the candidates, and those chosen stand in for them, or the noise itself goes on from sample to sample. ${factor > 1.1 ? `Standard errors are about ${factor.toPrecision(2)} times too small, and terms look surer than they are.` : "Standard errors are not to be trusted."}`,
		found.some(({ isGrave }) => isGrave),
	);
}
