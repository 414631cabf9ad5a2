/** Models that once broke a method, found at random: each as small as it was found, to its end. */
import { expect, test } from "vitest";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { javascript } from "./places.ts";
import { questionsOf, type RandomStudy } from "./studies.ts";

const found: readonly { name: string; method: string; model: string; options?: string }[] = [
	{
		name: "a function of a bare parameter",
		method: "fit",
		model: "param k ~ lognormal(0, 1)\nstate x = 2\nx' = -exp(k)*x\nmeasure y ~ normal(x, 0.01)",
	},
	{
		name: "periodic with nothing to search for",
		method: "periodic",
		model: `param a ~ uniform(0.3, 0.9)
state x, z
x' = a*abs(x) - 1.1*x^4 - z
z' = -x - 1.6*z
measure y ~ normal(x, 0.08)`,
		options: "periodic: { starts: 3 }",
	},
	{
		name: "periodic without a hidden state and with nothing to search for",
		method: "periodic",
		model: "param b ~ uniform(-0.4, 0.6)\nstate x\nx' = -1.7*x + 0.2*b\nmeasure y ~ normal(x, 0.05)",
		options: "periodic: { starts: 3 }",
	},
	{
		name: "bayes with nothing unknown, in several runs",
		method: "bayes",
		model: "param a = 1.5\nstate x = 0.8\nx' = -a*x + noise(0.07)\nmeasure y ~ student(2.5, x, 0.5)",
		options: "bayes: { particles: 20, runs: 2, predictive: 10 }",
	},
	{
		name: "inversion where no term may be left out",
		method: "inversion",
		model: `param a ~ lognormal(0.3, 0.7), s
state x = 1.7
x' = -1.8*x - 0.64*a
measure y ~ normal(x^2, s)`,
		options: "inversion: { starts: 0, stability: 3, maxIterations: 2 }",
	},
];

test.each(found)("$name", async ({ method: name, model, options = "" }) => {
	const rows = Array.from({ length: 80 }, (_, i) => {
		const t = i / 10;
		return `${t},${(Math.sin(2 * t) + 0.2 * Math.sin(4 * t + 1)).toFixed(6)}`;
	});
	const study: RandomStudy = {
		seed: 1,
		flavour: "mixed",
		model: parseModel(model, "model.ode"),
		files: { "record.csv": `t,y\n${rows.join("\n")}\n` },
		studyText: () => `model: model.ode\ndata: { file: record.csv, time: t }\n${options}\n`,
	};
	const [{ method, problem, options: values }] = await questionsOf(study, [name], javascript);
	const state = await method.prepare(problem, values);
	while (!(await method.advance(state)).done);
	expect((await method.result(state)).message).not.toBe("");
});
