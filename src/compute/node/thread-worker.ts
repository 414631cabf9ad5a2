/** What a worker thread does: takes slices of the launch it is told of until none is free. */
import { parentPort } from "node:worker_threads";
import type { Kernel } from "../../lower/ir.ts";
import { compileInline, runSlices, type Slice } from "../inline.ts";
import { type SharedBuffers, sharedViews } from "./shared-launch.ts";
import { SliceBoard } from "./slice-board.ts";
import { failureOf, type ThreadFailure } from "./thread-failure.ts";

/** A launch, as a worker is told of it. */
export interface ThreadJob {
	readonly job: number;
	/** Number of the kernel, with its text when this worker has not seen it yet. */
	readonly kernel: number;
	readonly text?: string;
	readonly thread: number;
	readonly lanes: number;
	readonly widest: number;
	readonly scalars: readonly number[];
	readonly shared: SharedBuffers;
	readonly board: SharedArrayBuffer;
}

/** Sent after each slice, and when one failed. */
export interface ThreadReport {
	readonly job: number;
	readonly failure?: ThreadFailure;
}

const kernels = new Map<number, Kernel>();

parentPort?.on("message", (order: ThreadJob) => {
	const report = (rest: Partial<ThreadReport> = {}): void =>
		parentPort!.postMessage({ job: order.job, ...rest });
	try {
		work(order, report);
	} catch (error) {
		report({ failure: failureOf(error) });
	}
});

function work(order: ThreadJob, report: () => void): void {
	if (order.text !== undefined) kernels.set(order.kernel, JSON.parse(order.text) as Kernel);
	const kernel = kernels.get(order.kernel)!;
	const { lanes, widest, thread, scalars } = order;
	// Compiled before a slice is taken: the others go on meanwhile.
	compileInline(kernel, widest);
	const board = new SliceBoard(lanes, widest, order.board);
	const { buffers, places } = sharedViews(order.shared);
	function* slices(): Generator<Slice> {
		for (let i = board.take(thread); i >= 0; i = board.take(thread)) {
			yield board.slice(i);
			board.finish(i);
			report();
		}
	}
	try {
		runSlices(kernel, { batch: lanes, buffers, scalars }, places, slices(), widest);
	} catch (error) {
		board.release(thread);
		throw error;
	}
}
