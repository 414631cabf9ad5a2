/** The data of `odentify check --json`. */
import { describe, expect, test } from "vitest";
import { describeModel } from "../../src/model/describe.ts";
import { parse } from "./helpers.ts";

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
