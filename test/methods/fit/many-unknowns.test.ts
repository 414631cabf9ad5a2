/** Profiles of many unknowns: what is found without derivatives is what searches with them find. */
import { expect, test } from "vitest";
import { Profiles, type ProfileTask } from "../../../src/estimate/least-squares/profile.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import type { FitRun } from "../../../src/methods/fit/fit-run.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { fitProblem, modelOf, regularTimes, simulateRecord } from "./records.ts";

const n = 12;
const all = (text: (i: number) => string): string => Array.from({ length: n }, (_, i) => text(i)).join("\n");
/** Each vessel runs out into the next. */
const vessels = `${all((i) => `param k${i} ~ lognormal(log(0.5), 0.5)`)}
${all((i) => `state x${i} = ${i === 0 ? 5 : 1}`)}
${all((i) => `x${i}' = ${i > 0 ? `k${i - 1}*x${i - 1} ` : ""}- k${i}*x${i}`)}
${all((i) => `measure y${i} ~ normal(x${i}, 0.1)`)}`;

test("profiles of twelve unknowns need few derivatives, and end where exact searches end", async () => {
	const model = modelOf(vessels);
	const record = simulateRecord({
		model,
		values: Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 0.4 + 0.03 * i])),
		x0: Array.from({ length: n }, (_, i) => (i === 0 ? 5 : 1)),
		times: regularTimes(15, 0.5),
		noise: Object.fromEntries(Array.from({ length: n }, (_, i) => [`y${i}`, 0.1])),
		seed: 3,
	});
	const options = { ...defaultOptions(fit.options), profile: false, starts: 2, candidates: 8 };
	const run = (await fit.prepare(fitProblem({ model, train: [record], seed: 1 }), options)) as FitRun;
	while (!(await fit.advance(run)).done);
	const { variance, quantile } = run.scale;
	const { best } = run.search!;
	const profiled = async (jacobian?: Float64Array) => {
		let derivatives = 0;
		const { forward } = run.misfit;
		const counted: typeof forward = {
			...forward,
			evaluate: (points, sensitivities, spare) => {
				if (sensitivities) derivatives += points.length;
				return forward.evaluate(points, sensitivities, spare);
			},
		};
		const task: ProfileTask = {
			problem: { ...run.misfit, forward: counted },
			finer: undefined,
			best: run.best,
			cost: best.cost,
			covariance: run.covariance,
			...(jacobian && { jacobian }),
			variance,
			quantile,
			maxEvaluations: 60,
			isSpent: () => false,
			places: [],
		};
		const profiles = new Profiles(task);
		while (await profiles.round());
		return { ends: profiles.results().map((each) => each!), derivatives };
	};
	const exact = await profiled();
	const looked = await profiled(best.jacobian);
	expect(looked.derivatives).toBeLessThan(exact.derivatives / 4);
	for (const [i, { lo, hi, verdict }] of exact.ends.entries()) {
		expect(verdict).toBe("identifiable");
		expect(Math.abs(looked.ends[i].lo - lo)).toBeLessThan(0.02 * (hi - lo));
		expect(Math.abs(looked.ends[i].hi - hi)).toBeLessThan(0.02 * (hi - lo));
	}
});
