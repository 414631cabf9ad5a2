/**
 * Files that hold several experiments below one another: `group: Subject` makes a record of each subject. Conditions may
 * be columns, too, with one value for each record. Everything behind this sees plain records.
 */
import { findColumn } from "../../data/record.ts";
import { type Table, tableOf } from "../../data/table/table.ts";
import { InputError, nearestName } from "../../errors.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { problemAt, type Study, type StudyRecord, tableKey, throwAny } from "../study.ts";

/** What is read of a study here. */
export type Grouped = Pick<
	Study,
	"records" | "train" | "test" | "testRecords" | "places" | "fileName" | "source"
>;

export interface PlainStudy<S extends Grouped> {
	readonly study: S;
	readonly tables: ReadonlyMap<string, Table>;
}

/** The records of one line of the study, with the table of each. */
interface Part {
	readonly record: StudyRecord;
	readonly table: Table;
}

type Wrong = (key: string, message: string, remedy: string) => void;

/** Tables are by the files that records name. */
export function withoutGroups<S extends Grouped>(
	study: S,
	tables: ReadonlyMap<string, Table>,
): PlainStudy<S> {
	const diagnostics: Diagnostic[] = [];
	const parts = new Map(tables);
	const partsOf = (record: StudyRecord): StudyRecord[] => {
		const table = record.file === undefined ? undefined : tables.get(tableKey(record));
		const isPlain = record.group === undefined && Object.keys(record.conditionColumns).length === 0;
		if (isPlain || !table) return [record];
		const wrong: Wrong = (key, message, remedy) =>
			diagnostics.push(problemAt(study, `${record.path}.${key}`, "value", message, remedy));
		if (!hasColumns(record, table, wrong)) return [];
		return split(record, table, wrong).map((part) => {
			if (part.table === table) return withConditions(part, wrong);
			const own = { ...withConditions(part, wrong), file: `${record.file}\n${part.record.name}` };
			parts.set(tableKey(own), part.table);
			return own;
		});
	};
	return { study: withParts(study, partsOf, diagnostics), tables: parts };
}

/** Columns of conditions that are not there are told once, not for each part. */
function hasColumns({ conditionColumns }: StudyRecord, table: Table, wrong: Wrong): boolean {
	const lacking = Object.entries(conditionColumns).filter(([name, column]) => {
		try {
			findColumn(table, column);
			return false;
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			wrong(`conditions.${name}`, `${error.subject}: ${error.problem}`, error.remedy);
			return true;
		}
	});
	return lacking.length === 0;
}

/** A study whose records are cut into parts: which rows are used of a record holds for each of its parts. */
export function withParts<S extends Grouped>(
	study: S,
	partsOf: (record: StudyRecord) => StudyRecord[],
	diagnostics: readonly Diagnostic[],
): S {
	const records = study.records.map(partsOf);
	const testRecords = study.testRecords.flatMap(partsOf);
	throwAny(study, diagnostics);
	const forEach = <T>(list: readonly T[]): T[] => records.flatMap((parts, i) => parts.map(() => list[i]));
	return {
		...study,
		records: records.flat(),
		train: forEach(study.train),
		test: forEach(study.test),
		testRecords,
	};
}

