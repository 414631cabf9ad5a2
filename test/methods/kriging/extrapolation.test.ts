/** Away from the data the band grows, or it ends; it is never narrow, and the words say what it does. */
import { expect, test } from "vitest";
import { signalFrom } from "../../../src/data/signal/signal.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { kriging } from "../../../src/methods/kriging/kriging.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { sin } from "../../../src/num/elementary/number.ts";
import { repetitions } from "../../repetitions.ts";
import { type HeldTask, heldProblem } from "./coverage.ts";
import { evenTimes, problemOf, recordOf, solve, type Truth } from "./problems.ts";
import { force, rate, swing } from "./tasks.ts";

const timeout = 300_000;
const options = defaultOptions(kriging.options);

async function held(task: HeldTask, seed: number) {
	const { problem, test, states } = heldProblem(task, seed);
	const { truth } = task;
	const run = await kriging.prepare(problem, options);
	while (!(await kriging.advance(run)).done);
	const result = await kriging.result(run);
	let inside = 0;
	let bounded = 0;
	let all = 0;
	for (const { output, part, t, lo, hi } of result.predictions) {
		if (part !== "test") continue;
		test.times.forEach((time, i) => {
			const at = t.indexOf(time);
			if (at < 0) return;
			all++;
			if (!Number.isFinite(hi![at] - lo![at])) return;
			bounded++;
			const value = states[i * truth.x0.length + truth.outputs[output]];
			if (value >= lo![at] && value <= hi![at]) inside++;
		});
	}
	return { result, inside, bounded, all };
}

/** The first time without a band, as the band itself has it. */
function firstWithout({ predictions }: Result): number {
	const { t, lo } = predictions.find(({ part }) => part === "test")!;
	return t[lo!.findIndex((value) => !Number.isFinite(value))];
}

const pendulum = (trend: number, damping: number, x0: number): Truth => force(swing(damping), x0, trend);

test.each<[string, HeldTask]>([
	[
		"a larger swing",
		{ truth: pendulum(2, 0.1, 0.8), n: 60, step: 0.25, nTest: 60, sd: 0.01, start: [1.3, 0] },
	],
	[
		"a little larger, and the trend is too low for the function",
		{ truth: pendulum(1, 0.1, 0.8), n: 60, step: 0.25, nTest: 60, sd: 0.01, start: [1, 0] },
	],
	[
		"another with such a trend",
		{ truth: pendulum(1, 0.25, 1.5), n: 50, step: 0.3, nTest: 50, sd: 0.02, start: [1.9, 0] },
	],
	[
		"growth whose end was not seen",
		{ truth: rate((x) => x * (1 - x / 10), 0.3), n: 30, step: 0.08, nTest: 60, sd: 0.01 },
	],
	[
		"a cubic of which the start was seen",
		{ truth: rate((x) => x - x ** 3 / 4, 0.1), n: 30, step: 0.07, nTest: 60, sd: 0.005 },
	],
])("a band that is given holds the truth: %s", { timeout }, async (_, task) => {
	let inside = 0;
	let bounded = 0;
	for (let seed = 11; seed < 11 + repetitions(1, 3); seed++) {
		const run = await held(task, seed);
		inside += run.inside;
		bounded += run.bounded;
	}
	expect(bounded).toBeGreaterThan(0);
	expect(inside / bounded).toBeGreaterThan(0.93);
});

test("far from the data there is no band, and the words say from where", { timeout }, async () => {
	const { result, bounded, all } = await held(
		{ truth: rate((x) => 0.3 * x, 1), n: 20, step: 0.25, nTest: 40, sd: 0.01 },
		1,
	);
	expect(bounded).toBeGreaterThan(0);
	expect(bounded).toBeLessThan(all);
	const doubt = result.doubts.find(({ title }) => title.includes("has no band from"))!;
	expect(doubt.title).toContain(`t = ${Number(firstWithout(result).toPrecision(3))} on`);
	expect(doubt.grave).toBe(true);
	const { coverage95, bandUntil } = result.summary.test as Record<string, Record<string, number>>;
	expect(bandUntil.record).toBeLessThan(firstWithout(result));
	expect(coverage95.y).toBeGreaterThan(0.8);
	// Before it ends, the band is wider than at its start.
	const { lo, hi } = result.predictions.find(({ part }) => part === "test")!;
	const last = lo!.findIndex((value) => !Number.isFinite(value)) - 1;
	expect(hi![last] - lo![last]).toBeGreaterThan(5 * (hi![0] - lo![0]));
});

test("a start outside the data is said also where the path soon comes back to them", {
	timeout,
}, async () => {
	const drag: Truth = {
		...pendulum(2, 0, 2),
		rhs(_t, x, out) {
			out[0] = x[1];
			out[1] = -sin(x[0]) - 0.1 * x[1] * Math.abs(x[1]);
		},
	};
	const task = { truth: drag, n: 50, step: 0.25, nTest: 140, sd: 0.01 };
	for (const seed of [1, 2].slice(0, repetitions(1, 2))) {
		const { notes } = (await held({ ...task, start: [2.4, 0] }, seed)).result;
		expect(notes!.map(({ title }) => title)).toContainEqual(
			expect.stringContaining("of other goes beyond the data at t = 0"),
		);
		expect(notes!.filter(({ title }) => title.includes("leaves the data"))).toEqual([]);
	}
	// Nothing of the kind where the path stays among the data.
	const { notes } = (await held(task, 1)).result;
	expect(notes!.filter(({ title }) => /the data at t/.test(title))).toEqual([]);
});

