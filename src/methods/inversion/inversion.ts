/**
 * Model inversion: which terms are in the equations, and on what do they depend?
 *
 * Reference: Whiten, "Determining the form of ordinary differential equations using model inversion", ANZIAM J. 55, 2014
 * ([whiten2014]).
 */

import { fromBytes, toBytes } from "../../estimate/run/checkpoint-text.ts";
import type { Method } from "../method.ts";
import { answer } from "./answer/answer.ts";
import { appliesTo } from "./applies.ts";
import type { InversionCheckpoint } from "./checkpoint.ts";
import { glimpse } from "./glimpse.ts";
import { InversionRun } from "./inversion-run.ts";
import { inversionOptions } from "./options.ts";
import type { InversionSummary } from "./summary.ts";

export const inversion: Method<InversionRun, typeof inversionOptions, InversionSummary> = {
	name: "inversion",
	stateForm: 7,
	says: "Which of the proposed terms are in the equations, with their weights, and how sure that is.",
	accent: { light: "#b03a2e", dark: "#ff9a8d", terminal: "red" },
	options: inversionOptions,
	takesOwnValues: true,
	appliesTo,
	suits: ({ unknowns, params }) =>
		unknowns.length > 0 || params.some(({ terms }) => terms !== undefined)
			? "the model proposes terms to choose from"
			: undefined,
	needs: "terms",
	prepare: (problem, options) => InversionRun.begin(problem, options),
	advance: (run) => run.advance(),
	result: answer,
	glimpse,
	save: (run) => toBytes(run.save()),
	async load(problem, options, bytes) {
		const run = await InversionRun.begin(problem, options);
		await run.restore(fromBytes<InversionCheckpoint>(bytes));
		return run;
	},
};
