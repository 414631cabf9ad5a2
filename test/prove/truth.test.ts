/** A small fixed part of the ledger: bounds are those that binomial theory gives one time in a thousand. */
import { beforeAll, describe, expect, test } from "vitest";
import { countsOf } from "../../bench/truth/counts.ts";
import { entriesOf } from "../../bench/truth/entries-of.ts";
import type { Entry } from "../../bench/truth/entry.ts";
import { pageOf } from "../../bench/truth/page.ts";
import { families } from "../../src/prove/families.ts";
import { problemOf } from "../../src/prove/problem.ts";

/** Families whose problems are quick to fit, each by some of its numbers. */
const quick = ["RC circuit", "logistic growth", "Michaelis-Menten", "chain of reactions", "tank"];
const perFamily = 6;
const entries: Entry[] = [];

beforeAll(async () => {
	for (const name of quick) {
		const first = families.findIndex((family) => family.name === name);
		const numbers = Array.from({ length: 40 }, (_, i) => 3100 + first + i * families.length)
			.filter((number) => problemOf(number)?.fault === undefined && problemOf(number) !== undefined)
			.slice(0, perFamily);
		for (const number of numbers)
			await entriesOf(
				number,
				["fit"],
				() => {},
				(entry) => entries.push(entry),
			);
	}
}, 120_000);

describe("sound problems, fitted", () => {
	test("all are answered, and none ends as a bug", () => {
		const counts = countsOf(entries);
		expect(counts.n).toBe(quick.length * perFamily);
		expect(counts.answered).toBe(counts.n);
		expect(counts.bugs).toBe(0);
	});

	test("intervals hold as much as they say, doubts are rare", () => {
		const { nIntervals, held, graveDoubt, anyDoubt, sureButWrong } = countsOf(entries);
		// Unknowns of one answer go together, so that they count as fewer: half of them.
		expect(held / nIntervals).toBeGreaterThan(0.95 - 3.1 * Math.sqrt((0.95 * 0.05) / (nIntervals / 2)));
		// Of 30 with a chance of 1 %, three or more in 0.3 % of the cases; of 5 %, seven or more in 0.1 %.
		expect(graveDoubt).toBeLessThan(4);
		expect(anyDoubt).toBeLessThan(7);
		expect(sureButWrong.length).toBeLessThan(3);
	});

	test("the page is made of a ledger, with every part of it and what was before", () => {
		const page = pageOf(entries);
		expect(page).toContain("| fit | before | 867 of 870 |");
		for (const heading of ["Before and after", "The worst ten after", "What is not known", "by family"])
			expect(page).toContain(heading);
		expect(page).toContain(`${entries.length} answers to ${entries.length} problems`);
	});
});
