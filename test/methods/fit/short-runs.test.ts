/** Starts for problems with many optima: candidates that fill the ranges evenly, and short runs before long ones. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import { candidatePoints } from "../../../src/estimate/least-squares/starts.ts";
import { costs } from "../../../src/estimate/observe/likelihood.ts";
import { experimentOf } from "../../../src/methods/experiment-of.ts";
import { FitRun } from "../../../src/methods/fit/fit-run.ts";
import { fitOptions } from "../../../src/methods/fit/options.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";

// A tone whose frequency may be anything in three decades: an optimum in every few turns.
const model = parseModel(
	"param w in [0.1, 100]\nparam a in [0.1, 10]\nstate x = 0\nx' = a*w*cos(w*t)\nmeasure y ~ normal(x, 0.1)",
	"tone.ode",
);
const truth = { w: 23, a: 1.5 };
const t = Array.from({ length: 60 }, (_, i) => i / 20);
const { table } = record({ t, y: t.map((each) => truth.a * Math.sin(truth.w * each)) });
const experiment = experimentOf(table, { name: "tone", time: "t" }, model, ["y"]);
const problem = {
	model,
	train: [experiment],
	test: [],
	start: {},
	seed: 3,
	compute: inline,
	settings: {},
};
const options = { ...defaultOptions(fitOptions), profile: false, candidates: 80, short: 40, starts: 4 };

describe("candidates that fill the ranges evenly", () => {
	test("have one in every part of every range, and not in the same order", () => {
		const run = new FitRun(problem, options);
		const { unknowns } = run.estimation;
		const [, ...points] = candidatePoints(unknowns, 51, 1, true);
		const ranks = unknowns.map(({ lo, hi }, j) =>
			points.map((z) => Math.floor((50 * (z[j] - Math.log(lo))) / (Math.log(hi) - Math.log(lo)))),
		);
		for (const own of ranks) expect([...own].sort((a, b) => a - b)).toEqual(points.map((_, i) => i));
		expect(ranks[0].every((rank, i) => rank === ranks[1][i])).toBe(false);
	});
});

describe("short runs", () => {
	const finished = async (run: FitRun): Promise<FitRun> => {
		while (!(await run.advance()).done);
		return run;
	};

	test("find the tone among its many neighbours", async () => {
		const run = await finished(new FitRun(problem, options));
		expect(Math.exp(run.best[0])).toBeCloseTo(truth.w, 4);
		expect(run.starts).toHaveLength(4);
	});

	test("move the bar, round by round", async () => {
		const run = new FitRun(problem, options);
		const seen = new Map<string, number[]>();
		let last = 0;
		// A search that is gone back to with finer steps is short.
		while (run.phase !== "check") {
			const { phase } = run;
			const { fraction } = await run.advance();
			expect(fraction).toBeGreaterThanOrEqual(last);
			last = fraction;
			if (run.phase === phase) seen.set(phase, [...(seen.get(phase) ?? []), last]);
		}
		for (const phase of ["short", "search"]) {
			const fractions = seen.get(phase)!;
			expect(new Set(fractions).size).toBeGreaterThan(0.6 * fractions.length);
		}
		const [first] = seen.get("short")!;
		expect(first).toBeLessThan(0.1);
	});

	test("end where a finer solver confirms the cost", async () => {
		const run = await finished(
			new FitRun(problem, { ...options, integrator: "adaptive", short: 12, candidates: 20 }),
		);
		const fine = { ...run.misfit, forward: run.forward({ kind: "adaptive", rtol: 1e-11 }) };
		const [cost] = await costs(fine, [run.best]);
		expect(Math.abs(cost - run.search!.best.cost)).toBeLessThan(1e-5);
		expect(run.starts.every((start) => start.cost > cost - 1e-5)).toBe(true);
	});

	test("go on from a checkpoint as if nothing had been", async () => {
		const whole = await finished(new FitRun(problem, options));
		const first = new FitRun(problem, options);
		while (first.phase !== "short") await first.advance();
		await first.advance();
		const kept = JSON.parse(JSON.stringify(first.save())) as ReturnType<FitRun["save"]>;
		const second = new FitRun(problem, options);
		await second.restore(kept);
		await finished(second);
		expect([...second.best]).toEqual([...whole.best]);
	});
});
