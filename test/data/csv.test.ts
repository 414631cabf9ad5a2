import { describe, expect, it } from "vitest";
import { readCsv } from "../../src/data/csv/csv.ts";
import { refuseWords } from "../../src/data/table/missing-words.ts";
import { inputErrorOf, utf8 } from "./bytes.ts";

function read(text: string) {
	return refuseWords(readCsv(utf8(text), "f.csv"));
}

/** Names and rows, missing fields as null. */
function shown(text: string): [string[], (number | null)[][]] {
	const table = read(text);
	const rows = Array.from({ length: table.nRows }, (_, i) =>
		table.columns.map((c) => (c.missing?.[i] === 1 ? null : c.values[i])),
	);
	return [table.columns.map((c) => c.name), rows];
}

const PLAIN = [
	["t", "u"],
	[
		[0, 1.5],
		[1, -2],
	],
];

describe("csv dialects", () => {
	it.each([
		["comma", "t,u\n0,1.5\n1,-2\n"],
		["semicolon", "t;u\n0;1.5\n1;-2\n"],
		["semicolon, decimal comma", "t;u\n0;1,5\n1;-2\n"],
		["tab", "t\tu\n0\t1.5\n1\t-2\n"],
		["tab, decimal comma", "t\tu\n0\t1,5\n1\t-2\n"],
		["pipe", "t|u\n0|1.5\n1|-2\n"],
		["blanks", "  t   u\n  0  1.5\n  1 -2  \n"],
		["blanks and tabs", "t \t u\n0\t 1.5\n1 -2\n"],
		["blanks, decimal comma", "t u\n0 1,5\n1 -2\n"],
		["blanks around commas", "t , u\n0 , 1.5\n 1,  -2 \n"],
		["CRLF", "t,u\r\n0,1.5\r\n1,-2\r\n"],
		["CR", "t,u\r0,1.5\r1,-2\r"],
		["no end of line", "t,u\n0,1.5\n1,-2"],
		["byte order mark", "\uFEFFt,u\n0,1.5\n1,-2\n"],
		["quotes", '"t","u"\n"0","1.5"\n"1",-2\n'],
		["comments and blank lines", "# made by hand\n\nt,u\n% then\n0,1.5\n\n// and\n  # so\n1,-2\n\n"],
		["a delimiter at the end of every line", "t,u,\n0,1.5,\n1,-2,\n"],
		["a delimiter at the end of every row", "t,u\n0,1.5,\n1,-2,\n"],
		["sep=", "sep=;\nt;u\n0;1.5\n1;-2\n"],
		["a header in a comment", "# t u\n0 1.5\n1 -2\n"],
		["rows of nothing at the end", "t,u\n0,1.5\n1,-2\n,\n,\n"],
	])("%s", (_, text) => {
		expect(shown(text)).toEqual(PLAIN);
	});

	it("calls columns c1, c2 when there is no header", () => {
		expect(shown("0,1.5\n1,-2\n")).toEqual([["c1", "c2"], PLAIN[1]]);
		expect(shown("3\n4\n")).toEqual([["c1"], [[3], [4]]]);
	});

	it("reads UTF-16", () => {
		for (const little of [true, false]) {
			const text = "\uFEFFt\tu\r\n0\t1.5\r\n1\t-2\r\n";
			const view = new DataView(new ArrayBuffer(2 * text.length));
			for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), little);
			const table = readCsv(new Uint8Array(view.buffer), "f.txt");
			expect(table.columns.map((c) => [c.name, [...c.values]])).toEqual([
				["t", [0, 1]],
				["u", [1.5, -2]],
			]);
		}
	});

	it("finds a decimal comma that only comes late, and then mixed marks", async () => {
		const late = `a;b\n${"1;2\n".repeat(200)}3;4,5\n`;
		expect(read(late).columns[1].values[200]).toBe(4.5);
		const error = await inputErrorOf(() => read(`${late}1.5;2\n`));
		expect(error.subject).toBe("f.csv line 203, field 1");
		expect(error.problem).toContain("decimal commas");
	});

	it("keeps empty fields, NA, NaN and null as missing, infinities as values", () => {
		const table = read('a,b\n1,\n,2\nNaN,-inf\nNA,null\n"",Infinity\n');
		expect([...table.columns[0].missing!]).toEqual([0, 1, 1, 1, 1]);
		expect([...table.columns[0].values]).toEqual([1, NaN, NaN, NaN, NaN]);
		expect([...table.columns[1].missing!]).toEqual([1, 0, 0, 1, 0]);
		expect([...table.columns[1].values]).toEqual([NaN, 2, -Infinity, NaN, Infinity]);
	});

	it("has no missing flags where nothing is missing", () => {
		expect(read("a,b\n1,2\n").columns[0].missing).toBeUndefined();
	});

	it("reads units from a row of their own or from the header", () => {
		const units = (text: string) => read(text).columns.map((c) => [c.name, c.unit]);
		const expected = [
			["t", "s"],
			["v", "m/s"],
		];
		expect(units("t,v\ns,[m/s]\n0,1\n")).toEqual(expected);
		expect(units("t [s],v [m/s]\n0,1\n")).toEqual(expected);
		expect(units("t (s),v (m/s)\n0,1\n")).toEqual(expected);
		expect(units("t,y(1)\n0,1\n")).toEqual([
			["t", undefined],
			["y(1)", undefined],
		]);
		expect(units("x [m],x [mm]\n0,1\n").map(([name]) => name)).toEqual(["x [m]", "x [mm]"]);
	});

	it("skips columns of text and lists them", () => {
		const table = read('who,u,note\nAnna,1,"a, b"\nBert,2,"two\nlines"\nCarl,3,\n');
		expect(table.columns.map((c) => [c.name, [...c.values]])).toEqual([["u", [1, 2, 3]]]);
		expect(table.skipped).toEqual([
			{ name: "who", why: 'holds text: "Anna"', labels: ["Anna", "Bert", "Carl"] },
			{ name: "note", why: 'holds text: "a, b"', labels: ["a, b", "two\nlines", ""] },
		]);
	});

	it("grows past its first guess of the number of rows", () => {
		const long = `${"1.00000000000000000,2.0000000000000000\n".repeat(50)}${"1,2\n".repeat(5000)}`;
		const table = read(`a,b\n${long}`);
		expect(table.nRows).toBe(5050);
		expect(table.columns[1].values.every((v) => v === 2)).toBe(true);
	});
});

