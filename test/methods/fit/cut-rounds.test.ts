/** Rounds of multiple shooting, where many starts were asked for: they begin at what came lowest, and end. */
import { describe, expect, test } from "vitest";
import { searchBounds } from "../../../src/estimate/least-squares/region.ts";
import { candidatePoints, nearOne } from "../../../src/estimate/least-squares/starts.ts";
import { costs } from "../../../src/estimate/observe/likelihood.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import { FitRun } from "../../../src/methods/fit/fit-run.ts";
import { fitOptions } from "../../../src/methods/fit/options.ts";
import { CutRounds } from "../../../src/methods/fit/starts/cut-rounds.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { fitProblem, modelOf, regularTimes, simulateRecord } from "./records.ts";

const coupled = (coupling: string) =>
	modelOf(`param w in [0.001, 10000], v in [0.1, 30], k in [0.01, 10], d in [0.001, 1]
state p in [-3, 3], p' in [-5, 5], q in [-3, 3], q' in [-5, 5]
p'' = -w*sin(p) - ${coupling}*(p - q) - d*p'
q'' = -v*sin(q) - ${coupling}*(q - p) - d*q'
measure P ~ normal(p, 0.05)`);
const record = simulateRecord({
	model: coupled("k"),
	values: { w: 4, v: 2.5, k: 0.6, d: 0.02 },
	x0: [1.5, 0, -0.4, 0],
	times: regularTimes(161, 0.1),
	noise: { P: 0.05 },
	seed: 3,
});
const options = { ...defaultOptions(fitOptions), profile: false, short: 6, starts: 3, candidates: 8 };
const runOf = (coupling: string, set = {}): FitRun =>
	new FitRun(fitProblem({ model: coupled(coupling), train: [record], start: set }), options);

const { misfit } = runOf("k");
const endAt = (cost: number, value: number) => ({
	z: misfit.unknowns.map(() => value),
	cost,
	outcome: "converged",
	iterations: 1,
});

test("every other point has values near 1 where a range is all that is known", () => {
	const { unknowns } = misfit;
	const points = candidatePoints(unknowns, 41, 1, true);
	const near = nearOne(unknowns, points);
	const w = unknowns.findIndex(({ name }) => name === "w");
	const p = unknowns.findIndex(({ name }) => name === "p(0)");
	expect(unknowns[w].scale).toBe("log");
	for (const [k, z] of near.entries()) {
		expect(z[w]).toBe(k % 2 === 0 ? points[k][w] : points[k][w] / 4);
		expect(z[p]).toBe(points[k][p]);
	}
	const given = runOf("k", { w: 3 }).misfit.unknowns;
	expect(nearOne(given, points).map((z) => z[w])).toEqual(points.map((z) => z[w]));
	expect(nearOne(unknowns, points, 1).map((z) => z[w])).toEqual(points.map((z) => z[w] / 4));
});

describe("draws that see growing parts of the records", () => {
	const beginning = async (run: FitRun): Promise<FitRun> => {
		while (run.phase !== "segments" && !(await run.advance()).done);
		return run;
	};

	test("come before the first round: ten for each short run, of which as many are left as of a round", async () => {
		const run = await beginning(runOf("0*k"));
		expect(run.cutting.segments).toBeUndefined();
		expect(run.cutting.grown!.machines.length).toBe(60);
		const before = run.starts.length;
		const counts = new Set<number>();
		for (; counts.size < 2; await run.advance()) counts.add(run.cutting.grown!.machines.length);
		const problem = fitProblem({ model: coupled("0*k"), train: [record] });
		const resumed = (await fit.load(problem, options, fit.save(run as never))) as unknown as FitRun;
		for (const each of [run, resumed]) while (each.cutting.grown) await each.advance();
		// Half of them go on from stage to stage.
		expect([...counts]).toEqual([60, 33]);
		// What is left of them hops.
		expect(run.cutting.hops!.members.length).toBe(3);
		const hopping = fit.save(run as never);
		const again = (await fit.load(problem, options, hopping)) as unknown as FitRun;
		for (const each of [run, resumed, again]) while (each.cutting.hops) await each.advance();
		expect(run.phase).toBe("search");
		expect(run.search!.machines.length).toBe(3);
		const begins = ({ search }: FitRun) => search!.machines.map(({ trial }) => [...trial!]);
		expect(begins(resumed)).toEqual(begins(run));
		expect(begins(again)).toEqual(begins(run));
		expect(resumed.evaluations).toBe(run.evaluations);
		while (run.phase === "search") await run.advance();
		expect(run.starts.length).toBe(before + 3);
		expect(run.cutting.segments).toBeDefined();
	});

	test("are not made where a start follows the record", async () => {
		const run = await beginning(runOf("k", { w: 4, v: 2.5, k: 0.6, d: 0.02 }));
		expect(run.phase).toBe("done");
		expect(run.starts.every(({ cut }) => !cut)).toBe(true);
	});
});

