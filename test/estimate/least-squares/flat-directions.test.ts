/** Where the records show nothing of an unknown, a search looks along it before it ends. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import { flatDirections } from "../../../src/estimate/least-squares/flat-directions.ts";
import { Search } from "../../../src/estimate/least-squares/search.ts";
import { experimentOf } from "../../../src/methods/experiment-of.ts";
import { FitRun } from "../../../src/methods/fit/fit-run.ts";
import { fitOptions } from "../../../src/methods/fit/options.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";

describe("flat directions", () => {
	test("are unknowns that do nothing, and what cancels of the others", () => {
		// The second and third act against one another, the fourth not at all, the last may be anywhere.
		const jacobian = Float64Array.from([5, 2, -1, 1e-9, 3, 0, 4, -2, 0, 1]);
		const reach = Float64Array.from([1, 1, 1, 2, Number.POSITIVE_INFINITY]);
		const [together, alone, ...more] = flatDirections(jacobian, 2, reach, 0.1);
		expect(more).toEqual([]);
		const sign = Math.sign(together[2]);
		for (const [j, share] of [0, 0.5, 1, 0, 0].entries()) expect(sign * together[j]).toBeCloseTo(share, 12);
		expect([...alone]).toEqual([0, 0, 0, 1, 0]);
	});
});

describe("a search that rests where a rate is not seen", () => {
	const model = parseModel(
		`param a in [1e-4, 1e4]
param b in [1e-4, 1e4]
state x = 1
x' = b*(1 - x) - a*x
measure y ~ normal(x, 0.01)`,
		"exchange.ode",
	);
	const t = Array.from({ length: 20 }, (_, i) => 0.5 + i / 4);
	// a = 0.3, b = 0.2: towards b/(a + b), at the rate a + b.
	const { table } = record({ t, y: t.map((each) => 0.4 + 0.6 * Math.exp(-each / 2)) });
	const run = new FitRun(
		{
			model,
			train: [experimentOf(table, { name: "exchange", time: "t", start: 0 }, model, ["y"])],
			test: [],
			start: {},
			seed: 1,
			compute: inline,
			settings: {},
		},
		{ ...defaultOptions(fitOptions), integrator: "adaptive", profile: false },
	);
	// So fast that all is over before the first sample: only the ratio shows.
	const start = Float64Array.from([Math.log(3000), Math.log(2000)]);
	const ended = async (careful: boolean): Promise<Search> => {
		const search = Search.from(run.misfit, [start], { maxEvaluations: 300, careful });
		while (await search.round());
		return search;
	};

	test("goes on from what it finds along it", async () => {
		const plain = await ended(false);
		expect(Math.exp(plain.best.best[0])).toBeGreaterThan(100);
		const { best } = await ended(true);
		expect(best.outcome).toBe("converged");
		expect(Math.exp(best.best[0])).toBeCloseTo(0.3, 3);
		expect(Math.exp(best.best[1])).toBeCloseTo(0.2, 3);
	});

	test("looks no further where nothing can be simulated", async () => {
		const failed: number[] = [];
		const { forward } = run.misfit;
		const problem = {
			...run.misfit,
			forward: {
				...forward,
				evaluate: async (points: readonly Float64Array[], slopes: boolean) =>
					(await forward.evaluate(points, slopes)).map((seen, i) => {
						if (points[i][0] > 1500) return seen;
						failed.push(points[i][0]);
						return { ...seen, value: seen.value.map(() => Number.NaN) };
					}),
			},
		};
		const search = Search.from(problem, [start], { maxEvaluations: 300, careful: true });
		while (await search.round());
		expect(search.best.outcome).toBe("converged");
		// Half a decade down both rates, or the first alone.
		expect(failed.length).toBe(1);
		expect(failed[0]).toBeGreaterThan(300);
	});

	/** Where `fails` says so, a point is simulated and its derivatives are not. */
	const withoutSlopes = (fails: (a: number) => boolean) => {
		const { forward } = run.misfit;
		const evaluate = async (points: readonly Float64Array[], slopes: boolean) =>
			(await forward.evaluate(points, slopes)).map((seen, i) =>
				slopes && fails(points[i][0]) ? { ...seen, jacobian: seen.jacobian!.fill(Number.NaN) } : seen,
			);
		return { ...run.misfit, forward: { ...forward, evaluate } };
	};

	test("ends where it was if nothing that it finds has derivatives", async () => {
		const problem = withoutSlopes((a) => a < 1500);
		const search = Search.from(problem, [start], { maxEvaluations: 300, careful: true });
		let rounds = 0;
		while ((await search.round()) && rounds < 400) rounds++;
		const { outcome, evaluations, best } = search.best;
		expect(outcome).toBe("converged");
		expect(evaluations).toBeLessThan(30);
		expect(Math.exp(best[0])).toBeGreaterThan(1500);
	});

	test("looks no further when its evaluations are spent", async () => {
		const plain = await ended(false);
		const { evaluations } = plain.best;
		const search = Search.from(run.misfit, [start], { maxEvaluations: evaluations, careful: true });
		while (await search.round());
		expect(search.best.evaluations).toBe(evaluations);
		expect(Math.exp(search.best.best[0])).toBeGreaterThan(100);
	});

	test("an end that is restored is one", async () => {
		const search = await ended(true);
		const again = Search.from(run.misfit, [start], { maxEvaluations: 300, careful: true });
		await again.restore(search.snapshot());
		expect(await again.round()).toBe(false);
		expect([...again.best.best]).toEqual([...search.best.best]);
	});
});
