/**
 * Kriging: states and derivatives with variances of long records (time and memory beside the length), the forms beside one
 * another, and how often bands hold the truth, over many seeds. Starts between records: bench kriging-fields.
 */

import { radials } from "../src/methods/kriging/field/radial.ts";
import { krigingOptions } from "../src/methods/kriging/options.ts";
import { type KrigingOptions, KrigingRun } from "../src/methods/kriging/run.ts";
import { BandedSmoother } from "../src/methods/kriging/time/banded-smoother.ts";
import { DenseSmoother, type Samples } from "../src/methods/kriging/time/smoother.ts";
import { StateSpaceSmoother } from "../src/methods/kriging/time/state-space.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { log, sin } from "../src/num/elementary/number.ts";
import { stream } from "../src/num/random.ts";
import { type HeldTask, held } from "../test/methods/kriging/coverage.ts";
import { evenTimes, pendulum, problemOf, recordOf, solve } from "../test/methods/kriging/problems.ts";
import { goals, inside, outside } from "../test/methods/kriging/tasks.ts";

export async function bench(): Promise<void> {
	longRecords();
	forms();
	await longFields();
	await calibration();
}

function samplesOf(n: number, uneven = 0): Samples {
	const random = stream(1, "bench");
	const t = Float64Array.from({ length: n }, (_, i) => (i + uneven * random.uniform(n + i)) * 0.01);
	return {
		t,
		order: new Uint8Array(n),
		y: t.map((ti, i) => sin(ti) + 0.05 * random.normal(i)),
		variance: t.map(() => 0.0025),
	};
}

const instantsOf = ({ t }: Samples) =>
	[0, 1].flatMap((order) => Array.from(t, (time) => ({ t: time, order })));

/** Best and median of a few runs, in seconds of processor time. */
function timed(work: () => void, runs: number): { best: number; median: number } {
	const times = Array.from({ length: runs }, () => {
		const start = process.cpuUsage();
		work();
		const { user, system } = process.cpuUsage(start);
		return (user + system) / 1e6;
	}).sort((a, b) => a - b);
	return { best: times[0], median: times[runs >> 1] };
}

function longRecords(): void {
	console.log("states and derivatives with variances, matern72 (goal: 0.5 s at 100000, exponent 1.1)");
	const sizes = [12_500, 25_000, 50_000, 100_000, 200_000];
	const hyper = { variance: 1, length: 3 };
	const rows = sizes.map((n) => {
		const samples = samplesOf(n);
		const instants = instantsOf(samples);
		const work = (): void => {
			new StateSpaceSmoother(samples, radials.get("matern72")!, hyper, 0).posterior(instants);
		};
		work();
		const { best, median } = timed(work, 7);
		console.log(`  ${String(n).padStart(7)}  best ${best.toFixed(3)} s  median ${median.toFixed(3)} s`);
		return { n, best };
	});
	const uneven = samplesOf(100_000, 0.5);
	const instants = instantsOf(uneven);
	const { best, median } = timed(() => {
		new StateSpaceSmoother(uneven, radials.get("matern72")!, hyper, 0).posterior(instants);
	}, 5);
	console.log(`   100000 at uneven times  best ${best.toFixed(3)} s  median ${median.toFixed(3)} s`);
	console.log(`  exponent ${exponentOf(rows).toFixed(2)}`);
}

