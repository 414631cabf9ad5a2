/** The papers' studies are whole: their models parse, their methods apply; with records of the shape they name they begin. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { type Table, tableOf } from "../../src/data/table/table.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { tablesOf } from "../../src/study/records/records.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";

const folder = fileURLToPath(new URL("../../papers/", import.meta.url));
const studies = readdirSync(folder).filter((file) => file.endsWith(".yaml"));

/** Columns and rows of the public records, which may not be passed on. */
const shapes: Readonly<Record<string, { readonly names: readonly string[]; readonly nRows: number }>> = {
	"data/silverbox/SNLS80mV.csv": { names: ["V1", "V2"], nRows: 131_072 },
	"data/emps/DATA_EMPS.csv": { names: ["t", "qg", "qm", "vir"], nRows: 24_841 },
	"data/emps/DATA_EMPS_PULSES.csv": { names: ["t", "qg", "qm", "vir", "pulses_N"], nRows: 24_841 },
	"data/boucwen/val_multisine.csv": { names: ["uval_multisine", "yval_multisine"], nRows: 8192 },
};

/** A table of that shape: time in milliseconds, and waves. */
function standIn(file: string): Table {
	const { names, nRows } = shapes[file];
	const value = (name: string, i: number): number =>
		name === "t" ? i * 1e-3 : Math.sin(i / 40 + name.length);
	return tableOf(
		file,
		names.map((name) => ({ name, values: Float64Array.from({ length: nRows }, (_, i) => value(name, i)) })),
	);
}

test.each(studies)("%s", async (file) => {
	const study = parseStudy(readFileSync(folder + file, "utf8"), file, methods);
	if (study.model.kind !== "text") throw new Error("a study of the papers holds its model");
	const model = parseModel(study.model.text, file);
	expect(methods.get(study.method)!.appliesTo(model).applies).toBe(true);
	const tables = await tablesOf(study, async (name) => standIn(name));
	const problem = problemFromStudy(study, model, tables, inline);
	expect(problem.train[0].times.length).toBeGreaterThan(1000);
	expect(problem.test.length).toBe(1);
});
