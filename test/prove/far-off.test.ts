/** What is counted as far off: outside of the 99.9 % interval as its own law has it. */
import { expect, test } from "vitest";
import { farOff } from "../../bench/truth/counts.ts";
import { entriesOf } from "../../bench/truth/entries-of.ts";
import type { Entry } from "../../bench/truth/entry.ts";
import { studentQuantileFrom } from "../../src/num/statistics/quantile.ts";

test.each([
	// An absorption rate on its bound, and 24 degrees of freedom: its profile bends, and passes Student's line beyond the truth.
	{ number: 720869, bent: ["ka", "vol"] },
	// A spread from 37 degrees of freedom: its likelihood falls more slowly above than below.
	{ number: 208237, bent: ["s_z"] },
])(
	"$number: only an interval that is stretched as a normal one misses the truth",
	async ({ number, bent }) => {
		const entries: Entry[] = [];
		await entriesOf(
			number,
			["fit"],
			() => {},
			(entry) => entries.push(entry),
		);
		const [{ at999, ...stretched }] = entries;
		expect(farOff(stretched).map(([name]) => name)).toEqual(bent);
		expect(farOff(entries[0])).toEqual([]);
		// Each is wider than the one at 95 %.
		at999!.forEach(([, , , lo, hi], i) => {
			const [, , , less, more] = stretched.unknowns[i];
			expect(lo <= less && hi >= more).toBe(true);
		});
	},
);

test("Student's quantiles where the normal law has 3.2905", () => {
	// Tables of Student's law, two-sided 0.001.
	for (const [degrees, quantile] of [
		[10, 4.587],
		[24, 3.745],
		[100, 3.39],
	])
		expect(Math.abs(studentQuantileFrom(3.2905, degrees) - quantile)).toBeLessThan(2e-3);
});
