/** Files as people have them: titles above the names, dates of every order, units, words for no value. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsv } from "../../src/data/csv/csv.ts";
import { readTable } from "../../src/data/read/read-table.ts";
import { findColumn } from "../../src/data/record.ts";
import { refuseWords } from "../../src/data/table/missing-words.ts";
import { previewTable } from "../../src/data/table/preview-table.ts";
import type { TableChoices } from "../../src/data/table/table-choices.ts";
import { timeColumnOf } from "../../src/data/time/time-column.ts";
import { inputErrorOf, utf8 } from "./bytes.ts";

const read = (text: string, choices: TableChoices = {}) => refuseWords(readCsv(utf8(text), "f.csv", choices));
const columns = (text: string, choices: TableChoices = {}) =>
	read(text, choices).columns.map(({ name, unit, values }) => [name, unit, [...values]]);

const RIG = [
	["t", "s", [0, 0.1]],
	["u", "N", [1.5, 2]],
	["y", "mm", [3, 4]],
];

describe("the table is found below its titles", () => {
	it.each([
		["none", "t [s],u [N],y [mm]\n0,1.5,3\n0.1,2,4\n"],
		["one without a separator", "Rig 7 on Monday\nt/s,u [N],y(mm)\n0,1.5,3\n0.1,2,4\n"],
		["sentences with commas", "Rig 7, run 3, by Anna, late\nt [s],u [N],y [mm]\n0,1.5,3\n0.1,2,4\n"],
		["from a spreadsheet", "Rig 7,,\n,,\nt [s],u [N],y [mm]\n0,1.5,3\n0.1,2,4\n"],
		["settings with numbers", "Serial;12345\nGain;2,5\n\nt;u;y\ns;N;mm\n0;1,5;3\n0,1;2;4\n"],
		["a line of units", "Rig 7\nt,u,y\n[s],[N],[mm]\n0,1.5,3\n0.1,2,4\n"],
		["quantity over unit", "t/s\tu/N\ty/(mm)\n0\t1.5\t3\n0.1\t2\t4\n"],
	])("%s", (_, text) => {
		expect(columns(text)).toEqual(RIG);
	});

	it("forty of them, longer than the table", () => {
		const text = `${Array.from({ length: 40 }, (_, i) => `Setting ${i};${i}`).join("\n")}\nt;u;y\n${"0;1;2\n".repeat(5)}`;
		expect(read(text).columns.map(({ name }) => name)).toEqual(["t", "u", "y"]);
		expect(read(text).nRows).toBe(5);
	});

	it("rows of numbers are no title, whatever their length", async () => {
		const error = await inputErrorOf(() => read("a,b\n1,2\n3,4,5\n6,7,8\n9,10,11\n"));
		expect(error.message).toContain("f.csv line 3: has more than 2 fields, the header has 2");
	});

	it("an error below it is still told at its place", async () => {
		const error = await inputErrorOf(() => read("Rig 7\nt,y\n0,1\n1,x1\n2,3\n"));
		expect(error.subject).toBe("f.csv line 4, field 2");
	});

	it("rows without a number are rows", () => {
		expect(columns("who,u\nAnna,NA\nBert,1\n")).toEqual([["u", undefined, [Number.NaN, 1]]]);
		expect(columns("x\nNaN\n1\n")).toEqual([["x", undefined, [Number.NaN, 1]]]);
	});

	it("the line of names can be chosen", async () => {
		const text = "t,u\n0,1\nx,y\n2,3\n4,5\n";
		expect(columns(text, { header: 3 })).toEqual([
			["x", undefined, [2, 4]],
			["y", undefined, [3, 5]],
		]);
		expect(columns("1,2\n3,4\n", { header: "none" })[0]).toEqual(["c1", undefined, [1, 3]]);
		const error = await inputErrorOf(() => read("t,u\n\n0,1\n", { header: 2 }));
		expect(error.subject).toBe("f.csv line 2");
	});
});

describe("words in the first rows of a column that holds numbers later", () => {
	it("are no names: the line above the rows is", () => {
		const text = (rows: string) =>
			`ID,t,y,dose\n1,0,10,${rows}\n1,1,7,low\n1,2,5,low\n2,0,10,1\n2,1,6,1\n2,2,4,1\n2,3,3,1\n`;
		const table = read(text("low"));
		expect(table.columns.map(({ name, values }) => [name, values.length])).toEqual([
			["ID", 7],
			["t", 7],
			["y", 7],
		]);
		expect(table.skipped![0]).toMatchObject({
			name: "dose",
			labels: ["low", "low", "low", "1", "1", "1", "1"],
		});
		// Nothing in the first of them.
		expect(read(text("")).columns[0].values.length).toBe(7);
	});
});

describe("units", () => {
	it.each([
		["u [N]", "u", "N"],
		["y (mm)", "y", "mm"],
		["y(mm)", "y", "mm"],
		["t/s", "t", "s"],
		["v / (m/s)", "v", "m/s"],
		["c/mmol L-1", "c", "mmol L-1"],
		["T (°C)", "T", "°C"],
		["Year", "Year", "year"],
		["days", "days", "day"],
		["y(1)", "y(1)", undefined],
		["f(x)", "f(x)", undefined],
		["and/or", "and/or", undefined],
		["m/s", "m/s", undefined],
		["mol/L", "mol/L", undefined],
		["T/K", "T", "K"],
	])("%s", (header, name, unit) => {
		const [, column] = read(`a,${header}\n0,1\n1,2\n`).columns;
		expect([column.name, column.unit]).toEqual([name, unit]);
	});

	it("may be given instead", async () => {
		const table = await readTable(utf8("t,y [mm]\n0,1\n1,2\n"), "f.csv", { units: { y: "m", t: "h" } });
		expect(table.columns.map(({ unit }) => unit)).toEqual(["h", "m"]);
		expect(
			(await inputErrorOf(() => readTable(utf8("t,y\n0,1\n"), "f.csv", { units: { z: "m" } }))).problem,
		).toBe("has no column z");
	});

	it("a column is found with its unit, however that is written", () => {
		for (const name of ["y", "y [mm]", "y(mm)", "y/mm"])
			expect(findColumn(read("t,y (mm)\n0,1\n1,2\n"), name).name).toBe("y");
	});
});

describe("words for no value", () => {
	it.each(["", "NA", "NaN", "nan", "null", "-", "--", "n/a", "N/A", "#N/A", "#DIV/0!", ".", "?", "none"])(
		"%j",
		(word) => {
			const table = read(`y,t\n1,0\n${word},1\n3,2\n`);
			expect([...table.columns[0].missing!]).toEqual([0, 1, 0]);
			expect(table.reading!.words).toEqual({ [word]: 1 });
		},
	);

	it("-999 and words of one's own only where somebody says so", async () => {
		expect(read("y,t\n-999,0\n1,1\n").columns[0].missing).toBeUndefined();
		const text = "y,t\n1,0\nbroken,1\n";
		expect((await inputErrorOf(() => read(text))).problem).toContain("is no number");
		expect([...read(text, { words: ["broken"] }).columns[0].missing!]).toEqual([0, 1]);
	});

	it("a word in one column is told to who wants that column, and to nobody else", async () => {
		const table = readCsv(utf8("t,y,remark\n0,1,7\n1,2,8\n2,3,broken\n"), "f.csv");
		expect([...findColumn(table, "y").values]).toEqual([1, 2, 3]);
		const error = await inputErrorOf(() => findColumn(table, "remark"));
		expect(error.message).toMatch(/f\.csv line 4, field 3: holds "broken", which is no number/);
	});
});

describe("dates", () => {
	const days = (text: string, choices: TableChoices = {}) =>
		[...findColumn(read(text, choices), "when").values].map((seconds) => seconds / 86_400);

	it.each([
		["with points, the day first", "when;y\n01.05.2024;1\n02.05.2024;2\n", [0, 1]],
		["with points and two digits", "when;y\n1.5.24 6:00;1\n2.5.24 18:00;2\n", [0, 1.5]],
		["decided by a 13th", "when,y\n05/12/2024,1\n05/13/2024,2\n", [0, 1]],
		["decided by a 13th of the other order", "when,y\n12/05/2024,1\n13/05/2024,2\n", [0, 1]],
		["decided by the order of time", "when,y\n10/01/2024,1\n11/01/2024,2\n01/02/2024,3\n", [0, 1, 22]],
		["of one day, in halves of it", "when,y\n05/01/2024 3:00 AM,1\n05/01/2024 3:00 PM,2\n", [0, 0.5]],
		["midnight and noon", "when,y\n05/13/2024 12:00 AM,1\n05/13/2024 12:00 PM,2\n", [0, 0.5]],
		["months by name", "when,y\n1 May 2024,1\n02-Jun-2024,2\n", [0, 32]],
		["months by name, before the day", 'when,y\n"May 1, 2024",1\n"May 2, 2024",2\n', [0, 1]],
		["year first", "when,y\n2024/05/01,1\n2024/05/02,2\n", [0, 1]],
	])("%s", (_, text, expected) => {
		expect(days(text)).toEqual(expected);
	});

	const open = "when,y\n05/01/2024,1\n05/02/2024,2\n";
	it("that can be read in two ways are asked for", async () => {
		const error = await inputErrorOf(() => days(open));
		expect(error.subject).toBe("f.csv, column when");
		expect(error.problem).toContain(
			'"05/01/2024" is 2024-01-05 with the day first, 2024-05-01 with the month first',
		);
		expect(error.remedy).toContain("dates: day-first");
		expect(days(open, { dates: "day-first" })).toEqual([0, 31]);
		expect(days(open, { dates: "month-first" })).toEqual([0, 1]);
	});

	it("that nobody wants are not asked for", () => {
		expect([...findColumn(read(open), "y").values]).toEqual([1, 2]);
	});

	it("in two orders are refused, both places named", async () => {
		const error = await inputErrorOf(() => read("when,y\n05/13/2024,1\n05/14/2024,1\n14/05/2024,2\n"));
		expect(error.subject).toBe("f.csv line 4, field 1");
		expect(error.problem).toMatch(
			/"14\/05\/2024", a date with the day first, and line 2 holds "05\/13\/2024"/,
		);
		const wrong = await inputErrorOf(() => days("when,y\n05/13/2024,1\n", { dates: "day-first" }));
		expect(wrong.remedy).toContain("dates: month-first");
	});

	it.each(["31/02/2024", "05/01/24", "13/13/2024", "05/01/2024 13:00 PM"])("%s is none", async (text) => {
		expect(read(`when,y\n${text},1\n`).skipped?.map(({ name }) => name)).toEqual(["when"]);
	});
});

describe("preview", () => {
	const preview = (text: string, choices: TableChoices = {}) => previewTable(utf8(text), "f.csv", choices);

	it("says what was understood", async () => {
		const seen = await preview("Rig 7\nwhen;u [N];who\n01.05.2024;1,5;Anna\n02.05.2024;-;Bert\n");
		expect(seen).toEqual({
			source: "f.csv",
			nRows: 2,
			columns: [
				{ name: "when", unit: "s", kind: "dates", first: [0, 86_400], missing: 0, isTwin: false },
				{ name: "u", unit: "N", kind: "numbers", first: [1.5, null], missing: 1, isTwin: false },
				{ name: "who", kind: "text", first: ["Anna", "Bert"], missing: 0, isTwin: false },
			],
			reading: {
				format: "text",
				titles: ["Rig 7"],
				header: 2,
				firstRow: 3,
				separator: "semicolon",
				decimal: "comma",
				dates: [
					{
						column: "when",
						example: "01.05.2024",
						order: "day-first",
						isOpen: false,
						dayFirst: "2024-05-01",
						monthFirst: "2024-01-05",
					},
				],
				words: { "-": 1 },
			},
			time: "when",
			lines: [
				{ line: 1, fields: ["Rig 7"], role: "title" },
				{ line: 2, fields: ["when", "u [N]", "who"], role: "header" },
				{ line: 3, fields: ["01.05.2024", "1,5", "Anna"], role: "row" },
				{ line: 4, fields: ["02.05.2024", "-", "Bert"], role: "row" },
			],
		});
	});

	it("shows an open question, and takes the choice", async () => {
		const text = "when,y\n05/01/2024,1\n05/02/2024,2\n";
		expect((await preview(text)).reading!.dates[0].isOpen).toBe(true);
		expect((await preview(text, { dates: "month-first" })).reading!.dates[0].isOpen).toBe(false);
	});

	it("shows the lines of a file that cannot be read", async () => {
		const seen = await preview("t,y\n0,1\n1,x1\n");
		expect(seen.problem).toMatchObject({ subject: "f.csv line 3, field 2" });
		expect(seen.lines).toHaveLength(3);
		expect((await preview("")).problem!.problem).toBe("is empty");
	});

	it("marks two columns of one name, which cannot be used", async () => {
		const seen = await preview("t,y,y\n0,1,2\n1,2,3\n");
		expect(seen.columns.map(({ isTwin }) => isTwin)).toEqual([false, true, true]);
		expect((await inputErrorOf(() => findColumn(read("t,y,y\n0,1,2\n"), "y"))).problem).toBe(
			"has 2 columns called y",
		);
	});

	it("comes to an end for whatever is in a file", async () => {
		const pieces =
			'0|1|2024|/|.|-|:| |,|;|\t|\n|\r\n|05/01/2024|13.05.24|3:00 PM|NA|#N/A|#|t [s]|"|x/(m)|1 May 2024|(|[|e5|inf'.split(
				"|",
			);
		const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(""));
		const choices = fc.constantFrom<TableChoices>(
			{},
			{ header: 2 },
			{ header: "none", separator: "blanks" },
			{ dates: "day-first", decimal: "comma", separator: "semicolon" },
		);
		await fc.assert(
			fc.asyncProperty(texts, choices, async (text, chosen) => {
				const { problem, columns } = await preview(text, chosen);
				expect(problem !== undefined || columns.length > 0).toBe(true);
			}),
			{ seed: 12, numRuns: 3000 },
		);
	});

	it("refuses a choice that is none", async () => {
		const wrong = { separator: "star" } as unknown as TableChoices;
		expect((await preview("t,y\n0,1\n", wrong)).problem!.remedy).toContain("comma, semicolon");
		expect((await preview("t;y\n0;1\n", { separator: "comma", decimal: "comma" })).problem).toBeDefined();
	});
});

it.each([
	["t", "t,y\n0,1\n1,2\n"],
	["Time (s)", "y,Time (s)\n0,1\n1,2\n"],
	["Year", "Year,Hare,Lynx\n1900,30,4\n1901,47.2,6.1\n"],
	["logged", "logged,y\n2024-05-01,1\n2024-05-02,2\n"],
	["date", "y,date\n1,05/01/2024\n2,05/02/2024\n"],
	[undefined, "a,b\n0,1\n1,2\n"],
	[undefined, "day,b\n2,1\n1,2\n"],
])("the time is probably %s", (name, text) => {
	expect(timeColumnOf(read(text))).toBe(name === "Time (s)" ? "Time" : name);
});
