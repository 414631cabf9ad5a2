import fc from "fast-check";
import { gzipSync } from "fflate";
import { parquetReadObjects } from "hyparquet";
import { ByteWriter, parquetWriteBuffer } from "hyparquet-writer";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
import { writeMetadata } from "hyparquet-writer/src/metadata.js";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import { describe, expect, it } from "vitest";
import { readParquet } from "../../src/data/parquet/parquet.ts";
import { decodePage, PageError, valuesInto } from "../../src/data/parquet/parquet-page.ts";
import { damagedFile, inputErrorOf, sameBits, survives } from "./bytes.ts";

type WriteOptions = Parameters<typeof parquetWriteBuffer>[0];

function written(options: WriteOptions): Uint8Array {
	return new Uint8Array(parquetWriteBuffer(options));
}

const N = 5000;
const doubles = Array.from({ length: N }, (_, i) => Math.sin(i) * 10 ** ((i % 40) - 20));
const integers = Array.from({ length: N }, (_, i) => ((i * 7919) % 2003) - 1000);
const few = Array.from({ length: N }, (_, i) => [0.25, -1, 1e9][(i * i) % 3]);
const gaps = doubles.map((x, i) => (i % 5 === 2 ? null : x));

const CODECS: Partial<WriteOptions>[] = [
	{ codec: "UNCOMPRESSED" },
	{ codec: "SNAPPY" },
	{ codec: "GZIP", compressors: { GZIP: (bytes: Uint8Array) => gzipSync(bytes) } },
];

describe("parquet", () => {
	it("takes units out of the names, as of a header in a text file", async () => {
		const names = ["u [N]", "y (mm)", "x [m]", "x [mm]", "plain"];
		const file = written({
			columnData: names.map((name) => ({ name, data: [1, 2, 3], type: "DOUBLE" as const })),
		});
		const { columns } = await readParquet(file, "f.parquet");
		expect(columns.map(({ name, unit }) => [name, unit])).toEqual([
			["u", "N"],
			["y", "mm"],
			["x [m]", "m"],
			["x [mm]", "mm"],
			["plain", undefined],
		]);
	});

	it.each(CODECS)("reads numbers, missing ones and truth values: %o", async (codec) => {
		const file = written({
			...codec,
			rowGroupSize: 1700,
			pageSize: 4096,
			columnData: [
				{ name: "x", data: doubles, type: "DOUBLE" },
				{ name: "required", data: doubles, type: "DOUBLE", nullable: false },
				{ name: "single", data: doubles.map(Math.fround), type: "FLOAT" },
				{ name: "int", data: integers, type: "INT32" },
				{ name: "long", data: integers.map((i) => BigInt(i) * 3_000_000_000n), type: "INT64" },
				{ name: "few", data: few, type: "DOUBLE" },
				{ name: "gaps", data: gaps, type: "DOUBLE" },
				{ name: "flag", data: integers.map((i) => i > 0), type: "BOOLEAN" },
				{ name: "label", data: integers.map((i) => `n${i}`), type: "STRING" },
				{ name: "when", data: integers.map((i) => new Date(1e12 + i)), type: "TIMESTAMP" },
			],
		});
		const table = await readParquet(file, "f.parquet");
		const byName = new Map(table.columns.map((c) => [c.name, c]));
		expect(table.nRows).toBe(N);
		expect(sameBits(byName.get("x")!.values, doubles)).toBe(true);
		expect(sameBits(byName.get("required")!.values, doubles)).toBe(true);
		expect(sameBits(byName.get("single")!.values, doubles.map(Math.fround))).toBe(true);
		expect(sameBits(byName.get("int")!.values, integers)).toBe(true);
		expect(
			sameBits(
				byName.get("long")!.values,
				integers.map((i) => i * 3e9 + 0),
			),
		).toBe(true);
		expect(sameBits(byName.get("few")!.values, few)).toBe(true);
		expect(
			sameBits(
				byName.get("gaps")!.values,
				gaps.map((x) => x ?? Number.NaN),
			),
		).toBe(true);
		expect([...byName.get("gaps")!.missing!]).toEqual(gaps.map((x) => (x === null ? 1 : 0)));
		expect(byName.get("x")!.missing).toBeUndefined();
		expect([...byName.get("flag")!.values]).toEqual(integers.map((i) => (i > 0 ? 1 : 0)));
		expect(table.skipped?.map((s) => s.name)).toEqual(["label", "when"]);
	});

	it.each(["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"] as const)(
		"reads the encoding %s",
		async (encoding) => {
			const wild = integers.map((i) => (i % 17 === 0 ? 2147483647 : i % 19 === 0 ? -2147483648 : i));
			const long = integers.map((i) => BigInt(i) ** 5n * 123n);
			const columnData: WriteOptions["columnData"] = [
				{ name: "int", data: wild, type: "INT32", encoding },
				{ name: "long", data: long, type: "INT64", encoding },
				{ name: "gaps", data: integers.map((i, k) => (k % 7 === 0 ? null : i)), type: "INT32", encoding },
			];
			if (encoding !== "DELTA_BINARY_PACKED")
				columnData.push({ name: "x", data: doubles, type: "DOUBLE", encoding });
			const table = await readParquet(written({ columnData, rowGroupSize: 1111 }), "f.parquet");
			expect(sameBits(table.columns[0].values, wild)).toBe(true);
			expect(sameBits(table.columns[1].values, long.map(Number))).toBe(true);
			expect([...table.columns[2].values]).toEqual(integers.map((i, k) => (k % 7 === 0 ? Number.NaN : i)));
			if (table.columns[3] !== undefined) expect(sameBits(table.columns[3].values, doubles)).toBe(true);
		},
	);

	it("reads unsigned and decimal numbers by their schema", async () => {
		const file = written({
			columnData: [
				{ name: "unsigned", data: [1, 4294967295] },
				{ name: "money", data: [1.25, -0.05] },
			],
			schema: [
				{ name: "root", num_children: 2 },
				{ name: "unsigned", type: "INT32", converted_type: "UINT_32", repetition_type: "REQUIRED" },
				{
					name: "money",
					type: "INT32",
					converted_type: "DECIMAL",
					scale: 2,
					precision: 5,
					repetition_type: "REQUIRED",
				},
			],
		});
		const table = await readParquet(file, "f.parquet");
		expect([...table.columns[0].values]).toEqual([1, 4294967295]);
		expect([...table.columns[1].values]).toEqual([1.25, -0.05]);
	});

	it("says which compression it does not know", async () => {
		const file = written({
			codec: "ZSTD",
			compressors: { ZSTD: (bytes: Uint8Array) => bytes },
			columnData: [{ name: "x", data: doubles, type: "DOUBLE" }],
		});
		expect((await inputErrorOf(() => readParquet(file, "f.parquet"))).problem).toContain("ZSTD");
	});

	it("survives damage", async () => {
		const columnData: WriteOptions["columnData"] = [
			{ name: "x", data: gaps.slice(0, 40), type: "DOUBLE" },
			{ name: "few", data: few.slice(0, 40), type: "DOUBLE" },
			{ name: "int", data: integers.slice(0, 40), type: "INT32", encoding: "DELTA_BINARY_PACKED" },
			{ name: "flag", data: integers.slice(0, 40).map((i) => i > 0), type: "BOOLEAN" },
		];
		for (const codec of ["UNCOMPRESSED", "SNAPPY"] as const) {
			await fc.assert(
				fc.asyncProperty(damagedFile(written({ codec, columnData, rowGroupSize: 15 })), (bytes) =>
					survives((b) => readParquet(b, "f.parquet"), bytes),
				),
				{ seed: 1, numRuns: 2000 },
			);
		}
	});
});

