/** Runs a study of the page to its end, exactly as the command line runs the file that the page would save. */
import bibliography from "../../docs/references.bib?raw";
import { type Compute, inline, WebWorkers, type WorkerPort } from "../../src/compute/index.ts";
import { InputError, version } from "../../src/index.ts";
import { type Method, methods, type Result } from "../../src/methods/index.ts";
import { equationMathML, parseModel } from "../../src/model/index.ts";
import {
	declaredNoise,
	readBibliography,
	recordLine,
	reportPage,
	rmseSentences,
	standardFigures,
} from "../../src/report/index.ts";
import {
	detrendedOf,
	overlapDoubts,
	packJson,
	parseStudy,
	parseStudyModel,
	problemFromStudy,
	rmseByOutput,
	runStudy,
	studyText,
	summaryOf,
	tablesOf,
	trajectoryCsv,
} from "../../src/study/index.ts";
import type { ComputePlace, Finished, FromEngine, Questions, RunFile } from "../contract.ts";
import { LiveWatch } from "./live-watch.ts";
import type { RunControl } from "./run-control.ts";
import { planText } from "./studies.ts";

/** Milliseconds between two messages: more often no one sees. */
const progressEvery = 40;

export async function runPlan(
	{ plan, tables, place }: Questions["run"]["ask"],
	control: RunControl,
	send: (event: FromEngine) => void,
): Promise<Finished | undefined> {
	const text = planText(plan);
	const study = parseStudy(text, "study.yaml", methods);
	const model = parseStudyModel(study, plan.model, "study.yaml", parseModel);
	const byName = new Map(tables.map((table) => [table.source, table]));
	const read = await tablesOf(study, async (file) => {
		const table = byName.get(file);
		if (!table) throw new InputError(file, "is not loaded", "Drop the file onto the data pane.");
		return { ...table, columns: [...table.columns], skipped: [...table.skipped] };
	});
	const compute = computeOf(place);
	const problem = problemFromStudy(study, model, read, compute);
	const method = methods.get(study.method)!;
	const watch = new LiveWatch(method, send);
	const start = performance.now();
	let nextProgress = 0;
	try {
		const end = await runStudy(
			{ method: watch.method as Method, problem, options: study.options[study.method] },
			{
				onProgress({ fraction, label }) {
					if (performance.now() < nextProgress) return;
					nextProgress = performance.now() + progressEvery;
					send({ event: "progress", fraction, label });
				},
				isStopped: () => control.stopped,
				async breathe() {
					await control.breathe();
					await watch.look();
				},
			},
		);
		if (end.kind === "stopped") return undefined;
		const result: Result = { ...end.result, doubts: [...end.result.doubts, ...overlapDoubts(study)] };
		const seconds = (performance.now() - start) / 1000;
		const inSeconds = study.records.every(({ rate }) => rate !== undefined);
		const rmse = {
			train: rmseByOutput(result.predictions, "train"),
			test: rmseByOutput(result.predictions, "test"),
		};
		const noise = declaredNoise(model);
		const facts = {
			title: plan.title,
			records: [
				...problem.train.map((each) => `${each.name}: ${recordLine(each, model, inSeconds)}`),
				...problem.test.map((each) => `${each.name} (test): ${recordLine(each, model, inSeconds)}`),
			],
			noise,
			seed: problem.seed,
			seconds,
			nSamples: problem.train.reduce((sum, { times }) => sum + times.length, 0),
			detrended: detrendedOf(study, problem),
			finished: `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`,
			version,
		};
		const resolved = studyText(study, plan.model, methods, (file) => file);
		const summary = summaryOf(result, facts);
		const known = readBibliography(bibliography);
		const report = reportPage({
			...facts,
			result,
			accent: method.accent,
			rmse,
			equations: model.equations.map((equation) => equationMathML(equation)),
			study: resolved,
			references: result.references.map((key) => known.get(key) ?? key),
			files: [],
		});
		const { files: own, ...kept } = result;
		const files: RunFile[] = [
			{ name: "summary.json", content: `${JSON.stringify(summary, null, 2)}\n` },
			{ name: "trajectory.csv", content: trajectoryCsv(result.predictions) },
			{ name: "report.html", content: report },
			{ name: "study.yaml", content: text },
			...own.map(({ name, content }) => ({ name, content: content as RunFile["content"] })),
			{
				name: "result.json",
				content: packJson({
					result: { ...kept, files: own.map(({ name }) => ({ name, content: "" })) },
					facts,
				}),
			},
		];
		return {
			title: plan.title,
			result: { ...result, predictions: [], files: [] },
			fits: standardFigures(result.predictions, result.doubts),
			summary,
			rmse,
			sentences: rmseSentences(rmse, noise),
			seconds,
			files,
		};
	} finally {
		await compute.close?.();
	}
}

function computeOf({ workers, shared }: ComputePlace): Compute {
	if (!(workers > 0) || typeof Worker === "undefined") return inline;
	return new WebWorkers({
		workers,
		shared,
		start: () =>
			new Worker(new URL("./compute-worker.ts", import.meta.url), {
				type: "module",
			}) as unknown as WorkerPort,
	});
}
