/** How often the band of a simulation holds the true state. */

import { endOf, simulateTests } from "../../../src/methods/kriging/answer/predictions.ts";
import { after } from "../../../src/methods/kriging/field/learning.ts";
import { type KrigingOptions, KrigingRun } from "../../../src/methods/kriging/run.ts";
import { type Simulation, simulate } from "../../../src/methods/kriging/simulate/simulation.ts";
import { evenTimes, problemOf, recordOf, solve, type Truth } from "./problems.ts";

export interface Task {
	/** Training samples, their spacing, the last sample of the simulation, the noise. */
	readonly n: number;
	readonly step: number;
	readonly end: number;
	readonly sd: number;
}

export async function simulateAfter(
	truth: Truth,
	{ n, step, end, sd }: Task,
	options: KrigingOptions,
	seed: number,
): Promise<{ run: KrigingRun; simulation: Simulation; truth: Float64Array }> {
	const times = evenTimes(end + 1, step);
	const states = solve(truth, times);
	const record = recordOf(truth, states, { times, from: 0, to: n, sd, seed });
	const run = new KrigingRun(problemOf(truth, [record], [], sd), options);
	while (!(await run.advance()).done);
	const { dynamics, pass, smoothed } = run;
	const { functions, params } = after(pass, dynamics);
	const simulation = simulate({
		dynamics,
		error: run.fieldError,
		functions,
		params,
		record: smoothed[0].record,
		start: endOf(run, 0),
		times: times.slice(n),
	});
	return { run, simulation, truth: states.slice(n * truth.x0.length) };
}

/**
 * For each seed: share of the states, over the instants that have a band, within 1.96 standard deviations, and the mean square
 * of their errors in units of these.
 */
export async function coverages(
	system: Truth,
	task: Task,
	options: KrigingOptions,
	seeds: number,
): Promise<{ shares: number[]; squares: number[]; bounded: number }> {
	const shares: number[] = [];
	const squares: number[] = [];
	let bounded = 0;
	let all = 0;
	for (let seed = 1; seed <= seeds; seed++) {
		const { simulation, truth } = await simulateAfter(system, task, options, seed);
		const { t, x, sd, boundedUntil } = simulation;
		const n = system.x0.length;
		let inside = 0;
		let count = 0;
		let square = 0;
		for (let i = 0; i < truth.length; i++) {
			if (!(t[Math.floor(i / n)] <= boundedUntil)) continue;
			count++;
			const score = Math.abs(x[i] - truth[i]) / sd[i];
			if (score <= 1.96) inside++;
			square += score * score;
		}
		shares.push(inside / count);
		squares.push(square / count);
		bounded += count;
		all += truth.length;
	}
	return { shares, squares, bounded: bounded / all };
}

/** Learned from one record, held against another start, or against how the same one goes on. */
export interface HeldTask {
	readonly truth: Truth;
	readonly n: number;
	readonly step: number;
	readonly nTest: number;
	readonly sd: number;
	readonly start?: readonly number[];
}

/** The problem of a task, its test record, and the true states at the samples of that. */
export function heldProblem({ truth, n, step, nTest, sd, start }: HeldTask, seed: number) {
	const times = evenTimes(n + nTest, step);
	const states = solve(truth, times);
	const train = recordOf(truth, states, { times, from: 0, to: n, sd, seed });
	const from = start ? 0 : n;
	const all = start ? solve({ ...truth, x0: start }, times) : states;
	const test = {
		...recordOf(truth, all, { times, from, to: from + nTest, sd, seed: seed + 1000 }),
		name: start ? "other" : "record",
	};
	const d = truth.x0.length;
	return {
		problem: problemOf(truth, [train], [test], sd),
		test,
		states: all.subarray(from * d, (from + nTest) * d),
	};
}

/** States within their band, those that have one, and all. */
export async function held(
	task: HeldTask,
	options: KrigingOptions,
	seed: number,
): Promise<{ inside: number; bounded: number; all: number }> {
	const { problem, test, states } = heldProblem(task, seed);
	const run = new KrigingRun(problem, options);
	while (!(await run.advance()).done);
	const { t, x, sd: error, boundedUntil } = simulateTests(run)[0].simulation;
	const d = task.truth.x0.length;
	let inside = 0;
	let bounded = 0;
	test.times.forEach((time, i) => {
		const at = t.indexOf(time);
		if (at < 0 || !(time <= boundedUntil)) return;
		bounded += d;
		for (let c = 0; c < d; c++)
			if (Math.abs(x[at * d + c] - states[i * d + c]) <= 1.96 * error[at * d + c]) inside++;
	});
	return { inside, bounded, all: task.nTest * d };
}
