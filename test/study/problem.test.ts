import { describe, expect, it } from "vitest";
import type { Compute } from "../../src/compute/compute.ts";
import { readCsv } from "../../src/data/csv/csv.ts";
import { InputError } from "../../src/errors.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { overlapDoubts } from "../../src/study/records/overlap.ts";
import { tablesOf } from "../../src/study/records/records.ts";
import { StudyError } from "../../src/study/text/study-error.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { studyText } from "../../src/study/text/study-text.ts";
import { studyMethods } from "./study-methods.ts";

const compute = {} as Compute;
const modelText =
	"input u, w = sin(t)\ncondition c\nparam k, g = 9.81\nstate x, z = 0\nx' = u + w - k*x + c\nz' = x\nmeasure y ~ normal(x, 0.1)\nmeasure v ~ normal(z, 0.1)\n";
const rows = (n: number): string =>
	Array.from({ length: n }, (_, i) => `${i / 10},${i},${2 * i},${3 * i}`).join("\n");
const csv = (head: string, n = 20) => readCsv(new TextEncoder().encode(`${head}\n${rows(n)}\n`), "r.csv");

function problem(studyText: string, table = csv("t,u,y,v"), other = table) {
	const study = parseStudy(studyText, "s.yaml", studyMethods);
	return problemFromStudy(
		study,
		parseModel(modelText, "m.ode"),
		new Map([
			["r.csv", table],
			["b.csv", other],
		]),
		compute,
	);
}
const head = "model: m.ode\ndata: { file: r.csv, time: t, conditions: { c: 2 } }\n";
function message(studyText: string, table = csv("t,u,y,v")): string {
	try {
		problem(studyText, table);
	} catch (error) {
		expect(error).toBeInstanceOf(StudyError);
		return (error as Error).message;
	}
	throw new Error("accepted");
}

describe("the problem of a study", () => {
	it("has the inputs and outputs of the model", () => {
		const { train, test, seed } = problem(`${head}train: 2..12\ntest: 12..\nseed: 9\n`);
		expect(seed).toBe(9);
		expect(train).toHaveLength(1);
		expect([...train[0].inputs.keys()]).toEqual(["u"]);
		expect([...train[0].outputs.keys()]).toEqual(["y", "v"]);
		expect(train[0].conditions).toEqual({ c: 2 });
		expect([...train[0].times]).toEqual([0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1]);
		expect([...train[0].outputs.get("y")!.values.slice(0, 2)]).toEqual([4, 6]);
		expect(test[0].times.length).toBe(8);
	});

	it("maps columns", () => {
		const { train } = problem(
			"model: m.ode\ndata: { file: r.csv, rate: 10, start: 5, conditions: { c: 2 }, columns: { u: force, y: pos, v: vel } }\n",
			csv("t,force,pos,vel"),
		);
		expect(train[0].times[0]).toBe(5);
		expect(train[0].times[10]).toBe(6);
	});

	it("tests on other records", () => {
		const { train, test } = problem(`${head}test: [{ file: b.csv, rows: 5..10 }, { file: b.csv }]\n`);
		expect(train[0].name).toBe("r.csv");
		expect(test.map(({ name, times }) => [name, times.length])).toEqual([
			["b.csv", 5],
			["b.csv (2)", 20],
		]);
		expect(test[0].conditions).toEqual({ c: 2 });
	});

	it("names starts as methods do", () => {
		expect(problem(`${head}set: { k: 3, x: 1.5 }\n`).start).toEqual({ k: 3, "x(0)": 1.5 });
		expect(problem(`${head}set: { "x(0)": 1.5 }\n`).start).toEqual({ "x(0)": 1.5 });
	});

	it("reports everything that does not fit, at once and in place", () => {
		const text = message(
			"model: m.ode\ndata: { file: r.csv, columns: { q: a, y: V9 } }\ntrain: 0..5\nset: { g: 1, z: 2, kk: 3 }\n",
		);
		expect(text).toMatch(
			/s\.yaml:2:1: the record says neither its rate nor its time column\n[\s\S]*Add {2}time: t/,
		);
		expect(text).toMatch(/2:33: the model has no input or measurement "q"/);
		expect(text).toMatch(/2:42: r\.csv: has no column V9/);
		expect(text).toMatch(/the condition c has no value in this record/);
		expect(text).toMatch(/4:8: "g" is exactly known in the model/);
		expect(text).toMatch(/4:14: the initial value of z is exactly known/);
		expect(text).toMatch(/4:20: the model has no "kk"\n[\s\S]*Did you mean "k"\?/);
	});

	it("says that a formula takes no column", () => {
		expect(message(head.replace("time: t", "time: t, columns: { w: u }"))).toMatch(
			/input w is a formula: it takes no column/,
		);
	});

	it("says which rows there are", () => {
		expect(message(`${head}train: 15..25\n`)).toMatch(
			/3:8: the range 15\.\.25 does not lie in r\.csv, which has 20 rows/,
		);
		expect(message(`${head}train: 20..\n`)).toMatch(/the range 20\.\. does not lie/);
	});
});