/** One record for each value of the group's column, in the order in which they come. */
function split(record: StudyRecord, table: Table, wrong: Wrong): Part[] {
	const { group, only, except = [] } = record;
	if (group === undefined) return [{ record, table }];
	const labels = labelsOf(table, group, wrong);
	if (!labels) return [];
	const rows = new Map<string, number[]>();
	for (const [row, label] of labels.entries()) {
		if (label === undefined) {
			const remedy = "Every row needs one: fill it in, or remove the row.";
			wrong("group", `${table.source}: row ${row} (counted from 0) has no ${group}`, remedy);
			return [];
		}
		const known = rows.get(label);
		if (known) known.push(row);
		else rows.set(label, [row]);
	}
	for (const [key, asked] of [["only", only ?? []] as const, ["except", except] as const])
		for (const label of asked) {
			if (rows.has(label)) continue;
			const near = nearestName(label, [...rows.keys()]);
			const remedy = near ? `Did you mean ${near}?` : `There are ${few([...rows.keys()])}.`;
			wrong(key, `${table.source} has no ${group} ${label}`, remedy);
		}
	const chosen = [...rows.keys()].filter(
		(label) => (!only || only.includes(label)) && !except.includes(label),
	);
	if (chosen.length === 0) wrong("group", `no ${group} is left`, "Choose some with  only  and  except.");
	return chosen.map((label) => {
		const own = rows.get(label)!;
		const name = `${group} ${label}`;
		if (own.length < 2)
			wrong(
				"group",
				`${name} has one row only`,
				`Leave it out:  except: [${label}]  Or give it more samples.`,
			);
		return {
			record: { ...record, name: record.isNamed ? `${record.name}, ${name}` : name },
			table: rowsOf(table, own, name),
		};
	});
}

/** What stands in each row of the column: numbers as they are written shortest, or words. */
function labelsOf(table: Table, group: string, wrong: Wrong): readonly (string | undefined)[] | undefined {
	const words = table.skipped?.find(({ name }) => name === group)?.labels;
	if (words) return words.map((word) => (word === "" ? undefined : word));
	try {
		const { values, origin } = findColumn(table, group);
		if (origin !== undefined) throw new InputError(`${table.source}, column ${group}`, "holds dates");
		return Array.from(values, (value) => (Number.isNaN(value) ? undefined : String(value)));
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		const named = (table.skipped ?? []).flatMap(({ name, labels }) => (labels ? [name] : []));
		const near = nearestName(group, named);
		wrong("group", `${error.subject}: ${error.problem}`, near ? `Did you mean ${near}?` : error.remedy);
		return undefined;
	}
}

/** A part of a file, as it is called in messages; a file that is one record has its name already. */
export function partName(source: string, name: string): string {
	return source === name || source.endsWith(`, ${name}`) ? source : `${source}, ${name}`;
}

/** Some rows of a table, as one of its own. */
export function rowsOf({ source, columns, skipped }: Table, rows: readonly number[], name: string): Table {
	return tableOf(
		partName(source, name),
		columns.map((column) => ({
			...column,
			values: Float64Array.from(rows, (row) => column.values[row]),
			...(column.missing ? { missing: Uint8Array.from(rows, (row) => column.missing![row]) } : {}),
			...(column.limits ? { limits: Int8Array.from(rows, (row) => column.limits![row]) } : {}),
		})),
		skipped?.map(({ labels: _, ...rest }) => rest),
	);
}

/** Conditions that are columns have one value in all rows of a record. */
function withConditions({ record, table }: Part, wrong: Wrong): StudyRecord {
	const conditions: Record<string, number> = { ...record.conditions };
	for (const [name, column] of Object.entries(record.conditionColumns)) {
		const key = `conditions.${name}`;
		const values = findColumn(table, column).values.filter((value) => !Number.isNaN(value));
		const other = values.find((value) => value !== values[0]);
		if (values.length === 0)
			wrong(key, `${table.source}: column ${column} has no value`, "Give one in at least one row.");
		else if (other !== undefined)
			wrong(
				key,
				`${table.source}: column ${column} changes, from ${values[0]} to ${other}`,
				record.group === undefined
					? "A condition is one number for a record. Where the file holds several, name the column that tells them apart:  group: Subject. Declare what changes within one as an input of the model."
					: "A condition is one number for a record. Declare what changes as an input of the model.",
			);
		else conditions[name] = values[0];
	}
	return { ...record, conditions };
}

function few(names: readonly string[]): string {
	return names.length > 12
		? `${names.slice(0, 12).join(", ")} and ${names.length - 12} more`
		: names.join(", ");
}
