/** What bayes refuses, before anything is computed. */
import type { Experiment } from "../../data/experiment.ts";
import { InputError } from "../../errors.ts";
import { processWords } from "../../estimate/obstacles.ts";
import { constantValue } from "../../model/constant.ts";
import { isWhite } from "../../model/language/process-noise.ts";
import type { Model } from "../../model/model.ts";
import { symbolsOf } from "../../model/walk.ts";
import type { Problem } from "../problem.ts";
import { appliesTo } from "./applies.ts";
import { measuredInputs } from "./filter/noise/latent-force.ts";
import { whiteNoises } from "./filter/noise/white-noise.ts";
import { beyondFilter } from "./likelihood/solution-terms.ts";

export function refuse({ model, train }: Problem): void {
	const { applies, why } = appliesTo(model);
	if (!applies) throw new InputError(model.fileName, `is nothing for bayes. ${why}`);
	if (train.length === 0)
		throw new InputError("data", "has no record to learn from", "Name a file under  data:.");
}

/** With a latent force the solver is an explicit method of fixed gains, and its Jacobian is used anyway. */
export function checkForceOptions(
	model: Model,
	{ linearisation, equationEvidence }: { linearisation: string; equationEvidence: boolean },
): void {
	const force = processOf(model);
	if (!force) return;
	const words = isWhite(force) ? processWords(force) : `the unknown force ${force.name}`;
	const refuseOption = (option: string, problem: string, remedy: string): never => {
		throw new InputError(`bayes: ${option}`, `${problem} with ${words}`, remedy);
	};
	if (linearisation === "ekf1")
		refuseOption(
			"linearisation",
			"ekf1 does not go",
			"Take it out: the Jacobian is used as it is. A stiff model needs smaller steps:  substeps.",
		);
	if (equationEvidence)
		refuseOption("equationEvidence", "true does not go", "Take it out: a force leaves no residual to weigh.");
}

/** Samples that are weighed by the solution itself leave no room for an error of the integration. */
export function checkSolutionOptions(
	{ model, train, test }: Problem,
	{
		integrationError,
		sampler,
		linearisation,
		equationEvidence,
	}: { integrationError: string; sampler: string; linearisation: string; equationEvidence: boolean },
): void {
	const why = beyondFilter(model, [...train, ...test]);
	if (!why) return;
	const force = processOf(model);
	if (force)
		throw new InputError(
			processWords(force),
			`is a random process, and ${why}: its Gaussian filter takes normal errors only`,
			"Measure with  ~ normal(…), or give the input.",
		);
	const refuseOption = (option: string, problem: string): never => {
		throw new InputError(
			`bayes: ${option}`,
			`${problem}, and ${why}: that is weighed by the solution itself, with steps that are short enough`,
			"Take it out.",
		);
	};
	if (integrationError === "simulated" || integrationError === "running")
		refuseOption("integrationError", "is modelled");
	if (sampler === "ibis") refuseOption("sampler", "ibis goes from sample to sample by a filter");
	if (linearisation === "ekf1") refuseOption("linearisation", "ekf1 models the error of the integration");
	if (equationEvidence) refuseOption("equationEvidence", "weighs the error of the integration");
}

/** What drives the model unseen. */
function processOf({ inputs }: Model): Model["inputs"][number] | undefined {
	return inputs.find(({ knowledge }) => knowledge.kind === "distribution");
}

/** White noise adds to the rates of states: it has no value that anything else could be made of. */
export function checkWhiteNoise(model: Model): void {
	const white = model.inputs.filter(isWhite);
	const among = (nodes: Parameters<typeof symbolsOf>[0]): (typeof white)[number] | undefined => {
		const names = symbolsOf(nodes);
		return white.find(({ name }) => names.has(name));
	};
	const measured = among(model.measures.flatMap(({ value, spread }) => (spread ? [value, spread] : [value])));
	const bent = among(whiteNoises(model).flatMap(({ slopes }) => slopes));
	const input = measured ?? bent;
	if (!input) return;
	throw new InputError(
		processWords(input),
		measured
			? "is white noise, and a measure uses it"
			: "is white noise, and does not enter its equation as a term",
		measured
			? "What is measured has noise of its own:  ~ normal(…, sd)."
			: "Write it as a term, with a factor where need be:  x' = … + g*w.",
	);
}

export function checkSpreads(model: Model): void {
	for (const { name, spread } of model.measures) {
		if (!spread || symbolsOf([spread]).size > 0) continue;
		const sd = constantValue(spread);
		if (!(sd > 0 && sd < Number.POSITIVE_INFINITY))
			throw new InputError(
				`measure ${name}`,
				`has a spread of ${sd}`,
				"A spread is a positive number, or a parameter with a prior:  param s ~ lognormal(log(0.1), 1).",
			);
	}
}

export function checkColumns(model: Model, experiment: Experiment): void {
	const input = measuredInputs(model).find((name) => !experiment.inputs.has(name));
	if (input)
		throw new InputError(
			experiment.name,
			`has no column for the input ${input}`,
			`Map one under  columns: { ${input}: … }, in the test record too.`,
		);
	const condition = model.conditions.find(({ name }) => !Number.isFinite(experiment.conditions[name]));
	if (condition)
		throw new InputError(
			experiment.name,
			`says nothing of the condition ${condition.name}`,
			`Write  conditions: { ${condition.name}: … }.`,
		);
}
