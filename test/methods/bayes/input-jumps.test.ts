/** Inputs that are held and jump: the solver keeps its order, and the posterior is that of an accurate solver. */
import { describe, expect, it } from "vitest";
import type { Compute } from "../../../src/compute/compute.ts";
import { inline } from "../../../src/compute/inline.ts";
import { signalFrom } from "../../../src/data/signal/signal.ts";
import { ExperimentFilter } from "../../../src/methods/bayes/filter/experiment-filter.ts";
import { stepGrid } from "../../../src/methods/bayes/filter/filter-grid.ts";
import { jumpTimes } from "../../../src/methods/bayes/filter/jumps/input-jumps.ts";
import { type LayoutName, layoutOf } from "../../../src/methods/bayes/filter/layout.ts";
import type { FilterSettings } from "../../../src/methods/bayes/likelihood/likelihood.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { compileJs } from "../../lower/support/js-kernel.ts";
import { experimentOf, gridTimes, noisy, problemOf, type Rhs, runBayes, simulate } from "./helpers.ts";

const rows = Float64Array.from({ length: 9 }, (_, i) => 0.5 * i);
const held = Float64Array.of(0, 1, 1, -1, -1, 2, 0, 0, 1);
const signal = signalFrom(rows, held, "zoh");
const u = (t: number): number => held[Math.min(8, Math.floor(2 * t + 1e-9))];

/** x' = f exactly enough: Runge–Kutta that never steps over a jump. */
function truthOf(f: (u: number) => Rhs, x0: number[]): number[][] {
	const states = [x0];
	for (const t of rows.subarray(1)) {
		const own = u(t - 0.25);
		states.push(simulate(f(own), states[states.length - 1], [t - 0.5, t], 4000)[1]);
	}
	return states;
}

/** The largest error at the rows, and the integration's own standard deviation there. */
async function errorOf(
	text: string,
	truth: readonly number[][],
	options: {
		layout: LayoutName;
		q: number;
		substeps: number;
		linearisation?: "ekf0" | "ekf1";
		form?: "covariance" | "root";
		/** Rows with a sample. */
		every?: number;
	},
): Promise<number> {
	const { substeps, linearisation = "ekf0", every = 1 } = options;
	const model = parseModel(text, "test.ode");
	const times = rows.filter((_, i) => i % every === 0);
	const grid = stepGrid(0, times, substeps, jumpTimes([signal], 0, 4));
	const filter = new ExperimentFilter(
		{
			model,
			layout: layoutOf(model, options.layout, options.q),
			linearisation,
			...(options.form ? { form: options.form } : {}),
			params: [],
			freeInitial: [],
			exactStart: true,
			equationEvidence: false,
		},
		linearisation === "ekf1" ? "running" : "off",
		{ grid, signals: [signal], y: new Float64Array(times.length), present: times.map(() => 1) },
	);
	const lanes = { params: new Float64Array(1), initial: new Float64Array(1) };
	const { value } = await filter.moments(inline, lanes, filter.newState(1, false), 0, times.length);
	return Math.max(...Array.from(value, (x, s) => Math.abs(x - truth[every * s][0])));
}

async function slope(of: (substeps: number) => Promise<number>): Promise<number> {
	const [coarse, fine] = [await of(40), await of(160)];
	return Math.log(coarse / fine) / Math.log(4);
}

const linear = `input u
state x = 0.3, x' = 0
x'' + 0.3*x' + 4*x = 3*u
measure y ~ normal(x, 0.1)`;
const linearTruth = truthOf(
	(own) =>
		(_, [x, v]) => [v, 3 * own - 0.3 * v - 4 * x],
	[0.3, 0],
);
const bilinear = `input u
state x = 0.3, x' = 0
x'' + 0.3*x' + (4 + u)*x + x^3 = u*(1 + 0.2*x')
measure y ~ normal(x, 0.1)`;
const bilinearTruth = truthOf(
	(own) =>
		(_, [x, v]) => [v, own * (1 + 0.2 * v) - 0.3 * v - (4 + own) * x - x ** 3],
	[0.3, 0],
);

