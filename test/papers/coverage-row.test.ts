/** What a mean over seeds is said to show of the bands. */
import { expect, test } from "vitest";
import { coverageRow } from "../../papers/kriging/coverage-row.ts";

const shares = (n: number, inside: number, missed: number): number[] =>
	Array.from({ length: n }, (_, i) => (i < missed ? 0.2 : inside));

test("few seeds show neither that the goal is reached nor that it is not", () => {
	for (const missed of [0, 2]) {
		const row = coverageRow(shares(5, 0.99, missed));
		expect(row.verdict).toBe("too few seeds");
		expect(row.ours).not.toContain("±");
		expect(row.why).toContain("5");
	}
});

test("with enough of them the mean is held against the goal, with its error", () => {
	expect(coverageRow(shares(50, 0.96, 0))).toMatchObject({ verdict: "reached", ours: "0.960 ± 0.000" });
	expect(coverageRow(shares(50, 0.96, 0)).why).toBeUndefined();
	// One run of fifty that is missed: just below, and within the error.
	expect(coverageRow(shares(50, 0.94, 1))).toMatchObject({ verdict: "reached" });
	expect(coverageRow(shares(50, 0.94, 1)).why).toContain("50 seeds");
	expect(coverageRow(shares(50, 0.96, 25)).verdict).toBe("not reached");
	expect(coverageRow(shares(50, 0.999, 0)).verdict).toBe("not reached");
});
