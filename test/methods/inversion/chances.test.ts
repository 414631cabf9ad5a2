/** How likely terms are before the data, and an answer after them. */
import { describe, expect, test } from "vitest";
import { candidatesOf } from "../../../src/methods/inversion/candidates/candidates.ts";
import { costOf, plainCost } from "../../../src/methods/inversion/candidates/term-odds.ts";
import { chanceOf, type Judged, namedRivals } from "../../../src/methods/inversion/selection/judged.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";

describe("before the data", () => {
	const costs = (basis: string): Record<string, number> => {
		const text = `unknown f(x, y) = ${basis}\nstate x = 1, y = 1\nx' = f(x, y)\ny' = -y\nmeasure xm ~ normal(x, 0.1)`;
		const { weights } = candidatesOf(parseModel(text, "m.ode"), {}, false);
		return Object.fromEntries(weights.map(({ term, powers }) => [term, costOf(powers)]));
	};

	test("linear terms of a polynomial are as likely there as not, others 1 in 8, from degree 3 on 1 in 16", () => {
		const { 1: constant, x, y, "x*y": product, "x^2*y": third, "y^4": fourth } = costs("polynomial(4)");
		expect([x, y]).toEqual([0, 0]);
		expect(constant).toBeCloseTo(2 * Math.log(7), 12);
		expect(product).toBeCloseTo(2 * Math.log(7), 12);
		expect([third, fourth]).toEqual([costOf({ x: 2, y: 1 }), costOf({ x: 3 })]);
		expect(third).toBeCloseTo(2 * Math.log(15), 12);
	});

	test("a list of monomials is a polynomial; among other functions no degree counts", () => {
		expect(costs("library(x, x*y)")).toEqual({ x: 0, "x*y": costOf({ x: 1, y: 1 }) });
		for (const basis of ["library(x, x*y, sin(y))", "rational(1, 1)", "spline(0, 1, 2)"])
			expect(new Set(Object.values(costs(basis)))).toEqual(new Set([plainCost]));
	});
});

describe("after them", () => {
	const setsBehind = (behind: readonly number[]): Parameters<typeof chanceOf>[0] => {
		const judged = [0, ...behind].map((evidence) => ({ evidence }) as Judged);
		return {
			chosen: judged[0],
			rivals: (within) => judged.slice(1).filter((each) => each.evidence <= within),
		};
	};

	test("one set at odds of 1 to 20 leaves an answer as sure as an interval", () => {
		expect(chanceOf(setsBehind([6]))).toBeGreaterThan(0.95);
		expect(namedRivals(setsBehind([6]))).toHaveLength(1);
		expect(namedRivals(setsBehind([6.5]))).toHaveLength(0);
	});

	test("many sets beyond these odds count together, and are named until all that is named is as sure", () => {
		const sets = setsBehind(Array.from({ length: 6 }, () => 6.5));
		expect(chanceOf(sets)).toBeLessThan(0.85);
		const named = namedRivals(sets);
		expect(named.length).toBeGreaterThan(2);
		expect(named.length).toBeLessThan(6);
	});
});
