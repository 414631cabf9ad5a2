import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { readTable } from "../../src/data/read/read-table.ts";
import { previewTable } from "../../src/data/table/preview-table.ts";
import { readXlsx } from "../../src/data/xlsx/xlsx.ts";
import { isDateFormat, serialDate } from "../../src/data/xlsx/xlsx-dates.ts";
import { repetitions } from "../repetitions.ts";
import { claiming, damagedFile, inputErrorOf, survives } from "./bytes.ts";
import { type Cell, xlsxBytes } from "./xlsx-writer.ts";

const shown = async (bytes: Uint8Array, choices = {}) =>
	(await readTable(bytes, "f.xlsx", choices)).columns.map(({ name, unit, values }) => [
		name,
		unit,
		[...values],
	]);

const rig: Cell[][] = [
	["Rig 7, on Monday"],
	[],
	["t [s]", "u (N)", "y/mm", "note"],
	[0, 1.5, { formula: "B4*2", value: 3 }, "# first"],
	[0.1, { error: "#N/A" }, { inline: "4.25" }, null],
	[0.2, true, 1e-300, 'say "x"\tthen'],
];

describe("xlsx", () => {
	it.each([{}, { prefix: "x:" }])(
		"a sheet below a title: names, units, formulas, errors, words (%j)",
		async (options) => {
			const bytes = xlsxBytes({ Data: rig }, options);
			expect(await shown(bytes)).toEqual([
				["t", "s", [0, 0.1, 0.2]],
				["u", "N", [1.5, Number.NaN, 1]],
				["y", "mm", [3, 4.25, 1e-300]],
			]);
			const table = readXlsx(bytes, "f.xlsx");
			expect(table.skipped?.[0]).toMatchObject({ name: "note", labels: ["# first", "", 'say "x" then'] });
			expect(table.reading).toMatchObject({
				format: "xlsx",
				header: 3,
				firstRow: 4,
				sheet: "Data",
				sheets: ["Data"],
			});
		},
	);

	it("the first sheet with numbers, or the one that is asked for", async () => {
		const bytes = xlsxBytes({ Notes: [["nothing"]], A: [["t"], [1]], "B & C": [["t"], [2]] });
		expect(await shown(bytes)).toEqual([["t", undefined, [1]]]);
		expect(await shown(bytes, { sheet: "B & C" })).toEqual([["t", undefined, [2]]]);
		const error = await inputErrorOf(() => readXlsx(bytes, "f.xlsx", { sheet: "a" }));
		expect(error.problem).toBe("has no sheet a; did you mean A?");
		expect((await previewTable(bytes, "f.xlsx")).reading!.sheets).toEqual(["Notes", "A", "B & C"]);
	});

	it("dates by their style, of both calendars", async () => {
		const sheet: Cell[][] = [
			["when", "y"],
			[{ date: 45413 }, 1],
			[{ date: 45413.5, style: 2 }, 2],
		];
		expect((await shown(xlsxBytes({ A: sheet })))[0]).toEqual(["when", "s", [0, 43_200]]);
		expect(readXlsx(xlsxBytes({ A: sheet }), "f").columns[0].origin).toBe("2024-05-01 00:00:00");
		expect(readXlsx(xlsxBytes({ A: sheet }, { from1904: true }), "f").columns[0].origin).toMatch(
			/^2028-05-02/,
		);
		expect(serialDate(1, false)).toMatch(/^1900-01-01/);
		expect(["dd.mm.yyyy", "[h]:mm", 'yyyy"-"mm'].map(isDateFormat)).toEqual([true, true, true]);
		expect(["0.00", "0.0E+00", '0 "days"', "General", "#,##0"].map(isDateFormat)).toEqual([
			false,
			false,
			false,
			false,
			false,
		]);
	});

	it("without numbers: a sentence", async () => {
		const error = await inputErrorOf(() => readXlsx(xlsxBytes({ A: [["a", "b"]], B: [] }), "f.xlsx"));
		expect(error.message).toContain("f.xlsx: holds no numbers in any of its sheets (A, B)");
	});

	it.each([
		["another archive", zipSync({ "a.txt": strToU8("1") }), "is a zip archive"],
		[
			"a bomb",
			claiming(xlsxBytes({ A: [[1]] }), "xl/sharedStrings.xml", 300 * 1024 * 1024),
			"bytes of unpacked data",
		],
		["a path outside", xlsxBytes({ A: [[1]] }, { extra: { "../evil": strToU8("x") } }), "leads out of it"],
	])("%s is refused", async (_, bytes, problem) => {
		expect((await inputErrorOf(() => readTable(bytes, "f.xlsx"))).problem).toContain(problem);
	});

	it("rows and columns of any place, but no more than a sheet has", async () => {
		const wide = Array.from({ length: 800 }, (_, c) => `x${c}`);
		const table = readXlsx(xlsxBytes({ A: [wide, wide.map((_, c) => c)] }), "f");
		expect(table.columns).toHaveLength(800);
		expect(table.columns[799].values[0]).toBe(799);
	});

	it("survives damage", async () => {
		const bytes = xlsxBytes({ Data: rig });
		await fc.assert(
			fc.asyncProperty(damagedFile(bytes), (damaged) => survives((b) => readXlsx(b, "f.xlsx"), damaged)),
			{ seed: 6, numRuns: repetitions(500, 1500) },
		);
	});
});
