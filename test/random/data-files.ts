/** Records as files, and what a study says of them: one file each or all in one, under every key that a record can have. */
import type { Model } from "../../src/model/model.ts";
import type { Draws } from "../../src/num/statistics/draws.ts";
import { xlsxBytes } from "../data/xlsx-writer.ts";
import { dosedPlace, dosesInRows, listedDoses } from "./doses.ts";
import type { RandomRecord } from "./records.ts";

/** Cells by their column. */
export type Row = Record<string, string>;

export interface DataFiles {
	readonly files: Readonly<Record<string, string | Uint8Array>>;
	/** One for each entry of `data`: its keys, and those that say how it begins, which few methods take. */
	readonly entries: readonly { readonly keys: readonly string[]; readonly starts: readonly string[] }[];
	/** Rows of a record may be chosen: none of them is a dose. */
	readonly countsRows: boolean;
}

const input = ["zoh", "linear", "cubic", "sinc"] as const;

export function dataFiles(d: Draws, model: Model, records: readonly RandomRecord[]): DataFiles {
	const manner = mannerOf(d, model, records);
	const written = records.map((record, i) => writtenRecord(d, record, i, manner, model.measures.length));
	const countsRows = !written.some(({ keys }) => keys.some((key) => key.startsWith("doses")));
	if (!manner.isGrouped) {
		const files = Object.fromEntries(
			written.flatMap(({ rows }, i) => Object.entries(fileOf(`record-${i}`, rows, manner))),
		);
		const entries = written.map(({ keys, starts }, i) => ({
			keys: [`file: record-${i}.${manner.format}`, ...keys],
			starts,
		}));
		return { files, entries, countsRows };
	}
	const rows = written.flatMap(({ rows: own }, i) => own.map((row) => ({ ...row, ID: `S${i + 1}` })));
	const [{ keys, starts }] = written;
	const chosen = d.pick([[], [], ["only: [S1, S2]"], ["except: [S1]"]]);
	const entry = { keys: [`file: all.${manner.format}`, "group: ID", ...chosen, ...keys], starts };
	return { files: fileOf("all", rows, manner), entries: [entry], countsRows };
}

interface Manner {
	readonly format: "csv" | "tsv" | "xlsx";
	readonly separator: string;
	readonly isGrouped: boolean;
	/** Name of the column of times; absent: the rate is told. */
	readonly time: string | undefined;
	readonly hole: string;
	readonly place: string | undefined;
	readonly state: string;
	readonly listed: boolean;
	/** What is said of every record alike. */
	readonly keys: readonly string[];
	readonly factors: ReadonlyMap<string, number>;
	readonly columns: ReadonlyMap<string, string>;
}

function mannerOf(d: Draws, model: Model, records: readonly RandomRecord[]): Manner {
	const isEven = records.every(isEvenlySampled);
	const isGrouped = records.length > 1 && d.chance(0.25);
	const place = dosedPlace(d, model);
	const time = isEven && !isGrouped && !place && d.chance(0.1) ? undefined : d.chance(0.8) ? "t" : "TIME";
	const separator = d.chance(0.9) ? "," : d.pick([";", "\t", "|"]);
	const format = separator === "\t" ? "tsv" : d.chance(0.03) ? "xlsx" : "csv";
	const names = [...records[0].columns.keys()];
	const factors = new Map(
		d.chance(0.06)
			? [[d.pick([...names.filter((name) => name !== place), ...(time ? ["t"] : [])]), 0.5]]
			: [],
	);
	const columns = new Map(
		d.chance(0.1) ? names.flatMap((name) => (name === place ? [] : [[name, name.toUpperCase()]])) : [],
	);
	const kind = d.pick(input);
	const keys = [
		// A band-limited input needs even times.
		`input: ${kind === "sinc" && !isEven ? "linear" : kind}`,
		...(time ? [`time: ${time}`] : []),
		...(d.chance(0.05) ? [`detrend: ${d.pick(["none", "mean", "linear"])}`] : []),
		...(separator !== "," && format !== "xlsx" && d.chance(0.5)
			? [`separator: ${{ ";": "semicolon", "\t": "tab", "|": "pipe" }[separator]}`, "decimal: point"]
			: []),
		...(d.chance(0.03) ? ["header: 1"] : []),
		...(d.chance(0.03) ? [`units: { ${columns.get(names[0]) ?? names[0]}: mm }`] : []),
		...(format === "xlsx" && d.chance(0.7) ? ["sheet: data"] : []),
		...(factors.size > 0 ? [inBraces("factors", factors)] : []),
		...(columns.size > 0 ? [inBraces("columns", columns)] : []),
		"missing: [-999, void]",
	];
	return {
		format,
		separator,
		isGrouped,
		time,
		hole: d.pick(["", "NA", "-999", "void"]),
		place,
		state: d.pick(model.components),
		listed: d.chance(0.5),
		keys,
		factors,
		columns,
	};
}

