/** The files of a run: the same from the command line, from a program and from the page; and read back. */
import { rmseByOutput } from "../estimate/predict/residuals.ts";
import type { Result } from "../estimate/result.ts";
import type { Accent } from "../methods/accent.ts";
import type { Problem } from "../methods/problem.ts";
import type { Model } from "../model/model.ts";
import { equationMathML } from "../model/print/mathml.ts";
import type { RunFacts } from "../study/kept-result.ts";
import { packJson } from "../study/packed-json.ts";
import { detrendedOf } from "../study/records/detrended.ts";
import { trajectoryCsv } from "../study/simulate/trajectory-csv.ts";
import type { Study } from "../study/study.ts";
import { summaryOf } from "../study/summary.ts";
import { version } from "../version.ts";
import { readBibliography } from "./bibliography.ts";
import { reportPage } from "./page.ts";
import { declaredNoise } from "./record-lines.ts";

/** Facts of a run that ends now. */
export function factsNow(
	study: Study,
	problem: Problem,
	{ title, records, seconds }: Pick<RunFacts, "title" | "records" | "seconds">,
): RunFacts {
	return {
		title,
		records,
		noise: declaredNoise(problem.model, problem.train),
		seed: problem.seed,
		seconds,
		nSamples: problem.train.reduce((sum, { times }) => sum + times.length, 0),
		detrended: detrendedOf(study, problem),
		finished: `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`,
		version,
	};
}

export interface EndedRun {
	readonly result: Result;
	/** Of the method. */
	readonly accent: Accent;
	readonly facts: RunFacts;
	readonly model: Model;
	/** The study as resolved, with the model's text in it. */
	readonly study: string;
	/** Text of docs/references.bib. */
	readonly bibliography: string;
	/** Whether the report lies beside the other files and names them. */
	readonly linked: boolean;
}

export type RunFile = Result["files"][number];

/** Everything but study.yaml, which is there before. summary.json comes last: it says "done". */
export function runFiles(run: EndedRun): { files: RunFile[]; summary: Record<string, unknown> } {
	const { result, facts } = run;
	// What only other methods read is not kept.
	const { files, judged: _, ...kept } = result;
	const summary = summaryOf(result, facts);
	const named = files.map(({ name }) => ({ name, content: "" }));
	return {
		summary,
		files: [
			{ name: "result.json", content: packJson({ result: { ...kept, files: named }, facts }) },
			{ name: "trajectory.csv", content: trajectoryCsv(result.predictions) },
			...files,
			{ name: "report.html", content: reportOf(run) },
			{ name: "summary.json", content: `${JSON.stringify(summary, null, 2)}\n` },
		],
	};
}

export function reportOf(run: EndedRun): string {
	const { result, facts, accent, model, study, bibliography, linked } = run;
	// A key that is not there stands for itself.
	const known = readBibliography(bibliography);
	return reportPage({
		...facts,
		result,
		accent,
		equations: model.equations.map((equation) => equationMathML(equation)),
		study,
		references: result.references.map((key) => known.get(key) ?? key),
		files: linked ? ["summary.json", "trajectory.csv", ...result.files.map(({ name }) => name)] : [],
	});
}

/** Root mean square of measured minus predicted, by output. */
export function rmseOf({ predictions }: Result): Record<"train" | "test", Record<string, number>> {
	return { train: rmseByOutput(predictions, "train"), test: rmseByOutput(predictions, "test") };
}
