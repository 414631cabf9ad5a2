/** What a worker thread does: takes slices of the launch it is told of until none is free. */
import { parentPort } from "node:worker_threads";
import type { Kernel } from "../../lower/ir.ts";
import { SharedKernels } from "./shared-kernel.ts";
import type { SharedLaunch } from "./shared-launch.ts";
import { SliceBoard } from "./slice-board.ts";
import { failureOf, type ThreadFailure } from "./thread-failure.ts";

/** A launch, as a worker is told of it. */
export interface ThreadJob {
	readonly job: number;
	/** Number of the kernel, with its text when this worker has not seen it yet. */
	readonly kernel: number;
	readonly text?: string;
	/** The memory, when it is another one than before. */
	readonly memory?: WebAssembly.Memory;
	readonly thread: number;
	readonly widest: number;
	readonly scalars: readonly number[];
	readonly launch: SharedLaunch;
	/** Board of the slices. */
	readonly slices: SharedArrayBuffer;
}

/** Sent when all slices are done, and when one failed. */
export interface ThreadReport {
	readonly job: number;
	readonly failure?: ThreadFailure;
}

const kernels = new Map<number, Kernel>();
const compiled = new SharedKernels();
let memory: WebAssembly.Memory;

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
	if (order.memory) memory = order.memory;
	if (order.text !== undefined) kernels.set(order.kernel, JSON.parse(order.text) as Kernel);
	const { launch, widest, thread, scalars } = order;
	// Compiled before a slice is taken: the others go on meanwhile.
	const kernel = compiled.get(order.kernel, kernels.get(order.kernel)!, widest);
	kernel.prepare(memory);
	const slices = new SliceBoard(launch.lanes, widest, order.slices);
	try {
		for (let i = slices.take(thread); i >= 0; i = slices.take(thread)) {
			kernel.run(memory, slices.slice(i), launch.stride, launch.addresses, scalars);
			slices.finish(i);
		}
		if (slices.isDone) report();
	} catch (error) {
		slices.release(thread);
		throw error;
	}
}
