/** Records that are not kind: inputs that jump, fields that turn often, noise that depends on the state. */
import { expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { signalFrom } from "../../../src/data/signal/signal.ts";
import { rmseByOutput } from "../../../src/estimate/predict/residuals.ts";
import { LearnedField } from "../../../src/methods/kriging/field/learned-field.ts";
import { kriging } from "../../../src/methods/kriging/kriging.ts";
import { krigingOptions } from "../../../src/methods/kriging/options.ts";
import type { KrigingRun } from "../../../src/methods/kriging/run.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { cos, exp, sin, tanh } from "../../../src/num/elementary/number.ts";
import { stream } from "../../../src/num/random.ts";
import { simulateRecord } from "../fit/records.ts";
import { evenTimes, problemOf, recordOf, solve, type Truth } from "./problems.ts";

const options = defaultOptions(krigingOptions);

async function learn(problem: Problem, given: Partial<typeof options> = {}) {
	const run = await kriging.prepare(problem, { ...options, ...given });
	while (!(await kriging.advance(run)).done);
	return { run, result: await kriging.result(run) };
}

/** x' = -x + tanh(2u), with an input that is held for so many samples at a time. */
function stepped(n: number, hold: number): Problem {
	const step = 0.1;
	const times = evenTimes(n, step);
	const random = stream(11, "levels");
	const u = times.map((_, i) => 2 * random.uniform(Math.floor(i / hold)) - 1);
	const truth: Truth = {
		rhs: () => {},
		x0: [0],
		text: "input u\nunknown f(x, u) ~ kriging(trend: 2)\nstate x\nx' = f(x, u)\nmeasure y ~ normal(x, SD)",
		outputs: { y: 0 },
	};
	// Between jumps the solution is exponential.
	const states = new Float64Array(n);
	for (let i = 1; i < n; i++) {
		const goal = tanh(2 * u[i - 1]);
		states[i] = goal + (states[i - 1] - goal) * exp(-step);
	}
	const inputs = new Map([["u", signalFrom(times, u, "zoh")]]);
	const cut = (from: number, to: number) =>
		recordOf(truth, states, { times, from, to, sd: 0.01, seed: 1 }, inputs);
	const end = Math.floor(0.7 * n);
	return problemOf(truth, [cut(0, end)], [cut(end, n)], 0.01);
}

function expectField(run: KrigingRun, bound: number): void {
	const points = [
		[-0.4, 0.5],
		[0.3, -0.3],
		[0.5, 0.7],
	];
	const { value } = run.pass.field.predict(0, points);
	points.forEach(([x, u], i) => {
		expect(Math.abs(value[i] - (-x + tanh(2 * u)))).toBeLessThan(bound);
	});
}

test("an input that jumps", { timeout: 300_000 }, async () => {
	const { run, result } = await learn(stepped(140, 6));
	const { rmse, coverage95 } = result.summary.test as Record<string, Record<string, number>>;
	expect(rmse.y).toBeLessThan(0.02);
	expect(coverage95.y).toBeGreaterThan(0.85);
	expectField(run, 0.05);
});

test("an input of few levels, where the test asks for others: said, and the band holds what comes", {
	timeout: 300_000,
}, async () => {
	const { result } = await learn(stepped(200, 12));
	expect(result.notes!.map(({ title }) => title).join()).toContain("leaves the data");
	// Samples that missed it would make this a grave doubt.
	const { coverage95 } = result.summary.test as Record<string, Record<string, number>>;
	expect(coverage95.y).toBeGreaterThan(0.85);
	expect(result.doubts).toEqual([]);
});

test("a first field that is wrong: trajectories are followed in short pieces, then in longer ones", {
	timeout: 300_000,
}, async () => {
	const problem = stepped(170, 6);
	const run = await kriging.prepare(problem, options);
	while ((run.learning?.passes.length ?? 0) < 2) await kriging.advance(run);
	const { passes } = run.learning!;
	const { field } = passes[1];
	const off = { ...field.data, y: field.data.y.map((value) => value + 0.8) };
	passes[1] = { ...passes[1], field: new LearnedField(field.design, off, field.hyper) };
	while (!(await kriging.advance(run)).done);
	const longest = passes.filter(({ kind }) => kind === "trajectory").map(({ before }) => before.longest);
	expect(longest[0]).toBeLessThan(40);
	expect(longest[longest.length - 1]).toBe(run.learning!.records.longest);
	expectField(run, 0.05);
});

test("an input that jumps, without trajectories: what the smoother cannot follow counts less", {
	timeout: 300_000,
}, async () => {
	const { run, result } = await learn(stepped(360, 12), { points: 150, errors: "joint" });
	expect(run.learning!.records.isMany).toBe(true);
	const { rmse } = result.summary.test as Record<string, Record<string, number>>;
	expect(rmse.y).toBeLessThan(0.04);
	expectField(run, 0.1);
});

test("a function that turns often within its data, taken up again after any step", {
	timeout: 300_000,
}, async () => {
	const truth: Truth = {
		rhs(t, x, out) {
			out[0] = sin(4 * x[0]) + 2 * cos(0.9 * t) + 2 * cos(0.37 * t);
		},
		x0: [0],
		text: "input u = 2*cos(0.9*t) + 2*cos(0.37*t)\nunknown f(x) ~ kriging(trend: 2)\nstate x\nx' = f(x) + u\nmeasure y ~ normal(x, SD)",
		outputs: { y: 0 },
	};
	const times = evenTimes(150, 0.12);
	const record = recordOf(truth, solve(truth, times), { times, from: 0, to: 150, sd: 0.02, seed: 1 });
	const problem = problemOf(truth, [record], [], 0.02);
	const run = await kriging.prepare(problem, options);
	const saved: Uint8Array[] = [];
	while (!(await kriging.advance(run)).done) saved.push(kriging.save(run));
	const result = await kriging.result(run);
	expect(run.learning!.isFine).toBe(true);
	const own = Array.from({ length: 9 }, (_, i) => [-2 + 0.5 * i]);
	const { value, sd } = run.pass.field.predict(0, own);
	own.forEach(([x], i) => {
		expect(Math.abs(value[i] - sin(4 * x))).toBeLessThan(4 * sd[i] + 0.05);
		expect(sd[i]).toBeLessThan(0.3);
	});
	// After shorter lengths were taken up; then after the first trajectory.
	let again = await kriging.load(problem, options, saved[2]);
	await kriging.advance(again);
	again = await kriging.load(problem, options, kriging.save(again));
	while (!(await kriging.advance(again)).done);
	expect((await kriging.result(again)).summary).toEqual(result.summary);
});

test("a noise that grows with the state widens the band with it", { timeout: 300_000 }, async () => {
	const truth: Truth = {
		rhs(_t, x, out) {
			out[0] = x[0] * (1 - x[0] / 10);
		},
		x0: [0.5],
		text: "",
		outputs: { y: 0 },
	};
	const times = evenTimes(60, 0.15);
	const states = solve(truth, times);
	const record = recordOf(truth, states, { times, from: 0, to: 60, sd: 0, seed: 1 });
	const random = stream(5, "share");
	const { values } = record.outputs.get("y")!;
	for (let i = 0; i < values.length; i++) values[i] *= 1 + 0.03 * random.normal(i);
	const model = parseModel(
		"unknown g(x) ~ kriging(trend: 2)\nstate x\nx' = g(x)\nmeasure y ~ normal(x, 0.03*x)",
		"model.ode",
	);
	const { result } = await learn({
		...problemOf({ ...truth, text: pendulumText }, [], [], 1),
		model,
		train: [record],
	});
	const { lo, hi } = result.predictions[0];
	const last = lo!.length - 1;
	expect((hi![last] - lo![last]) / (hi![0] - lo![0])).toBeGreaterThan(8);
});

const pendulumText = "unknown g(x) ~ kriging(trend: 2)\nstate x\nx' = g(x)\nmeasure y ~ normal(x, 1)";

test("an input that was said to be held and is smooth: the misfit is a grave doubt", {
	timeout: 120_000,
}, async () => {
	const text = (friction: string, unknown: string): string =>
		`input u\n${unknown}param k ~ lognormal(0, 1)\nstate x = 0.5, v = 0\nx' = v\nv' = u - k*x - ${friction}\nmeasure y ~ normal(x, 0.003)\nmeasure w ~ normal(v, 0.003)`;
	const times = evenTimes(40, 0.15);
	const force = times.map((t) => sin(1.3 * t) + 0.5 * cos(2.9 * t));
	const record = simulateRecord({
		model: parseModel(text("0.6*v", ""), "truth.ode"),
		values: { k: 2.3 },
		x0: [0.5, 0],
		times,
		noise: { y: 0.003, w: 0.003 },
		seed: 2,
		inputs: { u: signalFrom(times, force, "cubic") },
	});
	const held = { ...record, inputs: new Map([["u", signalFrom(times, force, "zoh")]]) };
	const model = parseModel(text("fr(v)", "unknown fr(v) ~ kriging(trend: 1)\n"), "friction.ode");
	const problem = { model, test: [], start: {}, seed: 1, compute: inline };
	const wrong = await learn({ ...problem, train: [held] });
	expect(
		wrong.result.doubts.some(
			({ title, grave }) => grave && /times (farther from|the declared noise)/.test(title),
		),
	).toBe(true);
	const right = await learn({ ...problem, train: [record] });
	expect(right.result.doubts.some(({ grave }) => grave)).toBe(false);
});

test.each([
	["undeclared", "= x", "= v"],
	["open", "~ normal(x, s)", "~ normal(v, s)"],
])(
	"%s noise is that of the training records, also where a test moves less",
	{ timeout: 300_000 },
	async (name, a, b) => {
		const damped: Truth = {
			rhs(_t, x, out) {
				out[0] = x[1];
				out[1] = -sin(x[0]) - 0.15 * x[1];
			},
			x0: [1.4, 0],
			text: `${name === "open" ? "param s in [0.001, 1]\n" : ""}unknown f(x, v) ~ kriging(trend: 2)
state x, v
x' = v
v' = f(x, v)
measure y1 ${a}
measure y2 ${b}`,
			outputs: { y1: 0, y2: 1 },
		};
		const times = evenTimes(90, 0.3);
		const states = solve(damped, times);
		const cut = (from: number, to: number) =>
			recordOf(damped, states, { times, from, to, sd: 0.01, seed: 1 });
		const { result } = await learn(problemOf(damped, [cut(0, 50)], [cut(50, 90)], 0.01));
		const { coverage95 } = result.summary.test as Record<string, Record<string, number>>;
		expect(coverage95.y1).toBeGreaterThan(0.85);
		expect(coverage95.y2).toBeGreaterThan(0.85);
	},
);

test("a state is missing: named, and nothing is claimed of samples that are not reached", {
	timeout: 300_000,
}, async () => {
	const oscillator: Truth = {
		rhs(_t, x, out) {
			out[0] = x[1];
			out[1] = -x[0];
		},
		x0: [1, 0],
		text: "unknown f(x) ~ kriging(trend: 2)\nstate x\nx' = f(x)\nmeasure y ~ normal(x, SD)",
		outputs: { y: 0 },
	};
	const times = evenTimes(100, 0.2);
	const states = solve(oscillator, times);
	const cut = (from: number, to: number) =>
		recordOf(oscillator, states, { times, from, to, sd: 0.01, seed: 1 });
	const problem = problemOf(oscillator, [cut(0, 70)], [cut(70, 100)], 0.01);
	const { run, result } = await learn(problem);
	const said = result.doubts.map(({ title, text }) => `${title}. ${text}`).join("\n");
	expect(said).not.toContain("NaN");
	expect(said).toMatch(/ends at t = [\d.]+: it reaches \d+ of 70 samples/);
	expect(said).toContain("does not reach its first sample at t = 14");
	// No advice with options that this method does not have.
	expect(said).not.toMatch(/maxSteps|rtol|knots|parameters or initial/);
	const missing = result.doubts.find(({ title }) => title.includes("cannot be a function of x"))!;
	expect(missing.grave).toBe(true);
	expect(missing.text).toContain("A state is missing");
	expect(result.message).toContain("f cannot be a function of x");
	// What ran away is infinitely wrong, not missing.
	const { train, test: tested } = result.summary as Record<string, { rmse: Record<string, number> }>;
	expect(train.rmse.y).toBe(Number.POSITIVE_INFINITY);
	expect(tested.rmse.y).toBe(Number.POSITIVE_INFINITY);
	expect(result.predictions.map(({ data }) => data!.t.length)).toEqual([70, 30]);
	expect(rmseByOutput(result.predictions, "train").y).toBe(Number.POSITIVE_INFINITY);
	// The same of sample paths, where there is no instant to draw them for.
	const drawn = await kriging.load(
		problem,
		{ ...options, simulation: "samples", samples: 10 },
		kriging.save(run),
	);
	expect((await kriging.result(drawn)).doubts).toEqual(result.doubts);
});

test("a test whose errors are somewhat larger than the band says: a mild doubt from where chance does not do it", {
	timeout: 120_000,
}, async () => {
	const truth: Truth = {
		rhs(t, x, out) {
			out[0] = cos(1.1 * t) - x[0];
		},
		x0: [0],
		text: "input u = cos(1.1*t)\nunknown f(x) ~ kriging(trend: 1)\nstate x\nx' = f(x) + u\nmeasure y ~ normal(x, SD)",
		outputs: { y: 0 },
	};
	const times = evenTimes(260, 0.2);
	const states = solve(truth, times);
	const train = recordOf(truth, states, { times, from: 0, to: 60, sd: 0.01, seed: 1 });
	// What is learned does not depend on what it is tested with.
	const { run } = await learn(problemOf(truth, [train], [], 0.01));
	const learned = kriging.save(run);
	const said = async (sd: number) => {
		const tested = recordOf(truth, states, { times, from: 60, to: 260, sd, seed: 2 });
		const again = await kriging.load(problemOf(truth, [train], [tested], 0.01), options, learned);
		const result = await kriging.result(again);
		return result.doubts.filter(({ code }) => code === "worse-on-test");
	};
	expect(await said(0.01)).toEqual([]);
	const [mild] = await said(0.0135);
	expect(mild.grave).toBe(false);
	expect(mild.text).toContain("a term that the record hardly shows");
	expect((await said(0.025))[0].grave).toBe(true);
});
