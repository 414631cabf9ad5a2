/**
 * Doses that stand in the file of a record, as pharmacologists write them: a column of amounts, and beside it, where the
 * file has them, RATE or DUR (infusions), EVID (0 a sample, 1 a dose, 2 something else, 3 a reset, 4 a reset and a dose),
 * MDV (1: not a sample), CMT (where it goes), ADDL and II (how many more, and how long after one another), SS (1: the same
 * has been given every II for long). Behind this doses are lists, rows that are no samples are gone, and a reset has made a
 * record of its own; so has a steady state.
 */
import type { Dose, DoseColumn } from "../../data/doses.ts";
import { findColumn } from "../../data/record.ts";
import type { Table } from "../../data/table/table.ts";
import { InputError } from "../../errors.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Model } from "../../model/model.ts";
import { problemAt, type StudyRecord, tableKey } from "../study.ts";
import { checkAmounts, checkCompartments, checkUnreadColumns } from "./dose-checks.ts";
import { type Grouped, type PlainStudy, partName, rowsOf, withoutGroups, withParts } from "./groups.ts";

/** Records of a study, each an experiment of its own, with its doses. Tables are by the files that records name. */
export function plainRecords<S extends Grouped>(
	given: S,
	model: Model,
	givenTables: ReadonlyMap<string, Table>,
): PlainStudy<S> {
	checkUnreadColumns(given, model, givenTables);
	const isDosed = (record: StudyRecord): boolean => Object.keys(record.doseColumns ?? {}).length > 0;
	if (![...given.records, ...given.testRecords].some(isDosed)) return withoutGroups(given, givenTables);
	checkAmounts(given, givenTables);
	const { study, tables } = withoutGroups(given, givenTables);
	const diagnostics: Diagnostic[] = [];
	const parts = new Map(tables);
	const partsOf = (record: StudyRecord): StudyRecord[] => {
		const table = record.file === undefined ? undefined : tables.get(tableKey(record));
		if (!table || !isDosed(record)) return [record];
		try {
			return new DoseRows(record, table, model).parts().map(({ record: own, table: rows }, i) => {
				const named = { ...own, file: `${own.file}\ndoses ${i}` };
				parts.set(tableKey(named), rows);
				return named;
			});
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			const message = `${error.subject}: ${error.problem}`;
			diagnostics.push(problemAt(study, `${record.path}.doses`, "value", message, error.remedy));
			return [];
		}
	};
	const plain = withParts(study, partsOf, diagnostics);
	checkCompartments(given, plain, givenTables);
	return { study: plain, tables: parts };
}

/** What one row of a file says, beside its samples. */
interface Row {
	readonly row: number;
	readonly time: number;
	/** Whether it is a dose that has been given again and again before. */
	readonly isSteady: boolean;
	readonly event: number;
	readonly isSample: boolean;
}

class DoseRows {
	readonly #rows: readonly Row[];
	readonly #column: (name: string) => Float64Array | undefined;

