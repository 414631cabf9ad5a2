/** Runs a study of the page to its end, exactly as the command line runs the file that the page would save. */
import bibliography from "../../docs/references.bib?raw";
import { type Compute, inline, WebWorkers, type WorkerPort } from "../../src/compute/index.ts";
import { InputError, model as readModel } from "../../src/index.ts";
import { methods, type Result, Session } from "../../src/methods/index.ts";
import {
	factsNow,
	recordLines,
	rmseOf,
	rmseSentences,
	runFiles,
	standardFigures,
} from "../../src/report/index.ts";
import {
	overlapDoubts,
	parseStudy,
	parseStudyModel,
	problemFromStudy,
	runStudy,
	studyText,
	tablesOf,
} from "../../src/study/index.ts";
import type { ComputePlace, Finished, FromEngine, Questions, RunAnswer, RunFile } from "../contract.ts";
import { LiveWatch } from "./live-watch.ts";
import type { RunControl } from "./run-control.ts";
import { planText } from "./studies.ts";

/** Milliseconds between two messages: more often no one sees. */
const progressEvery = 40;

export async function runPlan(
	{ plan, tables, place, from, soFar }: Questions["run"]["ask"],
	control: RunControl,
	send: (event: FromEngine) => void,
): Promise<RunAnswer> {
	// At once: a long record takes a while before its first step is done.
	let last = { fraction: 0, label: "taking the records" };
	let nextProgress = 0;
	const tell = (progress = last): void => {
		last = progress;
		if (performance.now() < nextProgress) return;
		nextProgress = performance.now() + progressEvery;
		send({ event: "progress", ...last });
	};
	tell();
	const text = planText(plan);
	const study = parseStudy(text, "study.yaml", methods);
	const model = parseStudyModel(study, plan.model, "study.yaml", readModel);
	const byName = new Map(tables.map((table) => [table.source, table]));
	const read = await tablesOf(study, async (file) => {
		const table = byName.get(file);
		if (!table) throw new InputError(file, "is not loaded", "Drop the file onto the data pane.");
		return { ...table, columns: [...table.columns], skipped: [...table.skipped] };
	});
	const compute = computeOf(place);
	const problem = problemFromStudy(study, model, read, compute);
	const method = methods.get(study.method)!;
	const options = study.options[study.method];
	const watch = new LiveWatch(send);
	const start = performance.now();
	let session: Session | undefined;
	let kept = from;
	let done = 0;
	const finish = (answer: Result): Finished => {
		const result: Result = { ...answer, doubts: [...answer.doubts, ...overlapDoubts(study)] };
		const seconds = (performance.now() - start) / 1000;
		const { title } = plan;
		const facts = factsNow(study, problem, { title, records: recordLines(study, problem), seconds });
		const { files, summary } = runFiles({
			result,
			accent: method.accent,
			facts,
			model,
			study: studyText(study, plan.model, methods, (file) => file),
			bibliography,
			linked: false,
		});
		return {
			title,
			result: { ...result, files: [] },
			fits: standardFigures(result.predictions, result.doubts),
			summary,
			rmse: rmseOf(result),
			sentences: rmseSentences(result, facts.noise),
			seconds,
			files: inOrder([...files, { name: "study.yaml", content: text }]),
		};
	};
	const stopped = async (state: Uint8Array): Promise<RunAnswer> => {
		const found = await answerSoFar({ method, problem, options, from: state }, done);
		return { kind: "stopped", from: state, ...(found ? { finished: finish(found) } : {}) };
	};
	try {
		if (from && soFar !== undefined) {
			done = soFar;
			return await stopped(from);
		}
		const end = await runStudy(
			{ method, problem, options, ...(from ? { from } : {}) },
			{
				onProgress({ fraction, label }, running) {
					session = running;
					done = fraction;
					tell({ fraction, label });
				},
				onReady: () => tell({ fraction: done, label: "the first step" }),
				onCheckpoint(bytes) {
					kept = bytes;
					if (!control.stopped) send({ event: "checkpoint", bytes });
				},
				isStopped: () => control.stopped,
				async breathe() {
					await control.breathe();
					// Within a long step the clock goes on.
					tell();
					if (session) await watch.look(session);
				},
			},
		);
		if (end.kind === "done") return { kind: "done", finished: finish(end.result) };
		send({ event: "stopped" });
		return kept ? await stopped(kept) : { kind: "stopped" };
	} finally {
		await compute.close?.();
	}
}

/** What a stopped run had found, from the state that it left: a step may have been broken off in its midst. */
async function answerSoFar(
	task: Parameters<typeof Session.begin>[0],
	done: number,
): Promise<Result | undefined> {
	try {
		const session = await Session.begin(task);
		const result = (await session.result()) as Result;
		if (result.parameters.length + result.predictions.length === 0) return undefined;
		const message = `Stopped at ${Math.floor(100 * done)} %: this is the answer so far, and it may still change.`;
		return { ...result, outcome: "stopped", answered: false, message };
	} catch {
		return undefined;
	}
}

/** What is asked for most comes first; what only the program reads, last. */
function inOrder(files: readonly RunFile[]): RunFile[] {
	const first = ["summary.json", "trajectory.csv", "report.html", "study.yaml"];
	const isFirst = ({ name }: RunFile): boolean => first.includes(name);
	const place = ({ name }: RunFile): number => (name === "result.json" ? 1 : 0);
	return [
		...files.filter(isFirst).sort((a, b) => first.indexOf(a.name) - first.indexOf(b.name)),
		...files.filter((file) => !isFirst(file)).sort((a, b) => place(a) - place(b)),
	];
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
