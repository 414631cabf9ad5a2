/** Runs a question to its answer, with everything around it: folder, checkpoints, bar, Ctrl-C, files, last lines. */
import { InputError } from "../errors.ts";
import { rmseByOutput } from "../estimate/predict/residuals.ts";
import type { Comparison, Result } from "../estimate/result.ts";
import { formatSeconds } from "../report/format.ts";
import { rmseSentences } from "../report/page.ts";
import { accentOf } from "../report/palette.ts";
import { detrendedOf } from "../study/detrended.ts";
import {
	type Checkpoint,
	digest,
	hasCheckpoint,
	removeCheckpoints,
	writeCheckpoint,
} from "../study/node/checkpoint.ts";
import type { RunFolder } from "../study/node/run-folder.ts";
import { overlapDoubts } from "../study/overlap.ts";
import { type RunEnd, runStudy } from "../study/run.ts";
import { exitCodes } from "./failure.ts";
import { comparisonTable, parameterTable } from "./parameter-table.ts";
import { bar, ProgressBar, painter } from "./progress-bar.ts";
import type { Question } from "./question.ts";
import { resolvedText } from "./resolved-study.ts";
import { finishedNow, writeRun } from "./run-files.ts";
import { StopSignal } from "./stop-signal.ts";
import { hasColors, type Terminal } from "./terminal.ts";
import { wrap } from "./wrap.ts";

export interface Work {
	readonly question: Question;
	readonly title: string;
	/** Makes the folder, or gives the one that is there; called once the question was accepted. */
	folder(): RunFolder;
	readonly from?: Checkpoint;
	/** Seconds between checkpoints. */
	readonly checkpointEvery?: number;
	/** Comes to its answer by itself when it is asked to stop. */
	readonly endsItself?: boolean;
}

/** What a checkpoint must agree with to be gone on from. */
export function questionDigest(question: Question, resolved: string): string {
	return digest(resolved, question.data);
}

export async function execute(work: Work, terminal: Terminal): Promise<number> {
	const { question, from } = work;
	const { method, problem, options } = question;
	const bar = new ProgressBar(method.name, terminal, from?.fraction ?? 0);
	const stop = new StopSignal(bar);
	const start = performance.now();
	const seconds = (): number => (from?.seconds ?? 0) + (performance.now() - start) / 1000;
	let folder: RunFolder | undefined;
	let isTold = false;
	let resolved = "";
	let end: RunEnd;
	try {
		end = await runStudy(
			{ method, problem, options, from: from?.state, checkpointEvery: work.checkpointEvery },
			{
				onReady() {
					folder = work.folder();
					const facts = { method: method.name, seed: problem.seed, compute: problem.compute.name };
					folder.log(from ? "resumed" : "started", facts);
					if (!folder.has("study.yaml"))
						folder.write("study.yaml", resolvedText(question.loaded, folder.path));
					resolved = folder.read("study.yaml");
					bar.begin();
				},
				onProgress: (progress) => bar.update(progress),
				onCheckpoint(state, { fraction, label }) {
					const facts = {
						method: method.name,
						question: questionDigest(question, resolved),
						seconds: seconds(),
						fraction,
					};
					try {
						writeCheckpoint(folder!.path, { ...facts, state });
						folder!.log("checkpoint", { fraction, label });
					} catch (error) {
						// A full disk costs the checkpoint, not the run; the one before it is still there.
						const why = error instanceof Error ? error.message : String(error);
						if (stop.asked)
							throw new InputError(
								folder!.path,
								`the last state could not be kept (${why})`,
								"Is the disk full?",
							);
						if (isTold) return;
						isTold = true;
						bar.clear();
						process.stderr.write(`  no checkpoint could be written to ${folder!.path} (${why}); going on\n`);
					}
				},
				isStopped: () => stop.asked && work.endsItself !== true,
				breathe: () => new Promise((next) => setImmediate(next)),
			},
		);
	} catch (error) {
		bar.clear();
		logFailure(folder, error);
		// Bad input leaves nothing behind; a bug leaves the log to be looked at, and work done is kept.
		if (error instanceof InputError && !from && folder && !hasCheckpoint(folder.path)) folder.discard();
		throw error;
	} finally {
		stop.release();
		folder?.close();
	}
	bar.clear();
	const run = folder!;
	if (end.kind === "stopped") return stopped(run, method.name, terminal);
	const facts = finishedNow({
		title: work.title,
		records: question.records,
		noise: question.noise,
		seed: problem.seed,
		seconds: seconds(),
		nSamples: problem.train.reduce((sum, { times }) => sum + times.length, 0),
		detrended: detrendedOf(question.loaded.study, problem),
	});
	const result = { ...end.result, doubts: [...end.result.doubts, ...overlapDoubts(question.loaded.study)] };
	const summary = writeRun(run, result, facts, problem.model);
	removeCheckpoints(run.path);
	run.log("ended", { outcome: result.outcome, seconds: facts.seconds });
	run.close();
	sayResult(result, facts.seconds, question, terminal);
	terminal.say(`  Report   ${run.file("report.html")}`);
	terminal.answer({ ...summary, run: run.path, report: run.file("report.html") });
	return result.answered ? exitCodes.answer : exitCodes.noAnswer;
}

