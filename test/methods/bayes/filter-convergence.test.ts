/** Orders of convergence: stacked q as h^(q+1), native q as h^q. */
import { describe, expect, it } from "vitest";
import { runInline } from "../../../src/compute/inline.ts";
import { ExperimentFilter } from "../../../src/methods/bayes/filter/experiment-filter.ts";
import { stepGrid } from "../../../src/methods/bayes/filter/filter-grid.ts";
import { type LayoutName, layoutOf } from "../../../src/methods/bayes/filter/layout.ts";
import { foldFormulaInputs } from "../../../src/model/formula-inputs.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { simulate } from "./helpers.ts";

const duffing = foldFormulaInputs(
	parseModel(
		`input u = 0.4*sin(1.9*t + 0.3)
state x = 0.5, x' = -0.2
x'' + 0.3*x' + 2*x + 1.5*x^3 = u
measure y ~ normal(x, 0.1)`,
		"duffing.ode",
	),
);
const end = 4;
const [, [truth]] = simulate(
	(t, [x, v]) => [v, 0.4 * Math.sin(1.9 * t + 0.3) - 0.3 * v - 2 * x - 1.5 * x ** 3],
	[0.5, -0.2],
	[0, end],
	20000,
);
const compute = {
	name: "inline",
	run: async (...args: Parameters<typeof runInline>) => runInline(...args),
};

async function error(
	layout: LayoutName,
	q: number,
	steps: number,
	linearisation: "ekf0" | "ekf1",
	uneven = false,
): Promise<number> {
	const n = steps + 1;
	const times = Float64Array.from({ length: n }, (_, i) => {
		const s = i / steps;
		return end * (uneven ? s + (0.1 * Math.sin(2 * Math.PI * s)) / (2 * Math.PI) : s);
	});
	const filter = new ExperimentFilter(
		{
			model: duffing,
			layout: layoutOf(duffing, layout, q),
			linearisation,
			params: [],
			freeInitial: [],
			exactStart: true,
			equationEvidence: false,
		},
		linearisation === "ekf1" ? "running" : "off",
		{
			grid: stepGrid(0, times, 1),
			signals: [],
			y: new Float64Array(n),
			present: new Float64Array(n).fill(1),
		},
	);
	const state = filter.newState(1, false);
	const lanes = { params: new Float64Array(1), initial: new Float64Array(1) };
	const { value } = await filter.moments(compute, lanes, state, 0, n);
	return Math.abs(value[n - 1] - truth);
}

async function slope(steps: readonly number[], of: (n: number) => Promise<number>): Promise<number> {
	const errors = await Promise.all(steps.map(of));
	const x = steps.map((n) => Math.log(end / n));
	const y = errors.map(Math.log);
	const [mx, my] = [x, y].map((v) => v.reduce((a, b) => a + b) / v.length);
	return (
		x.reduce((sum, xi, i) => sum + (xi - mx) * (y[i] - my), 0) /
		x.reduce((sum, xi) => sum + (xi - mx) ** 2, 0)
	);
}

describe("convergence of the filter's mean", () => {
	it.each([
		["native", 2, 2],
		["native", 3, 3],
		["native", 4, 4],
		["stacked", 1, 2],
		["stacked", 2, 3],
		["stacked", 3, 4],
	] as const)("%s, q = %i: order %i", async (layout, q, order) => {
		const found = await slope([160, 226, 320, 452, 640], (n) => error(layout, q, n, "ekf0"));
		expect(Math.abs(found - order)).toBeLessThan(0.3);
	});
	it("keeps its order with steps of varying length, and with EKF1", async () => {
		expect(
			Math.abs((await slope([160, 320, 640], (n) => error("native", 3, n, "ekf0", true))) - 3),
		).toBeLessThan(0.3);
		expect(Math.abs((await slope([160, 320, 640], (n) => error("native", 2, n, "ekf1"))) - 2)).toBeLessThan(
			0.3,
		);
	});
});
