/** A record of the shape of a benchmark's holds the same bits as csv and as mat. */
import { expect, it } from "vitest";
import { csvText } from "../../src/data/csv/write-csv.ts";
import { readTable } from "../../src/data/read/read-table.ts";
import { stream } from "../../src/num/random.ts";
import { sameBits, utf8 } from "./bytes.ts";
import { matFile } from "./mat5-writer.ts";

/** A clock with a grain, a path, a small measured number, and one that is 0 most of the time. */
function record(names: readonly string[], nRows: number): { name: string; values: Float64Array }[] {
	return names.map((name, c) => {
		const random = stream(1, name);
		const value = (i: number): number =>
			[i * 1e-3 + (i % 3) * 4e-8, Math.sin(i / 50), 1e-6 * random.normal(i), i % 500 < 20 ? 30 : 0][c % 4];
		return { name, values: Float64Array.from({ length: nRows }, (_, i) => value(i)) };
	});
}

it.each([
	[["V1", "V2"], 4096],
	[["t", "qg", "qm", "vir", "pulses_N"], 2048],
	[["uval_multisine"], 8192],
] as const)("%s, %d rows", async (names, nRows) => {
	const columns = record(names, nRows);
	const asMat = (compressed: boolean): Uint8Array =>
		matFile(
			columns.map(({ name, values }) => ({ kind: "array", name, size: [nRows, 1], values: [...values] })),
			{ compressed },
		);
	const files = { "r.csv": utf8(csvText(columns)), "r.mat": asMat(false), "compressed.mat": asMat(true) };
	for (const [file, bytes] of Object.entries(files)) {
		const table = await readTable(bytes, file);
		expect(table.nRows).toBe(nRows);
		for (const { name, values } of columns)
			expect(sameBits(table.columns.find((column) => column.name === name)!.values, values)).toBe(true);
	}
});
