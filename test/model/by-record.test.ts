/** What differs from record to record: `param k[record]`, `unknown f(x)[record] = …`. */
import { describe, expect, test } from "vitest";
import { singleMethods } from "../../src/methods/registry.ts";
import { describeModel } from "../../src/model/describe.ts";
import { printModel } from "../../src/model/print/model.ts";
import { verdictWithinReach } from "../../src/model/within-reach.ts";
import { errorsOf, parse } from "./helpers.ts";

const text = `param k[record], m[record] in [0, 1], c
unknown f(x, v)[record] = polynomial(2)
state x, v
x' = v
v' = -k*x - c*v + m + f(x, v)
measure y ~ normal(x, 0.1)
`;

test("is read, printed and described", () => {
	const model = parse(text);
	expect(model.params.map(({ name, byRecord }) => [name, byRecord])).toEqual([
		["k", true],
		["m", true],
		["c", undefined],
	]);
	expect(model.unknowns[0].byRecord).toBe(true);
	const printed = printModel(model);
	expect(printed).toContain("unknown f(x, v)[record] = polynomial(2)");
	expect(printed).toContain("param   k[record]\n");
	expect(printModel(parse(printed))).toBe(printed);
	expect(describeModel(model).unknownFunctions[0].byRecord).toBe(true);
});

test.each([
	["param k[record] = 2", "is exactly known, and differs", "condition k"],
	["param k(1, t)[record]", "is a combination, and differs", "param k[record]"],
	["param k[record], k' in [0, 1]", "differs from record to record, and drifts", "Take one"],
	["param k[rig]", "where the word record is expected", "param ka[record]"],
	["param k\nunknown f(x)[record] ~ kriging(trend: 1)", "is a random process, and differs", "polynomial(2)"],
])("%s is refused", (declaration, problem, remedy) => {
	const call = declaration.includes("unknown") ? "f(x)" : "1";
	const { message } = errorsOf(`${declaration}\nstate x\nx' = -k*x + ${call}\nmeasure y ~ normal(x, 0.1)\n`);
	expect(message).toContain(problem);
	expect(message).toContain(remedy);
});

describe("methods", () => {
	const verdictOf = (name: string, model: string) =>
		verdictWithinReach(parse(model), singleMethods.find((method) => method.name === name)!);
	const plain = "param k[record]\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.1)\n";

	test.each(["bayes", "guaranteed", "periodic", "kriging"])(
		"%s refuses such values, and names who takes them",
		(name) => {
			const { applies, why } = verdictOf(name, plain);
			expect(applies).toBe(false);
			expect(why).toMatch(
				/param k differs from record to record without a law.*inversion and fit.*leave {2}\[record\] {2}out/,
			);
		},
	);

	test.each(["fit", "inversion"])("%s takes them, but not for the noise", (name) => {
		expect(verdictOf(name, plain).applies).toBe(true);
		const noise = plain.replace("param k[record]", "param k[record], s[record]").replace("0.1", "s");
		expect(verdictOf(name, noise).why).toMatch(/param s is of the noise, and differs from record to record/);
	});

	test("fit takes values without a law or by one", () => {
		const both = plain
			.replace("param k[record]", "param k[record], m, w, j[record] ~ normal(m, w)")
			.replace("k*x", "k*j*x");
		expect(verdictOf("fit", both).why).toMatch(/fit takes the one or the other/);
	});
});
