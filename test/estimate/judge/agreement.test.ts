import { describe, expect, test } from "vitest";
import { agreementOf } from "../../../src/estimate/judge/agreement.ts";
import type { ParameterRow } from "../../../src/estimate/result.ts";
import { sigmasFor } from "../../../src/methods/cross-check/noise-bound.ts";
import { stream } from "../../../src/num/random.ts";

const answer = (method: string, row: Omit<ParameterRow, "name">, draws?: number[]) => ({
	method,
	outcome: "converged",
	message: "",
	answered: true,
	intervalName: "",
	parameters: [{ name: "k", ...row }],
	...(draws ? { draws: new Map([["k", draws]]) } : {}),
});
const set = (lo: number, hi: number) =>
	answer("guaranteed", { estimate: (lo + hi) / 2, lo, hi, proved: true });

describe("two answers", () => {
	test("within their errors", () => {
		const [{ verdict }] = agreementOf([
			answer("fit", { estimate: 1, sd: 0.1 }),
			answer("periodic", { estimate: 1.25, sd: 0.02 }),
		]);
		expect(verdict).toBe("agree");
	});
	test("apart by more of the larger error than chance makes it", () => {
		const [{ verdict, why }] = agreementOf([
			answer("fit", { estimate: 1, sd: 0.1 }),
			answer("periodic", { estimate: 1.4, sd: 0.02 }),
		]);
		expect(verdict).toBe("contradict");
		expect(why).toBe("fit and periodic have k at 1 and 1.4, 4.0 standard deviations apart.");
	});
	test("an interval that misses the proved set", () => {
		const [{ verdict, why }] = agreementOf([answer("fit", { estimate: 1, lo: 0.9, hi: 1.1 }), set(1.2, 1.3)]);
		expect(verdict).toBe("contradict");
		expect(why).toContain("A bound of the noise, or the model, is wrong.");
	});
	test("an interval that reaches into the proved set", () => {
		const [{ verdict }] = agreementOf([answer("fit", { estimate: 1, lo: 0.9, hi: 1.21 }), set(1.2, 1.3)]);
		expect(verdict).toBe("agree");
	});
	test("posterior mass outside the proved set is counted", () => {
		const draws = Array.from({ length: 100 }, (_, i) => i / 100);
		const bayes = answer("bayes", { estimate: 0.5, sd: 0.3 }, draws);
		const [reaching] = agreementOf([bayes, set(0.25, 2)]);
		expect(reaching.verdict).toBe("agree");
		expect(reaching.why).toContain("Of bayes's posterior 25 % lie outside.");
		const [{ verdict, why }] = agreementOf([bayes, set(0.75, 2)]);
		expect(verdict).toBe("contradict");
		expect(why).toContain("75 % of bayes's posterior of k lies outside");
	});
	test("a set that is narrower than the posterior must be met by it, not hold it", () => {
		const draws = Array.from({ length: 100 }, (_, i) => i / 100);
		const bayes = answer("bayes", { estimate: 0.5, sd: 0.3 }, draws);
		expect(agreementOf([bayes, set(0.45, 0.55)])[0].verdict).toBe("agree");
		expect(agreementOf([bayes, set(1.1, 1.2)])[0].verdict).toBe("contradict");
	});
	test("an answer that is far too wide checks nothing, and is said to be so", () => {
		const wide = answer("fit", { estimate: 0.4, sd: 5097, lo: -9000, hi: 9000 });
		const [{ verdict, why }] = agreementOf([wide, answer("bayes", { estimate: 0.43, sd: 0.02 })]);
		expect(verdict).toBe("single");
		expect(why).toBe("Nothing checks bayes's answer. fit has 0.4 ± 5100: too wide to contradict the others.");
	});
	test("nor does one without an error", () => {
		const open = answer("fit", { estimate: 0.4 });
		const [{ verdict, why }] = agreementOf([open, answer("bayes", { estimate: 9, sd: 0.02 })]);
		expect(verdict).toBe("single");
		expect(why).toContain("fit has no error to go by");
	});
	test("two errors of like size about zero do check one another, and are said", () => {
		const [{ verdict, why }] = agreementOf([
			answer("fit", { estimate: 0.01, sd: 0.05 }),
			answer("periodic", { estimate: -0.02, sd: 0.03 }),
		]);
		expect(verdict).toBe("agree");
		expect(why).toBe("fit and periodic differ by less than their errors (± 0.05, ± 0.03).");
	});
	test("one answer is checked by none", () => {
		expect(agreementOf([set(0, 1)])[0].verdict).toBe("single");
	});
});

test("a mean and a mean of half the samples contradict one another as seldom as is stated", () => {
	let alarms = 0;
	for (let seed = 0; seed < 1000; seed++) {
		const random = stream(seed, "halves");
		const mean = (n: number): number =>
			Array.from({ length: n }, (_, i) => random.normal(i)).reduce((sum, value) => sum + value / n, 0);
		const [{ verdict }] = agreementOf([
			answer("fit", { estimate: mean(40), sd: 1 / Math.sqrt(40) }),
			answer("bayes", { estimate: mean(4), sd: 0.5 }),
		]);
		if (verdict === "contradict") alarms++;
	}
	// At a level of 0.001, six alarms among 1000 happen once in 1700 times.
	expect(alarms).toBeLessThan(6);
});

test("the more parameters are compared, the further apart chance makes one of them", () => {
	const rows = (method: string, estimate: number, count: number) => ({
		...answer(method, { estimate, sd: 1 }),
		parameters: Array.from({ length: count }, (_, i) => ({
			name: `k${i}`,
			estimate: i === 0 ? estimate : 1,
			sd: 1,
		})),
	});
	const verdictOf = (count: number): string =>
		agreementOf([rows("fit", 1, count), rows("bayes", 4.7, count)])[0].verdict;
	expect(verdictOf(1)).toBe("contradict");
	expect(verdictOf(30)).toBe("agree");
});

test("the bound of normal errors grows with their number", () => {
	// Two-sided tails beyond 3, 4 and 5 standard deviations: 2.7e-3, 6.3e-5, 5.7e-7.
	expect([1, 100, 1000, 10_000].map(sigmasFor)).toEqual([3, 4, 5, 5]);
});
