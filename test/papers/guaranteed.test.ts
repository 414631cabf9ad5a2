/** The paper's tables: every row that says nothing of time is reached; the others are printed for people. */
import { expect, it } from "vitest";
import { guaranteed } from "../../papers/guaranteed/reproduce.ts";
import { inline } from "../../src/compute/inline.ts";

it("repeats Tables 1 to 4", async () => {
	const seen: number[] = [];
	const { tables, figures } = await guaranteed.run({
		quick: true,
		seed: 1,
		compute: inline,
		record: async () => undefined,
		progress: (fraction) => seen.push(fraction),
	});
	expect(tables.map(({ rows }) => rows.length)).toEqual([2, 2, 16, 5]);
	// Either ε matters, or the row says why not.
	const [coarse, fine] = tables[1].rows;
	expect(coarse.why).toMatch(/ε = 0\.2: ε has no effect/);
	expect(fine.why).toBeUndefined();
	const range = /\[.*?\]/;
	expect(range.exec(fine.ours)![0]).not.toBe(range.exec(coarse.ours)![0]);
	for (const { rows } of tables)
		for (const { what, verdict, goal } of rows)
			if (!/\d s$/.test(goal)) expect(["reached", "better"], what).toContain(verdict);
	expect(figures.length).toBeGreaterThan(0);
	expect(seen.every((fraction) => fraction > 0 && fraction <= 1)).toBe(true);
});
