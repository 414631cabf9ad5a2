/** Online: a record that grows piece by piece ends in the same posterior as the whole of it. */
import { describe, expect, it } from "vitest";
import type { Experiment } from "../../../src/data/experiment.ts";
import { signalFrom } from "../../../src/data/signal/signal.ts";
import { bayes } from "../../../src/methods/bayes/bayes.ts";
import type { KnownSoFar } from "../../../src/methods/following.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { gridTimes, noisy, problemOf, runBayes, simulate } from "./helpers.ts";

const text = `input u
param c ~ lognormal(log(0.3), 1)
param k ~ lognormal(log(2), 1)
param s ~ lognormal(log(0.1), 1)
state x = 0, x' = 0
x'' + c*x' + k*x = u
measure y ~ normal(x, s)`;
const force = (t: number): number => Math.sin(1.3 * t) + 0.5 * Math.cos(3.1 * t);
// Multiples of 1/8 are exact, so that the mean interval does not change its last bit as the record grows.
const times = gridTimes(90, 0.125);
const states = simulate((t, [x, v]) => [v, force(t) - 0.2 * v - 3 * x], [0, 0], times);
const y = noisy(
	states.map(([x]) => x),
	0.05,
	5,
);

function firstSamples(n: number, between: "linear" | "zoh" = "linear"): Experiment {
	const own = times.slice(0, n);
	return {
		name: "record",
		times: own,
		rows: { from: 0, to: n },
		inputs: new Map([["u", signalFrom(own, own.map(force), between)]]),
		outputs: new Map([["y", { times: own, values: y.slice(0, n), rows: Int32Array.from(own, (_, i) => i) }]]),
		conditions: {},
		removed: {},
	};
}

async function follow(pieces: readonly number[], between: "linear" | "zoh" = "linear") {
	const seen: KnownSoFar[] = [];
	let piece = 0;
	const record = {
		isEnded: false,
		async next() {
			piece++;
			return piece < pieces.length ? [firstSamples(pieces[piece], between)] : undefined;
		},
	};
	const { method } = bayes.follow!(record, (posterior) => seen.push(posterior));
	const options = { ...defaultOptions(bayes.options), particles: 200, substeps: 2 };
	const run = await method.prepare(problemOf(text, [firstSamples(pieces[0], between)]), options);
	while (!(await method.advance(run)).done);
	return { seen, result: await method.result(run) };
}

describe("a record that grows", () => {
	it.each(["linear", "zoh"] as const)(
		"ends in the same bits, however it was cut, as the whole record sample by sample (%s)",
		async (between) => {
			const { result } = await runBayes(problemOf(text, [firstSamples(90, between)]), {
				particles: 200,
				substeps: 2,
				sampler: "ibis",
				integrationError: "running",
				gammaRange: 0,
			});
			for (const pieces of [[10, 11, 40, 89, 90], [90]]) {
				const followed = await follow(pieces, between);
				expect(followed.result.parameters).toEqual(result.parameters);
				expect(followed.result.summary.logEvidence).toBe(result.summary.logEvidence);
			}
		},
	);

	it("reports what is known after each piece, surer each time", async () => {
		const { seen, result } = await follow([10, 30, 60, 90]);
		expect(seen.map(({ samples }) => samples)).toEqual([10, 30, 60, 90]);
		expect(seen.map(({ t }) => t)).toEqual([9, 29, 59, 89].map((i) => i * 0.125));
		const spreads = seen.map(({ parameters }) => parameters.find(({ name }) => name === "k")!.sd);
		for (let i = 1; i < spreads.length; i++) expect(spreads[i]).toBeLessThan(spreads[i - 1]);
		const wanted: Record<string, number> = { c: 0.2, k: 3, s: 0.05 };
		for (const { name, estimate, sd } of result.parameters)
			expect(Math.abs(estimate - wanted[name])).toBeLessThan(4 * sd!);
	});
});
