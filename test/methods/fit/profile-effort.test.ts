/** Profiles end with the work that they may take: what is not done by then is said, and is the same after a pause. */
import { expect, test } from "vitest";
import { fit } from "../../../src/methods/fit/fit.ts";
import { FitRun } from "../../../src/methods/fit/fit-run.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { fitProblem, modelOf, regularTimes, runFit, simulateRecord } from "./records.ts";

const model = modelOf(`param a
param k ~ lognormal(0, 1)
param c
state x = a
x' = -k*(x - c)
measure y ~ normal(x, 0.02)`);
const train = [
	simulateRecord({
		model,
		values: { a: 1, k: 0.5, c: 0.2 },
		x0: [1],
		times: regularTimes(20, 0.1),
		noise: { y: 0.02 },
		seed: 1,
	}),
];

test("with none at all, intervals follow from the curvature", async () => {
	const { parameters, notes, intervalName, figures } = await runFit({ model, train, options: { effort: 0 } });
	const plain = await runFit({ model, train, options: { profile: false } });
	expect(parameters).toEqual(plain.parameters);
	expect(parameters.map(({ verdict }) => verdict)).toEqual(Array(3).fill("not profiled"));
	expect(intervalName).toBe("95 % interval");
	expect(figures).toEqual([]);
	expect(notes!.map(({ title }) => title)).toContain("a, k and c were not profiled to the end");
});

test("some are done, others are not; a pause changes nothing", async () => {
	const all = await runFit({ model, train });
	expect(all.notes!.map(({ title }) => title).join()).not.toMatch(/not profiled/);
	const verdicts = new Set<string>();
	for (let effort = 1e-4; effort < 1e-2; effort *= 1.5) {
		const options = { ...defaultOptions(fit.options), effort };
		const state = await fit.prepare(fitProblem({ model, train }), options);
		let paused: Uint8Array | undefined;
		for (;;) {
			const { done } = await fit.advance(state);
			if (done) break;
			if (state instanceof FitRun && state.phase === "profile") paused = fit.save(state);
		}
		const result = await fit.result(state);
		const again = await fit.load(fitProblem({ model, train }), options, paused!);
		while (!(await fit.advance(again)).done);
		expect((await fit.result(again)).parameters).toEqual(result.parameters);
		for (const [i, row] of result.parameters.entries()) {
			verdicts.add(row.verdict === "not profiled" ? "not profiled" : "profiled");
			// One that is done is what it is with all the time of the world.
			if (row.verdict !== "not profiled") expect(row).toEqual(all.parameters[i]);
		}
	}
	expect(verdicts).toEqual(new Set(["profiled", "not profiled"]));
});
