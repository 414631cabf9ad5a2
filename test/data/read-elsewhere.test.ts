/** Files of foreign formats are read where the reader can be ended. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, describe, expect, it } from "vitest";
import { readTableFile } from "../../src/data/node/read-file.ts";
import { readTable } from "../../src/data/node/read-table.ts";
import { readInThread, startThread } from "../../src/data/node/reader-thread.ts";
import { patienceFor, readElsewhere } from "../../src/data/read/read-elsewhere.ts";
import type { ReaderPort } from "../../src/data/read/reader-port.ts";
import { InternalError } from "../../src/errors.ts";
import { recordFromFile } from "../../src/node/index.ts";
import { inputErrorOf } from "./bytes.ts";
import { asMat, bombFile, endlessFile, hdf5File } from "./hdf5-file.ts";
import { matFile } from "./mat5-writer.ts";

const MiB = 2 ** 20;
const folder = mkdtempSync(join(tmpdir(), "odentify-read-"));
afterAll(() => rmSync(folder, { recursive: true }));

const mat5 = matFile([{ kind: "array", name: "x", size: [3, 1], values: [1, 2, 3] }]);
const parquet = new Uint8Array(
	parquetWriteBuffer({ columnData: [{ name: "x", data: [1, 2, 3], type: "DOUBLE" }] }),
);
const mat73 = await hdf5File((f) => {
	f.create_dataset({ name: "x", data: Float64Array.of(1, 2, 3), shape: [1, 3] });
});

describe("a foreign file", () => {
	it("is read in a thread to what the calling thread reads, and its bytes stay the caller's", async () => {
		for (const bytes of [mat5, parquet, mat73, asMat(mat73)]) {
			const before = bytes.slice();
			const table = await readTable(bytes, "f.dat");
			expect(table.columns.map(({ name, values }) => [name, ...values])).toEqual([["x", 1, 2, 3]]);
			expect(bytes).toEqual(before);
		}
		const { table, options } = await recordFromFile(Uint8Array.from(mat73), "f.mat", { rate: 1 });
		expect([table.nRows, options]).toEqual([3, { name: "f.mat", rate: 1 }]);
	});

	it("that keeps its reader for ever is given up, and the next one is read", async () => {
		const bytes = await endlessFile();
		const start = () => startThread(bytes.length);
		const error = await inputErrorOf(() =>
			readElsewhere({ start, bytes, fileName: "f.mat", format: "mat73", patience: 500 }),
		);
		expect(error.message).toMatch(/^f\.mat: was not read within 1 s.*\n.*damaged.*save it again/);
		expect((await readInThread(mat73, "g.mat", "mat73", {})).nRows).toBe(3);
	});

	it("that unpacks to far more than it should is given up", async () => {
		const bytes = await bombFile();
		const start = () => startThread(bytes.length);
		const before = process.memoryUsage.rss();
		const error = await inputErrorOf(() =>
			readElsewhere({ start, bytes, fileName: "f.mat", format: "mat73", mostMemory: 64 * MiB }),
		);
		expect(error.problem).toContain("filter returned failure");
		expect(process.memoryUsage.rss() - before).toBeLessThan(400 * MiB);
	});

	it("is refused with what its reader said", async () => {
		const path = join(folder, "cut.mat");
		writeFileSync(path, mat73.subarray(0, 1500));
		const error = await inputErrorOf(() => readTableFile(path));
		expect([error.subject, error.remedy]).toEqual([
			"cut.mat",
			"The file is damaged: fetch or save it again.",
		]);
		expect(error.problem).toContain("truncated file");
	});
});

describe("the time that a file is given", () => {
	it("grows with its size and is never short", () => {
		expect(patienceFor(1000)).toBeGreaterThanOrEqual(10_000);
		expect(patienceFor(100 * 2 ** 20)).toBeGreaterThan(200_000);
	});

	it("begins when the reader is loaded; one that never starts is no fault of the file", async () => {
		const port = (fate: (port: ReaderPort) => void): ReaderPort => {
			const made: ReaderPort = { postMessage() {}, onmessage: null, onerror: null, terminate() {} };
			setTimeout(() => fate(made), 300);
			return made;
		};
		const read = (fate: (port: ReaderPort) => void) =>
			readElsewhere({ start: () => port(fate), bytes: mat73, fileName: "f", format: "mat73", patience: 100 });
		const table = { source: "f", columns: [], nRows: 0 };
		expect(await read((made) => made.onmessage?.({ data: { kind: "read", table } }))).toEqual(table);
		await expect(read((made) => made.onerror?.({ message: "404" }))).rejects.toThrow(InternalError);
		const dies = (made: ReaderPort): void => {
			made.onmessage?.({ data: { kind: "begun" } });
			made.onerror?.({ message: "out of memory" });
		};
		expect((await inputErrorOf(() => read(dies))).problem).toBe("stopped its reader (out of memory)");
	});

	it("is not waited for where a reader does not come up: another one is started, once", async () => {
		const table = { source: "f", columns: [], nRows: 0 };
		const asleep = (): ReaderPort => ({ postMessage() {}, onmessage: null, onerror: null, terminate() {} });
		const awake = (): ReaderPort => {
			const port = asleep();
			port.postMessage = () => void setTimeout(() => port.onmessage?.({ data: { kind: "read", table } }));
			return port;
		};
		const read = (...starts: (() => ReaderPort)[]) =>
			readElsewhere({
				start: () => starts.shift()!(),
				bytes: mat73,
				fileName: "f.mat",
				format: "mat73",
				loading: 200,
			});
		expect(await read(asleep, awake)).toEqual(table);
		await expect(read(asleep, asleep, awake)).rejects.toThrow(InternalError);
	});
});
