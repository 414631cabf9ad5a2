/** Same seed, same bits: however the batch is cut, and whatever runs the kernel. */
import { describe, expect, it } from "vitest";
import type { Compute } from "../../../src/compute/compute.ts";
import { runInline } from "../../../src/compute/inline.ts";
import { compileJs } from "../../lower/support/js-kernel.ts";
import { experimentOf, gridTimes, noisy, problemOf, runBayes, simulate } from "./helpers.ts";

const text = `param c ~ lognormal(log(0.3), 1)
param k ~ lognormal(log(2), 1)
param s ~ lognormal(log(0.1), 1)
state x = 1, x' ~ normal(0, 1)
x'' + c*x' + k*x + tanh(x)^3 = 0
measure y ~ normal(x, s)`;
const times = gridTimes(60, 0.1);
const states = simulate((_, [x, v]) => [v, -0.2 * v - 3 * x - Math.tanh(x) ** 3], [1, 0.3], times);
const y = noisy(
	states.map(([x]) => x),
	0.05,
	5,
);

/** Cuts every batch into uneven pieces. */
const cut: Compute = {
	name: "cut",
	async run(kernel, { batch, buffers, scalars }) {
		for (let from = 0; from < batch; from += 37) {
			const here = Math.min(37, batch - from);
			const piece: Record<string, Float64Array> = {};
			const lanes = kernel.buffers.filter(({ kind }) => kind === "lane").map(({ name }) => name);
			for (const [name, buffer] of Object.entries(buffers)) {
				if (!lanes.includes(name)) piece[name] = buffer;
				else {
					const rows = buffer.length / batch;
					piece[name] = new Float64Array(rows * here);
					for (let r = 0; r < rows; r++)
						piece[name].set(buffer.subarray(r * batch + from, r * batch + from + here), r * here);
				}
			}
			runInline(kernel, { batch: here, buffers: piece, scalars });
			for (const name of lanes)
				for (let r = 0; r < buffers[name].length / batch; r++)
					buffers[name].set(piece[name].subarray(r * here, (r + 1) * here), r * batch + from);
		}
	},
};
const javascript: Compute = {
	name: "js",
	async run(kernel, { batch, buffers, scalars }) {
		const run = compileJs(kernel);
		const values = kernel.scalars.map(({ name }) => scalars![name]);
		run(0, batch, batch, ...kernel.buffers.map(({ name }) => buffers[name]), ...values);
	},
};

describe.each(["tempering", "ibis"] as const)("%s", (sampler) => {
	it("gives the same posterior inline, cut into pieces, and as JavaScript", async () => {
		const problem = problemOf(text, [experimentOf(times, { y })]);
		const options = { particles: 120, sampler };
		const { result } = await runBayes(problem, options);
		for (const compute of [cut, javascript])
			expect((await runBayes({ ...problem, compute }, options)).result).toEqual(result);
	});
});
