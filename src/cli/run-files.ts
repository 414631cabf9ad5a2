/** What a run leaves in its folder, and how the report is drawn from that again. */
import { readFileSync } from "node:fs";
import { InputError } from "../errors.ts";
import { rmseByOutput } from "../estimate/predict/residuals.ts";
import type { Result } from "../estimate/result.ts";
import type { Model } from "../model/model.ts";
import { equationMathML } from "../model/print/mathml.ts";
import { readBibliography } from "../report/bibliography.ts";
import { reportPage } from "../report/page.ts";
import type { RunFolder } from "../study/node/run-folder.ts";
import { packJson, unpackJson } from "../study/packed-json.ts";
import { summaryOf } from "../study/summary.ts";
import { trajectoryCsv } from "../study/trajectory-csv.ts";
import { version } from "../version.ts";

/** What the report says besides the result. */
export interface RunFacts {
	readonly title: string;
	readonly records: readonly string[];
	readonly noise: Readonly<Record<string, number>>;
	readonly seed: number;
	readonly seconds: number;
	readonly finished: string;
	readonly version: string;
	readonly nSamples: number;
	readonly detrended?: unknown;
}

/** Everything but study.yaml and the log, which a run writes when it starts. summary.json comes last: it says "done". */
export function writeRun(
	folder: RunFolder,
	result: Result,
	facts: RunFacts,
	model: Model,
): Record<string, unknown> {
	const { files, ...kept } = result;
	folder.write(
		"result.json",
		packJson({ result: { ...kept, files: files.map(({ name }) => ({ name, content: "" })) }, facts }),
	);
	folder.write("trajectory.csv", trajectoryCsv(result.predictions));
	for (const { name, content } of files) folder.write(name, content);
	folder.write("report.html", page(folder, result, facts, model));
	const summary = summaryOf(result, facts);
	folder.write("summary.json", `${JSON.stringify(summary, null, 2)}\n`);
	return summary;
}

/** Draws the report from the folder alone. */
export function redraw(folder: RunFolder, model: Model): void {
	const { result, facts } = readRun(folder);
	folder.write("report.html", page(folder, result, facts, model));
}

export function readRun(folder: RunFolder): { result: Result; facts: RunFacts } {
	if (!folder.has("result.json"))
		throw new InputError(
			folder.path,
			"holds no result yet",
			`Let the run end:  odentify resume ${folder.path}`,
		);
	const path = folder.file("result.json");
	const { result, facts } = (unpackJson(folder.read("result.json"), path) ?? {}) as {
		result?: Result;
		facts?: RunFacts;
	};
	const whole =
		result &&
		facts &&
		[result.parameters, result.predictions, result.doubts, result.figures, result.files, facts.records].every(
			Array.isArray,
		) &&
		typeof result.message === "string" &&
		typeof facts.title === "string";
	if (!whole) throw new InputError(path, "is not a whole result", "Do the study again.");
	return { result, facts };
}

function page(folder: RunFolder, result: Result, facts: RunFacts, model: Model): string {
	return reportPage({
		...facts,
		result,
		rmse: {
			train: rmseByOutput(result.predictions, "train"),
			test: rmseByOutput(result.predictions, "test"),
		},
		equations: model.equations.map((equation) => equationMathML(equation)),
		study: folder.read("study.yaml"),
		references: referencesOf(result.references),
		files: ["summary.json", "trajectory.csv", ...result.files.map(({ name }) => name)],
	});
}

/** The sentences of docs/references.bib; a key that is not there stands for itself. */
function referencesOf(keys: readonly string[]): string[] {
	const known = readBibliography(bibliography());
	return keys.map((key) => known.get(key) ?? key);
}

/** docs/references.bib, or nothing where the docs were left out. */
export function bibliography(): string {
	try {
		return readFileSync(new URL("../../docs/references.bib", import.meta.url), "utf8");
	} catch {
		return "";
	}
}

/** Facts of a run that ends now. */
export function finishedNow(facts: Omit<RunFacts, "finished" | "version">): RunFacts {
	const finished = `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`;
	return { ...facts, finished, version };
}
