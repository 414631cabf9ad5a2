/** Proportional and combined errors with unknown factors: fit has the maximum of the likelihood itself, not of iterated weights. */
import { describe, expect, test } from "vitest";
import { record } from "../../../src/data/data-record.ts";
import { model } from "../../../src/library/model.ts";
import { run } from "../../../src/library/run.ts";
import { simulate } from "../../../src/library/simulate.ts";

const times = Array.from({ length: 60 }, (_, i) => i / 12);
const truth = { c: 5, k: 0.6, a: 0.05, b: 0.1 };
type Values = Record<string, number>;

/** Log density of all samples, written out. */
function logLikelihood(y: ArrayLike<number>, { c, k, a = 0, b }: Values): number {
	return times.reduce((sum, t, i) => {
		const x = c * Math.exp(-k * t);
		const s = a + b * x;
		return sum - 0.5 * ((y[i] - x) / s) ** 2 - Math.log(s) - 0.5 * Math.log(2 * Math.PI);
	}, 0);
}

describe.each([
	["combined", "normal(x, a + b*x)", ["c", "k", "a", "b"]],
	["proportional", "normal(x, b*x)", ["c", "k", "b"]],
])("%s errors", (_, noise, names) => {
	const spreads = names.includes("a") ? "a ~ lognormal(-3, 1), b ~ lognormal(-2, 1)" : "b ~ lognormal(-2, 1)";
	const own = model(`param c ~ lognormal(log(5), 0.5), k ~ lognormal(log(0.5), 0.5), ${spreads}
state x = c
x' = -k*x
measure y ~ ${noise}`);
	const values = Object.fromEntries(names.map((name) => [name, truth[name as "c"]]));
	const { y } = simulate(own, { times, values, noise: true, seed: 6 }).columns;
	const data = record({ t: times, y });

	test("fit is at the maximum, and says how high it is", async () => {
		const { parameters, summary, doubts } = await run(own, data, { method: "fit" });
		const found: Values = Object.fromEntries(parameters.map(({ name, estimate }) => [name, estimate]));
		expect(parameters.map(({ name }) => name).sort()).toEqual([...names].sort());
		const height = logLikelihood(y, found);
		expect(summary.logLikelihood).toBeCloseTo(height, 6);
		for (const name of names)
			for (const factor of [0.99, 1.01])
				expect(logLikelihood(y, { ...found, [name]: found[name] * factor }), name).toBeLessThan(height);
		// So near that the slopes along each are those of rounding and of the search's end.
		for (const name of names) {
			const [lo, hi] = [1 - 1e-4, 1 + 1e-4].map((f) =>
				logLikelihood(y, { ...found, [name]: found[name] * f }),
			);
			expect(Math.abs(hi - lo) / 2e-4, name).toBeLessThan(0.05);
		}
		for (const { name, lo, hi } of parameters) {
			expect(lo!, name).toBeLessThan(1.1 * values[name]);
			expect(hi!, name).toBeGreaterThan(values[name] / 1.1);
		}
		expect(doubts.map(({ code }) => code)).toEqual([]);
	});

	test("bayes finds what made the samples", async () => {
		const { parameters, doubts } = await run(own, data, { method: "bayes", options: { particles: 1000 } });
		for (const { name, lo, hi } of parameters) {
			expect(lo!, name).toBeLessThan(1.1 * values[name]);
			expect(hi!, name).toBeGreaterThan(values[name] / 1.1);
		}
		expect(doubts.map(({ code }) => code)).toEqual([]);
	});
});
