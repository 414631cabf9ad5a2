import { describe, expect, it } from "vitest";
import { tableKey } from "../../src/study/study.ts";
import { StudyError } from "../../src/study/text/study-error.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { studyText } from "../../src/study/text/study-text.ts";
import { studyMethods } from "./study-methods.ts";

const parse = (text: string) => parseStudy(text, "s.yaml", studyMethods);

/** The messages of all errors, as the user reads them. */
function errors(text: string): string {
	try {
		parse(text);
	} catch (error) {
		expect(error).toBeInstanceOf(StudyError);
		return (error as StudyError).message;
	}
	throw new Error("the study was accepted");
}

const head = "model: m.ode\ndata: { file: r.csv, rate: 100 }\n";

describe("what a study says", () => {
	it("fills in the defaults", () => {
		const study = parse(head);
		expect(study.model).toEqual({ kind: "file", file: "m.ode" });
		expect(study.records).toHaveLength(1);
		expect(study.records[0]).toMatchObject({
			path: "data",
			name: "r.csv",
			file: "r.csv",
			rate: 100,
			start: 0,
			input: "zoh",
			detrend: "none",
			missing: [],
		});
		expect(study.method).toBe("fit");
		expect(study.train).toEqual([{ from: 0, to: Infinity }]);
		expect(study.test).toEqual(["none"]);
		expect(study.seed).toBe(1);
		expect(study.simulate).toEqual({
			noise: false,
			rtol: 1e-8,
			atol: 1e-10,
			knots: [],
			amounts: [],
			concentrations: [],
			digits: 17,
		});
	});

	it("reads every key of the contract's example", () => {
		const study = parse(`
model: silverbox.ode            # beside this file
data:
  file: ../datasets/silverbox/SNLS80mV.csv
  rate: 610.3515625
  columns: { u: V1, y: V2 }
  input: linear
  detrend: mean
  conditions: { c2: 0.5, c3: 0 }
  missing: [-999, NaN, .nan, -.inf]
method: bayes
train: 49278..52350
test:  1000..40000
seed: 7
set: { k3: 4, "x'": 0.5 }
fit: { starts: 4, substeps: auto, integrator: fixed }
`);
		expect(study.records[0]).toMatchObject({
			columns: { u: "V1", y: "V2" },
			input: "linear",
			detrend: "mean",
			conditions: { c2: 0.5, c3: 0 },
			missing: [-999, Number.NaN, Number.NaN, -Infinity],
		});
		expect(study.method).toBe("bayes");
		expect(study.train).toEqual([{ from: 49278, to: 52350 }]);
		expect(study.test).toEqual([{ from: 1000, to: 40000 }]);
		expect({ ...study.set }).toEqual({ k3: 4, "x'": 0.5 });
		expect(study.options).toEqual({ fit: { starts: 4, substeps: "auto", integrator: "fixed" } });
	});

	it("takes a model inline and a list of records", () => {
		const study = parse(`
model: |
  state x = 1
  x' = -x
data:
  - { file: a.csv, time: t, name: first }
  - { file: b.csv, time: t }
train: [0..10, none]
test: [none, 5..]
`);
		expect(study.model).toEqual({ kind: "text", text: "state x = 1\nx' = -x\n" });
		expect(study.records.map(({ name }) => name)).toEqual(["first", "b.csv"]);
		expect(study.train).toEqual([{ from: 0, to: 10 }, "none"]);
		expect(study.test).toEqual(["none", { from: 5, to: Infinity }]);
	});

	it("uses one range for all records", () => {
		const study = parse("model: m.ode\ndata: [{ file: a.csv }, { file: b.csv }]\ntrain: ..50\n");
		expect(study.train).toEqual([
			{ from: 0, to: 50 },
			{ from: 0, to: 50 },
		]);
	});

	it("tests on another record, which is like the first one where it says nothing", () => {
		const study = parse(`
model: m.ode
data: { file: a.csv, rate: 1000, columns: { u: vir, y: qm }, input: linear, conditions: { c: 1 } }
test: { file: pulses.csv, columns: { y: q2 }, rows: 10..20 }
`);
		expect(study.testRecords).toHaveLength(1);
		expect(study.testRecords[0]).toMatchObject({
			path: "test",
			name: "pulses.csv",
			rate: 1000,
			columns: { u: "vir", y: "q2" },
			input: "linear",
			conditions: { c: 1 },
			rows: { from: 10, to: 20 },
		});
		expect(study.test).toEqual(["none"]);
		const two = parse(`${head}test:\n  - { file: b.csv, time: t }\n  - { file: c.csv }\n`);
		expect(two.testRecords.map(({ path, time, rate }) => [path, time, rate])).toEqual([
			["test[0]", "t", undefined],
			["test[1]", undefined, 100],
		]);
	});

	it("makes times for a simulation", () => {
		const study = parse("model: m.ode\ndata: { times: { to: 2, step: 0.5 } }\nsimulate: { noise: true }\n");
		expect(study.records[0].times).toEqual({ from: 0, to: 2, samples: 5 });
		expect(study.simulate.noise).toBe(true);
		expect(
			parse("model: m.ode\ndata: { times: { from: 1, to: 2, samples: 11 } }\n").records[0].times,
		).toEqual({
			from: 1,
			to: 2,
			samples: 11,
		});
		// 20/0.01 is 2000.0000000000002 or less in doubles: the last sample must not be lost.
		expect(
			parse("model: m.ode\ndata: { times: { from: 0, to: 20, step: 0.01 } }\n").records[0].times?.samples,
		).toBe(2001);
	});

	it("follows aliases and a byte order mark", () => {
		const study = parse(
			"\ufeffmodel: m.ode\ndata:\n  - { file: a.csv, columns: &c { y: V2 } }\n  - { file: b.csv, columns: *c }\n",
		);
		expect({ ...study.records[1].columns }).toEqual({ y: "V2" });
	});
});

