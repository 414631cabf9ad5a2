/** Runs a question to its answer, with everything around it: folder, checkpoints, bar, Ctrl-C, files, last lines. */
import { PlaceError } from "../compute/place-error.ts";
import { InputError } from "../errors.ts";
import type { Comparison, Result } from "../estimate/result.ts";
import { accentOf } from "../methods/accent.ts";
import { formatSeconds } from "../report/format.ts";
import { rmseSentences } from "../report/page.ts";
import { factsNow } from "../report/run-files.ts";
import { type Checkpoint, digest, formOf, hasCheckpoint, startAgain } from "../study/node/checkpoint.ts";
import { FolderError } from "../study/node/folder-error.ts";
import type { RunFolder } from "../study/node/run-folder.ts";
import { overlapDoubts } from "../study/records/overlap.ts";
import { type RunEnd, runStudy } from "../study/run.ts";
import { exitCodes } from "./failure.ts";
import { resolvedText } from "./files/resolved-study.ts";
import { writeRun } from "./files/run-files.ts";
import type { Question } from "./question.ts";
import { StopSignal } from "./stop-signal.ts";
import { lawLines } from "./terminal/law-lines.ts";
import { comparisonTable, parameterTable } from "./terminal/parameter-table.ts";
import { bar, ProgressBar } from "./terminal/progress-bar.ts";
import { toErr } from "./terminal/screen.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { wrap } from "./terminal/wrap.ts";

export interface Work {
	readonly question: Question;
	readonly title: string;
	/** Makes the folder, or gives the one that is there; it must be ours. Called once the question was accepted. */
	folder(): RunFolder;
	/** What is to be done with the folder before the study is written there. */
	begin?(folder: RunFolder): void;
	readonly from?: Checkpoint;
	/** Seconds between checkpoints. */
	readonly checkpointEvery?: number;
	/** Comes to its answer by itself when it is asked to stop. */
	readonly endsItself?: boolean;
}

/** Throws when a checkpoint is not one of this question, in the form that its method writes. */
export function assertFits(checkpoint: Checkpoint, question: Question, folder: RunFolder): void {
	const asked = questionDigest(question, folder.read("study.yaml"));
	if (checkpoint.method !== question.method.name || checkpoint.question !== asked)
		throw new InputError(
			folder.path,
			`its checkpoint belongs to another question: study.yaml${question.data ? " or the data were" : " was"} changed since`,
			`Undo the change, or ${startAgain(folder.path)}`,
		);
	if (checkpoint.form !== formOf(question.method))
		throw new InputError(
			folder.path,
			`the state in its checkpoint has the form "${checkpoint.form}", and this Odentify knows "${formOf(question.method)}"`,
			`Go on with the Odentify that wrote it, or ${startAgain(folder.path)}`,
		);
}

/** What a checkpoint must agree with to be gone on from. */
function questionDigest(question: Question, resolved: string): string {
	return digest(resolved, question.data);
}

export async function execute(work: Work, terminal: Terminal): Promise<number> {
	const bar = new ProgressBar(work.question.method.name, terminal, work.from?.fraction ?? 0);
	const opened: { folder?: RunFolder } = {};
	try {
		return await executeIn(opened, work, bar, terminal);
	} catch (error) {
		bar.clear();
		throw afterFailure(opened.folder, error, work.from !== undefined);
	} finally {
		opened.folder?.close();
	}
}

