/** Reading the Silverbox record from csv and mat, and its input on a sub-grid, with a plain way beside each. */
import { readFileSync } from "node:fs";
import { csvText } from "../src/data/csv/write-csv.ts";
import { readTableFile } from "../src/data/node/read-file.ts";
import { resample } from "../src/data/signal/resample.ts";
import { signalFrom } from "../src/data/signal/signal.ts";
import { sameBits } from "../test/data/bytes.ts";
import { publicRecord } from "./public-records.ts";

const RUNS = 9;

interface Line {
	what: string;
	first: number;
	median: number;
	least: number;
	most: number;
	goal?: number;
}

/** The same record in two formats, and columns that both have. */
const pairs = [
	["silverbox/SNLS80mV.csv", "silverbox/SNLS80mV.mat", ["V1", "V2"]],
	["emps/DATA_EMPS.csv", "emps/DATA_EMPS.mat", ["t", "qg", "qm", "vir"]],
	["emps/DATA_EMPS_PULSES.csv", "emps/DATA_EMPS_PULSES.mat", ["t", "qg", "qm", "vir", "pulses_N"]],
	["boucwen/val_multisine.csv", "boucwen/uval_multisine.mat", ["uval_multisine"]],
	["boucwen/val_multisine.csv", "boucwen/yval_multisine.mat", ["yval_multisine"]],
	["boucwen/val_sinesweep.csv", "boucwen/uval_sinesweep.mat", ["uval_sinesweep"]],
	["boucwen/val_sinesweep.csv", "boucwen/yval_sinesweep.mat", ["yval_sinesweep"]],
] as const;

async function compareFormats(records: string | undefined): Promise<void> {
	for (const [first, second, names] of pairs) {
		const [csv, mat] = [first, second].map((file) => publicRecord(records, file));
		if (!csv || !mat) continue;
		const [a, b] = await Promise.all([readTableFile(csv), readTableFile(mat)]);
		const alike = names.every((name) => {
			const [left, right] = [a, b].map(({ columns }) => columns.find((column) => column.name === name));
			return left && right && sameBits(left.values, right.values);
		});
		console.log(`${first} = ${second}: ${alike ? "same bits" : "DIFFERENT"}`);
	}
}

export async function bench(records?: string): Promise<void> {
	await compareFormats(records);
	const csv = publicRecord(records, "silverbox/SNLS80mV.csv");
	const mat = publicRecord(records, "silverbox/SNLS80mV.mat");
	if (!csv || !mat) return;
	const lines: Line[] = [];
	lines.push({
		...(await timed("csv, 131,072 x 2", async () => (await readTableFile(csv)).columns[0].values)),
		goal: 150,
	});
	lines.push(await timed("csv by split and Number", async () => plainCsv(csv)));
	lines.push({
		...(await timed("mat v5", async () => (await readTableFile(mat)).columns[0].values)),
		goal: 30,
	});

	const table = await readTableFile(csv);
	const times = Float64Array.from({ length: 40_000 }, (_, i) => i / 610.3515625);
	const u = table.columns[0].values.subarray(0, times.length);
	const offsets = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => k / 8);
	for (const kind of ["linear", "cubic", "sinc"] as const) {
		const signal = signalFrom(times, u, kind);
		lines.push(await timed(`${kind}, 40,000 x 8 nodes`, async () => resample(signal, times, offsets)));
	}
	lines.push(
		await timed("csv written", async () => new Float64Array(csvText(table.columns).length > 0 ? 1 : 0)),
	);

	const ms = (x: number) => x.toFixed(1).padStart(8);
	console.log(
		`${"data, ms".padEnd(26)}${["first", "median", "least", "most"].map((s) => s.padStart(8)).join("")}`,
	);
	for (const l of lines)
		console.log(
			`${l.what.padEnd(26)}${ms(l.first)}${ms(l.median)}${ms(l.least)}${ms(l.most)}${
				l.goal === undefined ? "" : `  goal ${l.goal}: ${l.median <= l.goal ? "ok" : "FAIL"}`
			}`,
		);
}

/** What a reader without care does; it fixes the scale of the others. */
function plainCsv(path: string): Float64Array {
	const rows = readFileSync(path, "utf8").trim().split("\n").slice(1);
	const columns = [new Float64Array(rows.length), new Float64Array(rows.length)];
	for (let i = 0; i < rows.length; i++) {
		const fields = rows[i].split(",");
		columns[0][i] = Number(fields[0]);
		columns[1][i] = Number(fields[1]);
	}
	return columns[0];
}

async function timed(what: string, work: () => Promise<Float64Array>): Promise<Line> {
	const seen: number[] = [];
	let sink = 0;
	for (let k = 0; k < RUNS; k++) {
		const start = performance.now();
		sink += (await work())[0];
		seen.push(performance.now() - start);
	}
	if (Number.isNaN(sink)) throw new Error(`${what} gave no numbers`);
	const sorted = [...seen].sort((a, b) => a - b);
	return { what, first: seen[0], median: sorted[RUNS >> 1], least: sorted[0], most: sorted[RUNS - 1] };
}