	constructor(
		private readonly record: StudyRecord,
		private readonly table: Table,
		model: Model,
	) {
		const { time, columns } = record;
		if (time === undefined)
			throw new InputError(table.source, "has doses in its rows, but no column of times", "Add  time: TIME");
		this.#column = (name) => {
			const found = table.columns.find((column) => column.name.toUpperCase() === name);
			return found && findColumn(table, found.name).values;
		};
		const times = findColumn(table, time).values;
		const amounts = Object.values(record.doseColumns!).map(({ amount }) => findColumn(table, amount).values);
		const outputs = model.measures.flatMap(({ name }) => {
			const column = table.columns.find((each) => each.name === (columns[name] ?? name));
			return column ? [column.values] : [];
		});
		const [evid, mdv] = [this.#column("EVID"), this.#column("MDV")];
		this.#rows = Array.from(times, (t, row): Row => {
			const hasAmount = amounts.some((values) => values[row] > 0 || values[row] < 0);
			const event = evid ? (Number.isNaN(evid[row]) ? 0 : evid[row]) : hasAmount ? 1 : 0;
			if (![0, 1, 2, 3, 4].includes(event))
				throw new InputError(
					table.source,
					`has EVID ${event} in row ${row}`,
					"It is a whole number from 0 to 4.",
				);
			if (evid && event === 0 && hasAmount)
				throw new InputError(
					table.source,
					`has an amount in row ${row}, which is no dose by its EVID`,
					"A dose is EVID 1; an amount beside a sample is 0, or empty.",
				);
			const isMeasured = outputs.length === 0 || outputs.some((values) => !Number.isNaN(values[row]));
			const isSample = mdv?.[row] !== 1 && (evid ? event === 0 : !hasAmount || isMeasured);
			const isSteady = (event === 1 || event === 4) && this.#isSteady(row);
			return { row, time: t * this.unit, isSteady, event, isSample };
		});
	}

	/** What times of the file are multiplied by. */
	get unit(): number {
		return this.record.factors?.t ?? 1;
	}

	/** One record from reset to reset, with the table of its samples. */
	parts(): { record: StudyRecord; table: Table }[] {
		const cuts = this.#rows.flatMap((row, i) => (i > 0 && begins(row, this.#rows[i - 1]) ? [i] : []));
		const starts = [0, ...cuts];
		return starts.map((from, k) => {
			const rows = this.#rows.slice(from, starts[k + 1]);
			const samples = rows.filter(({ isSample }) => isSample);
			const name = k === 0 ? this.record.name : `${this.record.name}, from ${rows[0].time}`;
			const subject = partName(this.table.source, name);
			if (samples.length < 2)
				throw new InputError(
					subject,
					samples.length === 0 ? "has doses, but no sample" : "has one sample only",
					this.record.group === undefined ? "Give it more samples." : "Leave it out with  except:",
				);
			const doses = Object.entries(this.record.doseColumns!).map(([place, column]): [string, Dose[]] => [
				place,
				[
					...(this.record.doses?.[place] ?? []),
					...rows.flatMap((row) => this.#dose(row, place, column, rows)),
				],
			]);
			const { time } = rows[0];
			if (k === 0 && this.record.start !== undefined && time < this.record.start && rows[0].event !== 0)
				throw new InputError(
					subject,
					`has a dose at ${time}, before the record starts at ${this.record.start}`,
					`Begin the record there:  start: ${time}  Initial values then hold at that time. Without  start:  it begins with its first row.`,
				);
			const start = k === 0 ? (this.record.start ?? Math.min(time, samples[0].time)) : time;
			return {
				record: {
					...this.record,
					name,
					start,
					doses: { ...this.record.doses, ...Object.fromEntries(doses) },
					...(starts.length > 1 ? { unit: this.record.unit ?? this.record.name } : {}),
				},
				table: rowsOf(
					this.table,
					samples.map(({ row }) => row),
					name,
				),
			};
		});
	}

	#dose(
		{ row, time, isSteady, event, isSample }: Row,
		place: string,
		{ amount, compartment }: DoseColumn,
		rows: readonly Row[],
	): Dose[] {
		if (event !== 1 && event !== 4) return [];
		const value = (name: string): number => this.#value(name, row);
		const given = findColumn(this.table, amount).values[row];
		const wrong = (problem: string, remedy: string): never => {
			throw new InputError(this.table.source, `${problem} in row ${row}`, remedy);
		};
		if (!(given > 0 || given < 0)) {
			if (Object.keys(this.record.doseColumns!).length > 1) return [];
			return wrong(`has a dose without an amount in ${amount}`, "Give it, or EVID 2 where nothing is dosed.");
		}
		if (compartment === undefined) this.#checkOneCompartment(place);
		else if (value("CMT") !== compartment) return [];
		const { unit } = this;
		const [rate, duration, more, every] = [
			value("RATE") / unit,
			value("DUR") * unit,
			value("ADDL"),
			value("II") * unit,
		];
		if (rate < 0)
			wrong(`has the rate ${rate}`, "Give a rate: what is to be estimated is written into the model.");
		// A sample of the same time that stands further down was taken after it.
		const first = rows.find((each) => each.isSample && each.time === time);
		const dose = { amount: given, ...(rate > 0 ? { rate } : duration > 0 ? { duration } : {}) };
		return [
			{
				...dose,
				time,
				...(more > 0 ? { more } : {}),
				...(more > 0 || isSteady ? { every } : {}),
				...(isSteady ? { steady: true } : {}),
				...(!isSample && first && first.row > row ? { beforeSample: true } : {}),
			},
		];
	}

	#isSteady(row: number): boolean {
		const [steady, every] = [this.#value("SS", row), this.#value("II", row)];
		if (steady === 0) return false;
		if (steady === 1 && every > 0) return true;
		throw new InputError(
			this.table.source,
			`has SS ${steady} with II ${every} in row ${row}`,
			"A steady state is SS 1, with the interval of its doses in II. Write other doses before as rows.",
		);
	}

	#value(name: string, row: number): number {
		const found = this.#column(name)?.[row] ?? 0;
		return Number.isNaN(found) ? 0 : found;
	}

	/** Where doses go to several places, the study says which. */
	#checkOneCompartment(place: string): void {
		const numbers = this.#column("CMT");
		if (!numbers) return;
		const found = new Set(
			this.#rows.flatMap(({ row, event }) => (event === 1 || event === 4 ? [numbers[row]] : [])),
		);
		if (found.size > 1)
			throw new InputError(
				this.table.source,
				`has doses into the compartments ${[...found].join(" and ")} (CMT)`,
				`Say which is which:  doses: { ${place}: { amount: AMT, compartment: ${[...found][0]} }, … }`,
			);
	}
}

/** Whether a row begins a record: a reset, or a dose in a steady state that is not one of several. */
function begins({ event, isSteady, time }: Row, before: Row): boolean {
	return event >= 3 || (isSteady && !(before.isSteady && before.time === time));
}