/** A file as Arrow writes it by default: version 1 pages, snappy, values by a dictionary, missing ones allowed. */
function version1File(
	values: (number | null)[],
	dictionary: number[],
	claims: { unpacked?: number; dictionary?: number } = {},
): Uint8Array {
	const present = values.filter((x) => x !== null);
	const plain = new Uint8Array(Float64Array.from(dictionary).buffer);
	const levels = new ByteWriter();
	writeRleBitPackedHybrid(
		levels,
		values.map((x) => (x === null ? 0 : 1)),
		1,
	);
	const body = new ByteWriter();
	body.appendUint32(levels.offset);
	body.appendBytes(levels.getBytes());
	body.appendUint8(2);
	writeRleBitPackedHybrid(
		body,
		present.map((x) => dictionary.indexOf(x)),
		2,
	);
	const file = new ByteWriter();
	file.appendBytes(new TextEncoder().encode("PAR1"));
	const offsets = [plain, body.getBytes()].map((page, i) => {
		const packed = snappyCompress(page);
		const offset = file.offset;
		const header = {
			uncompressed_page_size: claims.unpacked ?? page.length,
			compressed_page_size: packed.length,
		};
		const levelsBy = { definition_level_encoding: "RLE", repetition_level_encoding: "RLE" } as const;
		if (i === 0) {
			const dictionary_page_header = {
				num_values: claims.dictionary ?? dictionary.length,
				encoding: "PLAIN",
			} as const;
			writePageHeader(file, { ...header, type: "DICTIONARY_PAGE", dictionary_page_header });
		} else {
			const data_page_header = {
				num_values: values.length,
				encoding: "RLE_DICTIONARY",
				...levelsBy,
			} as const;
			writePageHeader(file, { ...header, type: "DATA_PAGE", data_page_header });
		}
		file.appendBytes(packed);
		return BigInt(offset);
	});
	const size = BigInt(file.offset) - offsets[0];
	const n = BigInt(values.length);
	writeMetadata(file, {
		version: 1,
		created_by: "test",
		metadata_length: 0,
		schema: [
			{ name: "schema", num_children: 1 },
			{ name: "x", type: "DOUBLE", repetition_type: "OPTIONAL" },
		],
		num_rows: n,
		row_groups: [
			{
				num_rows: n,
				total_byte_size: size,
				columns: [
					{
						file_offset: 0n,
						meta_data: {
							type: "DOUBLE",
							encodings: ["RLE_DICTIONARY"],
							path_in_schema: ["x"],
							codec: "SNAPPY",
							num_values: n,
							total_uncompressed_size: size,
							total_compressed_size: size,
							dictionary_page_offset: offsets[0],
							data_page_offset: offsets[1],
						},
					},
				],
			},
		],
	});
	file.appendBytes(new TextEncoder().encode("PAR1"));
	return file.getBytes().slice();
}

