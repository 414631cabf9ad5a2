/** PEtab, version 2: experiments are sequences of periods, conditions list what they change, placeholders are declared. */
import { type Formula, namesIn, numeral } from "../sbml/formula.ts";
import { type Cells, filledIn, once, rowsOf } from "./cells.ts";
import { petabFormula } from "./formula.ts";
import { priorOf } from "./priors.ts";
import type {
	PetabChange,
	PetabCondition,
	PetabExperiment,
	PetabMeasurement,
	PetabObservable,
	PetabParameter,
	PetabPeriod,
	PetabProblem,
	PetabSource,
} from "./problem.ts";

const noises = ["normal", "log-normal", "laplace", "log-laplace"] as const;

export function readVersion2(source: PetabSource): PetabProblem {
	const { fileName, tree, faults } = source;
	refuseExtensions(source);
	const models = modelsOf(source);
	const parameters = parametersOf(source);
	const aliases = aliasesOf(source);
	const conditions = conditionsOf(source, parameters);
	const experiments = experimentsOf(source, conditions);
	const observables = observablesOf(source);

	const measurements: PetabMeasurement[] = [];
	const columns = ["observableId", "measurement", "time"];
	for (const cells of rowsOf(source.tables("measurement_files", tree.measurement_files, columns), faults)) {
		const value = cells.finite("measurement");
		if (value === undefined) cells.fault("there is no measurement", "Give a number, or take the row out.");
		const time = cells.number("time");
		if (time === undefined || time === Number.NEGATIVE_INFINITY)
			cells.fault(`the time is "${cells.text("time")}"`, "Give a number, or inf.");
		const observable = cells.text("observableId");
		const experiment = cells.text("experimentId");
		const model = modelOf(cells, models);
		const isKnown = [
			cells.known(observable, observables, "observable"),
			experiment === "" || cells.known(experiment, experiments, "experiment"),
		];
		if (isKnown.includes(false)) continue;
		const filled = filledIn(cells, observables.get(observable)!, parameters);
		const first = experiments.get(experiment)?.periods.find(({ time: from }) => Number.isFinite(from));
		if (first && !(time! >= first.time))
			cells.fault(
				`the time ${cells.text("time")} is before the experiment begins, at ${first.time}`,
				"Measurements stand at or after the first period.",
			);
		measurements.push({
			observable,
			model,
			experiment,
			time: time ?? 0,
			value: value ?? 0,
			...filled,
			place: cells.place,
		});
	}
	if (measurements.length === 0) faults.add(fileName, "has no measurement", "Fill in the measurement table.");
	// The model as it is, where a measurement names no experiment.
	experiments.set("", { id: "", periods: [] });
	return {
		fileName,
		version: 2,
		models,
		aliases,
		parameters,
		conditions,
		experiments,
		observables,
		measurements,
	};
}

function refuseExtensions({ fileName, tree, faults }: PetabSource): void {
	const { extensions } = tree;
	if (extensions === null || typeof extensions !== "object") return;
	for (const [name, content] of Object.entries(extensions)) {
		const isNeeded = (content as { required?: unknown } | null)?.required !== false;
		if (isNeeded)
			faults.add(fileName, `needs the extension "${name}", which is not supported`, "Only the core is read.");
	}
}

function modelsOf({
	fileName,
	tree,
	faults,
	text,
}: PetabSource): Map<string, { text: string; file: string }> {
	const models = new Map<string, { text: string; file: string }>();
	const given = tree.model_files;
	const entries =
		given !== null && typeof given === "object" && !Array.isArray(given) ? Object.entries(given) : [];
	for (const [id, entry] of entries) {
		const { location, language } = (entry ?? {}) as { location?: unknown; language?: unknown };
		if (typeof location !== "string")
			faults.add(`${fileName}: model ${id}`, "has no location", "Add  location: FILE");
		else if (language !== "sbml")
			faults.add(`${fileName}: model ${id}`, `is in ${String(language)}`, "Models in sbml are read.");
		else models.set(id, { text: text(location) ?? "", file: location });
	}
	if (entries.length === 0)
		faults.add(fileName, "names no model", "Add  model_files: { NAME: { location: FILE, language: sbml } }");
	return models;
}

function modelOf(cells: Cells, models: ReadonlyMap<string, unknown>): string {
	const id = cells.text("modelId");
	const [first = ""] = models.keys();
	if (id === "") {
		if (models.size > 1) cells.fault("there is no modelId", "Of several models, name the one that is meant.");
		return first;
	}
	return cells.known(id, models, "model") ? id : first;
}

