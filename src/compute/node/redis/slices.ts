/** How a launch is cut into jobs: long enough to be worth their way, short enough that all workers end together. */
import type { Kernel } from "../../../lower/ir.ts";
import type { Arguments } from "../../compute.ts";
import type { Slice } from "../../inline.ts";

/** The most lanes that a kernel does side by side. */
const block = 8;
/** Jobs for each thread, where the work is enough for that. */
const perThread = 4;
/** Share of a job's work below which it is not cut further. */
const least = 0.1;
const mostBytes = 2 ** 25;

export function slicesFor(
	kernel: Kernel,
	{ batch, buffers }: Arguments,
	operations: number,
	perJob: number,
	threads: number,
): Slice[] {
	const bytesPerLane = kernel.buffers.reduce(
		(sum, { kind }, i) => sum + (kind === "lane" ? (8 * buffers[i].length) / batch : 0),
		8,
	);
	const jobs = Math.max(
		operations / perJob,
		Math.min(perThread * threads, operations / (least * perJob)),
		(batch * bytesPerLane) / mostBytes,
		1,
	);
	const lanes = block * Math.ceil(batch / Math.ceil(jobs) / block);
	const slices: Slice[] = [];
	for (let from = 0; from < batch; from += lanes) slices.push({ from, to: Math.min(batch, from + lanes) });
	return slices;
}
