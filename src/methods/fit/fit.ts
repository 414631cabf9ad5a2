/** Plain least squares: bounded Levenberg–Marquardt from several starts, with profiles and doubts. */
import { InputError } from "../../errors.ts";
import type { Method } from "../method.ts";
import type { Problem } from "../problem.ts";
import { answer } from "./answer.ts";
import { type FitCheckpoint, FitRun } from "./fit-run.ts";
import { fitOptions } from "./options.ts";

export const fit: Method<FitRun, typeof fitOptions> = {
	name: "fit",
	says: "The parameters that fit best in least squares, how sure each is, and what to doubt.",
	options: fitOptions,
	async prepare(problem, options) {
		refuse(problem);
		return new FitRun(problem, options);
	},
	advance: (run) => run.advance(),
	result: answer,
	save: (run) => new TextEncoder().encode(JSON.stringify(run.save())),
	async load(problem, options, bytes) {
		const run = new FitRun(problem, options);
		await run.restore(JSON.parse(new TextDecoder().decode(bytes)) as FitCheckpoint);
		return run;
	},
};

function refuse({ model, train }: Problem): void {
	const [unknown] = model.unknowns;
	if (unknown)
		throw new InputError(
			`unknown ${unknown.name}`,
			"is an unknown function, and least squares estimates numbers only",
			"Replace it by a formula with parameters.",
		);
	if (model.measures.length === 0)
		throw new InputError(
			model.fileName,
			"measures nothing, so there is nothing to fit",
			"Add a line like  measure y ~ normal(x, 0.1).",
		);
	const drifting = model.params.find(({ rate }) => rate !== undefined);
	if (drifting)
		throw new InputError(
			`param ${drifting.name}`,
			"drifts in time, and least squares estimates constants only",
			`Remove the declaration of ${drifting.name}'.`,
		);
	const random = model.inputs.find(({ knowledge }) => knowledge.kind === "distribution");
	if (random)
		throw new InputError(
			`input ${random.name}`,
			"is an unknown force with a prior, and least squares needs a known input",
			`Write  input ${random.name}  and give its column in the data.`,
		);
	if (train.length === 0) throw new InputError("data", "has no record to fit", "Name a file under  data:.");
}
