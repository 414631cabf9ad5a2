/** What the engine advises in words of the study file is said in words of the page where the page shows it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { methods } from "../../src/methods/index.ts";
import { pageWords } from "../../workbench/page/page-words.ts";
import { root } from "../cli/odentify.ts";

const keys = [
	"time",
	"rate",
	"missing",
	"columns",
	"conditions",
	"detrend",
	"input",
	"train",
	"test",
	"set",
	"data",
	"method",
	...methods.keys(),
];
const studyWords = new RegExp(`\\b(?:${keys.join("|")}):(?: |\\.|,|$)|data section`);

describe("advice", () => {
	it("points to the field of the page", () => {
		for (const [written, shown] of [
			[
				"If it stands for a missing value, say  missing: [NaN]  in the data section of the study.",
				"If it stands for a missing value, write NaN at “no value” under “Columns and clock”.",
			],
			[
				"If it stands for a missing one, say so:  data: { missing: [-999, .inf] }.",
				"If it stands for a missing one, write -999, inf at “no value” under “Columns and clock”.",
			],
			[
				"Name the column of the input u:  columns: { u: … }  Its columns are t, v.",
				"Choose the column of the input u under “Columns and clock”. Its columns are t, v.",
			],
			["Add  time: t", "Choose t as time under “Columns and clock”."],
			["If it is not, use  method: fit.", "If it is not, use fit."],
			[
				"which terms there are is for  method: inversion  to find.",
				"which terms there are is for inversion to find.",
			],
			["Raise  bayes: { maxStages }.", "Raise “maxStages” in the options of bayes."],
			["Use  bayes: { sampler: ibis }.", "Use “sampler” ibis in the options of bayes."],
			[
				"Give a start under  set:, or propose other terms.",
				"Give a start at “set” in the options, or propose other terms.",
			],
			["Add  conditions: { c: 1 }", "Write its value at “c” under “Columns and clock”."],
			[
				"If they hold at an earlier time, say when under data:  start: -0.5.",
				"If they hold at an earlier time, write -0.5 at “start” under “Columns and clock”.",
			],
			["Write the lower bound first:  in [lo, hi].", "Write the lower bound first:  in [lo, hi]."],
		])
			expect(pageWords(written)).toBe(shown);
	});

	it("has no words of the study file left, whatever method gives it", () => {
		// What only the command line says, or what is said of a study file that the user wrote.
		const elsewhere =
			/node\/|language\/|reproduce|study-file|dose-shape|simulat|compare-evidence|schema|yaml/;
		const files = ["methods", "data", "study", "model"].flatMap((folder) =>
			readdirSync(join(root, "src", folder), { recursive: true, encoding: "utf8" })
				.filter((name) => name.endsWith(".ts"))
				.map((name) => join(folder, name))
				.filter((name) => !elsewhere.test(name)),
		);
		const said = files.flatMap((file) => {
			const text = readFileSync(join(root, "src", file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
			const strings = [...text.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
				([, a, b]) => a ?? b,
			);
			return strings
				.filter((each) => / {2}/.test(each) && studyWords.test(each))
				.map((each) => ({ file, each }));
		});
		expect(said.length).toBeGreaterThan(30);
		expect(said.filter(({ each }) => studyWords.test(pageWords(each)))).toEqual([]);
	});
});
