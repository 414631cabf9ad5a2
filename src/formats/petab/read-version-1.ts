/** PEtab, version 1: conditions are rows, measurements name them, and each pair of a steady state and a condition is an experiment. */
import { type Formula, namesIn, numeral } from "../sbml/formula.ts";
import { Cells, filledIn, listOf, once, rowsOf } from "./cells.ts";
import { petabFormula } from "./formula.ts";
import { objectivePrior } from "./priors.ts";
import type {
	PetabChange,
	PetabCondition,
	PetabExperiment,
	PetabMeasurement,
	PetabObservable,
	PetabParameter,
	PetabProblem,
	PetabSource,
} from "./problem.ts";
import { cellNumber } from "./table.ts";

const scales = ["lin", "log", "log10"] as const;

export function readVersion1({ fileName, tree, faults, text, tables }: PetabSource): PetabProblem {
	const problems = listOf(tree.problems) as (Record<string, unknown> | null)[];
	if (problems.length !== 1)
		faults.add(fileName, `has ${problems.length} problems`, "One is read: write a file for each.");
	const parts = problems[0] ?? {};
	const modelFiles = listOf(parts.sbml_files).map(String);
	if (modelFiles.length !== 1)
		faults.add(fileName, `names ${modelFiles.length} models under sbml_files`, "One is read.");
	const models = new Map(
		modelFiles.slice(0, 1).map((file) => [file, { text: text(file) ?? "", file }] as const),
	);
	const [model = ""] = modelFiles;

	const parameters = new Map<string, PetabParameter>();
	const parameterTables = tables("parameter_file", tree.parameter_file, ["parameterId", "estimate"]);
	for (const cells of rowsOf(parameterTables, faults)) {
		const id = cells.id("parameterId");
		const scale = cells.oneOf("parameterScale", scales);
		const lower = cells.number("lowerBound") ?? Number.NEGATIVE_INFINITY;
		const upper = cells.number("upperBound") ?? Number.POSITIVE_INFINITY;
		const prior = objectivePrior(cells, { lower, upper }, scale);
		if (!(lower <= upper)) cells.fault(`lowerBound ${lower} is above upperBound ${upper}`, "Exchange them.");
		once(cells, parameters, "parameter", id);
		parameters.set(id, {
			id,
			nominal: cells.number("nominalValue") ?? Number.NaN,
			scale,
			lower,
			upper,
			estimate: isOne(cells, "estimate"),
			...(prior && { prior }),
			place: cells.place,
		});
	}

	const conditions = new Map<string, PetabCondition>();
	for (const table of tables("condition_files", parts.condition_files, ["conditionId"]))
		for (const row of table.rows) {
			const cells = new Cells(row, table, faults);
			const set = new Map<string, PetabChange>();
			for (const column of table.columns) {
				if (column === "conditionId" || column === "conditionName" || column === "") continue;
				const text = row.get(column);
				// Of the model, or of the table: which ids there are is seen with the model.
				const value = isId(text) ? text : cells.override(text, parameters);
				if (value !== undefined) set.set(column, { value: formulaOf(value), place: cells.place });
			}
			const id = cells.id("conditionId");
			once(cells, conditions, "condition", id);
			conditions.set(id, { id, set });
		}

	const observables = new Map<string, PetabObservable>();
	const observableColumns = ["observableId", "observableFormula", "noiseFormula"];
	const observableTables = tables("observable_files", parts.observable_files, observableColumns);
	for (const cells of rowsOf(observableTables, faults)) {
		const id = cells.id("observableId");
		const read = (column: string): Formula =>
			faults.attempt(() => petabFormula(cells.text(column), cells.place)) ?? numeral(1);
		const formula = read("observableFormula");
		const noise = read("noiseFormula");
		const used = new Set([...namesIn(formula), ...namesIn(noise)]);
		once(cells, observables, "observable", id);
		observables.set(id, {
			id,
			formula,
			noise,
			scale: cells.oneOf("observableTransformation", scales),
			law: cells.oneOf("noiseDistribution", ["normal", "laplace"] as const),
			observablePlaceholders: numbered(used, `observableParameter`, id),
			noisePlaceholders: numbered(used, `noiseParameter`, id),
			place: cells.place,
		});
	}

	const experiments = new Map<string, PetabExperiment>();
	const measurements: PetabMeasurement[] = [];
	const measurementColumns = ["observableId", "simulationConditionId", "measurement", "time"];
	const measurementTables = tables("measurement_files", parts.measurement_files, measurementColumns);
	for (const cells of rowsOf(measurementTables, faults)) {
		const value = cells.finite("measurement");
		if (value === undefined) continue;
		const time = cells.number("time");
		if (time === undefined) cells.fault(`the time is "${cells.text("time")}"`, "Give a number, or inf.");
		const before = cells.text("preequilibrationConditionId");
		const condition = cells.text("simulationConditionId");
		const observable = cells.text("observableId");
		const isKnown = [
			cells.known(observable, observables, "observable"),
			cells.known(condition, conditions, "condition"),
			before === "" || cells.known(before, conditions, "condition"),
		];
		if (isKnown.includes(false)) continue;
		const filled = filledIn(cells, observables.get(observable)!, parameters);
		const experiment = pairName(before, condition);
		if (!experiments.has(experiment)) {
			const { place } = cells;
			const rest = { time: Number.NEGATIVE_INFINITY, conditions: [before], place };
			const own = { time: 0, conditions: [condition], place };
			experiments.set(experiment, { id: experiment, periods: before === "" ? [own] : [rest, own] });
		}
		measurements.push({
			observable,
			model,
			experiment,
			time: time ?? 0,
			value,
			...filled,
			place: cells.place,
		});
	}
	if (measurements.length === 0) faults.add(fileName, "has no measurement", "Fill in the measurement table.");
	return {
		fileName,
		version: 1,
		models,
		aliases: new Map(),
		parameters,
		conditions,
		experiments,
		observables,
		measurements,
	};
}

function isOne(cells: Cells, column: string): boolean {
	const value = cells.number(column);
	if (value !== 0 && value !== 1) cells.fault(`${column} is "${cells.text(column)}"`, "It is 0 or 1.");
	return value === 1;
}

/** The name of the experiment that goes from rest in one condition on to another. */
function pairName(before: string, condition: string): string {
	return before === "" ? condition : `${before}_${condition}`;
}

function isId(text: string): boolean {
	return /^[A-Za-z_]\w*$/.test(text) && cellNumber(text) === undefined && !/^nan$/i.test(text);
}

function formulaOf(value: number | string): Formula {
	return typeof value === "number" ? numeral(value) : petabFormula(value, "");
}

/** `observableParameter1_ID`, `observableParameter2_ID`, … up to the last that is used. */
function numbered(used: ReadonlySet<string>, kind: string, id: string): string[] {
	const count = [...used].reduce((most, name) => {
		const number =
			name.startsWith(kind) && name.endsWith(`_${id}`) ? name.slice(kind.length, -id.length - 1) : "";
		return /^\d+$/.test(number) ? Math.max(most, Number(number)) : most;
	}, 0);
	return Array.from({ length: Math.min(count, 1000) }, (_, i) => `${kind}${i + 1}_${id}`);
}
