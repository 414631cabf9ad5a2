/** Whether bands hold what they promise, over many seeds. */

import { studentQuantile975 } from "../../src/num/statistics/quantile.ts";
import { squared } from "../../src/num/whole-power.ts";
import type { ReproductionRow } from "../../src/report/reproduction.ts";

/** A run is covered nearly everywhere or hardly: fewer of them may all be covered, and say nothing of one in twenty. */
const enough = 20;
const goal = { lo: 0.93, hi: 0.97 } as const;

/** One coverage a seed. */
export function coverageRow(coverages: readonly number[]): ReproductionRow {
	const n = coverages.length;
	const mean = coverages.reduce((sum, share) => sum + share, 0) / n;
	const row = {
		what: `coverage of the 95 % band along the simulated path (${n} seeds)`,
		paper: "none",
		goal: `${goal.lo} to ${goal.hi}`,
	};
	if (n < enough)
		return {
			...row,
			ours: mean.toFixed(3),
			verdict: "too few seeds",
			why: `A run is covered nearly everywhere or hardly, so a mean over ${n} of them tells little; it takes ${enough} or more.`,
		};
	const variance = coverages.reduce((sum, share) => sum + squared(share - mean), 0) / (n - 1);
	const error = studentQuantile975(n - 1) * Math.sqrt(variance / n);
	const isIn = mean >= goal.lo && mean <= goal.hi;
	const mayBe = mean + error >= goal.lo && mean - error <= goal.hi;
	return {
		...row,
		ours: `${mean.toFixed(3)} ± ${error.toFixed(3)}`,
		verdict: isIn || mayBe ? "reached" : "not reached",
		...(isIn || !mayBe ? {} : { why: `Within the error of ${n} seeds; more of them would tell better.` }),
	};
}
