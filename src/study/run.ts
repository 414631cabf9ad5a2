/**
 * Drives a method to its end: tells how far it is, keeps checkpoints, stops when asked. What is done with progress and
 * checkpoints is the host's: a terminal, a run folder, a page.
 */
import { breathing, Interrupted } from "../compute/breathing.ts";
import type { Prediction, Result } from "../estimate/result.ts";
import type { Progress } from "../estimate/run/progress.ts";
import { Session, type Task } from "../methods/session.ts";
import { KeptState } from "./kept-state.ts";

export interface RunHooks {
	/** Once, when the problem was accepted and before the first step: nothing need be written for bad input. */
	onReady?(): void | Promise<void>;
	/** What is to be seen of the run can be asked of the session. */
	onProgress?(progress: Progress, session: Session): void;
	/** State to go on from; called now and then, and when the run is stopped. */
	onCheckpoint?(bytes: Uint8Array, progress: Progress): void | Promise<void>;
	/** True once the run is to stop: after the present step, or in the midst of one that takes long. */
	isStopped?(): boolean;
	/** Lets the host see to its events (signals, timers, the screen) between steps, and now and then in long ones. */
	breathe?(): Promise<void>;
}

export interface RunTask extends Task {
	/** Seconds between checkpoints (default: 5). */
	readonly checkpointEvery?: number;
}

export type RunEnd = { readonly kind: "done"; readonly result: Result } | { readonly kind: "stopped" };

/** Seconds between checkpoints. */
const usualEvery = 5;

/** Predictions say the units of their records. */
function withUnits(result: Result, { train, test }: RunTask["problem"]): Result {
	const predictions = result.predictions.map((prediction): Prediction => {
		const records = prediction.part === "train" ? train : test;
		const { units } = records.find(({ name }) => name === prediction.experiment) ?? {};
		const [t, y] = [units?.t, units?.[prediction.output]];
		if (t === undefined && y === undefined) return prediction;
		return { ...prediction, units: { ...(t === undefined ? {} : { t }), ...(y === undefined ? {} : { y }) } };
	});
	return { ...result, predictions };
}

export async function runStudy(
	{ checkpointEvery = usualEvery, ...task }: RunTask,
	hooks: RunHooks = {},
): Promise<RunEnd> {
	let isReady = false;
	const isStopped = (): boolean => hooks.isStopped?.() === true;
	const compute = breathing(task.problem.compute, async () => {
		await hooks.breathe?.();
		if (isReady && isStopped()) throw new Interrupted();
	});
	const session = await Session.begin({ ...task, problem: { ...task.problem, compute } });
	await hooks.onReady?.();
	isReady = true;
	const present = (): Uint8Array => session.save();
	const kept = new KeptState(present, 1000 * checkpointEvery);
	const checkpoint = async (state: () => Uint8Array): Promise<void> => {
		if (hooks.onCheckpoint) await kept.write(() => hooks.onCheckpoint!(state(), session.progress));
	};
	const beforeStep = async (): Promise<void> => {
		await hooks.breathe?.();
		if (hooks.onCheckpoint && hooks.isStopped) kept.remember();
	};
	try {
		await beforeStep();
		for await (const progress of session.steps(isStopped)) {
			hooks.onProgress?.(progress, session);
			if (progress.done) break;
			if (kept.isTime) await checkpoint(present);
			await beforeStep();
		}
		if (session.progress.done)
			return { kind: "done", result: withUnits(await session.result(), task.problem) };
		await checkpoint(present);
	} catch (error) {
		if (!(error instanceof Interrupted)) throw error;
		// The step left its state half changed: what was there before it is kept.
		if (kept.bytes) await checkpoint(() => kept.bytes!);
	}
	return { kind: "stopped" };
}
