import { readFileSync } from "node:fs";
import fc from "fast-check";
import { zlibSync } from "fflate";
import { describe, expect, it } from "vitest";
import { readMat5 } from "../../src/data/mat/mat5.ts";
import type { Table } from "../../src/data/table/table.ts";
import { repetitions } from "../repetitions.ts";
import { damagedFile, inputErrorOf, sameBits, survives } from "./bytes.ts";
import { element, joined, matFile, TYPES, type TypeName, type Variable } from "./mat5-writer.ts";

function columns(table: Table): Record<string, number[]> {
	return Object.fromEntries(table.columns.map((c) => [c.name, [...c.values]]));
}

const VARIANTS = [true, false].flatMap((little) =>
	[true, false].map((compressed) => ({ little, compressed })),
);

const VARIABLES: Variable[] = [
	{ kind: "array", name: "t", size: [4, 1], values: [0, 0.1, 0.2, 0.3] },
	{ kind: "array", name: "row", size: [1, 4], values: [1, 2, 3, 4] },
	{ kind: "array", name: "Y", size: [4, 2], values: [1, 2, 3, 4, 5, 6, 7, 8] },
	{ kind: "array", name: "wide", size: [2, 3], values: [1, 10, 2, 20, 3, 30] },
	{ kind: "array", name: "cube", size: [3, 1, 2], values: [1, 2, 3, 4, 5, 6] },
	{ kind: "array", name: "k", size: [1, 1], values: [42], storage: "uint8" },
	{
		kind: "struct",
		name: "s",
		fields: ["a", "deep"],
		elements: [
			{ kind: "array", name: "", size: [2, 1], values: [1.5, 2.5] },
			{
				kind: "struct",
				name: "",
				fields: ["b"],
				elements: [{ kind: "array", name: "", size: [1, 2], values: [7, 8] }],
			},
		],
	},
	{
		kind: "struct",
		name: "many",
		fields: ["v"],
		count: 2,
		elements: [
			{ kind: "array", name: "", size: [1, 1], values: [1] },
			{ kind: "array", name: "", size: [1, 1], values: [2] },
		],
	},
	{ kind: "cell", name: "c", elements: [{ kind: "array", name: "", size: [1, 2], values: [3, 4] }] },
	{ kind: "array", name: "z", size: [1, 1], values: [1], complex: true },
	{ kind: "array", name: "none", size: [0, 0], values: [] },
	{ kind: "other", name: "text", class: 4 },
];

describe("MAT v5", () => {
	it.each(VARIANTS)("reads arrays, structs and cells, and lists the rest: %o", (options) => {
		const table = readMat5(matFile(VARIABLES, options), "f.mat");
		expect(columns(table)).toEqual({
			t: [0, 0.1, 0.2, 0.3],
			row: [1, 2, 3, 4],
			Y: [1, 2, 3, 4],
			Y2: [5, 6, 7, 8],
			wide: [1, 2, 3],
			wide2: [10, 20, 30],
			cube: [1, 2, 3],
			cube2: [4, 5, 6],
			k: [42],
			"s.a": [1.5, 2.5],
			"s.deep.b": [7, 8],
			"many.v": [1],
			"many(2).v": [2],
			"c{1}": [3, 4],
		});
		expect(table.nRows).toBe(4);
		expect(table.skipped).toEqual([
			{ name: "z", why: "is complex" },
			{ name: "none", why: "is empty" },
			{ name: "text", why: "holds text" },
		]);
	});

	it.each(Object.keys(TYPES) as TypeName[])("reads values stored as %s", (storage) => {
		const values =
			storage === "double"
				? [0.1, -0, Number.NaN, 1e300]
				: storage.startsWith("u")
					? [0, 1, 255]
					: [0, 1, -128];
		for (const little of [true, false]) {
			for (const type of [storage, "double"] as const) {
				const file = matFile(
					[{ kind: "array", name: "x", size: [values.length, 1], values, type, storage }],
					{ little },
				);
				expect(sameBits(readMat5(file, "f.mat").columns[0].values, values)).toBe(true);
			}
		}
	});

	it("reads what SciPy wrote", () => {
		const table = readMat5(readFileSync(new URL("reference/scipy.mat", import.meta.url)), "scipy.mat");
		expect(columns(table)).toEqual({
			t: [0, 0.1, 0.2, 0.3, 0.4, 0.5],
			u: [1, -2, 3, 4, 5, 6],
			Y: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
			Y2: [10, 20, 30, 40, 50, 60],
			f: [1.5, 2.5],
			"s.a": [1, 2, 3],
			"s.inner.k": [7, 8],
			flag: [1, 0, 1],
		});
		expect(table.skipped?.map((s) => s.name).sort()).toEqual(["s.name", "txt", "z"]);
	});

	it("keeps apart a second column of y and a variable y2", () => {
		const own: Variable = { kind: "array", name: "y2", size: [2, 1], values: [5, 6] };
		const both: Variable = { kind: "array", name: "y", size: [2, 2], values: [1, 2, 3, 4] };
		expect(columns(readMat5(matFile([own, both]), "f.mat"))).toEqual({
			y2: [5, 6],
			y: [1, 2],
			"y(:,2)": [3, 4],
		});
	});

	it("survives damage", async () => {
		for (const options of VARIANTS) {
			await fc.assert(
				fc.asyncProperty(damagedFile(matFile(VARIABLES, options)), (bytes) =>
					survives((b) => readMat5(b, "f.mat"), bytes),
				),
				{ seed: 1, numRuns: repetitions(300, 1500) },
			);
		}
	});

	it("says so when a file is cut, at any length", async () => {
		const whole = matFile(VARIABLES.slice(0, 2), { compressed: true });
		for (let length = 129; length < whole.length; length += 3) {
			const cut = whole.subarray(0, length);
			try {
				// Cut exactly between two variables it is a whole file.
				expect(readMat5(cut, "f.mat").columns.length).toBe(1);
			} catch (error) {
				expect((error as Error).name).toBe("InputError");
			}
		}
	});
});

