/**
 * Records of a study, checked. The model says which columns are inputs and outputs; what is missing or misnamed is
 * reported at its place in the study file, all at once.
 */
import { findColumn } from "../../data/record.ts";
import type { Table } from "../../data/table/table.ts";
import type { TableChoices } from "../../data/table/table-choices.ts";
import { timeColumnOf } from "../../data/time/time-column.ts";
import { InputError, nearestName } from "../../errors.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Model } from "../../model/model.ts";
import { dataInputs } from "../../model/structure/free.ts";
import { problemAt, type Rows, type Study, type StudyRecord, tableKey, throwAny } from "../study.ts";

export type Report = (diagnostic: Diagnostic) => void;

/** What a record must have, held against the model and the table; true when nothing was reported. */
export function checkRecord(
	study: Study,
	record: StudyRecord,
	model: Model,
	table: Table,
	outputs: readonly string[],
	report: Report,
): boolean {
	let good = true;
	const wrong = (path: string, part: "key" | "value", message: string, remedy: string): void => {
		good = false;
		report(problemAt(study, path, part, message, remedy));
	};
	checkNames(record, model, table, wrong);
	const inputs = dataInputs(model);
	for (const name of [...inputs, ...outputs]) {
		const mapped = Object.hasOwn(record.columns, name);
		try {
			findColumn(table, mapped ? record.columns[name] : name);
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			const what = inputs.includes(name) ? "input" : "measurement";
			const path = mapped ? `${record.path}.columns.${name}` : `${record.path}.file`;
			// Where it has that name already, it is not the name that is wrong.
			const isThere = mapped || table.columns.some((column) => column.name === name);
			const remedy = isThere
				? error.remedy
				: `Name the column of the ${what} ${name}:  columns: { ${name}: … }  ${error.remedy}`;
			wrong(path, "value", `${error.subject}: ${error.problem}`, remedy);
		}
	}
	if (record.time !== undefined) {
		try {
			findColumn(table, record.time);
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			wrong(`${record.path}.time`, "value", `${error.subject}: ${error.problem}`, error.remedy);
		}
	} else if (record.rate === undefined) {
		const likely = timeColumnOf(table, [...inputs, ...outputs]);
		const remedy = likely
			? `Add  time: ${likely}`
			: "Add  rate: 100  (samples a second), or  time:  with the column of times.";
		wrong(record.path, "key", "the record says neither its rate nor its time column", remedy);
	}
	return good;
}

function checkNames(
	record: StudyRecord,
	model: Model,
	table: Table,
	wrong: (path: string, part: "key" | "value", message: string, remedy: string) => void,
): void {
	const inputs = dataInputs(model);
	const measured = model.measures.map(({ name }) => name);
	const columnNames = [...inputs, ...measured];
	for (const name of Object.keys(record.columns)) {
		if (columnNames.includes(name)) continue;
		const path = `${record.path}.columns.${name}`;
		const input = model.inputs.find((one) => one.name === name);
		const kind = input?.knowledge.kind;
		const isProcess = kind === "distribution";
		const nearest = nearestName(name, columnNames);
		wrong(
			path,
			"key",
			input
				? `input ${name} is ${isProcess ? "unknown, a random process" : kind === "set" ? "known within bounds" : "a formula"}: it takes no column`
				: `the model has no input or measurement "${name}"`,
			input
				? `Remove it.${isProcess ? ` If it was measured, declare it without a distribution:  input ${name}` : ""}`
				: nearest
					? `Did you mean "${nearest}"?`
					: `It has ${columnNames.join(", ") || "none"}.`,
		);
	}
	for (const name of Object.keys(record.factors ?? {})) {
		if (name === "t" || columnNames.includes(name)) continue;
		const nearest = nearestName(name, columnNames);
		wrong(
			`${record.path}.factors.${name}`,
			"key",
			`the model has no input or measurement "${name}"`,
			nearest ? `Did you mean "${nearest}"?` : `It has t, ${columnNames.join(", ")}.`,
		);
	}
	const conditions = model.conditions.filter(({ isDose }) => !isDose).map(({ name }) => name);
	const check = (names: readonly string[], path: string): void => {
		for (const name of names) {
			if (conditions.includes(name)) continue;
			const nearest = nearestName(name, conditions);
			const remedy = nearest ? `Did you mean "${nearest}"?` : `Declare it in the model:  condition ${name}`;
			wrong(`${path}.${name}`, "key", `the model has no condition "${name}"`, remedy);
		}
	};
	check(Object.keys(record.conditions), `${record.path}.conditions`);
	record.rest?.forEach((rest, i) => {
		const path = `${record.path}.rest`;
		check(Object.keys(rest), record.rest!.length > 1 ? `${path}[${i}]` : path);
	});
	for (const name of record.reset ?? []) {
		if (model.components.includes(name)) continue;
		const nearest = nearestName(name, model.components);
		const remedy = nearest ? `Did you mean "${nearest}"?` : `It has ${model.components.join(", ")}.`;
		wrong(`${record.path}.reset`, "value", `the model has no state "${name}"`, remedy);
	}
	for (const name of conditions) {
		if (Object.hasOwn(record.conditions, name)) continue;
		const column = columnFor(name, table);
		wrong(
			`${record.path}.conditions`,
			"key",
			`the condition ${name} has no value in this record`,
			record.group === undefined
				? `Add  conditions: { ${name}: 1 }`
				: `Add  conditions: { ${name}: ${column} }, the column that holds it`,
		);
	}
}

/** A column whose name is like that of a condition; else what stands for one. */
function columnFor(name: string, { columns }: Table): string {
	return (
		nearestName(
			name,
			columns.map((column) => column.name),
		) ?? "COLUMN"
	);
}

/** Rows within the table; a report where they are not. `path` is where the study asks for them. */
export function rowsWithin(
	study: Study,
	rows: Rows,
	table: Table,
	path: string,
	report: Report,
): { from: number; to: number } | undefined {
	const { nRows } = table;
	const to = rows.to === Infinity ? nRows : rows.to;
	if (rows.from < to && to <= nRows) return { from: rows.from, to };
	const asked = `${rows.from}..${rows.to === Infinity ? "" : rows.to}`;
	const message = `the range ${asked} does not lie in ${table.source}, which has ${nRows} rows`;
	report(problemAt(study, path, "value", message, nRows > 0 ? `Rows count from 0: all are 0..${nRows}` : ""));
	return undefined;
}

/** Tables of all files that a study names, by `tableKey`; a file that cannot be read is reported where it is named. */
export async function tablesOf(
	study: Study,
	read: (file: string, choices: TableChoices) => Promise<Table>,
): Promise<ReadonlyMap<string, Table>> {
	const diagnostics: Diagnostic[] = [];
	const tables = new Map<string, Table>();
	const failed = new Set<string>();
	for (const record of [...study.records, ...study.testRecords]) {
		const { file, path, reading = {} } = record;
		const key = tableKey(record);
		if (file === undefined || tables.has(key) || failed.has(key)) continue;
		try {
			tables.set(key, await read(file, reading));
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			failed.add(key);
			diagnostics.push(
				problemAt(study, `${path}.file`, "value", `${error.subject}: ${error.problem}`, error.remedy),
			);
		}
	}
	throwAny(study, diagnostics);
	return tables;
}