test("a start that is far from the data has no band at all", { timeout }, async () => {
	const truth = pendulum(2, 0.1, 0.8);
	const { result } = await held({ truth, n: 60, step: 0.25, nTest: 20, sd: 0.01, start: [2.6, 0] }, 1);
	expect(result.message).toContain("do not trust it yet: the simulation of other has no band");
	expect(firstWithout(result)).toBeLessThan(1);
});

test("tables and simulations have one error of a function", { timeout }, async () => {
	const truth = pendulum(1, 0.1, 0.8);
	const times = evenTimes(60, 0.25);
	const record = recordOf(truth, solve(truth, times), { times, from: 0, to: 60, sd: 0.01, seed: 1 });
	const run = await kriging.prepare(problemOf(truth, [record], [], 0.01), options);
	while (!(await kriging.advance(run)).done);
	const { fieldError: error, pass } = run;
	// Inside the data it is that of kriging with the sizes that are expected, and what these say otherwise; outside it is larger, and holds
	// the truth, which that of kriging does not.
	const at = (x: number): { table: number; alone: number; off: number } => {
		const { value, sd } = error.predict(0, [[x, 0]]);
		return { table: sd[0], alone: pass.field.predict(0, [[x, 0]]).sd[0], off: Math.abs(value[0] + sin(x)) };
	};
	const inside = error.cautious.predict(0, [[0.3, 0]]);
	const apart = inside.value[0] - pass.field.predict(0, [[0.3, 0]]).value[0];
	expect(at(0.3).table).toBeCloseTo(Math.sqrt(inside.sd[0] ** 2 + apart ** 2), 12);
	expect(at(0.3).table).toBeLessThan(2 * at(0.3).alone);
	for (const x of [1.2, 1.5, 1.8]) {
		expect(at(x).off).toBeLessThan(1.96 * at(x).table);
		expect(at(x).off).toBeGreaterThan(1.96 * at(x).alone);
	}
	const file = (await kriging.result(run)).files.find(({ name }) => name === "function-f.csv")!;
	const corner = String(file.content).trim().split("\n").at(-1)!.split(",").map(Number);
	expect(corner[3]).toBe(error.predict(0, [corner.slice(0, 2)]).sd[0]);
	expect(corner[3]).toBeGreaterThan(pass.field.predict(0, [corner.slice(0, 2)]).sd[0]);
});

test("a horizon beyond the record is warned of like a test, though nothing is held against it", {
	timeout,
}, async () => {
	const growth = rate((x) => 0.3 * x, 1);
	const times = evenTimes(20, 0.25);
	const record = recordOf(growth, solve(growth, times), { times, from: 0, to: 20, sd: 0.01, seed: 1 });
	const problem = problemOf(growth, [record], [], 0.01);
	const run = await kriging.prepare(problem, options);
	while (!(await kriging.advance(run)).done);
	// What is learned does not depend on how far it is followed.
	const said = async (horizon: number) =>
		kriging.result(await kriging.load(problem, { ...options, horizon }, kriging.save(run)));
	const { doubts, message } = await said(10);
	expect(message).toContain("do not trust it yet");
	for (const what of ["leaves the data at t = ", "has no band from t = "])
		expect(doubts.find(({ title }) => title.includes(what))!.grave).toBe(true);
	// Also where the horizon is short beside the record.
	const short = await said(0.9);
	expect(short.doubts.find(({ title }) => title.includes("leaves the data"))!.grave).toBe(true);
	expect((await said(0)).doubts.filter(({ grave }) => grave)).toEqual([]);
});

test("beyond the last sample of an input there is no band; a formula is known for all times", {
	timeout,
}, async () => {
	const force = (t: number): number => sin(1.3 * t) + 0.5 * sin(3.1 * t);
	const driven = (input: string): Truth => ({
		rhs(t, x, out) {
			out[0] = force(t) - x[0];
		},
		x0: [0],
		text: `${input}\nunknown f(x) ~ kriging(trend: 1)\nstate x\nx' = f(x) + u\nmeasure y ~ normal(x, SD)`,
		outputs: { y: 0 },
	});
	const times = evenTimes(60, 0.2);
	const inputs = new Map([["u", signalFrom(times, times.map(force), "linear")]]);
	const said = async (truth: Truth, given: typeof inputs, to: number) => {
		const cut = { times, from: 0, to, sd: 0.01, seed: 1 };
		const record = recordOf(truth, solve(truth, times), cut, given);
		const run = await kriging.prepare(problemOf(truth, [record], [], 0.01), { ...options, horizon: 3 });
		while (!(await kriging.advance(run)).done);
		return kriging.result(run);
	};
	const isBounded = ({ predictions: [{ t, lo, hi }] }: Result, time: number): boolean => {
		const at = t.findIndex((each) => each >= time);
		return Number.isFinite(hi![at] - lo![at]);
	};
	const recorded = await said(driven("input u"), inputs, 60);
	expect(recorded.message).toContain("do not trust it yet: the input u is not known after t = 11.8");
	expect(recorded.doubts.filter(({ title }) => title.includes("has no band"))).toEqual([]);
	expect([11.7, 11.85, 14].map((t) => isBounded(recorded, t))).toEqual([true, false, false]);
	// Rows of the input after those that are learned from count.
	const known = await said(driven("input u"), inputs, 45);
	expect(known.doubts.filter(({ title }) => title.includes("not known after"))).toEqual([]);
	expect(isBounded(known, 11.7)).toBe(true);
	const formula = await said(driven("input u = sin(1.3*t) + 0.5*sin(3.1*t)"), new Map(), 60);
	expect(formula.doubts.filter(({ title }) => title.includes("not known after"))).toEqual([]);
	expect(isBounded(formula, 14)).toBe(true);
});
