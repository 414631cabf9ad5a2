/** One file with several experiments: `group` makes a record of each. */
import { describe, expect, it } from "vitest";
import type { Compute } from "../../src/compute/compute.ts";
import { readCsv } from "../../src/data/csv/csv.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { overlapDoubts } from "../../src/study/records/overlap.ts";
import { simulationTask } from "../../src/study/simulate/simulate-study.ts";
import { StudyError } from "../../src/study/text/study-error.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";
import { studyText } from "../../src/study/text/study-text.ts";
import { studyMethods } from "./study-methods.ts";

const model = parseModel(
	"condition dose\nparam k\nstate x = dose\nx' = -k*x\nmeasure y ~ normal(x, 0.1)\n",
	"m.ode",
);
/** Subjects in turn, so that rows of one do not stand together. */
const file = `Subject,Sex,Time,Dose,y
a,f,0,4,4.1
b,m,0,2,2.1
a,f,1,4,3.0
b,m,2,2,1.0
a,f,2,4,
b,m,3,2,0.4
c,f,0,3,3
c,f,1,3,2
`;
const base = "model: m.ode\ndata: { file: r.csv, time: Time, group: Subject, conditions: { dose: Dose }";
const tableOf = (text: string) => readCsv(new TextEncoder().encode(text), "r.csv");

function asked(study: string, text = file) {
	const parsed = parseStudy(study, "s.yaml", studyMethods);
	return problemFromStudy(parsed, model, new Map([["r.csv", tableOf(text)]]), {} as Compute);
}

function message(study: string, text = file): string {
	try {
		asked(study, text);
	} catch (error) {
		expect(error).toBeInstanceOf(StudyError);
		return (error as Error).message;
	}
	throw new Error("accepted");
}

describe("groups", () => {
	it("lack the value of a condition together: told once, with the column that may hold it", () => {
		const said = message(`${base.replace(", conditions: { dose: Dose }", "")} }\n`);
		expect(said.match(/the condition dose has no value/g)).toHaveLength(1);
		expect(said).toContain("Add  conditions: { dose: Dose }, the column that holds it");
	});

	it("by a column of words have the nearest name", () => {
		expect(message(`${base.replace("group: Subject", "group: Subjct")} }\n`)).toMatch(
			/Did you mean Subject\?/,
		);
	});

	it("that lack the column of a condition say so once; where nothing tells records apart, that is the remedy", () => {
		const lacking = message(`${base.replace("dose: Dose", "dose: DOSES")} }\n`);
		expect(lacking.match(/has no column DOSES/g)).toHaveLength(1);
		expect(message(`${base.replace("group: Subject, ", "")} }\n`)).toMatch(
			/column Dose changes, from 4 to 2[\s\S]*group: Subject/,
		);
	});

	it("become records, in the order in which they come, with conditions of their own", () => {
		const { train } = asked(`${base} }\n`);
		expect(train.map(({ name }) => name)).toEqual(["Subject a", "Subject b", "Subject c"]);
		expect(train.map(({ conditions }) => conditions.dose)).toEqual([4, 2, 3]);
		expect(train.map(({ times }) => [...times])).toEqual([
			[0, 1, 2],
			[0, 2, 3],
			[0, 1],
		]);
		expect(train.map(({ outputs }) => [...outputs.get("y")!.values])).toEqual([
			[4.1, 3],
			[2.1, 1, 0.4],
			[3, 2],
		]);
	});

	it("are numbers as well, and keep the name of their record", () => {
		const numbers = file.replace(/^a/gm, "1").replace(/^b/gm, "2").replace(/^c/gm, "3.50");
		const { train } = asked(`${base}, name: trial }\n`, numbers);
		expect(train.map(({ name }) => name)).toEqual([
			"trial, Subject 1",
			"trial, Subject 2",
			"trial, Subject 3.5",
		]);
	});

	it("are chosen for training and testing, and rows are those of each", () => {
		const study = `${base}, except: [c] }\ntrain: 0..2\ntest: { file: r.csv, only: c }\n`;
		const { train, test } = asked(study);
		expect(train.map(({ name, times }) => [name, times.length])).toEqual([
			["Subject a", 2],
			["Subject b", 2],
		]);
		expect(test.map(({ name, conditions }) => [name, conditions.dose])).toEqual([["Subject c", 3]]);
		expect(overlapDoubts(parseStudy(study, "s.yaml", studyMethods))).toEqual([]);
		const twice = parseStudy(`${base} }\ntest: { file: r.csv, only: c }\n`, "s.yaml", studyMethods);
		expect(overlapDoubts(twice)).toHaveLength(1);
	});

	it("are simulated one by one", () => {
		const study = parseStudy(`${base} }\nset: { k: 1 }\n`, "s.yaml", studyMethods);
		const { records } = simulationTask(study, model, new Map([["r.csv", tableOf(file)]]));
		expect(records.map(({ conditions }) => conditions.dose)).toEqual([4, 2, 3]);
	});

	it("stand in the resolved study as they were written", () => {
		const study = parseStudy(`${base}, only: [a, b] }\n`, "s.yaml", studyMethods);
		const again = parseStudy(
			studyText(study, "m.ode", studyMethods, (name) => name),
			"s.yaml",
			studyMethods,
		);
		const { group, only, conditionColumns, isNamed } = again.records[0];
		expect({ group, only, conditionColumns, isNamed }).toEqual({
			group: "Subject",
			only: ["a", "b"],
			conditionColumns: { dose: "Dose" },
			isNamed: false,
		});
	});
});

describe("what cannot be grouped", () => {
	it("says what is wrong and what to do", () => {
		expect(message(`${base.replace("group: Subject", "group: Sujet")} }\n`)).toMatch(/no column Sujet/);
		expect(message(`${base}, only: [9] }\n`)).toMatch(/has no Subject 9[\s\S]*There are a, b, c/);
		expect(message(`${base}, except: [a, b, c] }\n`)).toMatch(/no Subject is left/);
		expect(message(`${base} }\n`, `${file}d,m,0,1,1\n`)).toMatch(/Subject d has one row[\s\S]*except: \[d\]/);
		expect(message(`${base} }\n`, file.replace("b,m,2,", ",m,2,"))).toMatch(/row 3 .* has no Subject/);
		expect(message(`${base} }\n`, file.replace("c,f,1,3", "c,f,1,5"))).toMatch(/Dose changes, from 3 to 5/);
		expect(message(`${base.replace("dose: Dose", "dose: Dosis")} }\n`)).toMatch(/no column Dosis/);
		expect(
			message("model: m.ode\ndata: { file: r.csv, time: Time, only: [1], conditions: { dose: 1 } }\n"),
		).toMatch(/only chooses groups/);
	});
	it("finds times that fall within one group only", () => {
		expect(() => asked(`${base} }\n`, file.replace("a,f,2,4", "a,f,0.5,4"))).toThrow(
			/Subject a, column Time: does not increase/,
		);
	});
});
