/** Runs a Runge-Kutta kernel over a planned grid for a batch of parameter vectors. */
import type { Kernel } from "../lower/ir.ts";
import type { Grid } from "../lower/kernels/grid.ts";
import type { Compute, Launch } from "./compute.ts";
import { runInline } from "./inline.ts";

/** Columns of the batch: element e of lane b stands at e * batch + b. */
export interface BatchInput {
	readonly batch: number;
	readonly params: Float64Array;
	readonly x0: Float64Array;
	/** Initial sensitivities, for kernels that were built to take them. */
	readonly s0?: Float64Array;
}

export interface BatchOutput {
	/** Outputs at the samples: (sample · nOutputs + output) · batch + lane. */
	readonly y: Float64Array;
	/** Their derivatives: ((sample · nOutputs + output) · nSens + j) · batch + lane; empty without sensitivities. */
	readonly dy: Float64Array;
	/** Final state and its derivatives. */
	readonly xEnd: Float64Array;
	readonly sEnd: Float64Array;
}

export interface Sizes {
	readonly nStates: number;
	readonly nOutputs: number;
	readonly nSens: number;
}

export async function integrateBatch(
	compute: Compute,
	kernel: Kernel,
	grid: Grid,
	input: BatchInput,
	sizes: Sizes,
	/** Results of an earlier run that are no longer needed: overwritten if they fit. */
	used?: BatchOutput,
): Promise<BatchOutput> {
	const { launch, output } = prepare(grid, input, sizes, compute, used);
	await compute.run(kernel, launch);
	return output;
}

/** The same inline, without waiting. */
export function integrateBatchInline(
	kernel: Kernel,
	grid: Grid,
	input: BatchInput,
	sizes: Sizes,
): BatchOutput {
	const { launch, output } = prepare(grid, input, sizes);
	runInline(kernel, launch);
	return output;
}

function prepare(
	grid: Grid,
	input: BatchInput,
	sizes: Sizes,
	compute?: Compute,
	used?: BatchOutput,
): { launch: Launch; output: BatchOutput } {
	const { batch, params, x0, s0 } = input;
	const { nStates, nOutputs, nSens } = sizes;
	const nY = grid.nSamples * nOutputs * batch;
	const lengths = [nY, nY * nSens, nStates * batch, nStates * nSens * batch];
	const old = used && [used.y, used.dy, used.xEnd, used.sEnd];
	const fits = old?.every(({ length }, i) => length === lengths[i]);
	const [y, dy, xEnd, sEnd] = fits
		? old!
		: (compute?.allocate?.(lengths) ?? lengths.map((length) => new Float64Array(length)));
	const output = { y, dy, xEnd, sEnd };
	const { t, h, u, emit, sampleT, sampleU, nSteps } = grid;
	const buffers = { t, h, u, emit, sampleT, sampleU, params, x0, ...(s0 ? { s0 } : {}), ...output };
	return { launch: { batch, buffers, scalars: { nSteps } }, output };
}