describe("MAT v5 files that claim too much", () => {
	const head = matFile([]);
	const little = true;

	async function problemOf(file: Uint8Array): Promise<string> {
		return (await inputErrorOf(() => readMat5(file, "f.mat"))).problem;
	}

	it("an element of 2 GB in a file of 1 kB", async () => {
		const tag = new Uint8Array(1000);
		const view = new DataView(tag.buffer);
		view.setUint32(0, 14, little);
		view.setUint32(4, 2 ** 31, little);
		expect(await problemOf(joined([head, tag]))).toContain("needs 2147483656 bytes");
	});

	it("an array of 2^60 values", async () => {
		const file = matFile([{ kind: "array", name: "x", size: [2 ** 30, 2 ** 30], values: [1, 2] }]);
		expect(await problemOf(file)).toContain("1073741824 x 1073741824 and 2 values");
	});

	it("a struct of a billion elements", async () => {
		const file = matFile([{ kind: "struct", name: "s", fields: ["a"], count: 1e9, elements: [] }]);
		expect(await problemOf(file)).toContain("needs 8 bytes");
	});

	it("structs nested without end", async () => {
		let nested: Variable = { kind: "array", name: "x", size: [1, 1], values: [1] };
		for (let i = 0; i < 200; i++) nested = { kind: "cell", name: "c", elements: [nested] };
		expect(await problemOf(matFile([nested]))).toContain("deep");
	});

	it("compressed data that claims 4 GB", async () => {
		const tag = new Uint8Array(64);
		const view = new DataView(tag.buffer);
		view.setUint32(0, 14, little);
		view.setUint32(4, 2 ** 32 - 1, little);
		expect(await problemOf(joined([head, element(15, zlibSync(tag), {}, false)]))).toContain(
			"claims to unpack",
		);
	});

	it("more packed data than it claims", async () => {
		const zeros = new Uint8Array(4 * 1024 * 1024);
		const view = new DataView(zeros.buffer);
		view.setUint32(0, 14, little);
		view.setUint32(4, 1000, little);
		const packed = element(15, zlibSync(zeros), {}, false);
		expect(await problemOf(joined([head, packed]))).toContain("more bytes than it claims");
	});

	it("a bomb: many small packed arrays of many zeros", async () => {
		const n = 2 ** 21;
		const empty = matFile([{ kind: "array", name: "x", size: [n, 1], values: [] }]).subarray(head.length);
		const zeros = new Uint8Array(8 * n);
		const parts = empty.slice(0, -8);
		const array = joined([parts, element(9, zeros, {})]);
		new DataView(array.buffer).setUint32(4, array.length - 8, little);
		const packed = element(15, zlibSync(array), {}, false);
		expect(readMat5(joined([head, packed]), "f.mat").nRows).toBe(n);
		expect(await problemOf(joined([head, ...Array(10).fill(packed)]))).toContain("unpacked data");
	});

	it("a wrong checksum", async () => {
		const file = matFile([{ kind: "array", name: "x", size: [3, 1], values: [1, 2, 3] }], {
			compressed: true,
		});
		file[file.length - 1] ^= 1;
		expect(await problemOf(file)).toContain("checksum");
	});
});
