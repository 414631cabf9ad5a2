/** Intervals of curved problems: what a search from many places finds at held values must agree with them. */
import { describe, expect, test } from "vitest";
import { fit } from "../../../src/methods/fit/fit.ts";
import type { FitRun } from "../../../src/methods/fit/fit-run.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { repeated } from "../../repetitions.ts";
import { type FitSetup, fitProblem, modelOf, regularTimes, runFit, simulateRecord } from "./records.ts";

const quiet = {
	...defaultOptions(fit.options),
	profile: false,
	integrator: "fixed",
	substeps: 64,
	maxEvaluations: 500,
	starts: 6,
	candidates: 60,
} as const;

/** Half the sum of squares at the best fit that is found from several places, and what intervals are made of. */
async function lowest(
	text: string,
	train: FitSetup["train"],
	places: readonly Readonly<Record<string, number>>[],
) {
	const found = [];
	for (const start of places) {
		const model = modelOf(text);
		const free = model.params.filter(({ knowledge }) => knowledge.kind !== "exact").map(({ name }) => name);
		const known = Object.fromEntries(Object.entries(start).filter(([name]) => free.includes(name)));
		const run = (await fit.prepare(fitProblem({ model, train, start: known, seed: 7 }), quiet)) as FitRun;
		while (!(await fit.advance(run)).done);
		found.push({ cost: run.search!.best.cost, scale: run.scale });
	}
	return found.reduce((best, each) => (each.cost < best.cost ? each : best));
}

/** The model with one of its parameters held. */
function held(text: string, name: string, value: number): string {
	const declared = new RegExp(`^param ${name}\\b.*$`, "m");
	expect(text).toMatch(declared);
	return text.replace(declared, `param ${name} = ${value}`);
}

const saturated = `param p1 in [0, 2]
param p4 in [0.1, 0.5]
param w
param v ~ lognormal(0, 1)
state x1 = 1, x2 = 0
x1' = -0.5*x1 - p1*x1 + p4*x2 + w*x1/(1 + v*x1)
x2' = 0.5*x1 - p4*x2
measure y ~ normal(x2, 0.003)`;
const symmetric = `param p1 in [0.1, 2]
param p4 in [0.1, 0.5]
state x1 = 1, x2 = 0
x1' = -0.5*x1 - p1*x1 + p4*x2
x2' = 0.5*x1 - p4*x2
measure y ~ normal(x2, 0.003)`;
const decay = `param a
param k ~ lognormal(0, 1)
param c
state x = a
x' = -k*(x - c)
measure y ~ normal(x, 0.02)`;

interface Case {
	readonly name: string;
	readonly text: string;
	readonly values: Readonly<Record<string, number>>;
	readonly seeds: readonly number[];
}

const curved: Case[] = [
	{
		name: "a loss that levels off",
		text: saturated,
		values: { p1: 0, p4: 0.25, w: -1, v: 1.2 },
		seeds: repeated([1], [1, 2, 3]),
	},
	{
		name: "two rates that can be exchanged",
		text: symmetric,
		values: { p1: 0.4, p4: 0.4 },
		seeds: repeated([1], [1, 2]),
	},
	{
		name: "a decay that is cut short",
		text: decay,
		values: { a: 1, k: 0.5, c: 0.2 },
		seeds: repeated([1], [1, 2]),
	},
];
/** Where searches begin: along the valley in which only w/v is determined. */
const valley: Readonly<Record<string, number>>[] = [{}, { w: -30, v: 30 }, { w: -300, v: 300 }];
const cases = curved.flatMap(({ seeds, ...rest }) =>
	seeds.map((seed) => ({ ...rest, seed, places: rest.text === saturated ? valley : [{}] })),
);