function parametersOf({ tree, faults, tables }: PetabSource): Map<string, PetabParameter> {
	const parameters = new Map<string, PetabParameter>();
	const all = tree.parameter_files ?? tree.parameter_file;
	for (const cells of rowsOf(tables("parameter_files", all, ["parameterId", "estimate"]), faults)) {
		const id = cells.id("parameterId");
		const estimate = cells.oneOf("estimate", ["false", "true", "False", "True"]).toLowerCase() === "true";
		const lower = cells.number("lowerBound") ?? Number.NEGATIVE_INFINITY;
		const upper = cells.number("upperBound") ?? Number.POSITIVE_INFINITY;
		if (!(lower <= upper)) cells.fault(`lowerBound ${lower} is above upperBound ${upper}`, "Exchange them.");
		const prior = estimate ? priorOf(cells, { lower, upper }) : undefined;
		const nominal = cells.number("nominalValue");
		if (nominal === undefined && !estimate)
			cells.fault(`parameter ${id} has no nominal value`, "It is not estimated: fill in nominalValue.");
		once(cells, parameters, "parameter", id);
		parameters.set(id, {
			id,
			nominal: nominal ?? Number.NaN,
			scale: "lin",
			lower,
			upper,
			estimate,
			...(prior && { prior }),
			place: cells.place,
		});
	}
	return parameters;
}

function aliasesOf({ tree, faults, tables }: PetabSource): Map<string, string> {
	const aliases = new Map<string, string>();
	const columns = ["petabEntityId", "modelEntityId"];
	for (const cells of rowsOf(tables("mapping_files", tree.mapping_files, columns, true), faults)) {
		const id = cells.id("petabEntityId");
		const meant = cells.text("modelEntityId");
		if (meant !== "" && meant !== id) aliases.set(id, meant);
	}
	return aliases;
}

function conditionsOf(
	{ tree, faults, tables }: PetabSource,
	parameters: ReadonlyMap<string, PetabParameter>,
): Map<string, PetabCondition> {
	const sets = new Map<string, Map<string, PetabChange>>();
	const columns = ["conditionId", "targetId", "targetValue"];
	for (const cells of rowsOf(tables("condition_files", tree.condition_files, columns, true), faults)) {
		const id = cells.id("conditionId");
		const target = cells.id("targetId");
		const value = faults.attempt(() => petabFormula(cells.text("targetValue"), cells.place));
		if (parameters.has(target))
			cells.fault(
				`${target} stands in the parameter table, too`,
				"What conditions set is no parameter of the problem: take it out of one of the two.",
			);
		const set = sets.get(id) ?? new Map<string, PetabChange>();
		if (set.has(target)) cells.fault(`condition ${id} sets ${target} twice`, "Take one out.");
		if (value) set.set(target, { value, place: cells.place });
		sets.set(id, set);
	}
	return new Map([...sets].map(([id, set]) => [id, { id, set }]));
}

function experimentsOf(
	{ tree, faults, tables }: PetabSource,
	conditions: ReadonlyMap<string, PetabCondition>,
): Map<string, PetabExperiment> {
	const periodsOf = new Map<string, Map<number, { conditions: string[]; place: string }>>();
	const columns = ["experimentId", "time", "conditionId"];
	for (const cells of rowsOf(tables("experiment_files", tree.experiment_files, columns, true), faults)) {
		const id = cells.id("experimentId");
		const time = cells.number("time");
		const condition = cells.text("conditionId");
		if (time === undefined || time === Number.POSITIVE_INFINITY) {
			cells.fault(`the time is "${cells.text("time")}"`, "Give a number, or -inf.");
			continue;
		}
		const periods = periodsOf.get(id) ?? new Map<number, { conditions: string[]; place: string }>();
		periodsOf.set(id, periods);
		const period = periods.get(time) ?? { conditions: [], place: cells.place };
		periods.set(time, period);
		if (condition === "" || !cells.known(condition, conditions, "condition")) continue;
		for (const target of conditions.get(condition)!.set.keys())
			if (period.conditions.some((other) => conditions.get(other)!.set.has(target)))
				cells.fault(`two conditions of one time set ${target}`, "Only one of them may.");
		period.conditions.push(condition);
	}
	return new Map(
		[...periodsOf].map(([id, periods]) => {
			const inOrder = [...periods]
				.map(([time, { conditions: own, place }]): PetabPeriod => ({ time, conditions: own, place }))
				.sort((a, b) => (a.time < b.time ? -1 : 1));
			return [id, { id, periods: inOrder }];
		}),
	);
}

function observablesOf({ tree, faults, tables }: PetabSource): Map<string, PetabObservable> {
	const observables = new Map<string, PetabObservable>();
	const columns = ["observableId", "observableFormula", "noiseFormula"];
	for (const cells of rowsOf(tables("observable_files", tree.observable_files, columns), faults)) {
		const id = cells.id("observableId");
		const read = (column: string): Formula =>
			faults.attempt(() => petabFormula(cells.text(column), cells.place)) ?? numeral(1);
		const noise = cells.oneOf("noiseDistribution", noises);
		const formula = read("observableFormula");
		if (namesIn(formula).has(id)) cells.fault(`${id} is defined by itself`, "Write it with the model's ids.");
		once(cells, observables, "observable", id);
		observables.set(id, {
			id,
			formula,
			noise: read("noiseFormula"),
			scale: noise.startsWith("log-") ? "log" : "lin",
			law: noise.endsWith("laplace") ? "laplace" : "normal",
			observablePlaceholders: cells.list("observablePlaceholders"),
			noisePlaceholders: cells.list("noisePlaceholders"),
			place: cells.place,
		});
	}
	return observables;
}