describe("order of convergence with an input that jumps", () => {
	it.each([
		["native", 2, 2],
		["native", 3, 3],
		["native", 4, 4],
		["stacked", 1, 2],
		["stacked", 2, 3],
	] as const)("%s, q = %i: order %i", async (layout, q, order) => {
		for (const [text, truth] of [
			[linear, linearTruth],
			[bilinear, bilinearTruth],
		] as const) {
			const found = await slope((substeps) => errorOf(text, truth, { layout, q, substeps }));
			expect(found).toBeGreaterThan(order - 0.3);
		}
	});
	it("with EKF1 in both forms, and where rows with jumps have no sample", async () => {
		const native = { layout: "native", q: 3 } as const;
		for (const form of ["covariance", "root"] as const)
			expect(
				await slope((substeps) =>
					errorOf(bilinear, bilinearTruth, { ...native, substeps, form, linearisation: "ekf1" }),
				),
			).toBeGreaterThan(2.7);
		expect(
			await slope((substeps) => errorOf(bilinear, bilinearTruth, { ...native, substeps, every: 4 })),
		).toBeGreaterThan(2.7);
	});
});

describe("jumps in the code of the filter", () => {
	const force = `input u, w ~ matern(1.5, 0.5, 0.8)
state x = 0.3, x' = 0
x'' + 0.3*x' + 4*x = u*(1 + w)
measure y ~ normal(x, 0.1)`;
	const times = rows.filter((_, i) => i !== 3);
	const y = Float64Array.from(times, (t) => Math.sin(2 * t));
	const filterOf = (text: string, options: Partial<FilterSettings>): ExperimentFilter => {
		const model = parseModel(text, "test.ode");
		const { q = 3, substeps = 3, linearisation = "ekf0", form = "covariance" } = options;
		const grid = stepGrid(0, times, substeps, jumpTimes([signal], 0, 4));
		const layout = layoutOf(model, "native", q);
		return new ExperimentFilter(
			{
				model,
				layout,
				linearisation,
				form,
				params: [],
				freeInitial: [],
				exactStart: true,
				equationEvidence: false,
			},
			"running",
			{ grid, signals: [signal], y, present: times.map(() => 1) },
		);
	};
	const lanes = { params: new Float64Array(3), initial: new Float64Array(3) };
	const evidence = async (filter: ExperimentFilter, compute = inline, cuts = [8]): Promise<number> => {
		const state = filter.newState(3);
		let sum = 0;
		for (const [i, to] of cuts.entries()) {
			const terms = await filter.increments(compute, lanes, state, cuts[i - 1] ?? 0, to);
			for (let s = 0; s < terms.length; s += 3) sum += terms[s];
		}
		return sum;
	};
	const javascript: Compute = {
		name: "js",
		async run(kernel, { batch, buffers, scalars }) {
			const values = kernel.scalars.map(({ name }) => scalars![name]);
			compileJs(kernel)(0, batch, batch, ...kernel.buffers.map(({ name }) => buffers[name]), ...values);
		},
	};

	it.each([
		[bilinear, {}],
		[bilinear, { form: "root" }],
		[bilinear, { linearisation: "ekf1" }],
		[bilinear, { linearisation: "ekf1", form: "root" }],
		[force, {}],
	] as const)(
		"give the same bits in JavaScript, and when they are cut anywhere (%#)",
		async (text, options) => {
			const whole = await evidence(filterOf(text, options));
			expect(Number.isFinite(whole)).toBe(true);
			expect(await evidence(filterOf(text, options), javascript)).toBe(whole);
			expect(await evidence(filterOf(text, options), inline, [1, 3, 4, 7, 8])).toBe(whole);
			const other = { ...options, form: "form" in options ? "covariance" : "root" } as const;
			expect(Math.abs((await evidence(filterOf(text, other))) - whole)).toBeLessThan(1e-8 * Math.abs(whole));
		},
	);
	it.each([
		["EKF1", bilinear, { linearisation: "ekf1" }],
		["a latent force beside them", force, {}],
	] as const)("move the second moments too: evidences converge with %s", async (_, text, options) => {
		const of = (substeps: number): Promise<number> => evidence(filterOf(text, { ...options, substeps }));
		const fine = await of(128);
		const [coarse, half] = [Math.abs((await of(8)) - fine), Math.abs((await of(16)) - fine)];
		expect(coarse / half).toBeGreaterThan(5);
	});
});

