/** A column that holds one number is that number, to the last bit: in every law, and in whatever the spread is made of. */
import { expect, test } from "vitest";
import { bayes } from "../../../src/methods/bayes/bayes.ts";
import { plainRun } from "../../../src/methods/bayes/bayes-state.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { experimentOf, gridTimes, noisy, problemOf } from "./helpers.ts";

const times = gridTimes(11, 0.3);
const y = noisy(
	Array.from(times, (t) => 1 + 2 * Math.exp(-0.4 * t)),
	0.05,
	3,
);
const column = (value: number): Float64Array => times.map(() => value);

function problem(law: string, sd?: Float64Array, also = "", drift = ""): Problem {
	const text = `param k ~ lognormal(log(0.5), 1)\n${also}${sd ? "input sd\n" : ""}state x ~ normal(3, 1)\nx' = -k*(x - 1)${drift}\nmeasure y ~ ${law}`;
	return problemOf(text, [experimentOf(times, { y }, sd && { sd })]);
}

/** What the samples say of three vectors of unknowns, which differ in each of them. */
async function likelihoods(question: Problem): Promise<Float64Array> {
	const { likelihood } = plainRun(await bayes.prepare(question, defaultOptions(bayes.options)));
	const theta = likelihood.unknowns.flatMap(({ kind, name }) =>
		[0, 0.2, -0.1].map((off) => (kind === "initial" ? 3 : name === "s" ? 0.3 : 0.4) * (1 + off)),
	);
	return likelihood.logLikelihoods(Float64Array.from(theta), 3);
}

const s = "param s ~ lognormal(log(0.05), 1)\n";
test.each<[string, string, number, string?, string?]>([
	["normal(x, 0.05)", "normal(x, sd)", 0.05],
	["normal(x, 3*0.1)", "normal(x, 3*sd)", 0.1],
	["normal(x, 0.05*x)", "normal(x, sd*x)", 0.05],
	["normal(x, s*0.1)", "normal(x, s*sd)", 0.1, s],
	["normal(x, sqrt(s^2 + 0.05^2))", "normal(x, sqrt(s^2 + sd^2))", 0.05, s],
	["normal(x, 0.05)", "normal(x, sd)", 0.05, "", " + noise(0.02)"],
	["lognormal(log(x), 0.05)", "lognormal(log(x), sd)", 0.05],
	["student(4, x, 0.05)", "student(4, x, sd)", 0.05],
	["student(4, x, 0.05)", "student(4, x, sd)", 0.05, "", " + noise(0.02)"],
	["laplace(x, 0.05)", "laplace(x, sd)", 0.05],
	["normal(x, 0.05, rounded: 0.1)", "normal(x, sd, rounded: 0.1)", 0.05],
	["normal(x, 0.05, correlated: 2)", "normal(x, sd, correlated: 2)", 0.05],
])("%s and %s", async (number, named, sd, also = "", drift = "") => {
	expect(await likelihoods(problem(named, column(sd), also, drift))).toEqual(
		await likelihoods(problem(number, undefined, also, drift)),
	);
});

test("one that differs counts sample by sample", async () => {
	const some = column(0.05);
	some[3] = 0.5;
	const [here, there] = await Promise.all(
		[some, column(0.05)].map((sd) => likelihoods(problem("normal(x, sd)", sd))),
	);
	expect(here[1]).not.toBeCloseTo(there[1], 1);
});
