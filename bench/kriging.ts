/**
 * Kriging: states and derivatives with variances of long records (time and memory beside the length), the forms beside one
 * another, and how often bands hold the truth, over many seeds.
 */

import { BandedSmoother } from "../src/methods/kriging/banded-smoother.ts";
import { krigingOptions } from "../src/methods/kriging/options.ts";
import { radials } from "../src/methods/kriging/radial.ts";
import { DenseSmoother, type Samples } from "../src/methods/kriging/smoother.ts";
import { StateSpaceSmoother } from "../src/methods/kriging/state-space.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { log, sin } from "../src/num/elementary/number.ts";
import { stream } from "../src/num/random.ts";
import { coverages } from "../test/methods/kriging/coverage.ts";
import { fitzHughNagumo, lotkaVolterra, pendulum } from "../test/methods/kriging/problems.ts";

export async function bench(): Promise<void> {
	longRecords();
	forms();
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

/** Best and median of a few runs, in seconds. */
function timed(work: () => void, runs: number): { best: number; median: number } {
	const times = Array.from({ length: runs }, () => {
		const start = performance.now();
		work();
		return (performance.now() - start) / 1000;
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

async function calibration(): Promise<void> {
	const seeds = 60;
	console.log(`share of simulated states within their 95 % band, ${seeds} seeds (goal: 0.93 to 0.97)`);
	const options = defaultOptions(krigingOptions);
	const systems = [
		{ name: "pendulum", truth: pendulum, task: { n: 60, step: 0.3, end: 120, sd: 0.02 } },
		{ name: "FitzHugh–Nagumo", truth: fitzHughNagumo, task: { n: 50, step: 0.5, end: 90, sd: 0.02 } },
		{ name: "Lotka–Volterra", truth: lotkaVolterra, task: { n: 40, step: 0.5, end: 120, sd: 0.01 } },
	];
	for (const { name, truth, task } of systems)
		for (const field of ["smooth", "generalized"] as const) {
			const { shares, bounded } = await coverages(truth, task, { ...options, field }, seeds);
			const mean = shares.reduce((sum, share) => sum + share, 0) / seeds;
			const spread = Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (seeds - 1));
			const error = (spread / Math.sqrt(seeds)).toFixed(3);
			console.log(
				`  ${name.padEnd(16)} ${field.padEnd(12)} ${mean.toFixed(3)} ± ${error}, with a band at ${bounded.toFixed(3)} of the instants`,
			);
		}
}
