/** Units go from the header of a file to the axes of its report, and are changed by nobody on the way. */
import { expect, it } from "vitest";
import { inline } from "../../src/compute/inline.ts";
import { readTable } from "../../src/data/read/read-table.ts";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { standardFigures } from "../../src/report/standard-figures.ts";
import { problemFromStudy } from "../../src/study/problem-from-study.ts";
import { tablesOf } from "../../src/study/records/records.ts";
import { runStudy } from "../../src/study/run.ts";
import { parseStudy } from "../../src/study/text/study-file.ts";

const model = "param k\nstate x = 8\nx' = -k*x\nmeasure y ~ normal(x, 0.1)\n";
const rows = Array.from({ length: 12 }, (_, i) => `${i / 2},${8 / 2 ** (i / 2) + (i % 3) / 50}`);

async function labels(header: string, more = ""): Promise<string[]> {
	const text = `model: m.ode\ndata: { file: a.csv, time: t${more} }\nfit: { profile: false, starts: 1 }\n`;
	const study = parseStudy(text, "study.yaml", methods);
	const bytes = new TextEncoder().encode(`${header}\n${rows.join("\n")}\n`);
	const tables = await tablesOf(study, (file, choices) => readTable(bytes, file, choices));
	const problem = problemFromStudy(study, parseModel(model, "m.ode"), tables, inline);
	const end = await runStudy({ method: methods.get("fit")!, problem, options: study.options.fit });
	if (end.kind !== "done") throw new Error("stopped");
	const [{ figures }] = standardFigures(end.result.predictions, end.result.doubts);
	return figures.slice(0, 2).flatMap(({ xLabel, yLabel }) => [xLabel, yLabel]);
}

it.each([
	["t [h],y (mg/L)", "", ["t [h]", "y [mg/L]", "t [h]", "y measured − predicted [mg/L]"]],
	["t,y", "", ["t", "y", "t", "y measured − predicted"]],
	["t/h,y", ", units: { y: mM }", ["t [h]", "y [mM]", "t [h]", "y measured − predicted [mM]"]],
	["t [h],y [mg/L]", ", factors: { t: 60 }", ["t", "y [mg/L]", "t", "y measured − predicted [mg/L]"]],
])("%s%s", async (header, more, expected) => {
	expect(await labels(header, more)).toEqual(expected);
});
