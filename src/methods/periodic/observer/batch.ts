/** Many λ at once: the buffers of the batch kernel for a representation, and their evaluation. */
import type { Compute, Launch } from "../../../compute/compute.ts";
import type { Kernel } from "../../../lower/ir.ts";
import { squared } from "../../../num/whole-power.ts";
import { representationKernel } from "./batch-kernel.ts";
import type { Representation } from "./representation.ts";

export interface BatchEvaluation {
	/** Element k of lane b at k · batch + b: intervals × batch. */
	readonly yhat: Float64Array;
	readonly sse: Float64Array;
	readonly R: Float64Array;
	readonly q0: Float64Array;
	readonly closure: Float64Array;
}

/** A launch for these λ: column by column (unknown i of lane b at i · batch + b). */
export function batchArguments(
	rep: Representation,
	lambda: Float64Array,
): Launch & { buffers: Record<string, Float64Array> } {
	const { grid, form, nUnknowns } = rep;
	const batch = lambda.length / Math.max(nUnknowns, 1);
	const { m } = rep.observer;
	const { phi, byG, first, closing } = rep.observer.matrices;
	const d = form.hidden.length;
	return {
		batch,
		buffers: {
			y: rep.y.nodes,
			drive: rep.drive.nodes,
			yStarts: rep.y.starts,
			base: rep.base.y,
			phi,
			byG,
			first,
			closing,
			baseR: rep.base.R,
			lambda,
			uv: new Float64Array(2 * d * grid.count * batch),
			yhat: new Float64Array(grid.intervals * batch),
			sse: new Float64Array(batch),
			R: new Float64Array(m * batch),
			q0: new Float64Array(d * batch),
			closure: new Float64Array(d * batch),
		},
		scalars: {
			intervals: grid.intervals,
			h: grid.h,
			...Object.fromEntries(form.constants.map((name, i) => [`constant ${name}`, rep.constants[i]])),
		},
	};
}

const kernels = new WeakMap<object, Map<number, Kernel>>();

export function kernelFor(rep: Representation): Kernel {
	let own = kernels.get(rep.form);
	if (!own) kernels.set(rep.form, (own = new Map()));
	const { rule } = rep.grid;
	let kernel = own.get(rule.stages);
	if (!kernel) own.set(rule.stages, (kernel = representationKernel(rep.form, rule)));
	return kernel;
}

/** ŷ, R and the sum of squares for many λ. */
export async function evaluateBatch(
	compute: Compute,
	rep: Representation,
	lambda: Float64Array,
): Promise<BatchEvaluation> {
	const launch = batchArguments(rep, lambda);
	await compute.run(kernelFor(rep), launch);
	const { yhat, sse, R, q0, closure } = launch.buffers;
	return { yhat, sse, R, q0, closure };
}

/** Sums of squares for many λ, in one batch where there is a kernel; loops and integrators are followed one λ after the other. */
export async function sumsOfSquares(
	compute: Compute,
	rep: Representation,
	lambda: Float64Array,
): Promise<Float64Array> {
	if (!rep.form.hidden.some(({ loop, closure }) => loop || closure?.of === "w"))
		return (await evaluateBatch(compute, rep, lambda)).sse;
	const batch = lambda.length / rep.nUnknowns;
	return Float64Array.from({ length: batch }, (_, b) => {
		const own = Float64Array.from({ length: rep.nUnknowns }, (_, i) => lambda[i * batch + b]);
		const found = rep.evaluate(own, false);
		return found
			? found.y.reduce((sum, value, k) => sum + squared(value - rep.y.starts[k]), 0)
			: Number.POSITIVE_INFINITY;
	});
}
