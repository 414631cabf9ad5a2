/** Guaranteed estimation: encloses every value of parameters and states that is consistent with the data. */
import { InputError } from "../../errors.ts";
import { fromBytes, toBytes } from "../../estimate/run/checkpoint-text.ts";
import type { Method } from "../method.ts";
import type { Problem } from "../problem.ts";
import { answer } from "./answer/answer.ts";
import { appliesTo } from "./applies.ts";
import { glimpse } from "./glimpse.ts";
import { type GuaranteedCheckpoint, GuaranteedRun } from "./guaranteed-run.ts";
import { guaranteedOptions } from "./options.ts";
import { certificate } from "./proof/check.ts";
import type { GuaranteedSummary } from "./summary.ts";

export const guaranteed: Method<GuaranteedRun, typeof guaranteedOptions, GuaranteedSummary> = {
	name: "guaranteed",
	stateForm: 8,
	says: "Every value of the unknowns and states that is consistent with the data, enclosed with proof; or proof that there is none.",
	accent: { light: "#1d7a46", dark: "#6fd49b", terminal: "green" },
	options: guaranteedOptions,
	appliesTo,
	honoursAssumptions: true,
	honoursEvents: true,
	takesBoundedInputs: true,
	suits: ({ params, measures }) =>
		measures.some(({ kind }) => kind === "set") && params.some(({ knowledge }) => knowledge.kind === "set")
			? "errors and parameters are declared as sets"
			: undefined,
	certificate,
	needs: "sets",
	byTheWay: { options: { models: 4, rounds: 1, boxes: 1000 } },
	async prepare(problem, options) {
		refuse(problem);
		return new GuaranteedRun(problem, options);
	},
	advance: (run) => run.advance(),
	result: answer,
	glimpse,
	save: (run) => toBytes(run.save()),
	async load(problem, options, bytes) {
		refuse(problem);
		const run = new GuaranteedRun(problem, options);
		run.restore(fromBytes<GuaranteedCheckpoint>(bytes));
		return run;
	},
};

function refuse({ model, train, test }: Problem): void {
	const { applies, why } = appliesTo(model);
	if (!applies) throw new InputError(model.fileName, `method guaranteed does not apply. ${why}`);
	if (train.length === 0)
		throw new InputError("data", "has no record to enclose the unknowns with", "Name a file under  data:.");
	const moved = [...train, ...test].find(({ removed }) => Object.keys(removed).length > 0);
	if (moved)
		throw new InputError(
			moved.name,
			"was detrended: what is then enclosed is no longer what was measured within its bounds",
			"Write  detrend: none; for an offset that is unknown, say so in the model:  param o in [-1, 1]  and  measure y in x + o +- 0.1",
		);
}
