/** What depends on parameters alone is computed once, before the loop: also a function of one bare parameter. */
import { describe, expect, test } from "vitest";
import { compileFunction } from "../../src/lower/compile-function.ts";
import { rungeKuttaKernel } from "../../src/lower/kernels/runge-kutta.ts";
import { unaryFunctions } from "../../src/model/graph.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { batchFor, differences, gridFor, runJs, runWasm } from "./support/batch.ts";

const ofParameters = [
	...unaryFunctions.map((name) => `${name}(k)`),
	"sqrt(k)",
	"max(k, l)",
	"min(k, 1/2)",
	"1/exp(k)",
	"k^l",
	"2^k",
	"if(k < l, k, 2)",
	"if(k <= 1/2, exp(k), -l)",
	"abs(-k)",
	"exp(pi)*k",
	"exp(sin(k)) + tanh(k - l)",
];

describe.each(ofParameters)("a rate of %s", (text) => {
	const parsed = parseModel(`param k, l\nstate x = 1\nx' = -(${text})*x - l/8\nmeasure y = x + ${text}`, "m");
	const model = {
		graph: parsed.graph,
		components: ["x"],
		rhs: parsed.rhs,
		params: ["k", "l"],
		inputs: [],
		outputs: parsed.measures.map(({ value }) => value),
		values: [0.4, 0.7],
		start: [1],
		step: 0.05,
	};
	const lanes = 4;
	const grid = gridFor(model, 5);

	test.each([[[]], [["k", "l", "x"]]])("is lowered, with derivatives by %j", (sensitivities: string[]) => {
		const kernel = rungeKuttaKernel({ ...model, sensitivities });
		const buffers = batchFor(model, grid, lanes, sensitivities.length);
		const js = runJs(kernel, lanes, buffers, [grid.nSteps]);
		expect(
			differences(kernel, js, runWasm(kernel, { width: 2, groups: 1 }, lanes, buffers, [grid.nSteps])),
		).toEqual([]);
		// The first output is that of the start, without a step before it.
		const value = new Float64Array(1);
		for (let lane = 0; lane < lanes; lane++) {
			const params = buffers.params.filter((_, i) => i % lanes === lane);
			compileFunction(model.outputs, [
				{ name: "x", symbols: ["x"] },
				{ name: "p", symbols: ["k", "l"] },
			])(buffers.x0[lane], params, value);
			expect(js.y[lane]).toBeCloseTo(value[0], 12);
		}
	});
});