/** Slope of log time over log length. */
function exponentOf(rows: readonly { n: number; best: number }[]): number {
	const points = rows.map(({ n, best }) => [log(n), log(best)]);
	const [x, y] = [0, 1].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
	const across = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
	return across / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

function forms(): void {
	console.log("forms of the same smoother, as ratios to the dense one at 400 samples");
	const small = samplesOf(400);
	const hyper = { variance: 1, length: 0.5 };
	const matern = radials.get("matern72")!;
	const wendland = radials.get("wendland33")!;
	const wide = { variance: 1, length: 1 };
	const dense = timed(
		() => new DenseSmoother(small, matern, hyper, 0).posterior(instantsOf(small), false),
		5,
	);
	const state = timed(() => new StateSpaceSmoother(small, matern, hyper, 0).posterior(instantsOf(small)), 5);
	const band = timed(() => new BandedSmoother(small, wendland, wide, 0).posterior(instantsOf(small)), 5);
	const show = (name: string, { best }: { best: number }): void =>
		console.log(`  ${name.padEnd(12)} ${(best / dense.best).toFixed(3)}`);
	show("dense", dense);
	show("state space", state);
	show("banded", band);
}

/** A driven pendulum, 20 samples a unit of time, noise 0.05: its field beside the truth at states of the record. */
async function longFields(): Promise<void> {
	console.log("the field from long records: processor time, error, and error in units of what is stated");
	const options = defaultOptions(krigingOptions);
	const sd = 0.05;
	const rows: { n: number; best: number }[] = [];
	for (const n of [1_000, 4_000, 10_000, 30_000, 100_000]) {
		const times = evenTimes(n, 0.05);
		const states = solve(pendulum, times);
		const record = recordOf(pendulum, states, { times, from: 0, to: n, sd, seed: 1 });
		const start = process.cpuUsage();
		const run = new KrigingRun(problemOf(pendulum, [record], [], sd), options);
		while (!(await run.advance()).done);
		const { user, system } = process.cpuUsage(start);
		const points = Array.from({ length: 200 }, (_, k) => Math.floor((k * n) / 200)).map((i) => [
			states[2 * i],
			states[2 * i + 1],
		]);
		const { value, sd: error } = run.fieldError.predict(0, points);
		const off = points.map(([x, v], i) => value[i] - (-sin(x) - 0.2 * v));
		const rms = (values: readonly number[]): number =>
			Math.sqrt(values.reduce((sum, each) => sum + each * each, 0) / values.length);
		rows.push({ n, best: (user + system) / 1e6 });
		console.log(
			`  ${String(n).padStart(7)}  ${((user + system) / 1e6).toFixed(1)} s  ${rms(off).toFixed(5)}  ${rms(off.map((each, i) => each / error[i])).toFixed(2)}  ${run.pass.kind}`,
		);
	}
	console.log(`  exponent ${exponentOf(rows).toFixed(2)}`);
}

async function calibration(): Promise<void> {
	const options = defaultOptions(krigingOptions);
	console.log("share of simulated states within their 95 % band (goal: 0.93 to 0.97)");
	for (const field of ["smooth", "generalized"] as const)
		for (const [name, task] of Object.entries(goals))
			await tell(`${name}, ${field}`, task, { ...options, field }, 24);
	for (const [name, task] of Object.entries(inside)) await tell(name, task, options, 16);
	console.log("the same where the record never came, of the states that have a band");
	for (const [name, task] of Object.entries(outside)) await tell(name, task, options, 4);
}

interface Held {
	readonly inside: number;
	readonly bounded: number;
	readonly all: number;
}

/** Share of the states inside, of those with a band: its error, by the spread of the runs; and how many have one. */
function shareOf(runs: readonly Held[]): [mean: number, error: number, given: number] {
	const total = (of: keyof Held): number => runs.reduce((sum, run) => sum + run[of], 0);
	const mean = total("inside") / total("bounded");
	const square = runs.reduce((sum, { inside, bounded }) => sum + (inside - mean * bounded) ** 2, 0);
	const n = runs.length;
	return [mean, (n * Math.sqrt(square / (n * (n - 1)))) / total("bounded"), total("bounded") / total("all")];
}

/** One run is covered nearly everywhere or it is not: runs are the unit of the error of their mean. */
async function tell(name: string, task: HeldTask, options: KrigingOptions, seeds: number): Promise<void> {
	const runs: Held[] = [];
	for (let seed = 1; seed <= seeds; seed++) runs.push(await held(task, options, seed));
	const [mean, error, given] = shareOf(runs);
	console.log(
		`  ${name.padEnd(40)} ${mean.toFixed(3)} ± ${error.toFixed(3)}, a band at ${given.toFixed(2)} of the instants, ${seeds} seeds`,
	);
}
