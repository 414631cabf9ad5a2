/** Where a method does not apply, the change it asks for: with bounds from priors or answers, in the text as it was written. */
import { describe, expect, it } from "vitest";
import { methods } from "../../src/methods/registry.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { rewritten } from "../../src/model/language/rewrite.ts";
import { type Adaptation, adaptedFor } from "../../src/study/adapt/adapt.ts";
import type { Evidence } from "../../src/study/adapt/evidence.ts";

const nothing: Evidence = { answers: {}, outputs: {}, values: {} };

function adapted(method: string, source: string, evidence: Evidence = nothing): Adaptation {
	return adaptedFor(methods.get(method)!, parseModel(source, "model.ode"), evidence);
}

function changed(
	method: string,
	source: string,
	evidence?: Evidence,
): Extract<Adaptation, { kind: "change" }> {
	const made = adapted(method, source, evidence);
	if (made.kind !== "change") throw new Error(JSON.stringify(made));
	// It is what was asked for: the method applies now.
	expect(methods.get(method)!.appliesTo(parseModel(made.model, "model.ode")).applies).toBe(true);
	return made;
}

const declared = `# A decay. Comments stay.
param k ~ lognormal(log(2), 0.5), s = 0.01 # two of them
state x = 1
x' = -k*x
measure y ~ normal(x, s)
`;
const open = `param k, s
state x
x'' = -k*x
measure y ~ normal(x, s)
`;
const found: Evidence = {
	answers: {
		k: { estimate: 4, sd: 0.1 },
		s: { estimate: 0.02, sd: 0.001 },
		"x(0)": { estimate: 1, sd: 0.01 },
		"x'(0)": { estimate: 0, sd: 0.02 },
	},
	outputs: { y: { nSamples: 200, rms: 0.02 } },
	values: { k: 3 },
};

describe("the change that a method asks for", () => {
	it.each([
		// 200 errors: 5.7e-7 on both sides, as of 5 standard deviations of a normal one.
		["normal(x, 0.01, rounded: 0.004)", 0.052, "5 standard deviations and half of what is rounded off"],
		// exp(-14.3717) of a Laplace law lies beyond 14.3717 scales.
		["laplace(x, 0.01)", 0.1437, "14.37 times the spread of that law"],
		// Student's law of one degree: 1/tan(π 5.733e-7 / 2).
		["student(1, x, 0.01)", 11100, "times the spread of that law"],
	])("a bound of %s that holds as many errors as it says", (law, radius, why) => {
		const { model, says } = changed("guaranteed", declared.replace("normal(x, s)", law), found);
		const written = Number(/\+- ([\d.e+]+)/.exec(model)![1]);
		expect(Math.abs(written / radius - 1)).toBeLessThan(0.01);
		expect(says.join("\n")).toContain(why);
	});

	it("sets where priors have nearly all of their mass", () => {
		const { model, says } = changed("guaranteed", declared, { ...nothing, outputs: found.outputs });
		expect(model).toContain("# A decay. Comments stay.");
		expect(model).toContain("# two of them");
		const [, lo, hi] = /param k in \[([\d.]+), ([\d.]+)\], s = 0\.01/.exec(model)!;
		// Four standard deviations of the logarithm on either side.
		expect(Number(lo)).toBeCloseTo(2 * Math.exp(-2), 4);
		expect(Number(hi)).toBeCloseTo(2 * Math.exp(2), 3);
		// 200 normal errors: 5 standard deviations hold them but for 1 chance in 100.
		expect(model).toContain("measure y in x +- 0.05");
		expect(says).toHaveLength(2);
	});

	it("what nothing is known of is found first, then bounded by what was found", () => {
		expect(adapted("guaranteed", open)).toEqual({
			kind: "answer-first",
			names: ["k", "s", "x(0)", "x'(0)"],
		});
		const { model } = changed("guaranteed", open, found);
		expect(model).toBe(
			"param k in [3, 5], s = 0.02\nstate x in [0.9, 1.1], x' in [-0.2, 0.2]\nx'' = -k*x\nmeasure y in x +- 5*s\n",
		);
		expect(model).not.toContain("[0, 1]");
	});

	it("initial values of several records are all within their bounds", () => {
		const answers = {
			...found.answers,
			"x(0) of a": { estimate: 1, sd: 0.01 },
			"x(0) of b": { estimate: 3, sd: 0.01 },
		};
		const { model } = changed("guaranteed", open, { ...found, answers });
		const [, lo, hi] = /state x in \[([-\d.]+), ([-\d.]+)\]/.exec(model)!;
		expect([Number(lo) < 1, Number(hi) > 3]).toEqual([true, true]);
	});

	it("distributions of sets, and wide ones around an answer", () => {
		const { model } = changed(
			"bayes",
			"param k in [0.1, 0.5], g\nstate x = 1\nx' = -k*x + g\nmeasure y in x +- 0.003\n",
			{ ...found, answers: { g: { estimate: 2, sd: 0.1 } } },
		);
		expect(model).toContain("param k ~ uniform(0.1, 0.5), g ~ normal(2, 1)");
		expect(model).toContain(`measure y ~ normal(x, ${Number((0.003 / Math.sqrt(3)).toPrecision(4))})`);
	});

	it("an unknown function for kriging, terms for inversion, one output for periodic", () => {
		expect(changed("kriging", declared).model).toMatch(/unknown fx\(x\) ~ kriging\(trend: 1\)/);
		expect(changed("kriging", declared).model).toContain("measure y ~ normal(x, 0.01)");
		const terms = changed("inversion", declared, found);
		expect(terms.model).toContain("param k, s = 0.01");
		expect(terms.set).toEqual({ k: 3 });
		const two =
			"param a, b\nstate x, y\nx' = y\ny' = -a*x + b*(1 - x^2)*y\nmeasure p = x\nmeasure q = y # the other\n";
		expect(changed("periodic", two).model).toBe(
			"param a, b\nstate x, y\nx' = y\ny' = -a*x + b*(1 - x^2)*y\nmeasure p = x\n",
		);
	});

	it("what a method does not hold to goes; what no change mends is left", () => {
		const assumed = declared.replace("x' =", "assume x >= 0\nx' =");
		expect(changed("fit", assumed).model).toBe(declared);
		const driven = "input u\nparam k\nstate x\nx' = -k*x + u\nmeasure y = x\n";
		expect(adapted("periodic", driven)).toEqual({ kind: "none" });
	});
});

describe("declarations written anew", () => {
	it("removes one of several with its comma, and a line where it stood alone", () => {
		const source = "param a, b = 2, c\nparam d\nstate x\n";
		const remove = (name: string): string => rewritten(source, [{ keyword: "param", name, remove: true }]);
		expect(remove("a")).toBe("param b = 2, c\nparam d\nstate x\n");
		expect(remove("c")).toBe("param a, b = 2\nparam d\nstate x\n");
		expect(remove("d")).toBe("param a, b = 2, c\nstate x\n");
		expect(remove("e")).toBe(source);
	});
});