describe("a test on what was learned", () => {
	const titles = (study: string): string[] =>
		overlapDoubts(parseStudy(study, "s.yaml", studyMethods)).map(({ title }) => title);
	it("is doubted", () => {
		expect(titles(`${head}train: 0..10\ntest: 9..12\n`)).toEqual([
			"The test of r.csv uses rows that were learned from",
		]);
		expect(titles(`${head}test: { file: r.csv, rows: 0..5 }\n`)).toHaveLength(1);
	});
	it("is not doubted where the rows or the files differ", () => {
		expect(titles(`${head}train: 0..10\ntest: 10..12\n`)).toEqual([]);
		expect(titles(`${head}test: { file: b.csv }\n`)).toEqual([]);
		expect(titles(head)).toEqual([]);
	});
});

describe("tables", () => {
	it("are read once, and every one that cannot be read is named in its place", async () => {
		const study = parseStudy(
			"model: m.ode\ndata:\n  - { file: a.csv }\n  - { file: r.csv }\n  - { file: r.csv }\n  - { file: b.csv }\n",
			"s.yaml",
			studyMethods,
		);
		const asked: string[] = [];
		const read = async (file: string) => {
			asked.push(file);
			if (file !== "r.csv") throw new InputError(file, "is not there", "Look again.");
			return csv("t,u,y,v");
		};
		await expect(tablesOf(study, read)).rejects.toThrow(
			/s\.yaml:3:13: a\.csv: is not there[\s\S]*s\.yaml:6:13: b\.csv: is not there/,
		);
		expect(asked).toEqual(["a.csv", "r.csv", "b.csv"]);
	});
});

describe("a study as resolved", () => {
	const resolve = (source: string): string => {
		const study = parseStudy(source, "s.yaml", studyMethods);
		return studyText(study, modelText, studyMethods, (file) => `../${file}`);
	};
	it.each([
		head,
		`${head}method: fit\nfit: { starts: 3 }\ntrain: 1..5\ntest: 5..\nset: { k: 1, "x'": 2 }\n`,
		"model: m.ode\ndata: [{ file: a.csv, rate: 3, missing: [-9, .nan] }, { file: b.csv, time: t, name: B }]\ntrain: [0..5, none]\n",
		`${head}test: [{ file: b.csv, rows: 5..10 }, { file: b.csv }]\n`,
		"model: m.ode\ndata: { times: { to: 1, step: 0.1 } }\nsimulate: { noise: true }\n",
	])("means the same and does not change again %#", (source) => {
		const once = resolve(source);
		const again = parseStudy(once, "s.yaml", studyMethods);
		const { places: _, source: __, model, options, records, testRecords, ...rest } = again;
		const {
			places: ___,
			source: ____,
			model: _____,
			options: ______,
			records: r,
			testRecords: tr,
			...first
		} = parseStudy(source, "s.yaml", studyMethods);
		expect(rest).toEqual(first);
		expect(model).toEqual({ kind: "text", text: modelText });
		const moved = (list: typeof r) =>
			list.map((record) => ({ ...record, file: record.file && `../${record.file}` }));
		expect(records).toEqual(moved(r));
		expect(testRecords).toEqual(moved(tr));
		expect(options.fit).toMatchObject({ profile: true, substeps: "auto" });
	});

	it("keeps what other methods were given: all hands it on to them", () => {
		const once = resolve(`${head}method: bayes\nfit: { starts: 3 }\n`);
		const { options } = parseStudy(once, "s.yaml", studyMethods);
		expect(options.fit).toEqual({
			starts: 3,
			tolerance: 1e-6,
			profile: true,
			integrator: "auto",
			substeps: "auto",
		});
	});
});
