/** Inputs for kernel tests: grids, signals and batches of parameters around a model's typical values. */

import type { Kernel } from "../../../src/lower/ir.ts";
import { type Grid, planGrid } from "../../../src/lower/kernels/grid.ts";
import { WasmKernel } from "../../../src/lower/wasm/instance.ts";
import type { Shape } from "../../../src/lower/wasm/values.ts";
import { compileJs } from "./js-kernel.ts";
import type { TestModel } from "./models.ts";
import { RandomDoubles } from "./random-doubles.ts";

export type Buffers = Record<string, Float64Array>;

export function gridFor(model: TestModel, nSamples: number, substeps = 2): Grid {
	const times = Float64Array.from({ length: nSamples }, (_, i) => i * model.step * substeps);
	const signals = model.inputs.map((_, j) => ({
		at: (t: number): number => 1 + Math.sin((j + 1.3) * t),
		knots: new Float64Array(0),
	}));
	return planGrid(times, 0, { substeps }, signals);
}

/** All buffers of a Runge-Kutta kernel, parameters scattered by 10 %. */
export function batchFor(model: TestModel, grid: Grid, batch: number, nSens: number, seed = 1): Buffers {
	const r = new RandomDoubles(seed);
	const scattered = (values: readonly number[]): Float64Array => {
		const columns = new Float64Array(values.length * batch);
		for (const [i, value] of values.entries())
			for (let b = 0; b < batch; b++) columns[i * batch + b] = value * r.between(0.9, 1.1);
		return columns;
	};
	const nStates = model.components.length;
	const nY = grid.nSamples * model.outputs.length * batch;
	const { t, h, u, emit, sampleT, sampleU } = grid;
	return {
		t,
		h,
		u,
		emit,
		sampleT,
		sampleU,
		params: scattered(model.values),
		x0: scattered(model.start),
		y: new Float64Array(nY),
		dy: new Float64Array(nY * nSens),
		xEnd: new Float64Array(nStates * batch),
		sEnd: new Float64Array(nStates * nSens * batch),
	};
}

function copied(buffers: Buffers): Buffers {
	return Object.fromEntries(Object.entries(buffers).map(([name, values]) => [name, values.slice()]));
}

/** With what the kernel works in. */
export function withWork({ buffers: specs }: Kernel, batch: number, buffers: Buffers): Buffers {
	const own = specs.flatMap(({ name, perLane }) =>
		perLane ? [[name, new Float64Array(perLane * batch)] as const] : [],
	);
	return { ...buffers, ...Object.fromEntries(own) };
}

export function runJs(kernel: Kernel, batch: number, buffers: Buffers, scalars: readonly number[]): Buffers {
	const result = copied(withWork(kernel, batch, buffers));
	compileJs(kernel)(0, batch, batch, ...kernel.buffers.map(({ name }) => result[name]), ...scalars);
	return result;
}

/** The batch must be whole blocks of the shape. */
export function runWasm(
	kernel: Kernel,
	shape: Shape,
	batch: number,
	buffers: Buffers,
	scalars: readonly number[],
): Buffers {
	const wasm = new WasmKernel(kernel, shape);
	const result = copied(withWork(kernel, batch, buffers));
	const views = wasm.reserve(kernel.buffers.map(({ name }) => result[name].length));
	for (const [i, { name }] of kernel.buffers.entries()) views[i].set(result[name]);
	wasm.run(batch, batch, views, scalars);
	for (const [i, { name }] of kernel.buffers.entries()) result[name].set(views[i]);
	return result;
}

/** Where two results differ in their bits (all NaN are one), as text; empty when they agree. */
export function differences(kernel: Kernel, a: Buffers, b: Buffers): string[] {
	const found: string[] = [];
	for (const { name, perLane } of kernel.buffers)
		for (let i = 0; !perLane && i < a[name].length && found.length < 5; i++)
			if (!Object.is(a[name][i], b[name][i])) found.push(`${name}[${i}]: ${a[name][i]} and ${b[name][i]}`);
	return found;
}
