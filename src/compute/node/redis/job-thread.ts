/** What a thread of a queue worker does: one job after the other, each kernel compiled by itself from its checked text. */
import { parentPort } from "node:worker_threads";
import type { Kernel } from "../../../lower/ir.ts";
import { runSlices } from "../../inline.ts";
import { validateKernel } from "../../validate-kernel.ts";
import { failureOf, type ThreadFailure } from "../thread-failure.ts";
import { type JobData, unpackInput } from "./protocol.ts";

export interface ThreadTask {
	readonly job: JobData;
	/** The kernel's text, when this thread has not seen it yet. */
	readonly text?: string;
	readonly scalars: readonly number[];
	readonly uniforms: readonly Float64Array[];
	readonly input: Float64Array;
}
export type ThreadAnswer =
	| { readonly output: Float64Array; readonly seconds: number }
	| { readonly failure: ThreadFailure };

/** Kernels that are kept ready. */
const kept = 64;
const kernels = new Map<string, Kernel>();

parentPort?.on("message", (task: ThreadTask) => {
	try {
		const start = performance.now();
		const output = run(task);
		const answer: ThreadAnswer = { output, seconds: (performance.now() - start) / 1e3 };
		parentPort!.postMessage(answer, [output.buffer as ArrayBuffer]);
	} catch (error) {
		const answer: ThreadAnswer = { failure: failureOf(error) };
		parentPort!.postMessage(answer);
	}
});

function run({ job, text, scalars, uniforms, input }: ThreadTask): Float64Array {
	const known = text === undefined ? kernels.get(job.kernel)! : validateKernel(JSON.parse(text));
	kernels.delete(job.kernel);
	kernels.set(job.kernel, known);
	for (const oldest of kernels.keys()) if (kernels.size > kept) kernels.delete(oldest);
	const { buffers, results, output } = unpackInput(known, job, uniforms, input);
	const args = { batch: job.lanes, buffers, scalars };
	runSlices(known, args, results, [{ from: 0, to: job.lanes }], job.lanes);
	return output;
}
