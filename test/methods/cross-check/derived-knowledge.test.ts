import { expect, test } from "vitest";
import { withSets } from "../../../src/methods/cross-check/derived-knowledge.ts";
import { withUnknownField } from "../../../src/methods/cross-check/unknown-field.ts";
import { constantValue } from "../../../src/model/constant.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";

test.each([0.1, 1e-4, 1e-7, 1e-12])(
	"a normal prior of sd %d becomes a set of 4 of them to either side",
	(sd) => {
		const model = parseModel(
			`param k ~ normal(0.7, ${sd.toFixed(12)})\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.01)`,
			"decay.ode",
		);
		const { knowledge } = withSets(model, 4)!.model.params[0];
		if (knowledge.kind !== "set") throw new Error(knowledge.kind);
		const width = constantValue(knowledge.hi) - constantValue(knowledge.lo);
		expect(Math.abs(width / (8 * sd) - 1)).toBeLessThan(1e-3);
	},
);

test("a field is not learned beside an unknown force", () => {
	const model = parseModel(
		"input u ~ matern(1.5, 1, 0.2)\nstate x = 0\nx' = -x + u\nmeasure y ~ normal(x, 0.01)",
		"forced.ode",
	);
	expect(withUnknownField(model)).toMatch(/input u is an unknown force/);
});

test("a field without its equations keeps the errors of its measurements, also where they have names", () => {
	const text = (spread: string): string =>
		`param k ~ normal(1, 1), s ${spread}\nlet e = 2*s\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, e)\n`;
	const field = (spread: string): string => {
		const made = withUnknownField(parseModel(text(spread), "m.ode"));
		return typeof made === "string" ? made : made.model.source;
	};
	expect(field("= 0.05")).toContain("measure y ~ normal(x, 0.1)");
	expect(field("~ halfnormal(1)")).toMatch(/param s ~ halfnormal\(1\)[\s\S]*measure y ~ normal\(x, 2\*s\)/);
});

test("a field without its equations keeps how long errors are remembered", () => {
	const text =
		"param k ~ normal(1, 1), tau ~ lognormal(0, 1)\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.1, correlated: tau)\n";
	const made = withUnknownField(parseModel(text, "m.ode"));
	if (typeof made === "string") throw new Error(made);
	expect(made.model.source).toMatch(/param tau ~ lognormal\(0, 1\)[\s\S]*correlated: tau/);
});
