/** Hops from one optimum to another: what starts miss is found from where they end. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import { searchBounds } from "../../../src/estimate/least-squares/region.ts";
import { experimentOf } from "../../../src/methods/experiment-of.ts";
import { FitRun } from "../../../src/methods/fit/fit-run.ts";
import { fitOptions } from "../../../src/methods/fit/options.ts";
import { hopMoves } from "../../../src/methods/fit/starts/hop-moves.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";

// Two tones, each with an optimum in every few turns.
const model = parseModel(
	`param v in [0.1, 100]
param w in [0.1, 100]
state x = 0, y = 0
x' = v*cos(v*t)
y' = w*cos(w*t)
measure p ~ normal(x, 0.1)
measure q ~ normal(y, 0.1)`,
	"tones.ode",
);
const t = Array.from({ length: 60 }, (_, i) => i / 20);
const { table } = record({
	t,
	p: t.map((each) => Math.sin(23 * each)),
	q: t.map((each) => Math.sin(9 * each)),
});
const problem = {
	model,
	train: [experimentOf(table, { name: "tones", time: "t" }, model, ["p", "q"])],
	test: [],
	start: {},
	seed: 1,
	compute: inline,
	settings: {},
};
const options = { ...defaultOptions(fitOptions), profile: false, candidates: 6, starts: 4, segments: false };

const finished = async (run: FitRun): Promise<FitRun> => {
	while (!(await run.advance()).done);
	return run;
};

describe("hops", () => {
	test("find two tones that no start is next to", async () => {
		const plain = await finished(new FitRun(problem, options));
		expect(Math.exp(plain.best[0])).not.toBeCloseTo(23, 1);
		const run = await finished(new FitRun(problem, { ...options, hops: 60 }));
		expect(Math.exp(run.best[0])).toBeCloseTo(23, 4);
		expect(Math.exp(run.best[1])).toBeCloseTo(9, 4);
		expect(run.starts).toHaveLength(4);
	});

	test("no point is left for a worse one, and what is idle ends", async () => {
		const run = new FitRun(problem, { ...options, hops: 10_000 });
		let before: readonly number[] = [];
		while (!(await run.advance()).done) {
			const costs = run.starting.hops?.members.map(({ cost }) => cost) ?? [];
			if (costs.length === before.length)
				for (const [i, cost] of costs.entries()) expect(cost).toBeLessThanOrEqual(before[i]);
			before = costs;
		}
		expect(run.phase).toBe("done");
	});

	test("go on from a checkpoint as if nothing had been", async () => {
		const asked = { ...options, short: 8, candidates: 10, hops: 5 };
		const whole = await finished(new FitRun(problem, asked));
		const pick = stream(9, "interruptions");
		let run = new FitRun(problem, asked);
		for (let step = 0; !(await run.advance()).done; step++) {
			if (pick.uniform(step) > 0.3) continue;
			const kept = JSON.parse(JSON.stringify(run.save())) as ReturnType<FitRun["save"]>;
			run = new FitRun(problem, asked);
			await run.restore(kept);
		}
		expect([...run.best]).toEqual([...whole.best]);
		expect(run.evaluations).toBe(whole.evaluations);
	});

	test("moves stay within bounds, and differ from call to call", () => {
		const { misfit } = new FitRun(problem, options);
		const bounds = searchBounds(misfit);
		let drawn = 0;
		const points = [
			[0, 0],
			[bounds.lo[0], bounds.hi[1]],
			[bounds.hi[0], bounds.lo[1]],
		].map((z) => Float64Array.from(z));
		for (const { from } of hopMoves(misfit.unknowns, bounds, 1, () => drawn++)) {
			const move = from(points[0], points.slice(1));
			const moved = Array.from({ length: 200 }, move);
			for (const z of moved)
				expect(z.every((value, j) => value >= bounds.lo[j] && value <= bounds.hi[j])).toBe(true);
			expect(new Set(moved.map(String)).size).toBeGreaterThan(3);
		}
	});

	test("unknowns of which a range is all that is known are drawn anew near 1, where that is asked for", () => {
		const { misfit } = new FitRun(problem, options);
		const bounds = searchBounds(misfit);
		const farthest = (nearOne: boolean): number => {
			let drawn = 0;
			const [, redraw] = hopMoves(misfit.unknowns, bounds, 1, () => drawn++, nearOne);
			const moved = Array.from({ length: 50 }, redraw.from(Float64Array.of(0, 0), []));
			return Math.max(...moved.flatMap((z) => [...z]));
		};
		// The range is [0.1, 100]; a quarter of it, by its logarithm.
		expect(farthest(true)).toBeLessThanOrEqual(Math.log(100) / 4);
		expect(farthest(true)).toBeGreaterThan(0.9);
		expect(farthest(false)).toBeGreaterThan(3);
	});
});
