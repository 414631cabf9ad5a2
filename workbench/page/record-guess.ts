/** What a new record probably is: which column is time, which columns belong to which names of the model. */
import type { ModelDescription } from "../../src/model/index.ts";
import type { PlanRecord, TableColumn, TableData } from "../contract.ts";

const units = "s|secs?|seconds?|ms|us|µs|ns|min|minutes?|h|hours?|d|days?";
const unit = `(?:[\\s_.-]*[[(]?(?:${units})[\\])]?)?`;
/** Names that mean time whatever the values are. */
const surelyTime = new RegExp(`^(?:t|time|timestamp|zeit)${unit}$`, "i");
/** Names that may mean time: of a column that rises they do. */
const perhapsTime = new RegExp(`^(?:(?:elapsed|clock)${unit}|${units})$`, "i");

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

export function guessRecord(
	table: TableData,
	description: ModelDescription | undefined,
	like: PlanRecord | undefined,
): PlanRecord {
	const names = table.columns.map(({ name }) => name);
	const { inputs, outputs } = neededNames(description);
	const needed = [...inputs, ...outputs];
	const time = timeColumn(table.columns.filter(({ name }) => !needed.includes(name)));
	const free = names.filter((name) => name !== time && !needed.includes(name));
	const columns: Record<string, string> = {};
	for (const name of needed) {
		if (names.includes(name)) continue;
		const near = free.find((each) => each.toLowerCase() === name.toLowerCase()) ?? free[0];
		if (near === undefined) continue;
		free.splice(free.indexOf(near), 1);
		columns[name] = near;
	}
	return {
		file: table.source,
		// No rate is made up, nor taken from another file: the answer would be wrong and look sure.
		...(time === undefined ? {} : { time }),
		columns,
		input: like?.input ?? "zoh",
		detrend: "none",
		conditions: Object.fromEntries(
			(description?.conditions ?? []).map((name) => [name, like?.conditions[name] ?? 0]),
		),
		missing: [],
	};
}

/** A column that is named time and does not rise is taken, too: the engine then says what is wrong with it. */
function timeColumn(columns: readonly TableColumn[]): string | undefined {
	const rising = columns.filter(({ values }) => rises(values));
	const first = (list: readonly TableColumn[], names: RegExp): string | undefined =>
		list.find(({ name }) => names.test(name))?.name;
	return first(rising, surelyTime) ?? first(rising, perhapsTime) ?? first(columns, surelyTime);
}

function rises(values: Float64Array): boolean {
	for (let i = 1; i < values.length; i++) if (!(values[i] > values[i - 1])) return false;
	return values.length > 1;
}

/** The column of the file that stands for a name of the model. */
export function columnFor(record: PlanRecord, name: string): string {
	return record.columns[name] ?? name;
}

/** Whether the record says when its rows were taken. */
export function hasClock({ time, rate }: PlanRecord): boolean {
	return time !== undefined || (rate !== undefined && rate > 0);
}

/** Times of the rows, to plot them over; their numbers while nothing says when they were taken, or what says so goes back. */
export function timesOf(record: PlanRecord, table: TableData): { times: Float64Array; areRows: boolean } {
	const column = table.columns.find(({ name }) => name === record.time);
	if (column && rises(column.values)) return { times: column.values, areRows: false };
	const areRows = column !== undefined || !hasClock(record);
	const rate = areRows ? 1 : record.rate!;
	const start = areRows ? 0 : (record.start ?? 0);
	return { times: Float64Array.from({ length: table.nRows }, (_, i) => start + i / rate), areRows };
}
