import { describe, expect, test } from "vitest";
import { basisTerms, expandBases } from "../../src/model/basis.ts";
import { evaluate } from "../../src/model/evaluate.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";

const model = parseModel(
	`unknown g(x) = spline(0, 1, 2, 3, 4)
unknown h(x, y) = polynomial(2)
unknown k(x) = fourier(2, period: 10)
unknown q(x, y) = fourier(1)
state x = 0, y = 0
x' = g(x) + h(x, y) + k(y - x)
y' = q(x, y) - 2*g(y)
measure z ~ normal(x, 1)`,
	"bases.ode",
);
const labels = (name: string): string[] =>
	basisTerms(model.graph, model.unknowns.find((each) => each.name === name)!).map(({ label }) => label);

describe("bases of unknown functions", () => {
	test("their terms, in order", () => {
		expect(labels("g")).toEqual(["x", "s1(x)", "s2(x)", "s3(x)"]);
		expect(labels("h")).toEqual(["1", "x", "y", "x^2", "x*y", "y^2"]);
		expect(labels("k")).toEqual(["1", "sin(x)", "cos(x)", "sin(2*x)", "cos(2*x)"]);
		expect(labels("q")).toEqual(["1", "sin(y)", "cos(y)", "sin(x)", "cos(x)"]);
	});

	test("the paper's g is 2x + 0.5 s1 + 0.75 s2 + 0.5 s3, to the last digits", () => {
		const terms = basisTerms(model.graph, model.unknowns[0]);
		const g = (x: number): number =>
			[2, 0.5, 0.75, 0.5].reduce((sum, weight, k) => sum + weight * evaluate(terms[k].value, () => x), 0);
		for (const [x, value] of [
			[0, 0],
			[1, 2.6875],
			[2, 5],
			[3, 6.6875],
			[4, 8],
			[6, 10.5],
			[-2, -5.5],
		])
			expect(Math.abs(g(x) - value)).toBeLessThan(2e-15 * Math.max(1, Math.abs(value)));
	});

	test("a spline passes through the origin wherever its knots are", () => {
		const away = parseModel(
			"unknown g(x) = spline(-1, 0.5, 1, 3)\nstate x = 0\nx' = g(x)\nmeasure z ~ normal(x, 1)",
			"away.ode",
		);
		for (const { value } of basisTerms(away.graph, away.unknowns[0]))
			expect(Math.abs(evaluate(value, () => 0))).toBeLessThan(1e-13);
	});

	test("sums, products and known factors, each term once", () => {
		const termsOf = (basis: string): string[] => {
			const { graph, unknowns } = parseModel(
				`param c = 2\nunknown f(x, y) = ${basis}\nstate x, y\nx' = f(x, y)\ny' = -y\nmeasure z ~ normal(x, 1)`,
				"sum.ode",
			);
			return basisTerms(graph, unknowns[0]).map(({ label }) => label);
		};
		expect(termsOf("polynomial(1) + polynomial(2)")).toEqual(["1", "x", "y", "x^2", "x*y", "y^2"]);
		expect(termsOf("library(1, x, x*sin(c*y)) + x*abs(x) + x")).toEqual(["1", "x", "x*sin(2*y)", "x*abs(x)"]);
		expect(termsOf("exp(-x)*polynomial(1)")).toEqual(["exp(-x)", "x*exp(-x)", "y*exp(-x)"]);
		expect(termsOf("polynomial(1)*library(1, x)")).toEqual(["1", "x", "x^2", "y", "x*y"]);
		expect(termsOf("rational(1, 1) + y^2")).toEqual(["1", "x", "y", "/x", "/y", "y^2"]);
	});

	test("terms may use an argument that is a derivative", () => {
		const source = parseModel(
			"unknown f(x, x') = library(sin(x), x'*abs(x'))\nstate x, x'\nx'' = f(x, x')\nmeasure z ~ normal(x, 1)",
			"derivative.ode",
		);
		const { model: expanded, weights } = expandBases(source);
		const values: Record<string, number> = {
			x: 0.5,
			"x'": -3,
			[weights[0].name]: 2,
			[weights[1].name]: 0.25,
		};
		const rate = evaluate(expanded.rhs[1], (name) => values[name]);
		expect(rate).toBeCloseTo(2 * Math.sin(0.5) - 0.25 * 9, 12);
	});

	test("a fraction is a polynomial over 1 plus another", () => {
		const fraction = parseModel(
			"unknown f(x) = rational(2, 1) + sin(x)\nstate x\nx' = f(x)\nmeasure z ~ normal(x, 1)",
			"fraction.ode",
		);
		const { model: expanded } = expandBases(fraction);
		const values: Record<string, number> = {
			x: 2,
			"f[1]": 3,
			"f[x]": 5,
			"f[x^2]": 7,
			"f[/x]": 0.5,
			"f[sin(x)]": 0,
		};
		expect(evaluate(expanded.rhs[0], (name) => values[name])).toBeCloseTo((3 + 10 + 28) / 2, 12);
	});

	test("calls become weighted sums of the same weights", () => {
		const { model: expanded, weights } = expandBases(model);
		expect(expanded.unknowns).toEqual([]);
		expect(weights.map(({ name }) => name).slice(0, 4)).toEqual(["g[x]", "g[s1(x)]", "g[s2(x)]", "g[s3(x)]"]);
		const value = (name: string): number =>
			({ x: 0.3, y: 0.8, "g[x]": 2, "h[x*y]": 5, "k[sin(x)]": 1.5, "q[1]": 7 })[name] ?? 0;
		expect(evaluate(expanded.rhs[0], value)).toBeCloseTo(
			0.6 + 5 * 0.24 + 1.5 * Math.sin((2 * Math.PI * 0.5) / 10),
			12,
		);
		expect(evaluate(expanded.rhs[1], value)).toBeCloseTo(7 - 2 * 2 * 0.8, 12);
	});
});