function writtenRecord(
	d: Draws,
	record: RandomRecord,
	index: number,
	manner: Manner,
	outputs: number,
): { rows: Row[]; keys: readonly string[]; starts: readonly string[] } {
	const { time, place, listed, factors, columns, hole, isGrouped } = manner;
	const { times, conditions, limits } = record;
	const timeFactor = factors.get("t") ?? 1;
	const stamp = time ?? "clock";
	const rows = times.map((t, i): Row => {
		const row: Row = { [stamp]: String(t / timeFactor) };
		for (const [name, values] of record.columns) {
			if (name === place) continue;
			const cell = (values[i] / (factors.get(name) ?? 1)).toPrecision(8);
			const isHole = Number.isNaN(values[i]);
			row[columns.get(name) ?? name] = isHole ? hole : `${limits.get(`${name} ${i}`) ?? ""}${cell}`;
		}
		return row;
	});
	const [first, last] = [times[0], times[times.length - 1]];
	const dosing = place
		? [listed ? listedDoses(d, place, first, last) : dosesInRows(d, place, rows, stamp)]
		: [];
	// An input is not known before its first row.
	const early = time && record.columns.size === outputs ? d.pick([0, 0.1, 0.5]) : 0;
	const start = time === undefined || d.chance(0.1) ? [`start: ${first - early}`] : [];
	const names = Object.keys(conditions);
	const inColumns = names.length > 0 && (isGrouped || d.chance(0.15));
	if (inColumns)
		for (const row of rows) for (const name of names) row[`${name}_of`] = String(conditions[name]);
	const given = names.map((name): [string, string] => [
		name,
		inColumns ? `${name}_of` : String(conditions[name]),
	]);
	const keys = [
		...manner.keys,
		...(time === undefined ? [`rate: ${1 / (times[1] - times[0])}`] : []),
		...start,
		...dosing,
		...(given.length > 0 ? [inBraces("conditions", new Map(given))] : []),
		...(d.chance(0.05) && !isGrouped ? [`name: experiment ${index}`] : []),
	];
	const rests = names.length > 0 && !inColumns && !place && d.chance(0.15);
	const starts = rests
		? [
				`rest: ${d.pick([`{ ${names[0]}: 0.3 }`, `[{ ${names[0]}: 0.3 }, {}]`])}`,
				...(d.chance(0.5) ? [`reset: [${manner.state}]`] : []),
			]
		: [];
	return { rows, keys, starts };
}

const inBraces = (key: string, values: ReadonlyMap<string, string | number>): string =>
	`${key}: { ${[...values].map(([name, value]) => `${name}: ${value}`).join(", ")} }`;

function isEvenlySampled({ times }: RandomRecord): boolean {
	const step = times[1] - times[0];
	return times.every((t, i) => i === 0 || Math.abs(t - times[i - 1] - step) < 1e-6 * step);
}

function fileOf(
	name: string,
	rows: readonly Row[],
	{ format, separator }: Manner,
): Record<string, string | Uint8Array> {
	const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const cells = rows.map((row) => header.map((column) => row[column] ?? ""));
	if (format === "xlsx") {
		const asCell = (cell: string) =>
			cell !== "" && Number.isFinite(Number(cell)) ? Number(cell) : cell || null;
		return { [`${name}.xlsx`]: xlsxBytes({ data: [header, ...cells.map((row) => row.map(asCell))] }) };
	}
	return { [`${name}.${format}`]: `${[header, ...cells].map((row) => row.join(separator)).join("\n")}\n` };
}
