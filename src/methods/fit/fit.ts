/** Maximum likelihood: bounded Levenberg–Marquardt from several starts, with profiles and doubts. */
import { InputError } from "../../errors.ts";
import type { PopulationCheckpoint } from "../../estimate/population/search.ts";
import { fromBytes, toBytes } from "../../estimate/run/checkpoint-text.ts";
import { isPopulation } from "../../model/population.ts";
import { symbolsOf } from "../../model/walk.ts";
import type { Method } from "../method.ts";
import type { Problem } from "../problem.ts";
import { answer } from "./answer.ts";
import { appliesTo } from "./applies.ts";
import { FitRun } from "./fit-run.ts";
import type { FitCheckpoint } from "./fit-state.ts";
import { glimpse } from "./glimpse.ts";
import { type FitOptions, fitOptions } from "./options.ts";
import { populationAnswer } from "./population/answer.ts";
import { PopulationFit } from "./population/population-fit.ts";
import type { FitSummary } from "./summary.ts";

/** A fit of plain parameters, or one of a population. */
type FitState = FitRun | PopulationFit;

export const fit: Method<FitState, typeof fitOptions, FitSummary> = {
	name: "fit",
	stateForm: 11,
	says: "The most likely parameters, how sure each is, and what to doubt.",
	accent: { light: "#1f5fbf", dark: "#7fb0ff", terminal: "blue" },
	options: fitOptions,
	takesLimits: true,
	appliesTo,
	honoursEvents: true,
	honoursDoses: true,
	honoursPopulations: true,
	takesOwnValues: true,
	warmsUp: true,
	suits: () => "it asks for the least",
	async prepare(problem, options) {
		refuse(problem);
		return begun(problem, options);
	},
	advance: (run) => run.advance(),
	result: (run) => (run instanceof PopulationFit ? populationAnswer(run) : answer(run)),
	glimpse: (run) => (run instanceof PopulationFit ? run.glimpse() : glimpse(run)),
	save: (run) => toBytes(run.save()),
	async load(problem, options, bytes) {
		const run = begun(problem, options);
		if (run instanceof PopulationFit) await run.restore(fromBytes<PopulationCheckpoint>(bytes));
		else await run.restore(fromBytes<FitCheckpoint>(bytes));
		return run;
	},
};

function begun(problem: Problem, options: FitOptions): FitState {
	return isPopulation(problem.model) ? new PopulationFit(problem, options) : new FitRun(problem, options);
}

function refuse({ model, train, test }: Problem): void {
	const { applies, why } = appliesTo(model);
	if (!applies) throw new InputError(model.fileName, `method fit does not apply. ${why}`);
	const resting = [...train, ...test].find(({ rest }) => rest);
	const isMoved = (name: string): boolean => model.components.includes(name);
	if (resting && [...symbolsOf(model.events.map(({ trigger }) => trigger))].some(isMoved))
		throw new InputError(
			`record ${resting.name}`,
			"begins at rest, and the model has events (when …) that wait for states",
			"There is no telling whether they come to rest. Leave out  rest:  and let the record begin early enough.",
		);
	if (train.length === 0) throw new InputError("data", "has no record to fit", "Name a file under  data:.");
}
