import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsv } from "../../src/data/csv/csv.ts";
import { csvText } from "../../src/data/csv/write-csv.ts";
import { damagedFile, sameBits, survives, utf8 } from "./bytes.ts";

/** Any bits at all as a double: subnormals, infinities and NaN included. */
const anyDouble = fc.oneof(
	fc.double(),
	fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((bits) => {
		const view = new DataView(new ArrayBuffer(8));
		view.setBigUint64(0, bits);
		return view.getFloat64(0);
	}),
);
const columnsOfNumbers = fc
	.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 30 }))
	.chain(([nColumns, nRows]) =>
		fc.array(fc.array(anyDouble, { minLength: nRows, maxLength: nRows }), {
			minLength: nColumns,
			maxLength: nColumns,
		}),
	);

describe("csv", () => {
	it("reads back what was written, bit for bit", () => {
		fc.assert(
			fc.property(columnsOfNumbers, (data) => {
				const columns = data.map((values, c) => ({ name: `x${c}`, values: Float64Array.from(values) }));
				const table = readCsv(utf8(csvText(columns)), "f.csv");
				expect(table.columns.map((c) => c.name)).toEqual(columns.map((c) => c.name));
				for (let c = 0; c < columns.length; c++) {
					expect(sameBits(table.columns[c].values, columns[c].values)).toBe(true);
					const none = Uint8Array.from(columns[c].values, (value) => (Number.isNaN(value) ? 1 : 0));
					expect(table.columns[c].missing).toEqual(none.includes(1) ? none : undefined);
				}
			}),
			{ seed: 1, numRuns: 500 },
		);
	});

	it("keeps names with delimiters and quotes, and missing fields", () => {
		for (const names of [["a,b"], ['say "u"', "x;y|z"], ["#1", "//t", " pad "]]) {
			const missing = Uint8Array.of(0, 1, 0);
			const text = csvText(names.map((name) => ({ name, values: [1, 2, 3], missing })));
			const table = readCsv(utf8(text), "f.csv");
			expect(table.columns.map((c) => c.name)).toEqual(names.map((name) => name.trim()));
			for (const column of table.columns) expect([...column.missing!]).toEqual([0, 1, 0]);
		}
	});

	it("is the same table in any dialect", () => {
		const dialect = fc.constantFrom(
			{ delimiter: ",", point: "." },
			{ delimiter: ";", point: "," },
			{ delimiter: ";", point: "." },
			{ delimiter: "\t", point: "," },
			{ delimiter: "|", point: "." },
			{ delimiter: "  ", point: "." },
		);
		const number = fc.double({ noNaN: true, noDefaultInfinity: true });
		const rows = fc
			.integer({ min: 2, max: 5 })
			.chain((n) =>
				fc.array(fc.array(number, { minLength: n, maxLength: n }), { minLength: 1, maxLength: 20 }),
			);
		fc.assert(
			fc.property(
				rows,
				dialect,
				fc.boolean(),
				fc.constantFrom("\n", "\r\n"),
				(data, { delimiter, point }, header, eol) => {
					const lines = data.map((row) => row.map((x) => String(x).replace(".", point)).join(delimiter));
					if (header) lines.unshift(data[0].map((_, c) => `name${c}`).join(delimiter));
					const table = readCsv(utf8(lines.join(eol)), "f.csv");
					expect(table.columns.map((c) => c.name)).toEqual(
						data[0].map((_, c) => (header ? `name${c}` : `c${c + 1}`)),
					);
					for (let c = 0; c < data[0].length; c++) {
						expect([...table.columns[c].values]).toEqual(data.map((row) => Number(String(row[c]))));
					}
				},
			),
			{ seed: 2, numRuns: 500 },
		);
	});

	it("survives damage and noise", async () => {
		const sound = utf8('# a record\r\nt [s];u [V];"note"\r\n0;1,5;"x"\r\n0,1;;y\r\n0,2;-3e-7;"z"\r\n');
		await fc.assert(
			fc.asyncProperty(damagedFile(sound), (bytes) => survives((b) => readCsv(b, "f.csv"), bytes)),
			{ seed: 3, numRuns: 2000 },
		);
		const noise = fc.array(fc.constantFrom(...'01.,;|\t \n\r"#%/eE-+na'.split("")), { maxLength: 60 });
		await fc.assert(
			fc.asyncProperty(noise, (chars) => survives((b) => readCsv(b, "f.csv"), utf8(chars.join("")))),
			{ seed: 4, numRuns: 5000 },
		);
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), (bytes) =>
				survives((b) => readCsv(b, "f.csv"), bytes),
			),
			{ seed: 5, numRuns: 1000 },
		);
	});
});
