/** Tries a place to compute on one small kernel: does it give the bits of inline, and how fast. */
import type { Kernel } from "../../lower/ir.ts";
import { planGrid } from "../../lower/kernels/grid.ts";
import { rungeKuttaKernel } from "../../lower/kernels/runge-kutta.ts";
import { Graph } from "../../model/graph.ts";
import type { Compute } from "../compute.ts";
import { runInline } from "../inline.ts";

export interface ProbeResult {
	/** Steps of all lanes in a second: the best of a few runs. */
	readonly rate: number;
	/** Seconds of the first run, with all that it has to start and to compile. */
	readonly first: number;
	/** Whether the bits are those of inline. */
	readonly same: boolean;
}

const batch = 1024;
const nSamples = 501;
const repetitions = 7;

export async function probe(compute: Compute): Promise<ProbeResult> {
	const kernel = duffingKernel();
	const times = Float64Array.from({ length: nSamples }, (_, i) => 0.05 * i);
	const grid = planGrid(times, 0, { substeps: 4 }, []);
	const lanes = (values: readonly number[]): Float64Array =>
		Float64Array.from({ length: values.length * batch }, (_, i) => {
			const lane = i % batch;
			return values[(i - lane) / batch] * (1 + lane / (2 * batch));
		});
	const lengths = [nSamples * batch, 2 * batch];
	const [y, xEnd] = compute.allocate?.(lengths) ?? lengths.map((length) => new Float64Array(length));
	const launch = {
		batch,
		buffers: {
			...{ t: grid.t, h: grid.h, u: grid.u, emit: grid.emit, sampleT: grid.sampleT, sampleU: grid.sampleU },
			params: lanes([0.2, 1, 0.5]),
			x0: lanes([0.5, 0]),
			y,
			xEnd,
		},
		scalars: { nSteps: grid.nSteps },
	};
	const seconds: number[] = [];
	for (let i = 0; i <= repetitions; i++) {
		const start = performance.now();
		await compute.run(kernel, launch);
		seconds.push((performance.now() - start) / 1e3);
	}
	const [first, ...rest] = seconds;
	const expected = new Float64Array(y.length);
	runInline(kernel, { ...launch, buffers: { ...launch.buffers, y: expected } });
	return {
		rate: (batch * grid.nSteps) / Math.min(...rest),
		first,
		same: y.every((value, i) => Object.is(value, expected[i])),
	};
}

/** x'' + c x' + k x + k3 x³ = 0 */
function duffingKernel(): Kernel {
	const g = new Graph();
	const [x, v, c, k, k3] = ["x", "v", "c", "k", "k3"].map((name) => g.sym(name));
	const force = g.add(g.mul(c, v), g.mul(k, x), g.mul(k3, g.pow(x, g.const(3))));
	return rungeKuttaKernel({
		graph: g,
		components: ["x", "v"],
		rhs: [v, g.neg(force)],
		params: ["c", "k", "k3"],
		inputs: [],
		outputs: [x],
	});
}
