/** Kernels with sensitivities and batches for tests of compute places, and what inline makes of them. */
import { expect } from "vitest";
import type { Compute } from "../../src/compute/compute.ts";
import { runInline } from "../../src/compute/inline.ts";
import type { Kernel } from "../../src/lower/ir.ts";
import { type Buffers, batchFor, differences, gridFor } from "../lower/support/batch.ts";
import { kernelOf, models } from "../lower/support/models.ts";
import { repeated } from "../repetitions.ts";

export interface Work {
	readonly kernel: Kernel;
	readonly batch: number;
	readonly nSteps: number;
	/** Fresh buffers of the launch. */
	buffers(): Buffers;
	/** What inline leaves in them. */
	readonly expected: Buffers;
}

export const names = Object.keys(models) as (keyof typeof models)[];
/** How a batch is cut does not depend on the model: these are soon compiled. */
export const smallNames: readonly (typeof names)[number][] = repeated(["duffing", "tank"], names);
const { params, components } = models.chain();
const wrt = {
	duffing: ["k", "x"],
	morrisLecar: ["gCa", "V4"],
	boucWen: ["nu", "z"],
	tank: ["a1", "h2"],
	chain: [...params, ...components],
};
const kernels = new Map<string, Kernel>();

export function workOf(name: keyof typeof models, batch: number, nSamples = 60): Work {
	const model = models[name]();
	// One object a model, as methods have it.
	const kernel = kernels.get(name) ?? kernelOf(model, wrt[name]);
	kernels.set(name, kernel);
	const grid = gridFor(model, nSamples);
	const buffers = (): Buffers => batchFor(model, grid, batch, wrt[name].length);
	const expected = buffers();
	runInline(kernel, { batch, buffers: expected, scalars: { nSteps: grid.nSteps } });
	return { kernel, batch, nSteps: grid.nSteps, buffers, expected };
}

/** Runs on a place and requires the bits of inline. */
export async function expectSameBits(compute: Compute, work: Work): Promise<void> {
	const { kernel, batch, nSteps } = work;
	const buffers = work.buffers();
	await compute.run(kernel, { batch, buffers, scalars: { nSteps } });
	expect(differences(kernel, buffers, work.expected)).toEqual([]);
	if (!compute.allocate) return;
	// The same into memory that the place has chosen.
	const own = { ...work.buffers(), ...allocated(compute, buffers) };
	await compute.run(kernel, { batch, buffers: own, scalars: { nSteps } });
	expect(differences(kernel, own, work.expected)).toEqual([]);
}

/** Room for the results, as `integrateBatch` has it made. */
export function allocated(compute: Compute, given: Buffers): Buffers {
	const results = ["y", "dy", "xEnd", "sEnd"];
	const arrays = compute.allocate!(results.map((name) => given[name].length));
	return Object.fromEntries(results.map((name, i) => [name, arrays[i]]));
}
