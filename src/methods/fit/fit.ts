/** Maximum likelihood: bounded Levenberg–Marquardt from several starts, with profiles and doubts. */
import { InputError } from "../../errors.ts";
import { fromBytes, toBytes } from "../../estimate/run/checkpoint-text.ts";
import type { Method } from "../method.ts";
import type { Problem } from "../problem.ts";
import { answer } from "./answer.ts";
import { appliesTo } from "./applies.ts";
import { FitRun } from "./fit-run.ts";
import type { FitCheckpoint } from "./fit-state.ts";
import { glimpse } from "./glimpse.ts";
import { fitOptions } from "./options.ts";
import type { FitSummary } from "./summary.ts";

export const fit: Method<FitRun, typeof fitOptions, FitSummary> = {
	name: "fit",
	stateForm: 2,
	says: "The most likely parameters, how sure each is, and what to doubt.",
	accent: { light: "#1f5fbf", dark: "#7fb0ff", terminal: "blue" },
	options: fitOptions,
	appliesTo,
	honoursDoses: true,
	suits: () => "it asks for the least",
	async prepare(problem, options) {
		refuse(problem);
		return new FitRun(problem, options);
	},
	advance: (run) => run.advance(),
	result: answer,
	glimpse,
	save: (run) => toBytes(run.save()),
	async load(problem, options, bytes) {
		const run = new FitRun(problem, options);
		await run.restore(fromBytes<FitCheckpoint>(bytes));
		return run;
	},
};

function refuse({ model, train }: Problem): void {
	const { applies, why } = appliesTo(model);
	if (!applies) throw new InputError(model.fileName, `method fit does not apply. ${why}`);
	if (train.length === 0) throw new InputError("data", "has no record to fit", "Name a file under  data:.");
}
