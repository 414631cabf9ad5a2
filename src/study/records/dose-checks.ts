/** Columns of doses that a study names and its files do not have as meant, or the other way round: told once for a file, not for each group. */
import { findColumn } from "../../data/record.ts";
import type { Table } from "../../data/table/table.ts";
import { InputError } from "../../errors.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Model } from "../../model/model.ts";
import { problemAt, type StudyRecord, tableKey, throwAny } from "../study.ts";
import type { Grouped } from "./groups.ts";

export function checkAmounts(given: Grouped, tables: ReadonlyMap<string, Table>): void {
	const diagnostics = [...given.records, ...given.testRecords].flatMap((record): Diagnostic[] => {
		const table = record.file === undefined ? undefined : tables.get(tableKey(record));
		return Object.values(record.doseColumns ?? {}).flatMap(({ amount }) => {
			try {
				if (table) findColumn(table, amount);
				return [];
			} catch (error) {
				if (!(error instanceof InputError)) throw error;
				const message = `${error.subject}: ${error.problem}`;
				return [problemAt(given, `${record.path}.doses`, "value", message, error.remedy)];
			}
		});
	});
	throwAny(given, diagnostics);
}

/** A compartment that no dose of a file goes into was meant to be another one. */
export function checkCompartments(given: Grouped, plain: Grouped, tables: ReadonlyMap<string, Table>): void {
	const all = [...plain.records, ...plain.testRecords];
	const diagnostics = [...given.records, ...given.testRecords].flatMap((record): Diagnostic[] => {
		const table = record.file === undefined ? undefined : tables.get(tableKey(record));
		return Object.entries(record.doseColumns ?? {}).flatMap(([place, { compartment }]) => {
			const own = all.filter(({ path }) => path === record.path);
			if (compartment === undefined || own.some(({ doses }) => (doses?.[place]?.length ?? 0) > 0)) return [];
			const numbers = table?.columns.find(({ name }) => name.toUpperCase() === "CMT")?.values ?? [];
			const found = [...new Set(numbers)].filter((each) => !Number.isNaN(each)).sort((a, b) => a - b);
			return [
				problemAt(
					given,
					`${record.path}.doses`,
					"value",
					`${table?.source ?? record.name}: no dose goes into the compartment ${compartment}, and so nothing into ${place}`,
					found.length > 0 ? `CMT is ${found.join(" or ")} there.` : "The file has no column CMT.",
				),
			];
		});
	});
	throwAny(given, diagnostics);
}

/**
 * Columns of doses and of kinds of samples that a study says nothing of. Without the doses the model lacks what moved it, and their rows, which
 * often hold a 0, would be taken for samples; samples of several compartments would be taken for one quantity.
 */
export function checkUnreadColumns(given: Grouped, model: Model, tables: ReadonlyMap<string, Table>): void {
	const diagnostics = [...given.records, ...given.testRecords].flatMap((record): Diagnostic[] => {
		const table = record.file === undefined ? undefined : tables.get(tableKey(record));
		if (!table) return [];
		const rows = new RowKinds(record, table, model);
		const wrong = (key: string, message: string, remedy: string): Diagnostic =>
			problemAt(given, `${record.path}.${key}`, "value", `${table.source}: ${message}`, remedy);
		return [...unreadDoses(rows, record, model, wrong), ...mixedSamples(rows, record, model, wrong)];
	});
	throwAny(given, diagnostics);
}

type Wrong = (key: string, message: string, remedy: string) => Diagnostic;

function unreadDoses(rows: RowKinds, record: StudyRecord, model: Model, wrong: Wrong): Diagnostic[] {
	if (record.doses || record.doseColumns) return [];
	const [count, of] = rows.doses();
	if (count === 0) return [];
	const place = model.states[0]?.name ?? "depot";
	return [
		wrong(
			"file",
			`${count === 1 ? "one row is a dose" : `${count} rows are doses`} (${of}), and the study does not say where they go`,
			`Name the input or the state:  doses: { ${place}: AMT }  or leave them aside:  doses: {}`,
		),
	];
}

function mixedSamples(rows: RowKinds, record: StudyRecord, model: Model, wrong: Wrong): Diagnostic[] {
	return model.measures.flatMap(({ name }) => {
		const column = record.columns[name] ?? name;
		const found = ["DVID", "CMT"].flatMap((kind) => {
			const numbers = rows.samplesBy(kind, column);
			return numbers.length > 1 ? [[kind, numbers] as const] : [];
		});
		if (found.length === 0) return [];
		const [[kind, numbers]] = found;
		return [
			wrong(
				`columns.${name}`,
				`the column ${column} holds samples of several kinds, ${kind} ${numbers.join(" and ")}, and ${name} is one`,
				`Give each kind a column and a  measure  of its own; where they are all the same, remove ${kind} from the rows of samples.`,
			),
		];
	});
}

/** What the rows of a file are, by columns that the study does not use for something else. */
class RowKinds {
	readonly #column: (name: string) => Float64Array | undefined;
	readonly #any: (name: string) => Float64Array | undefined;
	readonly #nRows: number;

	constructor(record: StudyRecord, table: Table, model: Model) {
		const { time, group, columns, conditionColumns } = record;
		const own = [...model.inputs, ...model.measures].map(({ name }) => columns[name] ?? name);
		const used = new Set([time, group, ...own, ...Object.values(conditionColumns)]);
		this.#nRows = table.columns[0]?.values.length ?? 0;
		this.#any = (name) => table.columns.find((each) => each.name === name)?.values;
		this.#column = (name) =>
			table.columns.find((each) => each.name.toUpperCase() === name && !used.has(each.name))?.values;
	}

	/** How many rows are doses, and by which column. An amount in every row is one of the whole record. */
	doses(): [number, string] {
		const events = this.#column("EVID")?.filter((event) => event === 1 || event === 4).length ?? 0;
		if (events > 0) return [events, "EVID"];
		const amounts = this.#column("AMT")?.filter((amount) => amount > 0).length ?? 0;
		return amounts < this.#nRows ? [amounts, "AMT"] : [0, ""];
	}

	/** Numbers other than 0 that such a column has where this one has a sample. */
	samplesBy(kind: string, column: string): number[] {
		const [numbers, values] = [this.#column(kind), this.#any(column)];
		if (!numbers || !values) return [];
		const [evid, mdv, amount] = ["EVID", "MDV", "AMT"].map((name) => this.#column(name));
		const isOther = (row: number): boolean =>
			evid ? evid[row] > 0 : mdv ? mdv[row] === 1 : (amount?.[row] ?? 0) > 0;
		const found = numbers.filter((each, row) => each > 0 && !Number.isNaN(values[row]) && !isOther(row));
		return [...new Set(found)].sort((a, b) => a - b);
	}
}
