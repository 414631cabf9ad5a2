/** A run that is asked on the way: its answer so far is of the runs that have come furthest, whatever the others have yet to see. */
import { describe, expect, it } from "vitest";
import type { Result } from "../../../src/estimate/result.ts";
import { bayes } from "../../../src/methods/bayes/bayes.ts";
import { plainRun } from "../../../src/methods/bayes/bayes-state.ts";
import { PopulationBayes } from "../../../src/methods/bayes/population/population-bayes.ts";
import { furthest } from "../../../src/methods/bayes/smc/furthest.ts";
import { Ibis } from "../../../src/methods/bayes/smc/ibis.ts";
import type { Sampler } from "../../../src/methods/bayes/smc/pooled.ts";
import { Tempering } from "../../../src/methods/bayes/smc/tempering.ts";
import type { BayesSummary } from "../../../src/methods/bayes/summary.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { experimentOf, gridTimes, noisy, problemOf, runBayes } from "./helpers.ts";

const times = gridTimes(31, 1 / 6);
const y = noisy(
	Array.from(times, (t) => 200 * Math.exp(-0.4 * t)),
	2,
	4,
);
// In units in which densities of samples are below 1: the prior's evidence, of no sample, is above that of all.
const text = `param k ~ normal(-1.2, 0.2)
state x ~ normal(200, 10)
x' = -exp(k)*x
measure y ~ normal(x, 2)`;
const problem = problemOf(text, [experimentOf(times, { y })]);
const given = { particles: 200, netcdf: false } as const;

/** Answers on the way, as those of who watches and of who stops: after each step that came to where `isAsked` says. */
async function answersSoFar(
	options: Partial<Parameters<typeof bayes.prepare>[1]>,
	isAsked: (samplers: readonly Sampler[]) => boolean,
): Promise<Result<BayesSummary>[]> {
	const all = { ...defaultOptions(bayes.options), ...given, ...options };
	const state = await bayes.prepare(problem, all);
	const answers: Result<BayesSummary>[] = [];
	for (;;) {
		const { done } = await bayes.advance(state);
		if (done) return answers;
		const run = plainRun(state);
		if (run.phase !== "sample" || !isAsked(run.samplers)) continue;
		const kept = await bayes.load(problem, all, bayes.save(state));
		const [watched, stopped] = [await bayes.result(state), await bayes.result(kept)];
		expect(stopped.parameters).toEqual(watched.parameters);
		answers.push(watched);
	}
}

describe.each(["ibis", "tempering"] as const)("a run by %s that is asked on the way", (sampler) => {
	it("tells what its first run found while the second is on its way", async () => {
		const { result: end } = await runBayes(problem, { ...given, sampler });
		const answers = await answersSoFar(
			{ sampler },
			([first, second]) => first.outcome === "converged" && second.outcome === "running",
		);
		expect(answers.length).toBeGreaterThan(1);
		const [k] = end.parameters;
		for (const { parameters, summary, notes } of answers) {
			expect(Math.abs(parameters[0].estimate - k.estimate)).toBeLessThan(0.5 * k.sd!);
			expect(Math.abs(Math.log(parameters[0].sd! / k.sd!))).toBeLessThan(0.3);
			expect(parameters[0].verdict).toBe("identifiable");
			expect(notes!.map(({ code }) => code)).not.toContain("uninformed");
			// Of a run on its way the evidence is that of other data, and of none at first.
			expect(summary.runs.map(({ logEvidence }) => logEvidence === undefined)).toEqual([false, true]);
			expect(summary.logEvidence).toBeCloseTo(summary.runs[0].logEvidence!, 10);
		}
	});

	it("tells of its best draw by what the furthest runs know", async () => {
		const [answer] = await answersSoFar(
			{ sampler },
			([first, second]) =>
				first.outcome === "converged" && second.outcome === "running" && second.cloud !== undefined,
		);
		const { result: end } = await runBayes(problem, { ...given, sampler });
		expect(answer.summary.logLikelihood! - (end.summary as BayesSummary).logLikelihood!).toBeGreaterThan(-1);
	});
});

describe("a population that is asked on the way", () => {
	it("tells what all draws so far say, few as they are: each is weighed by the posterior itself", async () => {
		const model = `param m ~ normal(0, 3)
param a[record] ~ normal(m, 0.8)
state x = a
x' = 0
measure y ~ normal(x, 0.5)`;
		const at = gridTimes(4, 1);
		const records = [1, 2, 3, 4, 5].map((u) =>
			experimentOf(at, { y: noisy(Array(4).fill(1 + 0.5 * u), 0.5, u) }, {}, `unit ${u}`),
		);
		const all = { ...defaultOptions(bayes.options), ...given, particles: 1000 };
		const asked = problemOf(model, records);
		const state = await bayes.prepare(asked, all);
		const answers: Result<BayesSummary>[] = [];
		while (!(await bayes.advance(state)).done)
			if (state instanceof PopulationBayes && state.rounds.length > 0)
				answers.push(await bayes.result(await bayes.load(asked, all, bayes.save(state))));
		const [m] = (await bayes.result(state)).parameters;
		expect(answers.length).toBeGreaterThan(2);
		for (const { parameters } of answers) {
			expect(Math.abs(parameters[0].estimate - m.estimate)).toBeLessThan(0.5 * m.sd!);
			expect(Math.abs(Math.log(parameters[0].sd! / m.sd!))).toBeLessThan(0.3);
		}
	});
});

describe("runs that have come furthest", () => {
	const ibis = (at: number, outcome: Ibis["outcome"] = "running"): Sampler =>
		Object.assign(Object.create(Ibis.prototype), { at, outcome, cloud: { n: 1 } });
	const tempering = (of: Partial<Record<keyof Tempering, unknown>>, first = false): Sampler =>
		Object.assign(Object.create(Tempering.prototype), {
			outcome: "running",
			cloud: { n: 1 },
			lambda: 0,
			bridge: false,
			target: first ? { first: {} } : {},
			...of,
		});

	it("have seen the same samples, or stand at the same power", () => {
		const [prior, half, same, lost] = [ibis(0), ibis(5), ibis(5), ibis(9, "diverged")];
		expect(furthest([prior, half, lost, same])).toEqual([half, same]);
		const [start, low, high] = [{ lambda: 0 }, { lambda: 1e-20 }, { lambda: 2e-20 }].map((one) =>
			tempering(one),
		);
		expect(furthest([start, high, low])).toEqual([high]);
		expect(furthest([start, tempering({ cloud: undefined })])).toEqual([start]);
	});

	it("are past the first part of a long record, then on the bridge, then at the end", () => {
		const way = [
			tempering({ lambda: 1 }, true),
			tempering({ lambda: 0, start: [] }, true),
			tempering({ lambda: 1 }),
			tempering({ lambda: 0, bridge: true }),
			tempering({ lambda: 1, outcome: "converged" }),
		];
		for (const [k, one] of way.entries()) expect(furthest(way.slice(0, k + 1).reverse())).toEqual([one]);
	});
});
