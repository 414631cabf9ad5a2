/** Columns of doses that a study names and its files do not have as meant: told once for a file, not for each group. */
import { findColumn } from "../data/record.ts";
import type { Table } from "../data/table.ts";
import { InputError } from "../errors.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Grouped } from "./groups.ts";
import { problemAt, tableKey, throwAny } from "./study.ts";

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
