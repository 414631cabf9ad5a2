/** A study, its model and its tables to the question that is put to a method. Bytes come from the host. */
import type { Compute } from "../compute/compute.ts";
import type { Experiment } from "../data/experiment.ts";
import { distinctNames } from "../data/table/distinct-names.ts";
import type { Table } from "../data/table/table.ts";
import { withWarmUp } from "../data/warm-up.ts";
import { list } from "../estimate/judge/words.ts";
import { dosedModel, experimentOf } from "../methods/experiment-of.ts";
import type { Problem } from "../methods/problem.ts";
import { methods } from "../methods/registry.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Model } from "../model/model.ts";
import { jointPriorOf } from "./prior.ts";
import { plainRecords } from "./records/doses.ts";
import { checkRecord, type Report, rowsWithin } from "./records/records.ts";
import { checkStarts, setValues } from "./simulate/set-values.ts";
import { problemAt, type Rows, type Study, type StudyRecord, tableKey, throwAny } from "./study.ts";

/** Rows of a record that are used for one part. */
interface Use {
	readonly record: StudyRecord;
	readonly part: "train" | "test";
	readonly rows: Rows;
	/** Where the study says which rows. */
	readonly path: string;
}

export function problemFromStudy(
	given: Study,
	source: Model,
	givenTables: ReadonlyMap<string, Table>,
	compute: Compute,
	seed = given.seed,
): Problem {
	const { study, tables } = plainRecords(given, source, givenTables);
	const model = dosedModel(source, [...study.records, ...study.testRecords]);
	const diagnostics: Diagnostic[] = [];
	const report: Report = (diagnostic) => {
		diagnostics.push(diagnostic);
	};
	const outputs = model.measures.map(({ name }) => name);
	const checked = new Map<StudyRecord, boolean>();
	for (const record of [...study.records, ...study.testRecords]) {
		const table = record.file === undefined ? undefined : tables.get(tableKey(record));
		if (table) checked.set(record, checkRecord(study, record, model, table, outputs, report));
		else
			report(
				problemAt(
					study,
					`${record.path}.times`,
					"key",
					"the record has times but no file",
					"Only  odentify simulate  needs no measurements.",
				),
			);
	}
	for (const record of [...study.records, ...study.testRecords])
		if (record.rest && study.method !== "fit")
			report(
				problemAt(
					study,
					`${record.path}.rest`,
					"key",
					`${study.method} does not begin at rest`,
					"Only  method: fit  takes a steady state before the record.",
				),
			);
	if (study.warmUp !== undefined && !methods.get(study.method)?.warmsUp) {
		const able = [...methods.values()].filter(({ warmsUp }) => warmsUp).map(({ name }) => name);
		report(
			problemAt(
				study,
				"warmUp",
				"key",
				`${study.method} does not start test records from their first rows`,
				`Only the methods ${list(able)} do.`,
			),
		);
	}
	const uses = usesOf(study);
	if (study.warmUp !== undefined && !uses.some((use) => use.part === "test"))
		report(problemAt(study, "warmUp", "key", "there is no test record to warm up", "Name a test record."));
	const names = experimentNames(uses);
	const start = setValues(study, model, [...new Set(names)], report);
	checkStarts(study, model, report);
	const prior = jointPriorOf(study, model, report);
	const made = uses.map((use, i): Experiment | undefined => {
		const table = tables.get(tableKey(use.record));
		if (!table || !checked.get(use.record)) return undefined;
		const rows = rowsWithin(study, use.rows, table, use.path, report);
		if (!rows) return undefined;
		const experiment = experimentOf(table, { ...use.record, rows, name: names[i] }, model, outputs);
		return study.warmUp !== undefined && use.part === "test"
			? withWarmUp(experiment, study.warmUp)
			: experiment;
	});
	throwAny(study, diagnostics);
	const part = (wanted: "train" | "test"): Experiment[] =>
		made.flatMap((experiment, i) => (experiment && uses[i].part === wanted ? [experiment] : []));
	return {
		model,
		train: part("train"),
		test: part("test"),
		start,
		...(prior && { prior }),
		seed,
		compute,
		settings: study.options,
	};
}

function usesOf(study: Study): Use[] {
	const { records, train, test, testRecords, places } = study;
	const pathOf = (key: string, i: number): string => (places.has(`${key}[${i}]`) ? `${key}[${i}]` : key);
	const selected = (part: "train" | "test"): Use[] =>
		(part === "train" ? train : test).flatMap((rows, i) =>
			rows === "none" ? [] : [{ record: records[i], part, rows, path: pathOf(part, i) }],
		);
	const others = testRecords.map(
		(record): Use => ({
			record,
			part: "test",
			rows: record.rows ?? { from: 0, to: Infinity },
			path: record.rows ? `${record.path}.rows` : `${record.path}.file`,
		}),
	);
	return [...selected("train"), ...selected("test"), ...others];
}

/** The name of each record, made different where two records of one part share it. */
function experimentNames(uses: readonly Use[]): string[] {
	const of = (part: Use["part"]): string[] =>
		distinctNames(uses.filter((use) => use.part === part).map(({ record }) => record.name));
	const left = { train: of("train"), test: of("test") };
	const at = { train: 0, test: 0 };
	return uses.map(({ part }) => left[part][at[part]++]);
}
