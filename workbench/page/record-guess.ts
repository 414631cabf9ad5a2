/** What a new record probably is: which column is time, which columns belong to which names of the model. */
import type { ModelDescription } from "../../src/model/index.ts";
import type { PlanRecord, TableData } from "../contract.ts";

const timeNames = /^(t|time|zeit|seconds?|s)$/i;

/** Names that the data must have columns for. */
export function neededNames(description: ModelDescription | undefined): {
	readonly inputs: readonly string[];
	readonly outputs: readonly string[];
} {
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
	const time = table.columns.find(({ name, values }) => timeNames.test(name) && rises(values))?.name;
	const { inputs, outputs } = neededNames(description);
	const needed = [...inputs, ...outputs];
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
		...(time === undefined ? { rate: like?.rate ?? 1 } : { time }),
		columns,
		input: like?.input ?? "zoh",
		detrend: "none",
		conditions: Object.fromEntries(
			(description?.conditions ?? []).map((name) => [name, like?.conditions[name] ?? 0]),
		),
		missing: [],
	};
}

function rises(values: Float64Array): boolean {
	for (let i = 1; i < values.length; i++) if (!(values[i] > values[i - 1])) return false;
	return values.length > 1;
}

/** The column of the file that stands for a name of the model. */
export function columnFor(record: PlanRecord, name: string): string {
	return record.columns[name] ?? name;
}

/** Times of the rows. */
export function timesOf(record: PlanRecord, table: TableData): Float64Array {
	const column = table.columns.find(({ name }) => name === record.time);
	if (column) return column.values;
	const rate = record.rate ?? 1;
	const start = record.start ?? 0;
	return Float64Array.from({ length: table.nRows }, (_, i) => start + i / rate);
}

/** What a user should know of a column: fields that are empty or no number. */
export function oddValues(
	values: Float64Array,
	missing: Uint8Array | undefined,
): { empty: number; odd: number } {
	let empty = 0;
	let odd = 0;
	for (let i = 0; i < values.length; i++) {
		if (missing?.[i]) empty++;
		else if (!Number.isFinite(values[i])) odd++;
	}
	return { empty, odd };
}
