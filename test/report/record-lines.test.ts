/** What is said of records before a run: one by one where they are few, together where they are alike or many. */
import { describe, expect, it } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { readCsv } from "../../src/data/csv/csv.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { recordLines } from "../../src/report/record-lines.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";

const model = parseModel("param k\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.1 + x)", "m.ode");

/** Records with so many samples each. */
function lines(...samples: number[]): string[] {
	const files = samples.map((n, i) => [
		`r${i}.csv`,
		`t,y\n${Array.from({ length: n }, (_, k) => `${k / (n - 1)},${n}`).join("\n")}`,
	]);
	const data = files.map(([file]) => `  - { file: ${file}, time: t }`).join("\n");
	const study = parseStudy(`model: m.ode\ndata:\n${data}\nmethod: fit\n`, "study.yaml", methods);
	const tables = new Map(files.map(([file, text]) => [file, readCsv(new TextEncoder().encode(text), file)]));
	return recordLines(study, problemFromStudy(study, model, tables, inline));
}

describe("lines of records", () => {
	it("one each where they differ", () => {
		expect(lines(4, 5)).toEqual([
			"r0.csv: 4 samples, t = 0 … 1, one output",
			"r1.csv: 5 samples, t = 0 … 1, one output",
		]);
	});

	it("one for those in a row that are alike", () => {
		expect(lines(4, 4, 4, 5)).toEqual([
			"r0.csv … r2.csv: 3 records, each 4 samples, t = 0 … 1, one output",
			"r3.csv: 5 samples, t = 0 … 1, one output",
		]);
	});

	it("a count of the rest where they are many", () => {
		const many = lines(4, 5, 6, 7, 8, 9, 9, 10);
		expect(many.length).toBe(6);
		expect(many[4]).toBe("r4.csv: 8 samples, t = 0 … 1, one output");
		expect(many[5]).toBe("and 3 more records");
	});
});