async function executeIn(
	opened: { folder?: RunFolder },
	work: Work,
	bar: ProgressBar,
	terminal: Terminal,
): Promise<number> {
	const { question, from } = work;
	const { method, problem, options } = question;
	const stop = new StopSignal(bar);
	const start = performance.now();
	const seconds = (): number => (from?.seconds ?? 0) + (performance.now() - start) / 1000;
	let isTold = false;
	let resolved = "";
	let end: RunEnd;
	try {
		end = await runStudy(
			{ method, problem, options, from: from?.state, checkpointEvery: work.checkpointEvery },
			{
				onReady() {
					const folder = work.folder();
					opened.folder = folder;
					const facts = { method: method.name, seed: problem.seed, compute: problem.compute.name };
					folder.log(from ? "resumed" : "started", facts);
					work.begin?.(folder);
					if (!folder.has("study.yaml"))
						folder.write("study.yaml", resolvedText(question.loaded, folder.path));
					resolved = folder.read("study.yaml");
					bar.begin();
				},
				onProgress: (progress) => bar.update(progress),
				onCheckpoint(state, { fraction, label }) {
					const folder = opened.folder!;
					const facts = {
						method: method.name,
						form: formOf(method),
						question: questionDigest(question, resolved),
						seconds: seconds(),
						fraction,
					};
					try {
						folder.writeCheckpoint({ ...facts, state });
						folder.log("checkpoint", { fraction, label });
					} catch (error) {
						// A full disk costs the checkpoint, not the run; the one before it is still there.
						if (!(error instanceof FolderError) || stop.asked) throw error;
						if (isTold) return;
						isTold = true;
						bar.clear();
						toErr(`  no checkpoint: ${error.subject} ${error.problem}; going on\n`);
					}
				},
				isStopped: () => stop.asked && work.endsItself !== true,
				breathe: () => new Promise((next) => setImmediate(next)),
			},
		);
	} finally {
		stop.release();
	}
	bar.clear();
	const run = opened.folder!;
	if (end.kind === "stopped") return stopped(run, method.name, terminal);
	const facts = factsNow(question.loaded.study, problem, {
		title: work.title,
		records: question.records,
		seconds: seconds(),
	});
	const result = { ...end.result, doubts: [...end.result.doubts, ...overlapDoubts(question.loaded.study)] };
	const summary = writeRun(run, result, facts, problem.model);
	run.removeCheckpoints();
	logIfPossible(run, "ended", { outcome: result.outcome, seconds: facts.seconds });
	sayResult(result, facts.seconds, question, terminal);
	terminal.say(`  Report   ${run.file("report.html")}`);
	terminal.answer({ ...summary, run: run.path, report: run.file("report.html") });
	return result.answered ? exitCodes.answer : exitCodes.noAnswer;
}

/** Sees to the folder of a run that failed; gives the error as the user is to read it. */
function afterFailure(folder: RunFolder | undefined, error: unknown, resumed: boolean): unknown {
	if (!folder) return error;
	logIfPossible(folder, "failed", { message: error instanceof Error ? error.message : String(error) });
	const canGoOn = folder.has("study.yaml");
	if (error instanceof FolderError && canGoOn) return error.goingOn(folder.path);
	if (error instanceof PlaceError && hasCheckpoint(folder.path)) return error.goingOn(folder.path);
	// Bad input leaves nothing behind; a bug leaves the log to be looked at, and work done is kept.
	if (error instanceof InputError && !resumed && !hasCheckpoint(folder.path)) folder.discard();
	return error;
}

/** Where the log cannot be written, what was to be said there is not worth failing for. */
function logIfPossible(folder: RunFolder, event: string, facts: Record<string, unknown> = {}): void {
	try {
		folder.log(event, facts);
	} catch {}
}

function stopped(run: RunFolder, method: string, terminal: Terminal): number {
	logIfPossible(run, "stopped");
	terminal.say(`  ${method} was stopped. Its last state is kept; go on with:`);
	terminal.say(`    odentify resume ${run.path}`);
	terminal.answer({ method, outcome: "stopped", run: run.path });
	return exitCodes.noAnswer;
}

/** The outcome and what is said of it, which may begin with the same word. */
function unanswered(outcome: string, message: string): string {
	const head = `${outcome}: `;
	return head + (message.toLowerCase().startsWith(head) ? message.slice(head.length) : message);
}

/** A line for each method that was asked: what it said, or why it did not. */
function sayMembers({ answers, refusals }: Comparison, terminal: Terminal): void {
	for (const { method, outcome, message, answered } of answers) {
		const paint = terminal.colors[accentOf(method).terminal];
		const [first, ...more] = wrap(answered ? outcome : unanswered(outcome, message), 88);
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
	const { method, outcome, parameters, intervalName } = result;
	const paint = terminal.colors[accentOf(method).terminal];
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
	for (const line of lawLines(result)) terminal.say(line);
	terminal.say(`  ${result.message}`);
	for (const sentence of rmseSentences(result, noise)) terminal.say(`  ${sentence}`);
	for (const { title, text, grave } of result.doubts) {
		terminal.say();
		terminal.say(`  ${grave ? colors.red(`! ${title}`) : colors.yellow(`? ${title}`)}`);
		for (const line of wrap(text, 100)) terminal.say(`    ${line}`);
	}
	const { notes = [] } = result;
	if (notes.length > 0) terminal.say();
	for (const { title } of notes) terminal.say(`  ${colors.dim(`· ${title}`)}`);
	terminal.say();
}