describe("rounds", () => {
	test("go on as long as ends come lower, and a few times more", () => {
		const rounds = new CutRounds(1);
		let cost = 100;
		for (let round = 0; round < 6; round++, cost -= 10) {
			expect(rounds.goesOn(misfit, [endAt(cost, 0), endAt(200, 0)])).toBe(true);
			rounds.points(misfit, [endAt(cost, 0)], 2);
		}
		let idle = 0;
		for (; rounds.goesOn(misfit, [endAt(cost + 10, 0)]); idle++)
			rounds.points(misfit, [endAt(cost + 10, 0)], 2);
		expect(idle).toBe(7);
	});

	test("follow the best ends further that had not come to rest", () => {
		const unfinished = { ...endAt(2, 0), outcome: "maxSteps", cut: true };
		const starts = [...[1, 3, 4, 5].map((cost) => endAt(cost, 0)), unfinished, { ...unfinished, cost: 6 }];
		expect(new CutRounds(1).unfinished(starts)).toEqual([unfinished]);
	});

	test("have an end, even if each comes lower", () => {
		const rounds = new CutRounds(1);
		let count = 0;
		for (; rounds.goesOn(misfit, [endAt(1e6 / (count + 1), 0)]); count++)
			rounds.points(misfit, [endAt(1, 0)], 2);
		expect(count).toBe(30);
	});

	test("begin at random, then around the best that differ; the same seed makes the same points", () => {
		const ends = [endAt(5, 0.5), endAt(1, 0.1), endAt(1, 0.11), endAt(3, 0.3)];
		const of = (seed: number) => {
			const rounds = new CutRounds(seed);
			return Array.from({ length: 4 }, () => rounds.points(misfit, ends, 2));
		};
		const all = of(1);
		// Six for each that is left; then three of each of two ends, and two new ones.
		expect(all.map(({ length }) => length)).toEqual([12, 12, 12, 8]);
		expect(new Set(all.flatMap((points) => points.map((z) => z.join()))).size).toBe(44);
		const { lo, hi } = searchBounds(misfit);
		const v = misfit.unknowns.findIndex(({ name }) => name === "v");
		all[3].slice(0, 6).forEach((z, k) => {
			expect(z.every((value, j) => value >= lo[j] && value <= hi[j])).toBe(true);
			// Six deviations of the largest shake: a quarter of a decade.
			expect(Math.abs(z[v] - (k < 3 ? 0.1 : 0.3))).toBeLessThan(1.5 * Math.LN10);
			expect(z[v]).not.toBe(k < 3 ? 0.1 : 0.3);
		});
		expect(of(1)).toEqual(all);
		expect(of(2)[3]).not.toEqual(all[3]);
	});
});

test("ends are judged by a finer solver before a round begins at the best of them, and searches stay loose", async () => {
	const problem = fitProblem({ model: coupled("0*k"), train: [record] });
	const run = new FitRun(problem, { ...options, integrator: "adaptive" });
	while (run.phase !== "segments") await run.advance();
	const ends = run.starts.map(({ z }) => Float64Array.from(z));
	const fine = { ...run.misfit, forward: run.forward({ kind: "adaptive", rtol: 1e-8 }) };
	expect(run.starts.map(({ cost }) => cost)).toEqual(await costs(fine, ends));
	expect(await costs(run.misfit, ends)).not.toEqual(await costs(fine, ends));
});

test("a run that is saved between rounds goes on to the same bits", async () => {
	// Not the record's equations: something is always left.
	const through = runOf("0*k");
	const saved: Uint8Array[] = [];
	let phase = "";
	let rounds = 0;
	while (rounds < 4) {
		expect((await through.advance()).done).toBe(false);
		if (through.phase === "segments" && phase !== "segments") rounds++;
		phase = through.phase;
		if (rounds === 2 && (saved.length === 0 ? phase === "segments" : phase === "search") && saved.length < 2)
			saved.push(fit.save(through as never));
	}
	expect(through.starts.length).toBeGreaterThan(3 + 2 * (rounds - 1));
	expect(saved.length).toBe(2);
	const problem = fitProblem({ model: coupled("0*k"), train: [record] });
	for (const state of saved) {
		const resumed = (await fit.load(problem, options, state)) as unknown as FitRun;
		while (resumed.evaluations < through.evaluations || resumed.phase !== through.phase)
			expect((await resumed.advance()).done).toBe(false);
		expect(fit.save(resumed as never)).toEqual(fit.save(through as never));
	}
});
