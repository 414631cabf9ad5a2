/** Laws with a state that is fast beside the samples: two of the ledger that were sure and wrong. */
import { expect, test } from "vitest";
import { formOf } from "../../../bench/structure/form.ts";
import { answerOf } from "../../../bench/truth/entries-of.ts";
import { beyondSteps } from "../../../src/methods/inversion/finer-look.ts";
import type { InversionRun } from "../../../src/methods/inversion/inversion-run.ts";
import { problemOf } from "../../../src/prove/problem.ts";
import { selectionOnly } from "./setup.ts";

test("a law is found whose fast equation fits almost as well over a state, with all others changed", async () => {
	const proved = problemOf(1090268)!;
	const { result, state } = await answerOf(proved, "inversion", { ...selectionOnly, substeps: 8 });
	const { missing, extra } = formOf(state as InversionRun, result, proved.truth);
	expect({ missing, extra }).toEqual({ missing: [], extra: [] });
});

test("sets that blew up beside an answer as fast as the finest steps hold are no evidence against them", async () => {
	const proved = problemOf(1091796)!;
	const { state } = await answerOf(proved, "inversion", {
		...selectionOnly,
		select: "none",
		maxIterations: 1,
	});
	const run = state as InversionRun;
	const { work } = run;
	const point = Float64Array.from({ length: work.nUnknowns }, (_, u) => proved.truth[work.nameOf(u)] ?? 0);
	const judged = new Map([["a", { sse: Number.POSITIVE_INFINITY }]]);
	const steps = (substeps: number): InversionRun =>
		({
			options: run.options,
			work,
			final: { point },
			selection: { judged },
			starts: { substeps, supports: [] },
		}) as unknown as InversionRun;
	expect(beyondSteps(steps(93))).toBe(1);
	// Finer ones can be had: they are.
	expect(beyondSteps(steps(16))).toBe(0);
});
