/** Estimates that ended on a bound, on the scale of their search. */
import { describe, expect, test } from "vitest";
import { boundDoubt } from "../../../src/estimate/judge/bounds.ts";
import { toSearch, type Unknown, unknownsOf } from "../../../src/estimate/unknowns/unknowns.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { doubtOf } from "./one-record.ts";
import { askSwing, swing } from "./swing.ts";

function unknowns(declared: string): Unknown[] {
	const model = parseModel(`${declared}\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.1)`, "bounds.ode");
	return unknownsOf({
		model,
		experiments: ["a"],
		start: {},
		except: new Set(),
		initialGuess: () => undefined,
	});
}

const titlesAt = (declared: string, value: number): string[] => {
	const [k] = unknowns(declared);
	return boundDoubt([k], [toSearch(k, value)]).map(({ title }) => title);
};

describe("on a bound", () => {
	test("an end of the range is one, on either scale", () => {
		for (const declared of ["param k in [2, 3]", "param k in [-1, 3]", "param k in [1e-12, 1e6]"]) {
			const [k] = unknowns(declared);
			for (const end of [k.lo, k.hi]) expect(titlesAt(declared, end)).toEqual(["k ended on a bound"]);
		}
	});

	test("a value inside a range of many decades is not, however small beside its upper end", () => {
		const [k] = unknowns("param k in [1e-12, 1e6]");
		expect(k.scale).toBe("log");
		expect(titlesAt("param k in [1e-12, 1e6]", 1e-6)).toEqual([]);
		expect(titlesAt("param k in [-1, 3]", 0)).toEqual([]);
	});

	test("is none to doubt unless the data pull the estimate further than noise would", () => {
		const [k] = unknowns("param k in [2, 3]");
		const pulled = (by: number) => boundDoubt([k], [toSearch(k, 3)], () => by);
		expect(pulled(2)).toMatchObject([{ code: "on-bound" }]);
		expect(pulled(2)[0].grave).toBeUndefined();
		// One side of a normal variable: 1 in 1000 beyond 3.09.
		expect(pulled(3.05)[0].grave).toBeUndefined();
		expect(pulled(3.15)).toMatchObject([{ code: "beyond-bound", grave: true }]);
		// Of many unknowns, one is pulled so far by chance.
		const many = Array.from({ length: 50 }, () => k);
		expect(
			boundDoubt(
				many,
				many.map(() => toSearch(k, 3)),
				(i) => (i === 0 ? 3.15 : 0),
			).some(({ grave }) => grave),
		).toBe(false);
	});

	test("nor is any value of an unknown without ends", () => {
		expect(titlesAt("param k", 1e-9)).toEqual([]);
		expect(titlesAt("param k ~ lognormal(0, 1)", 1e-9)).toEqual([]);
	});
});

test.each(["fit", "periodic"] as const)("%s: the data pull an estimate beyond its bound", async (method) => {
	const random = stream(5, "bound");
	const y = swing.map((value, i) => value + 0.02 * random.normal(i));
	const result = await askSwing(method, "param mu in [1.2, 5]", y);
	const found = doubtOf(result, "beyond-bound");
	expect(found).toMatchObject({ title: "The data pull mu beyond its bound", grave: true });
	expect(found?.text).toMatch(/^mu by [\d.]+ standard deviations\. The best answer lies outside the range/);
	expect(result.parameters[0]).toMatchObject({ name: "mu", verdict: "on its bound" });
	const inside = await askSwing(method, "param mu in [0.1, 5]", y);
	expect(doubtOf(inside, "beyond-bound")).toBeUndefined();
	expect(inside.parameters[0].verdict).toBe("identifiable");
});
