/** Known truths found again: partial state, grey box, inputs inside, strong noise, several records, long records. */
import { describe, expect, test } from "vitest";
import type { Result } from "../../../src/estimate/result.ts";
import { simulateTraining } from "../../../src/methods/kriging/answer/predictions.ts";
import { kriging } from "../../../src/methods/kriging/kriging.ts";
import { krigingOptions } from "../../../src/methods/kriging/options.ts";
import type { KrigingRun } from "../../../src/methods/kriging/run.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { cos, sin, tanh } from "../../../src/num/elementary/number.ts";
import { simulateAfter } from "./coverage.ts";
import {
	duffing,
	evenTimes,
	lotkaVolterra,
	pendulum,
	problemOf,
	recordOf,
	solve,
	type Truth,
} from "./problems.ts";

const options = defaultOptions(krigingOptions);

async function learn(problem: Problem, given: Partial<typeof options> = {}): Promise<[KrigingRun, Result]> {
	const run = await kriging.prepare(problem, { ...options, ...given });
	while (!(await kriging.advance(run)).done);
	return [run, await kriging.result(run)];
}

function rms(values: ArrayLike<number>): number {
	let sum = 0;
	for (let i = 0; i < values.length; i++) sum += values[i] ** 2;
	return Math.sqrt(sum / values.length);
}

test("Duffing from displacement alone: derivatives, and a simulation three times as long", {
	timeout: 300_000,
}, async () => {
	const task = { n: 200, step: 0.1, end: 600, sd: 0.01 };
	const { run, simulation, truth } = await simulateAfter(duffing, task, options, 1);
	expect(simulation.outcome).toBe("converged");
	const times = evenTimes(200, 0.1);
	const states = solve(duffing, times);
	const slope = new Float64Array(2);
	const [{ simulation: fitted }] = simulateTraining(run);
	const { functions } = run.pass.field;
	const errors = [0, 1, 2].map((order) =>
		times.map((t, i) => {
			const k = fitted.t.indexOf(t);
			const x = fitted.x.subarray(2 * k, 2 * k + 2);
			duffing.rhs(t, states.subarray(2 * i, 2 * i + 2), slope);
			const found = [x[0], x[1], functions[0].value(x) + cos(1.2 * t)];
			return found[order] - [states[2 * i], states[2 * i + 1], slope[1]][order];
		}),
	);
	expect(rms(errors[0])).toBeLessThan(0.005);
	expect(rms(errors[1])).toBeLessThan(0.012);
	expect(rms(errors[2])).toBeLessThan(0.038);
	const displacement = Float64Array.from(
		{ length: truth.length / 2 },
		(_, i) => simulation.x[2 * i] - truth[2 * i],
	);
	expect(rms(displacement)).toBeLessThan(0.004);
});

describe("grey box", () => {
	const truth: Truth = {
		rhs(t, x, out) {
			out[0] = x[1];
			out[1] = -2 * x[0] - 0.3 * x[1] - 0.4 * tanh(2 * x[1]) + sin(1.3 * t) + 0.7 * cos(2.9 * t);
		},
		x0: [0.5, 0],
		text: `
param k
unknown friction(v) ~ kriging(trend: 1)
input u = sin(1.3*t) + 0.7*cos(2.9*t)
state x
x'' = -k*x - friction(x') + u
measure y ~ normal(x, SD)`,
		outputs: { y: 0 },
	};
	test("one unknown term beside known ones, with a free parameter", { timeout: 300_000 }, async () => {
		const times = evenTimes(100, 0.15);
		const record = recordOf(truth, solve(truth, times), { times, from: 0, to: 100, sd: 0.005, seed: 1 });
		const [run, result] = await learn(problemOf(truth, [record], [], 0.005));
		const [{ name, estimate, sd }] = result.parameters;
		expect(name).toBe("k");
		expect(Math.abs(estimate - 2)).toBeLessThan(4 * sd!);
		expect(sd).toBeLessThan(0.05);
		const points = [-0.8, -0.4, 0, 0.4, 0.8].map((v) => [v]);
		const { value, sd: error } = run.pass.field.predict(0, points);
		points.forEach(([v], i) => {
			const off = value[i] - (0.3 * v + 0.4 * tanh(2 * v));
			expect(Math.abs(off)).toBeLessThan(4 * error[i] + 0.02);
			expect(Math.abs(off)).toBeLessThan(0.1);
		});
	});
	test("a parameter that the trend can take over is not given a value it does not have", async () => {
		const times = evenTimes(40, 0.25);
		const confounded = {
			...pendulum,
			text: pendulum.text.replace("unknown", "param a\nunknown").replace("+ u", "+ u + a*x"),
		};
		const record = recordOf(pendulum, solve(pendulum, times), { times, from: 0, to: 40, sd: 0.01, seed: 1 });
		const [, result] = await learn(problemOf(confounded, [record], [], 0.01), { errors: "joint" });
		expect(result.parameters[0].verdict).toBe("structurally unidentifiable");
		expect(result.doubts.find(({ grave }) => grave)?.title).toBe(
			"a and the trends of the functions can only be found together",
		);
	});
});