describe("what is wrong is said with its place", () => {
	it("shows line, column, the line and a caret", () => {
		expect(errors(`${head}methd: fit\n`)).toBe(
			[
				's.yaml:3:1: unknown key "methd"',
				"  3 | methd: fit",
				"    | ^^^^^",
				'  Did you mean "method"?  The keys are name, model, data, method, train, test, warmUp, seed, set, prior, library, simulate, fit, bayes.',
			].join("\n"),
		);
	});

	it("asks for quotes around a bracket in plain words, once", () => {
		const message = errors("model: m.ode\ndata: { file: r.csv, columns: { y: Level [m] } }\nmethod: fit\n");
		expect(message).toMatch(/^s\.yaml:2:42: a bracket inside a plain word[\s\S]*"Level \[m\]"/);
		expect(message.match(/s\.yaml:/g)).toHaveLength(1);
	});

	it("reports every error at once, in the order of the text", () => {
		const message = errors("data: { file: r.csv, rate: fast, clumns: {} }\nmethod: fitt\nseed: 1.5\n");
		const places = [...message.matchAll(/^s\.yaml:(\d+):(\d+)/gm)].map(
			([, line, column]) => `${line}:${column}`,
		);
		expect(places).toEqual(["1:1", "1:28", "1:34", "2:9", "3:7"]);
	});

	it.each([
		[
			"an unknown key of a record",
			`${head.replace("rate", "rat")}`,
			/2:22: unknown key "rat"[\s\S]*Did you mean "rate"\?/,
		],
		[
			"an unknown option",
			`${head}fit: { strats: 3 }\n`,
			/3:8: unknown key "strats"[\s\S]*Did you mean "starts"/,
		],
		[
			"an option of the wrong type",
			`${head}fit: { starts: many }\n`,
			/3:16: fit\.starts: expected a whole number from 1 to 1000, found the text "many"/,
		],
		[
			"an option out of range",
			`${head}fit: { starts: 0 }\n`,
			/expected a whole number from 1 to 1000, found 0/,
		],
		["a fraction for a whole number", `${head}fit: { starts: 2.5 }\n`, /found 2\.5/],
		[
			"a number that is none",
			`${head}fit: { tolerance: .nan }\n`,
			/expected a number from 0 to 1, found NaN/,
		],
		["an infinite number", `${head}set: { k: .inf }\n`, /set\.k: expected a number, found Infinity/],
		["yes for true", `${head}fit: { profile: yes }\n`, /expected true or false, found the text "yes"/],
		[
			"a wrong choice",
			`${head}fit: { integrator: fxed }\n`,
			/expected auto, fixed or adaptive[\s\S]*Did you mean "fixed"\?/,
		],
		[
			"auto with a slip",
			`${head}fit: { substeps: atuo }\n`,
			/expected a whole number of at least 1, or auto/,
		],
		[
			"an unknown method",
			`${head}method: bays\n`,
			/expected fit or bayes, found the text "bays"[\s\S]*Did you mean "bayes"\?/,
		],
		["a decimal comma", "model: m.ode\ndata: { file: r.csv, rate: '0,5' }\n", /Write decimals with a point/],
		["a rate of 0", "model: m.ode\ndata: { file: r.csv, rate: 0 }\n", /expected a number above 0, found 0/],
		[
			"rate and time",
			"model: m.ode\ndata: { file: r.csv, rate: 1, time: t }\n",
			/a rate or a time column, not both/,
		],
		["no file", "model: m.ode\ndata: { rate: 1 }\n", /the record has no file/],
		[
			"file and times",
			`model: m.ode\ndata: { file: r.csv, times: { to: 1, step: 0.1 } }\n`,
			/a file or times, not both/,
		],
		["times without a step", "model: m.ode\ndata: { times: { to: 1 } }\n", /either step or samples/],
		[
			"times that run back",
			"model: m.ode\ndata: { times: { from: 2, to: 1, step: 0.1 } }\n",
			/times end at 1, before they start at 2/,
		],
		[
			"too many times",
			"model: m.ode\ndata: { times: { from: 0, to: 1, step: 1e-9 } }\n",
			/the step makes 1000000001 samples/,
		],
		["a list that is empty", "model: m.ode\ndata: []\n", /data: expected a record[\s\S]*found a list/],
		[
			"data that are a text",
			"model: m.ode\ndata: r.csv\n",
			/data: expected a record with its file[\s\S]*found the text "r\.csv"/,
		],
		["an empty value", "model: m.ode\ndata:\n", /2:1: data: expected[\s\S]*found nothing/],
		["no model", "data: { file: r.csv, rate: 1 }\n", /there is no "model"/],
		["no data", "model: m.ode\n", /there is no "data"/],
		["an empty file", "", /the study is empty/],
		["a study that is a list", "- a\n- b\n", /study: expected the keys of a study, found a list/],
		["rows that are a number", `${head}train: 5\n`, /train: expected rows like 1000\.\.40000[\s\S]*found 5/],
		["rows with a colon", `${head}train: "5:10"\n`, /Write {2}5\.\.10/],
		["empty rows", `${head}train: 10..10\n`, /3:8: train: the range 10\.\.10 is empty/],
		["rows that run back", `${head}train: 10..5\n`, /is empty/],
		["too many ranges", `${head}train: [0..5, 5..10]\n`, /train has 2 ranges, the data have 1 records/],
		["nothing to train on", `${head}train: none\n`, /no record is left to train on/],
		["rows and records in test", `${head}test: [0..5, { file: a.csv }]\n`, /test holds rows and records/],
		["a key twice", `${head}seed: 1\nseed: 2\n`, /4:1: this key stands here twice/],
		["a tab", "model: m.ode\ndata:\n\tfile: r.csv\n", /3:1: a tab indents this line/],
		["an open bracket", "model: m.ode\ndata: { file: r.csv\n", /3:1: a bracket is not closed before here/],
		["a tag", `${head}seed: !!python/object 1\n`, /a tag[\s\S]*is not part of a study/],
		["a tag of one's own", `${head}seed: !mine 1\n`, /a tag[\s\S]*is not part of a study/],
		["an alias without anchor", `${head}seed: *nothing\n`, /alias/],
		["two documents", `${head}---\nmodel: m.ode\n`, /a second document starts here/],
		["a second colon", "model: m.ode\ndata: file: r.csv\n", /a second colon in one line/],
		["a negative seed", `${head}seed: -1\n`, /expected a whole number of at least 0, found -1/],
		[
			"a marker that is none",
			"model: m.ode\ndata: { file: r.csv, missing: true }\n",
			/data\.missing: expected a number or a word/,
		],
		["a text in set", `${head}set: { k3: four }\n`, /3:12: set\.k3: expected a number/],
		[
			"a condition without a value",
			"model: m.ode\ndata: { file: r.csv, conditions: { c2: } }\n",
			/data\.conditions\.c2: expected a number, or the name of a column, found nothing/,
		],
	])("%s", (_, text, expected) => {
		expect(errors(text)).toMatch(expected);
	});

	it("names the right record of several", () => {
		const message = errors("model: m.ode\ndata:\n  - { file: a.csv }\n  - { file: b.csv, rate: -1 }\n");
		expect(message).toMatch(/4:26: data\[1\]\.rate: expected a number above 0, found -1/);
	});

	it("does not unfold an alias bomb", () => {
		let text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
		for (let i = 1; i < 12; i++)
			text += `a${i}: &a${i} [${Array(10)
				.fill(`*a${i - 1}`)
				.join(", ")}]\n`;
		expect(errors(text)).toMatch(/too many values/);
	});

	it("stops at an alias that holds itself", () => {
		expect(errors("model: &m [*m]\n")).toMatch(/leads nowhere|too many values/);
	});

	it("does not let a key reach the prototype of an object", () => {
		const study = parse(`${head}set: { __proto__: 1, constructor: 2 }\n`);
		expect(Object.keys(study.set)).toEqual(["__proto__", "constructor"]);
		expect(({} as Record<string, unknown>).constructor).toBe(Object);
		expect(errors(`${head}__proto__: 1\n`)).toMatch(/unknown key "__proto__"/);
	});
});

