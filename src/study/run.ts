/**
 * Drives a method to its end: sets up, advances step by step, tells how far it is, keeps checkpoints, stops when asked.
 * What is done with progress and checkpoints is the host's: a terminal, a run folder, a page.
 */
import type { Result } from "../estimate/result.ts";
import { InputError } from "../errors.ts";
import type { Method, Progress } from "../methods/method.ts";
import type { OptionValues } from "../methods/options.ts";
import type { Problem } from "../methods/problem.ts";

export interface RunHooks {
	/** Once, when the problem was accepted and before the first step: nothing need be written for bad input. */
	onReady?(): void | Promise<void>;
	onProgress?(progress: Progress): void;
	/** State to go on from; called now and then, and when the run is stopped. */
	onCheckpoint?(bytes: Uint8Array, progress: Progress): void | Promise<void>;
	/** True once the run is to stop after the present step. */
	isStopped?(): boolean;
	/** Lets the host see to its events (signals, timers, the screen) between steps. */
	breathe?(): Promise<void>;
}

export interface RunTask {
	readonly method: Method;
	readonly problem: Problem;
	readonly options: OptionValues<Method["options"]>;
	/** A checkpoint to go on from. */
	readonly from?: Uint8Array;
	/** Seconds between checkpoints (default: 5). */
	readonly checkpointEvery?: number;
}

export type RunEnd = { readonly kind: "done"; readonly result: Result } | { readonly kind: "stopped" };

/** Seconds between checkpoints; longer where saving takes long, so that it costs at most a twentieth. */
const usualEvery = 5;
const checkpointShare = 20;

/** What was saved may have been damaged, or changed: that is no bug of the method. */
async function loaded(
	method: Method,
	problem: Problem,
	options: RunTask["options"],
	bytes: Uint8Array,
): Promise<unknown> {
	try {
		return await method.load(problem, options, bytes);
	} catch (error) {
		if (error instanceof InputError) throw error;
		const why = error instanceof Error ? error.message : String(error);
		throw new InputError(
			"the checkpoint",
			`holds a state that ${method.name} cannot go on from (${why})`,
			"Start again from the study.",
		);
	}
}

export async function runStudy(
	{ method, problem, options, from, checkpointEvery = usualEvery }: RunTask,
	hooks: RunHooks = {},
): Promise<RunEnd> {
	const state = from ? await loaded(method, problem, options, from) : await method.prepare(problem, options);
	await hooks.onReady?.();
	let progress: Progress = { done: false, fraction: 0, label: "" };
	let nextCheckpoint = performance.now() + 1000 * checkpointEvery;
	const checkpoint = async (): Promise<void> => {
		if (!hooks.onCheckpoint) return;
		const start = performance.now();
		await hooks.onCheckpoint(method.save(state), progress);
		const took = performance.now() - start;
		nextCheckpoint = performance.now() + Math.max(1000 * checkpointEvery, checkpointShare * took);
	};
	while (!progress.done) {
		await hooks.breathe?.();
		if (hooks.isStopped?.()) {
			await checkpoint();
			return { kind: "stopped" };
		}
		progress = await method.advance(state);
		hooks.onProgress?.(progress);
		if (!progress.done && performance.now() >= nextCheckpoint) await checkpoint();
	}
	return { kind: "done", result: await method.result(state) };
}
