/**
 * Drives a method to its end: tells how far it is, keeps checkpoints, stops when asked. What is done with progress and
 * checkpoints is the host's: a terminal, a run folder, a page.
 */
import type { Result } from "../estimate/result.ts";
import type { Progress } from "../estimate/run/progress.ts";
import { Session, type Task } from "../methods/session.ts";

export interface RunHooks {
	/** Once, when the problem was accepted and before the first step: nothing need be written for bad input. */
	onReady?(): void | Promise<void>;
	/** What is to be seen of the run can be asked of the session. */
	onProgress?(progress: Progress, session: Session): void;
	/** State to go on from; called now and then, and when the run is stopped. */
	onCheckpoint?(bytes: Uint8Array, progress: Progress): void | Promise<void>;
	/** True once the run is to stop after the present step. */
	isStopped?(): boolean;
	/** Lets the host see to its events (signals, timers, the screen) between steps. */
	breathe?(): Promise<void>;
}

export interface RunTask extends Task {
	/** Seconds between checkpoints (default: 5). */
	readonly checkpointEvery?: number;
}

export type RunEnd = { readonly kind: "done"; readonly result: Result } | { readonly kind: "stopped" };

/** Seconds between checkpoints; longer where saving takes long, so that it costs at most a twentieth. */
const usualEvery = 5;
const checkpointShare = 20;

export async function runStudy(
	{ checkpointEvery = usualEvery, ...task }: RunTask,
	hooks: RunHooks = {},
): Promise<RunEnd> {
	const session = await Session.begin(task);
	await hooks.onReady?.();
	let nextCheckpoint = performance.now() + 1000 * checkpointEvery;
	const checkpoint = async (): Promise<void> => {
		if (!hooks.onCheckpoint) return;
		const start = performance.now();
		await hooks.onCheckpoint(session.save(), session.progress);
		const took = performance.now() - start;
		nextCheckpoint = performance.now() + Math.max(1000 * checkpointEvery, checkpointShare * took);
	};
	await hooks.breathe?.();
	for await (const progress of session.steps(() => hooks.isStopped?.() === true)) {
		hooks.onProgress?.(progress, session);
		if (progress.done) break;
		if (performance.now() >= nextCheckpoint) await checkpoint();
		await hooks.breathe?.();
	}
	if (session.progress.done) return { kind: "done", result: await session.result() };
	await checkpoint();
	return { kind: "stopped" };
}
