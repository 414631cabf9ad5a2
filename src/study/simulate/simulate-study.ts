/** `odentify simulate`: every record of a study, simulated. */
import type { Table } from "../../data/table/table.ts";
import { dosedModel, dosedTimes, experimentOf } from "../../methods/experiment-of.ts";
import { expandCombinations } from "../../model/combination.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Model } from "../../model/model.ts";
import { individualModel } from "../../model/population.ts";
import { dataInputs } from "../../model/structure/free.ts";
import { plainRecords } from "../records/doses.ts";
import { checkRecord, type Report, rowsWithin } from "../records/records.ts";
import { problemAt, type Study, type StudyRecord, tableKey, throwAny } from "../study.ts";
import { setValues } from "./set-values.ts";
import { type Simulation, type SimulationRecord, simulateRecord } from "./simulate.ts";
import { simulationValues } from "./simulation-values.ts";

export interface SimulationTask {
	/** With inputs for the doses of the records. */
	readonly model: Model;
	readonly set: Readonly<Record<string, number>>;
	readonly records: readonly SimulationRecord[];
}

/** Everything that a simulation needs, checked; nothing is integrated yet. */
export function simulationTask(
	given: Study,
	source: Model,
	givenTables: ReadonlyMap<string, Table>,
): SimulationTask {
	const { study, tables } = plainRecords(given, source, givenTables);
	const model = dosedModel(source, study.records);
	const diagnostics: Diagnostic[] = [];
	const report: Report = (diagnostic) => {
		diagnostics.push(diagnostic);
	};
	const set = setValues(
		study,
		model,
		study.records.map(({ name }) => name),
		report,
	);
	for (const { rest, path } of study.records)
		if (rest)
			report(
				problemAt(
					study,
					`${path}.rest`,
					"key",
					"simulate does not begin at rest",
					"Remove it, or fit: its report shows the records from rest.",
				),
			);
	const records = study.records.map((record, i) =>
		record.times
			? madeTimes(study, record, model, report)
			: fromFile(study, record, i, model, tables, report),
	);
	throwAny(study, diagnostics);
	const { model: plain } = individualModel(expandCombinations(model).model, new Set(Object.keys(set)));
	for (const record of records) simulationValues(plain, set, record!.conditions, record!.name, record!.unit);
	return { model, set, records: records as SimulationRecord[] };
}

export function simulateStudy(
	study: Study,
	model: Model,
	tables: ReadonlyMap<string, Table>,
	seed = study.seed,
): Simulation[] {
	const { model: dosed, set, records } = simulationTask(study, model, tables);
	return records.map((record) => simulateRecord(dosed, set, record, study.simulate, seed));
}

function madeTimes(study: Study, record: StudyRecord, model: Model, report: Report): SimulationRecord {
	const { from, to, samples } = record.times!;
	const [input] = dataInputs(model);
	if (input !== undefined) {
		const remedy = `Give it a formula in the model (input ${input} = sin(t)), or a file in the study.`;
		report(
			problemAt(
				study,
				`${record.path}.times`,
				"key",
				`input ${input} comes from data, and this record has none`,
				remedy,
			),
		);
	}
	for (const { name, isDose } of model.conditions)
		if (!isDose && !Object.hasOwn(record.conditions, name)) {
			const remedy = `Add  conditions: { ${name}: 1 }`;
			report(
				problemAt(study, record.path, "key", `the condition ${name} has no value in this record`, remedy),
			);
		}
	const times = Float64Array.from({ length: samples }, (_, i) => from + ((to - from) * i) / (samples - 1));
	return { name: record.name, ...dosedTimes(model, record, times) };
}

/** Times and inputs of the file; its outputs, if it has any, are not needed. */
function fromFile(
	study: Study,
	record: StudyRecord,
	index: number,
	model: Model,
	tables: ReadonlyMap<string, Table>,
	report: Report,
): SimulationRecord | undefined {
	const table = tables.get(tableKey(record))!;
	const selection = study.train[index];
	if (!checkRecord(study, record, model, table, [], report)) return undefined;
	const asked = selection === "none" ? { from: 0, to: Infinity } : selection;
	const rows = rowsWithin(study, asked, table, "train", report);
	if (!rows) return undefined;
	const experiment = experimentOf(table, { ...record, rows }, model, []);
	return {
		name: record.name,
		times: experiment.times,
		signals: experiment.inputs,
		conditions: experiment.conditions,
		...(experiment.begins === undefined
			? {}
			: { begins: experiment.begins, lead: experiment.lead, orbit: experiment.orbit }),
		...(record.unit === undefined ? {} : { unit: record.unit }),
	};
}