test("an input inside the unknown function, and two records with conditions", {
	timeout: 300_000,
}, async () => {
	const truth = (c: number): Truth => ({
		rhs(t, x, out) {
			out[0] = c * (-x[0] + tanh(1.5 * sin(t) + 0.5 * x[0]));
		},
		x0: [0.2],
		text: `
condition c
input u = sin(t)
unknown f(x, u) ~ kriging(trend: 2)
state x
x' = c*f(x, u)
measure y ~ normal(x, SD)`,
		outputs: { y: 0 },
	});
	const times = evenTimes(60, 0.2);
	const records = [0.7, 1.4].map((c, i) => ({
		...recordOf(truth(c), solve(truth(c), times), { times, from: 0, to: 60, sd: 0.005, seed: 1 + i }),
		name: `c = ${c}`,
		conditions: { c },
	}));
	const [run, result] = await learn(problemOf(truth(1), records, [], 0.005));
	expect(result.answered).toBe(true);
	const points = [
		[0.2, 0.5],
		[-0.3, -0.7],
		[0.5, 0.9],
	];
	const { value } = run.pass.field.predict(0, points);
	points.forEach(([x, u], i) => {
		expect(Math.abs(value[i] - (-x + tanh(1.5 * u + 0.5 * x)))).toBeLessThan(0.05);
	});
});

test("strong noise: errors in the arguments allowed for, and a noise that nobody knows", {
	timeout: 300_000,
}, async () => {
	const open = {
		...lotkaVolterra,
		text: lotkaVolterra.text.replace("input u1", "param s\ninput u1").replaceAll("SD", "s"),
	};
	const times = evenTimes(80, 0.25);
	const states = solve(lotkaVolterra, times);
	const record = recordOf(lotkaVolterra, states, { times, from: 0, to: 60, sd: 0.1, seed: 3 });
	const [run, result] = await learn(problemOf(open, [record], [], 0.1));
	const hyper = result.summary.hyper as Record<string, { noiseSd: number }>;
	for (const name of ["x1", "x2"]) {
		expect(hyper[name].noiseSd).toBeGreaterThan(0.06);
		expect(hyper[name].noiseSd).toBeLessThan(0.16);
	}
	expect(result.doubts.map(({ title }) => title).join()).toContain("The noise of x1 was estimated");
	const points = [30, 40, 50].map((i) => [states[2 * i], states[2 * i + 1]]);
	const { value } = run.pass.field.predict(0, points);
	points.forEach(([a, b], i) => {
		expect(Math.abs(value[i] - (a - 0.2 * a * b))).toBeLessThan(0.15);
	});
});

test("a state of which only the derivative is measured, from a known start", {
	timeout: 300_000,
}, async () => {
	const truth: Truth = {
		rhs(t, x, out) {
			out[0] = x[1];
			out[1] = -x[0] - 0.3 * x[1] + cos(0.8 * t);
		},
		x0: [0, 0],
		text: `
input u = cos(0.8*t)
unknown f(x, v) ~ kriging(trend: 1)
state x = 0
x'' = f(x, x') + u
measure y ~ normal(x', SD)`,
		outputs: { y: 1 },
	};
	const times = evenTimes(80, 0.2);
	const record = recordOf(truth, solve(truth, times), { times, from: 0, to: 80, sd: 0.005, seed: 1 });
	const [run] = await learn(problemOf(truth, [record], [], 0.005), { errors: "joint" });
	const { value } = run.pass.field.predict(0, [[0.5, 0.3]]);
	expect(Math.abs(value[0] - (-0.5 - 0.09))).toBeLessThan(0.05);
});

test("a long record: the O(n) form, and a field from all of it", { timeout: 300_000 }, async () => {
	const n = 3200;
	const times = evenTimes(n, 0.05);
	const states = solve(pendulum, times);
	const record = recordOf(pendulum, states, { times, from: 0, to: n, sd: 0.05, seed: 1 });
	const [run, result] = await learn(problemOf(pendulum, [record], [], 0.05));
	expect(run.smoothers[0].map(({ form }) => form)).toEqual(["state space"]);
	expect(run.pass.kind).toBe("trajectory");
	expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
	// One equation, so one observation an instant; all of them are condensed to what can be solved at once.
	expect(run.smoothed[0].record.grid.length).toBeGreaterThan(300);
	expect(run.pass.field.data.y.length).toBeLessThanOrEqual(300);
	expect(run.learning!.observations).toBe(2 * n);
	const points = Array.from({ length: 100 }, (_, k) => 32 * k).map((i) => [states[2 * i], states[2 * i + 1]]);
	const { value, sd } = run.pass.field.predict(0, points);
	const meanSquare = (of: (off: number, i: number) => number): number =>
		points.reduce((sum, [x, v], i) => sum + of(value[i] - (-sin(x) - 0.2 * v), i) ** 2, 0) / points.length;
	// Errors hang together, and there are six at least, those of a trend: 0.1 % of their law.
	expect(meanSquare((off, i) => off / sd[i])).toBeLessThan(22.5 / 6);
	expect(Math.sqrt(meanSquare((off) => off))).toBeLessThan(0.005);
	// States and derivatives are there at every sample time.
	const table = String(result.files.find(({ name }) => name === "derivatives.csv")!.content);
	expect(table.trim().split("\n").length).toBe(1 + n);
	const [train] = result.predictions;
	expect([train.part, train.t.length]).toEqual(["train", 3000]);
	const said = result.doubts.map(({ title }) => title);
	expect(said).toContain("Only the first 3000 samples of record are simulated");
});