/** A mass on a spring pushed by a square wave: 120 rows, about 24 to a period. */
const times = gridTimes(120, 0.15);
const wave = times.map((t) => (Math.floor(t / 2.4) % 2 === 0 ? 1 : -1));
const sd = 0.02;
function pushed(c: number, k: number): number[] {
	let state = [0, 0];
	return Array.from(times, (t, i) => {
		if (i > 0) {
			const f: Rhs = (_, [x, v]) => [v, wave[i - 1] - c * v - k * x];
			[, state] = simulate(f, state, [times[i - 1], t], 6);
		}
		return state[0];
	});
}
const priors = { c: [Math.log(0.3), 1], k: [Math.log(3), 0.5] } as const;

/** Means and deviations of log c and log k by summing over a grid around `at`, with an accurate solver. */
function gridPosterior(y: Float64Array, at: readonly { mean: number; sd: number }[]): typeof at {
	const n = 21;
	const nodes = at.map((one) =>
		Array.from({ length: n }, (_, i) => one.mean + one.sd * 4 * ((2 * i) / (n - 1) - 1)),
	);
	const points = nodes[0].flatMap((c) => nodes[1].map((k) => ({ c, k })));
	const logs = points.map((point) => {
		const x = pushed(Math.exp(point.c), Math.exp(point.k));
		const misfit = x.reduce((sum, value, i) => sum + ((y[i] - value) / sd) ** 2, 0);
		const [c, k] = (["c", "k"] as const).map(
			(name) => ((point[name] - priors[name][0]) / priors[name][1]) ** 2,
		);
		return -(misfit + c + k) / 2;
	});
	const top = Math.max(...logs);
	const weights = logs.map((value) => Math.exp(value - top));
	const total = weights.reduce((a, b) => a + b);
	return (["c", "k"] as const).map((name) => {
		const mean = points.reduce((sum, point, i) => sum + weights[i] * point[name], 0) / total;
		const square = points.reduce((sum, point, i) => sum + weights[i] * (point[name] - mean) ** 2, 0) / total;
		return { mean, sd: Math.sqrt(square) };
	});
}

describe("the posterior with a square wave that is held", () => {
	const text = `input u
param c ~ lognormal(log(0.3), 1), k ~ lognormal(log(3), 0.5)
state x = 0, x' = 0
x'' + c*x' + k*x = u
measure y ~ normal(x, ${sd})`;

	it.each([
		["as it comes", 0.15, {}],
		["with four steps a row", 0.15, { substeps: 4 }],
		["sample by sample", 0.4, { sampler: "ibis", integrationError: "running" }],
	] as const)(
		"is that of an accurate solver, %s: within %d standard deviations",
		async (_, most, options) => {
			for (const seed of [3, 4]) {
				const y = noisy(pushed(0.25, 3), sd, seed);
				const record = experimentOf(times, { y }, { u: wave }, "record", "zoh");
				const { run, result } = await runBayes(problemOf(text, [record]), options);
				const { z, n } = run.pooled();
				const found = [0, 1].map((i) => {
					const own = z.subarray(i * n, (i + 1) * n);
					const mean = own.reduce((a, b) => a + b) / n;
					return { mean, sd: Math.sqrt(own.reduce((sum, one) => sum + (one - mean) ** 2, 0) / n) };
				});
				const exact = gridPosterior(y, found);
				for (const i of [0, 1]) {
					expect(Math.abs(found[i].mean - exact[i].mean) / exact[i].sd).toBeLessThan(most);
					expect(Math.abs(Math.log(found[i].sd / exact[i].sd))).toBeLessThan(most);
				}
				expect(result.doubts.map(({ title }) => title).join("\n")).not.toContain("The steps of the solver");
			}
		},
	);

	it("has steps by its samples where only some rows hold one", async () => {
		const every = 10;
		const y = noisy(pushed(0.25, 3), sd, 5);
		const whole = experimentOf(times, { y }, { u: wave }, "record", "zoh");
		const at = Int32Array.from({ length: times.length / every }, (_, i) => every * i);
		const own = {
			times: Float64Array.from(at, (i) => times[i]),
			values: Float64Array.from(at, (i) => y[i]),
			rows: at,
		};
		const sparse = { ...whole, outputs: new Map([["y", own]]) };
		const { run, result } = await runBayes(problemOf(text, [sparse]), { particles: 300 });
		expect(run.settings.substeps).toBeGreaterThan(10);
		for (const [i, truth] of [0.25, 3].entries()) {
			const { estimate, sd: error } = result.parameters[i];
			expect(Math.abs(estimate - truth)).toBeLessThan(3.5 * error!);
		}
	});
});