describe("profile intervals", { timeout: 180_000 }, () => {
	test.each(cases)("$name, record $seed", async ({ text, values, seed, places }) => {
		const model = modelOf(text);
		const isDecay = text === decay;
		const train = [
			simulateRecord({
				model,
				values,
				x0: isDecay ? [1] : [1, 0],
				times: isDecay ? regularTimes(20, 0.1) : regularTimes(21, 0.5),
				noise: { y: isDecay ? 0.02 : 0.003 },
				seed,
			}),
		];
		const { parameters } = await runFit({ model, train });
		const best = await lowest(text, train, places);
		const { quantile, variance } = best.scale;
		const scoreAt = async (name: string, value: number): Promise<number> => {
			const { cost } = await lowest(held(text, name, value), train, places);
			return Math.sqrt((2 * Math.max(cost - best.cost, 0)) / variance);
		};
		for (const { name, estimate, sd, lo, hi } of parameters) {
			const set = /in \[(.*), (.*)\]/.exec(text.match(new RegExp(`^param ${name}\\b.*$`, "m"))![0]);
			const [least, most] = set ? [Number(set[1]), Number(set[2])] : [-Infinity, Infinity];
			expect(lo).toBeGreaterThanOrEqual(least);
			expect(hi).toBeLessThanOrEqual(most);
			expect(lo).toBeLessThanOrEqual(estimate);
			expect(hi).toBeGreaterThanOrEqual(estimate);
			// An estimate beside its error and its interval: not one of them ten times the others.
			if (sd !== undefined && hi! - lo! < Infinity && !/lognormal/.test(text))
				expect((hi! - lo!) / (2 * quantile * sd)).toBeGreaterThan(0.2);
			for (const end of [lo!, hi!]) {
				if (!Number.isFinite(end) || end === least || end === most || end === 0) continue;
				const inside = await scoreAt(name, end + 0.06 * (estimate - end));
				const outside = await scoreAt(name, end - 0.06 * (estimate - end));
				// The search from many places is a bound from above itself: it may end a little too high, never too low.
				expect(inside, `${name} just inside ${end}`).toBeLessThan(1.05 * quantile);
				expect(outside, `${name} just outside ${end}`).toBeGreaterThan(0.98 * quantile);
			}
		}
	});

	test("an interval ends where the declared set does, and a note says so", async () => {
		const model = modelOf(symmetric);
		const values = { p1: 0.4, p4: 0.4 };
		const train = [
			simulateRecord({
				model,
				values,
				x0: [1, 0],
				times: regularTimes(11, 0.5),
				noise: { y: 0.01 },
				seed: 1,
			}),
		];
		const { parameters, notes } = await runFit({ model, train });
		const p4 = parameters.find(({ name }) => name === "p4")!;
		expect(p4).toMatchObject({ hi: 0.5, verdict: "practically unidentifiable" });
		const said = notes!.find(({ title }) => /do not bound/.test(title))!;
		expect(said.text).toContain("p4 up to 0.5, where its set ends");
	});

	test("without profiles too, and a note says so", async () => {
		const model = modelOf(symmetric);
		const values = { p1: 0.4, p4: 0.4 };
		const x0 = [1, 0];
		const train = [
			simulateRecord({ model, values, x0, times: regularTimes(11, 0.5), noise: { y: 0.03 }, seed: 1 }),
		];
		const { parameters, notes } = await runFit({ model, train, options: { profile: false } });
		for (const { lo, hi, estimate } of parameters) {
			expect(lo!).toBeGreaterThanOrEqual(0.1);
			expect(lo!).toBeLessThanOrEqual(estimate);
			expect(hi!).toBeGreaterThanOrEqual(estimate);
		}
		expect(parameters[1]).toMatchObject({ name: "p4", hi: 0.5, verdict: "not profiled" });
		expect(notes!.find(({ code }) => code === "interval-cut")!.text).toContain("p4 at 0.1 and 0.5");
	});

	test("stopped on the way, with finer steps for the ends: the same bits", async () => {
		const model = modelOf(saturated);
		const values = { p1: 0, p4: 0.25, w: -1, v: 1.2 };
		const train = [
			simulateRecord({
				model,
				values,
				x0: [1, 0],
				times: regularTimes(21, 0.5),
				noise: { y: 0.003 },
				seed: 1,
			}),
		];
		const options = defaultOptions(fit.options);
		const straight = await runFit({ model, train });
		const problem = fitProblem({ model, train });
		let run = (await fit.prepare(problem, options)) as FitRun;
		const steps: number[] = [];
		while (!(await fit.advance(run)).done) {
			if (run.phase !== "profile" || run.integration.kind !== "fixed") continue;
			const { substeps } = run.integration;
			// Once at each integration.
			if (steps.includes(substeps)) continue;
			steps.push(substeps);
			run = (await fit.load(problem, options, fit.save(run))) as FitRun;
		}
		expect(steps.length).toBeGreaterThan(1);
		expect((await fit.result(run)).parameters).toEqual(straight.parameters);
	});
});