/** Says in the log why a run ended; where even that cannot be written, the reason itself is what counts. */
function logFailure(folder: RunFolder | undefined, error: unknown): void {
	try {
		folder?.log("failed", { message: error instanceof Error ? error.message : String(error) });
	} catch {}
}

function stopped(run: RunFolder, method: string, terminal: Terminal): number {
	run.log("stopped");
	run.close();
	terminal.say(`  ${method} was stopped. Its last state is kept; go on with:`);
	terminal.say(`    odentify resume ${run.path}`);
	terminal.answer({ method, outcome: "stopped", run: run.path });
	return exitCodes.noAnswer;
}

/** A line for each method that was asked: what it said, or why it did not. */
function sayMembers({ answers, refusals }: Comparison, terminal: Terminal): void {
	for (const { method, outcome, message, answered } of answers) {
		const paint = painter(accentOf(method), hasColors(terminal.stream));
		const [first, ...more] = wrap(answered ? outcome : `${outcome}: ${message}`, 88);
		terminal.say(`  ${paint(method.padEnd(10))}  ${first}`);
		for (const line of more) terminal.say(`              ${line}`);
	}
	for (const { method, why } of refusals) {
		const [first, ...more] = wrap(`does not apply: ${why}`, 88);
		terminal.say(`  ${method.padEnd(10)}  ${terminal.colors.dim(first)}`);
		for (const line of more) terminal.say(`              ${terminal.colors.dim(line)}`);
	}
	terminal.say();
}

function sayResult(result: Result, seconds: number, { noise }: Question, terminal: Terminal): void {
	const { colors } = terminal;
	const { method, outcome, parameters, intervalName, predictions } = result;
	const paint = painter(accentOf(method), hasColors(terminal.stream));
	const head = `  ${method.padEnd(10)}  ${paint(bar(result.answered ? 1 : 0))}`;
	terminal.say(`${head}  ${result.answered ? outcome : colors.red(outcome)}   ${formatSeconds(seconds)}`);
	terminal.say();
	const { comparison } = result;
	if (comparison) sayMembers(comparison, terminal);
	const table = comparison
		? comparisonTable(comparison.answers)
		: parameterTable(parameters, method, intervalName);
	for (const line of table) terminal.say(`  ${line}`);
	if (parameters.length > 0) terminal.say();
	terminal.say(`  ${result.message}`);
	const rmse = { train: rmseByOutput(predictions, "train"), test: rmseByOutput(predictions, "test") };
	for (const sentence of rmseSentences(rmse, noise)) terminal.say(`  ${sentence}`);
	for (const { title, text, grave } of result.doubts) {
		terminal.say();
		terminal.say(`  ${grave ? colors.red(`! ${title}`) : colors.yellow(`? ${title}`)}`);
		for (const line of wrap(text, 100)) terminal.say(`    ${line}`);
	}
	terminal.say();
}