describe("csv errors", () => {
	it.each([
		["short row", "a,b,c\n1,2,3\n4,5\n", "f.csv line 3", "has 2 fields, the header has 3"],
		["long row", "1,2\n3,4,5\n", "f.csv line 2", "has more than 2 fields, the first row has 2"],
		[
			"text in a column of numbers",
			"a,b\n1,2\n3,four\n",
			"f.csv line 3, field 2",
			'holds "four", which is no number',
		],
		["text after a number", "a,b\n1,2\n3,4V\n", "f.csv line 3, field 2", 'holds "4V"'],
		[
			"line counted over CRLF and comments",
			"# x\r\na,b\r\n\r\n1,2\r\n3,x\r\n",
			"f.csv line 5, field 2",
			'"x"',
		],
		["open quote", 'a,b\n1,2\n3,"4\n', "f.csv line 3", "opens a quote"],
		["text after a quote", 'a,b\n1,2\n3,"4"5\n', "f.csv line 3, field 2", "after its closing quote"],
		["words only", "a,b\nc,d\n", "f.csv line 1", "no row of numbers"],
		["header only", "a,b\n", "f.csv line 1", "no row of numbers"],
		["comments only", "# nothing\n", "f.csv", "has no rows"],
		["binary", "ab\0cd\n", "f.csv line 1", "zero byte"],
		["too many columns", `${"1,".repeat(20_000)}1\n`, "f.csv", "20001 columns"],
	])("%s", async (_, text, subject, problem) => {
		const error = await inputErrorOf(() => read(text));
		expect(error.subject).toBe(subject);
		expect(error.problem).toContain(problem);
	});
});
