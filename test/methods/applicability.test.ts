/** Which methods can answer for a model, and why or why not. */
import { describe, expect, test } from "vitest";
import { applicability } from "../../src/methods/applicability.ts";
import { singleMethods } from "../../src/methods/registry.ts";
import { exampleTexts, parse } from "../model/helpers.ts";

const texts = exampleTexts();
const applying = (text: string): string[] =>
	applicability(parse(text))
		.filter(({ applies }) => applies)
		.map(({ method }) => method);
const why = (text: string, method: string): string =>
	applicability(parse(text)).find((each) => each.method === method)!.why;

describe("methods", () => {
	test.each([
		["bouc-wen", ["fit", "bayes"]],
		["compartments", ["fit", "guaranteed"]],
		["emps", ["fit", "bayes"]],
		["lotka-volterra-blackbox", ["kriging"]],
		["morris-lecar", ["fit", "periodic", "inversion"]],
		["operating-conditions", ["fit", "inversion"]],
		["predator-prey", ["fit", "periodic", "inversion"]],
		["silverbox", ["fit", "bayes", "periodic"]],
		["spline-terms", ["inversion"]],
	])("for %s", (name, methods) => {
		expect(applying(texts.get(`${name}.ode`)!)).toEqual(methods);
	});

	test("each gives its own verdict, in the order of the registry", () => {
		const model = parse("param k\nstate x\nx' = k\nmeasure y = x");
		const notToday = {
			name: "seventh",
			appliesTo: () => ({ applies: false, why: "not today" }),
			suits: () => "it is",
		};
		const verdicts = applicability(model, [...singleMethods, notToday]);
		expect(verdicts.map(({ method }) => method)).toEqual([
			...singleMethods.map(({ name }) => name),
			"seventh",
		]);
		// What does not apply is not suggested.
		expect(verdicts.at(-1)).toEqual({ method: "seventh", applies: false, why: "not today" });
	});

	const rest = "\nstate x = 0\nx' = -k*x\nmeasure y ~ normal(x, 0.1)";
	test.each([
		["bayes", `param k${rest}`, "param k has no distribution: write  param k ~ normal(0, 1)."],
		["bayes", `param k in [0, 1]${rest}`, "write  param k ~ uniform(lo, hi)."],
		["bayes", `param k ~ normal(0, 1)${rest.replace("= 0", "")}`, "state x has no distribution"],
		[
			"bayes",
			`param k ~ normal(0, 1)${rest.replace("~ normal(x, 0.1)", "= x")}`,
			"measure y has no distribution",
		],
		[
			"guaranteed",
			`param k${rest}`,
			"but param k is unknown, measure y has a random error. Write  param k in [lo, hi]  and  measure y in x +- 0.1.",
		],
		[
			"guaranteed",
			`param k${rest.replace("~ normal(x, 0.1)", "in x +- 0.1")}`,
			"param k is unknown, but needs a set that surely holds it. Write  param k in [lo, hi].",
		],
		[
			"guaranteed",
			`param k in [0, 1]${rest.replace("~ normal(x, 0.1)", "in x +- 0.1").replace("x = 0", "x")}`,
			"The initial value of x is unknown, but needs a set that surely holds it. Write  state x in [lo, hi]  or  state x = 0.",
		],
		[
			"guaranteed",
			`condition c\nparam k(1, c)${rest}`,
			"param k(…) is an unknown combination, which guaranteed does not know.",
		],
		[
			"guaranteed",
			`param k in [0, 1]${rest}`,
			"measure y has a random error, but needs a largest error. Write  measure y in x +- 0.1.",
		],
		[
			"kriging",
			`param k${rest}`,
			"no unknown function, so there is nothing to learn. Write  unknown f(x) ~ kriging(trend: 2)",
		],
		["fit", "param k\nstate x\nx' = k", "Nothing is measured: write  measure y ~ normal(x, 0.1)."],
		["fit", `param k = 1${rest}`, "there is nothing to estimate"],
		["fit", `param k in [0, 1], k' in [0, 1]${rest}`, "param k drifts"],
		[
			"fit",
			"unknown f(x) = spline(0, 1)\nstate x\nx' = f(x)\nmeasure y = x",
			"unknown f is a function of a finite basis",
		],
		[
			"fit",
			"input u ~ matern(1.5, 1, 1)\nparam k\nstate x\nx' = k*u\nmeasure y = x",
			"input u is a random process: bayes finds it",
		],
		[
			"inversion",
			"unknown f(x) ~ kriging(trend: 1)\nstate x\nx' = f(x)\nmeasure y = x",
			"write  unknown f(x) = polynomial(2)",
		],
		["inversion", "state x = 0\nx' = 1\nmeasure y = x", "Nothing has a form to be found"],
		["periodic", "param k\nstate x\nx' = k\nmeasure y = 2*x", "measure y is 2·x, not one state"],
		["periodic", "param k\nstate x\nx' = k\nmeasure y = x, z = x", "measure z measures x a second time"],
		["periodic", "param k\nstate x\nx' = k*t\nmeasure y = x", "time t drives the model"],
	])("%s refuses with a reason that names the declaration", (method, text, reason) => {
		const found = applicability(parse(text)).find((each) => each.method === method)!;
		expect(found.applies).toBe(false);
		expect(found.why).toContain(reason);
	});

	test("fit says what it would do with a combination", () => {
		const text = "condition c\nparam p(1, c)\nstate x = 0\nx' = p\nmeasure y = x";
		expect(why(text, "fit")).toContain("which of them are zero is for inversion to find");
	});
});