describe("how a file is read", () => {
	const record = (text: string) =>
		parseStudy(`model: m.ode\ndata: ${text}\n`, "s.yaml", studyMethods).records[0];

	it("may be said beside it", () => {
		const given =
			"{ file: a.csv, time: t, header: 3, separator: semicolon, decimal: comma, dates: day-first, missing: [-999, broken], units: { y: mm }, factors: { y: 0.001, t: 60 } }";
		expect(record(given)).toMatchObject({
			reading: {
				header: 3,
				separator: "semicolon",
				decimal: "comma",
				dates: "day-first",
				words: ["broken"],
				units: { y: "mm" },
			},
			missing: [-999],
			factors: { y: 0.001, t: 60 },
		});
		expect(record("{ file: a.xlsx, time: t, sheet: Data, header: none }").reading).toEqual({
			sheet: "Data",
			header: "none",
		});
		expect(record("{ file: a.csv, time: t }").reading).toEqual({});
	});

	it.each([
		["header: 0", /header: expected a whole number of at least 1, or none/],
		["separator: star", /expected comma, semicolon, tab, pipe or blanks/],
		["dates: american", /expected day-first or month-first/],
		["separator: comma, decimal: comma", /a comma cannot be the decimal sign/],
		["factors: { y: fast }", /data.factors.y: expected a number/],
	])("%s is refused", (text, problem) => {
		expect(() => record(`{ file: a.csv, time: t, ${text} }`)).toThrow(problem);
	});

	it("is written again as it was read, and two ways are two tables", () => {
		const text =
			"model: m.ode\ndata:\n  - { file: a.xlsx, time: t, sheet: A, missing: [broken] }\n  - { file: a.xlsx, time: t, sheet: B }\n";
		const study = parseStudy(text, "s.yaml", studyMethods);
		const again = parseStudy(
			studyText(study, "x' = 1\nmeasure y = x\n", studyMethods, (file) => file),
			"s.yaml",
			studyMethods,
		);
		expect(again.records.map(({ reading }) => reading)).toEqual(study.records.map(({ reading }) => reading));
		expect(new Set(study.records.map(tableKey)).size).toBe(2);
	});
});
