/** Kriging: unknown functions of a model learned from records, with their errors, and simulated. */

import { fromBytes, toBytes } from "../../estimate/run/checkpoint-text.ts";
import { nothingSeen } from "../../estimate/run/glimpse.ts";
import type { Method } from "../method.ts";
import { answer } from "./answer/answer.ts";
import { appliesTo } from "./applies.ts";
import { krigingOptions } from "./options.ts";
import { type KrigingCheckpoint, KrigingRun } from "./run.ts";
import type { KrigingSummary } from "./summary.ts";

export const kriging: Method<KrigingRun, typeof krigingOptions, KrigingSummary> = {
	name: "kriging",
	says: "The unknown functions of the model, learned as random processes with their errors, and simulations that carry these.",
	accent: { light: "#0f7484", dark: "#5fcfe0", terminal: "cyan" },
	options: krigingOptions,
	appliesTo,
	suits: ({ unknowns }) =>
		unknowns.some(({ kind }) => kind === "process") ? "a function of the model is unknown" : undefined,
	needs: "field",
	byTheWay: {
		// What is compared are derivatives: the field need not be fitted to whole trajectories.
		options: { errors: "joint" },
		mostSamples: 150,
	},
	async prepare(problem, options) {
		return new KrigingRun(problem, options);
	},
	stateForm: 3,
	advance: (run) => run.advance(),
	result: answer,
	glimpse: () => nothingSeen,
	save: (run) => toBytes(run.save()),
	async load(problem, options, bytes) {
		const run = new KrigingRun(problem, options);
		run.restore(fromBytes<KrigingCheckpoint>(bytes));
		return run;
	},
};
