/** Which methods can answer, and the data of `odentify check --json`. */
import { describe, expect, test } from "vitest";
import { methodNames, methodsFor } from "../../src/model/applies.ts";
import { describeModel } from "../../src/model/describe.ts";
import { exampleTexts, parse } from "./helpers.ts";

const texts = exampleTexts();
const applying = (text: string): string[] =>
	methodsFor(parse(text), new Map())
		.filter(({ applies }) => applies)
		.map(({ method }) => method);
const why = (text: string, method: string): string =>
	methodsFor(parse(text), new Map()).find((each) => each.method === method)!.why;

describe("methods", () => {
	test.each([
		["bouc-wen", ["fit", "bayes", "inversion"]],
		["compartments", ["fit", "periodic", "inversion", "guaranteed"]],
		["emps", ["fit", "bayes", "inversion"]],
		["lotka-volterra-blackbox", ["kriging"]],
		["morris-lecar", ["fit", "periodic", "inversion"]],
		["operating-conditions", ["fit", "inversion"]],
		["predator-prey", ["fit", "periodic", "inversion"]],
		["silverbox", ["fit", "bayes", "inversion"]],
		["spline-terms", ["inversion"]],
	])("for %s", (name, methods) => {
		expect(applying(texts.get(`${name}.ode`)!)).toEqual(methods);
	});

	test("what is built gives its own verdict, the others say that they are not built", () => {
		const model = parse("param k\nstate x\nx' = k\nmeasure y = x");
		const own = new Map([["fit", () => ({ applies: false, why: "not today" })]]);
		for (const { method, built, applies, why: reason } of methodsFor(model, own)) {
			expect(built).toBe(method === "fit");
			expect(reason.includes("not built yet")).toBe(method !== "fit");
			if (built) expect({ applies, reason }).toEqual({ applies: false, reason: "not today" });
		}
		expect(methodsFor(model, new Map()).map(({ method }) => method)).toEqual([...methodNames]);
	});

	const rest = "\nstate x = 0\nx' = -k*x\nmeasure y ~ normal(x, 0.1)";
	test.each([
		[
			"bayes",
			`param k${rest}`,
			"param k is unknown, but needs a distribution. Write  param k ~ normal(0, 1).",
		],
		["bayes", `param k in [0, 1]${rest}`, "param k is in a set, but needs a distribution."],
		["bayes", `param k ~ normal(0, 1)${rest.replace("= 0", "")}`, "initial value of x is unknown"],
		["bayes", `param k ~ normal(0, 1)${rest.replace("~ normal(x, 0.1)", "= x")}`, "measure y has no error"],
		[
			"guaranteed",
			`param k${rest}`,
			"param k is unknown, but needs a set that surely holds it. Write  param k in [0, 1].",
		],
		[
			"guaranteed",
			`param k in [0, 1]${rest}`,
			"measure y has a random error, but needs a largest error. Write  measure y in x +- 0.1.",
		],
		["kriging", `param k${rest}`, "No function is unknown: write  unknown f(x) ~ kriging(trend: 2)"],
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
		["periodic", "param k\nstate x\nx' = k\nmeasure y = 2*x", "measure y is not one state"],
		["periodic", "param k\nstate x\nx' = k\nmeasure y = x, z = x", "measure y and measure z are two"],
		["periodic", "param k\ninput u\nstate x\nx' = k*u\nmeasure y = x", "input u drives the model"],
	])("%s refuses with a reason that names the declaration", (method, text, reason) => {
		const found = methodsFor(parse(text), new Map()).find((each) => each.method === method)!;
		expect(found.applies).toBe(false);
		expect(found.why).toContain(reason);
	});

	test("fit says what it would do with a combination", () => {
		const text = "condition c\nparam p(1, c)\nstate x = 0\nx' = p\nmeasure y = x";
		expect(why(text, "fit")).toContain("which of them are zero is for inversion to find");
	});
});

describe("a model described", () => {
	const text = [
		"input u, v = sin(t)",
		"condition c",
		"param a = 2, b in [0, 1], m ~ lognormal(log(2), 0.3), k, p(1, c^2)",
		"unknown f(x) = fourier(2, period: 3)",
		"state x = a, x' ~ normal(0, 1), z",
		"m*x'' + k*x + abs(z) = u + v",
		"z' = b*f(x) + p",
		"measure y ~ normal(x'', 0.1), w in z +- 0.5",
		"let unusedName = 1",
	].join("\n");

	test("is plain data with every part in it", () => {
		const described = describeModel(parse(text));
		expect(JSON.parse(JSON.stringify(described))).toEqual(described);
		expect(described).toMatchObject({
			file: "test.ode",
			states: [
				{
					name: "x",
					order: 2,
					initial: [
						{ component: "x", kind: "exact", text: "= 2", value: 2 },
						{ component: "x'", kind: "distribution", distribution: { family: "normal", args: [0, 1] } },
					],
				},
				{ name: "z", order: 1, initial: [{ component: "z", kind: "none", text: "" }] },
			],
			inputs: [
				{ name: "u", from: "data", text: "" },
				{ name: "v", from: "formula", text: "= sin(t)" },
			],
			conditions: ["c"],
			parameters: [
				{ name: "a", kind: "exact", value: 2 },
				{ name: "b", kind: "set", text: "in [0, 1]", lo: 0, hi: 1 },
				{ name: "m", kind: "distribution", text: "~ lognormal(log(2), 0.3)" },
				{ name: "k", kind: "none" },
				{ name: "p", kind: "none", terms: ["1", "c^2"] },
			],
			unknownFunctions: [
				{ name: "f", arguments: ["x"], kind: "basis", family: "fourier", args: [2], named: { period: 3 } },
			],
			measurements: [
				{ name: "y", kind: "distribution", family: "normal", text: "y ~ normal(x'', 0.1)" },
				{ name: "w", kind: "set", text: "w in z +- 0.5" },
			],
			equations: [
				{ text: "m*x'' + k*x + abs(z) = u + v", plain: "m·x'' + k·x + abs(z) = u + v" },
				{ text: "z' = b*f(x) + p" },
			],
			system: [
				{ component: "x", derivative: "x'" },
				{ component: "x'", derivative: "(u + v - k*x - abs(z))/m" },
				{ component: "z", derivative: "p + b*f(x)" },
			],
			structure: {
				order: 2,
				secondOrder: false,
				drivenBy: ["u", "v"],
				discontinuities: [{ kind: "kink", text: "abs(z)" }],
			},
			warnings: [{ line: 9, message: 'let "unusedName" is not used' }],
		});
		expect(described.parameters[2].distribution!.args).toEqual([Math.log(2), 0.3]);
	});
});
