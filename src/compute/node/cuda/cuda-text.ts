/** A kernel as CUDA, ready for a given number of threads a block. */
import { emitC } from "../../../lower/c/emit.ts";
import type { Kernel } from "../../../lower/ir.ts";

/** Threads a block: a few warps, so that blocks of large kernels still fit beside one another. */
export const threadsPerBlock = 128;

export function cudaText(kernel: Kernel): string {
	return emitC(kernel, { dialect: "cuda" }).replace(
		'extern "C" __global__ void run(',
		`extern "C" __global__ void __launch_bounds__(${threadsPerBlock}) run(`,
	);
}
