/** The papers' studies are whole: their models parse, their methods apply; with the public records they begin. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { readTableFile } from "../../src/data/node/read-file.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { tablesOf } from "../../src/study/records.ts";
import { parseStudy } from "../../src/study/study-file.ts";

const folder = fileURLToPath(new URL("../../papers/", import.meta.url));
const records = fileURLToPath(new URL("../../../shared/datasets/", import.meta.url));
const studies = readdirSync(folder).filter((file) => file.endsWith(".yaml"));

test.each(studies)("%s", async (file) => {
	const study = parseStudy(readFileSync(folder + file, "utf8"), file, methods);
	if (study.model.kind !== "text") throw new Error("a study of the papers holds its model");
	const model = parseModel(study.model.text, file);
	expect(methods.get(study.method)!.appliesTo(model).applies).toBe(true);
	if (!existsSync(records)) return console.log("the public records are not here: passed over");
	const tables = await tablesOf(study, (name) => readTableFile(records + name.replace(/^data\//, "")));
	const problem = problemFromStudy(study, model, tables, inline);
	expect(problem.train[0].times.length).toBeGreaterThan(1000);
	expect(problem.test.length).toBe(1);
});