describe("parquet pages of version 1", () => {
	it("are read as hyparquet reads them", async () => {
		const values = Array.from({ length: 1000 }, (_, i) =>
			i % 11 === 3 ? null : [0.1, -2, 1e300][(i * i) % 3],
		);
		const file = version1File(values, [0.1, -2, 1e300]);
		const table = await readParquet(file, "f.parquet");
		const rows = await parquetReadObjects({ file: file.buffer as ArrayBuffer });
		expect(rows.map((row) => row.x ?? null)).toEqual(values);
		expect(
			sameBits(
				table.columns[0].values,
				values.map((x) => x ?? Number.NaN),
			),
		).toBe(true);
		expect([...table.columns[0].missing!]).toEqual(values.map((x) => (x === null ? 1 : 0)));
	});
});

describe("parquet pages that claim too much", () => {
	const page = (body: number[], nValues = 10) => ({
		encoding: "RLE_DICTIONARY",
		nValues,
		body: Uint8Array.from(body),
	});
	const decode = (p: ReturnType<typeof page>) =>
		decodePage(p, "DOUBLE", false, false, Float64Array.of(1, 2), new Float64Array(10), new Uint8Array(10), 0);

	it("a run of two billion values fills what there is and no more", () => {
		// Width 1, a run with the count 2^31 - 1 of the value 1.
		expect(decode(page([1, 0xfe, 0xff, 0xff, 0xff, 0x0f, 1]))).toBe(10);
	});

	it("more values than the file has rows", () => {
		expect(() => decode(page([1, 20, 1], 11))).toThrow(PageError);
		expect(() => decode(page([1, 20, 1], -1))).toThrow(PageError);
	});

	it("a description with endless lists or structs", async () => {
		const footer = (description: number[]) => {
			const head = [0x50, 0x41, 0x52, 0x31];
			return Uint8Array.from([
				...head,
				...description,
				description.length & 255,
				description.length >> 8,
				0,
				0,
				...head,
			]);
		};
		const problem = async (description: number[]) =>
			(await inputErrorOf(() => readParquet(footer(description), "f.parquet"))).problem;
		// A list of 2^28 - 1 structs, and 5000 structs in one another.
		expect(await problem([0x29, 0xfc, 0xff, 0xff, 0xff, 0x7f, 0])).toContain("claims a list of 268435455");
		expect(await problem(Array(5000).fill(0x1c))).toContain("nests too deep");
		expect(await problem([0x1c, 0])).toContain("ends early");
		expect(await problem([0])).toContain("makes no sense");
	});

	it("more than their bytes can unpack to, or hold: nothing is allocated for it", async () => {
		const problem = async (claims: Parameters<typeof version1File>[2]) =>
			(await inputErrorOf(() => readParquet(version1File([1, 2, 1], [1, 2], claims), "f.parquet"))).problem;
		expect(await problem({ unpacked: 200_000_000 })).toContain("claims to unpack to 200000000");
		expect(await problem({ dictionary: 17 })).toContain("a dictionary claims 17 values");
	});

	it("an index outside the dictionary, an empty run, a page that ends", () => {
		expect(() => decode(page([2, 20, 3]))).toThrow("dictionary");
		expect(() => decode(page([1, 0, 1]))).toThrow("empty run");
		expect(() => decode(page([1, 4, 1]))).toThrow("ends early");
		expect(() =>
			valuesInto(new Float64Array(3), new Uint8Array(23), "PLAIN", "DOUBLE", false, undefined),
		).toThrow("ends early");
	});
});
