/** What a new record probably is: which column is time, which columns have the names of the model. Nothing is taken by its place. */
import { timeColumnOf } from "../../src/data/index.ts";
import type { ModelDescription } from "../../src/model/index.ts";
import type { PlanRecord, TableData } from "../contract.ts";

/** Names that the data must have columns for. */
export interface NeededNames {
	readonly inputs: readonly string[];
	readonly outputs: readonly string[];
}

export function neededNames(description: ModelDescription | undefined): NeededNames {
	return {
		inputs: (description?.inputs ?? []).filter(({ from }) => from === "data").map(({ name }) => name),
		outputs: (description?.measurements ?? []).map(({ name }) => name),
	};
}

/** A record of its own: nothing of it comes from another, and no rate or condition is made up. */
export function guessRecord(table: TableData, description: ModelDescription | undefined): PlanRecord {
	const { inputs, outputs } = neededNames(description);
	const needed = [...inputs, ...outputs];
	const time = timeColumnOf({ columns: [...table.columns] }, needed);
	return matched(
		{
			file: table.source,
			...(time === undefined ? {} : { time }),
			columns: {},
			input: "zoh",
			detrend: "none",
			conditions: {},
			missing: [],
		},
		table,
		description,
	);
}

/** The record with columns for names of the model that differ from theirs by no more than the case of their letters. */
export function matched(
	record: PlanRecord,
	table: TableData,
	description: ModelDescription | undefined,
): PlanRecord {
	const { inputs, outputs } = neededNames(description);
	const names = table.columns.map(({ name }) => name);
	const columns = { ...record.columns };
	for (const name of [...inputs, ...outputs]) {
		if (names.includes(columns[name] ?? name)) continue;
		const alike = names.filter((each) => each !== record.time && each.toLowerCase() === name.toLowerCase());
		if (alike.length === 1) columns[name] = alike[0];
	}
	return { ...record, columns };
}

/** What a method is given: columns and conditions of names that the model has. Others may be meant for another text of it. */
export function recordFor(record: PlanRecord, description: ModelDescription | undefined): PlanRecord {
	if (!description) return record;
	const { inputs, outputs } = neededNames(description);
	const only = <T>(object: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
		Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
	return {
		...record,
		columns: only(record.columns, [...inputs, ...outputs]),
		conditions: only(record.conditions, description.conditions),
	};
}

/** What must be said of a record before it can run; empty when nothing is. */
export function lackOf(
	record: PlanRecord,
	table: TableData,
	description: ModelDescription | undefined,
): string {
	const name = nameOf(record);
	const open = table.columns.find((column) => column.name === record.time)?.open;
	if (open)
		return `Say whether ${open.example} in ${name} is the ${open.dayFirst} or the ${open.monthFirst}.`;
	if (!hasClock(record)) return `Say which column of ${name} is the time, or the rate.`;
	const { inputs, outputs } = neededNames(description);
	const has = (column: string): boolean => table.columns.some((each) => each.name === column);
	const dosed = Object.keys({ ...record.doses, ...record.doseColumns });
	const needed = [...inputs, ...outputs].filter((each) => !dosed.includes(each));
	const lacking = needed.filter((each) => !has(columnFor(record, each)));
	const used = [...inputs, ...outputs].map((each) => columnFor(record, each));
	const twice = [...used, ...(record.time === undefined ? [] : [record.time])].find(
		(column) => table.columns.filter((each) => each.name === column).length > 1,
	);
	if (twice !== undefined)
		return `${name} has several columns called ${twice}: give each a name of its own in the file.`;
	if (lacking.length > 0) return `Choose the column of ${name} for ${listed(lacking)}.`;
	const unsaid = (description?.conditions ?? []).filter(
		(each) => record.conditions[each] === undefined && record.conditionColumns?.[each] === undefined,
	);
	return unsaid.length > 0 ? `Write the value of ${listed(unsaid)} in ${name}.` : "";
}

function listed(names: readonly string[]): string {
	return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function rises(values: Float64Array): boolean {
	for (let i = 1; i < values.length; i++) if (!(values[i] > values[i - 1])) return false;
	return values.length > 1;
}

/** The name that a record is called by. */
export function nameOf({ name, file }: PlanRecord): string {
	return name ?? file;
}

/** What a record is used for. */
export function roleOf({ train, test = "none" }: PlanRecord): "train" | "test" | "both" | "off" {
	if (train === "none") return test === "none" ? "off" : "test";
	return test === "none" ? "train" : "both";
}

/** The column of the file that stands for a name of the model. */
export function columnFor(record: PlanRecord, name: string): string {
	return record.columns[name] ?? name;
}

/** Whether the record says when its rows were taken. */
export function hasClock({ time, rate }: PlanRecord): boolean {
	return time !== undefined || (rate !== undefined && rate > 0);
}

/** Values as the model has them, where the record asks for a factor. */
export function scaled(values: Float64Array, factor: number | undefined): Float64Array {
	return factor === undefined || factor === 1 ? values : values.map((value) => value * factor);
}

/** Times of the rows, to plot them over; their numbers while nothing says when they were taken, or what says so goes back. */
export function timesOf(record: PlanRecord, table: TableData): { times: Float64Array; areRows: boolean } {
	const column = table.columns.find(({ name }) => name === record.time);
	if (column && rises(column.values))
		return { times: scaled(column.values, record.factors?.t), areRows: false };
	const areRows = column !== undefined || !hasClock(record);
	const rate = areRows ? 1 : record.rate!;
	const start = areRows ? 0 : (record.start ?? 0);
	return { times: Float64Array.from({ length: table.nRows }, (_, i) => start + i / rate), areRows };
}
