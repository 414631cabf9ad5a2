import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, describe, expect, it } from "vitest";
import { readTableFile } from "../../src/data/node/read-file.ts";
import { readPipe } from "../../src/data/node/read-pipe.ts";
import { readTable } from "../../src/data/read/read-table.ts";
import { inputErrorOf, survives, utf8 } from "./bytes.ts";
import { matFile } from "./mat5-writer.ts";

const mat = matFile([{ kind: "array", name: "x", size: [3, 1], values: [1, 2, 3] }]);
const parquet = new Uint8Array(
	parquetWriteBuffer({ columnData: [{ name: "x", data: [1, 2, 3], type: "DOUBLE" }] }),
);
const csv = utf8("x,y\n1,0\n2,0\n3,0\n");

describe("readTable", () => {
	it("goes by what the bytes are, not by the name", async () => {
		for (const bytes of [mat, parquet, csv]) {
			for (const name of ["f.csv", "f.parquet.csv", "f", "f.dat"]) {
				const table = await readTable(bytes, name);
				expect(table.source).toBe(name);
				expect([table.columns[0].name, ...table.columns[0].values]).toEqual(["x", 1, 2, 3]);
			}
		}
	});

	it.each([
		["f.csv", [], "is empty"],
		["f.mat", [...csv], "no MAT v5 or v7.3"],
		["f.mat", [...mat.subarray(0, 100)], "no MAT v5 or v7.3"],
		["f.parquet", [...csv], "no parquet"],
		["f.xlsx", [0x50, 0x4b, 3, 4, 20, 0], "Excel"],
		["f.csv.gz", [0x1f, 0x8b, 8, 0], "gzip"],
		["f.bin", [1, 2, 0, 4], "zero byte"],
	])("%s that is something else", async (name, bytes, problem) => {
		expect((await inputErrorOf(() => readTable(Uint8Array.from(bytes), name))).message).toContain(problem);
	});

	it("survives any bytes behind any signature", async () => {
		const starts = [
			mat.subarray(0, 128),
			mat.subarray(0, 136),
			parquet.subarray(0, 4),
			Uint8Array.of(0x89, 72, 68, 70, 13, 10, 26, 10),
		];
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }), (start, rest) => {
				const bytes = new Uint8Array(start.length + rest.length);
				bytes.set(start);
				bytes.set(rest, start.length);
				return survives((b) => readTable(b, "f.dat"), bytes);
			}),
			{ seed: 1, numRuns: 500 },
		);
	});
});

describe("readTableFile", () => {
	const folder = mkdtempSync(join(tmpdir(), "odentify-data-"));
	afterAll(() => rmSync(folder, { recursive: true }));

	it("reads a file and calls it by its name", async () => {
		writeFileSync(join(folder, "a.mat"), mat);
		const table = await readTableFile(join(folder, "a.mat"));
		expect([table.source, table.nRows]).toEqual(["a.mat", 3]);
	});

	it("says what is wrong with a path", async () => {
		expect((await inputErrorOf(() => readTableFile(join(folder, "none.csv")))).problem).toBe("is not there");
		expect((await inputErrorOf(() => readTableFile(join(folder, "a.mat", "b.csv")))).problem).toBe(
			"is not there",
		);
		expect((await inputErrorOf(() => readTableFile(folder))).problem).toBe("is a folder");
		expect((await inputErrorOf(() => readTableFile("a\0b.csv"))).problem).toMatch(/zero character/);
	});

	it.skipIf(!existsSync("/dev/zero"))(
		"takes what comes by a pipe to its end, and nothing from a device",
		async () => {
			const { problem } = await inputErrorOf(() => readTableFile("/dev/zero"));
			expect(problem).toBe("is a device, not a file");
			const pipe = join(folder, "pipe.csv");
			execFileSync("mkfifo", [pipe]);
			const writer = spawn("sh", ["-c", `printf 'x,y\\n1,2\\n' > ${pipe}`]);
			expect((await readTableFile(pipe)).nRows).toBe(1);
			writer.kill();
		},
	);

	it.skipIf(!existsSync("/dev/zero"))(
		"does not wait for ever for a program that writes to a pipe",
		async () => {
			const pipe = join(folder, "forgotten.csv");
			execFileSync("mkfifo", [pipe]);
			const { problem } = await inputErrorOf(() => readPipe(pipe, 0.05));
			expect(problem).toBe("is a pipe, and no program opened it to write to it within 0.05 s");
		},
	);
});
