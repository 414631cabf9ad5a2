/** Every statement of a result holds for all that is known to be consistent: a slice of the problems of `npm run bench -- guaranteed-truth`. */
import { describe, expect, it } from "vitest";
import { closedProblem } from "./truth/families.ts";
import { checkStatements } from "./truth/statements.ts";
import { wideProblem } from "./truth/wide-families.ts";

describe("statements", () => {
	it("hold in 84 problems: blow-up, division through zero, corners, stiffness, long and several records", async () => {
		const outcomes: Record<string, number> = {};
		const counts: Record<string, number> = {};
		const misses: string[] = [];
		let done = 0;
		for (let seed = 0; done < 84; seed++) {
			const problem = closedProblem(seed);
			if (!problem) continue;
			done++;
			const checked = await checkStatements(problem);
			outcomes[checked.outcome] = (outcomes[checked.outcome] ?? 0) + 1;
			for (const [kind, count] of Object.entries(checked.counts)) counts[kind] = (counts[kind] ?? 0) + count;
			for (const miss of checked.misses) misses.push(`seed ${seed}, ${problem.family}: ${miss}`);
		}
		expect(misses).toEqual([]);
		// Both ends are among them, and every kind of statement.
		expect(outcomes.proved).toBeGreaterThan(30);
		expect(outcomes.undecided).toBeGreaterThan(8);
		for (const kind of ["message", "states", "band", "caption", "shrinkage", "boxes", "inner boxes"])
			expect(counts[kind], kind).toBeGreaterThan(50);
		expect(counts["test prediction"]).toBeGreaterThan(20);
		expect(counts["output figure"]).toBeGreaterThan(50);
	}, 300_000);
	it("hold in 24 problems with three to five unknowns that act together", async () => {
		const misses: string[] = [];
		const outcomes: Record<string, number> = {};
		for (let seed = 0; seed < 24; seed++) {
			const checked = await checkStatements(wideProblem(seed));
			outcomes[checked.outcome] = (outcomes[checked.outcome] ?? 0) + 1;
			for (const miss of checked.misses) misses.push(`seed ${seed}: ${miss}`);
		}
		expect(misses).toEqual([]);
		expect(outcomes.proved).toBeGreaterThan(3);
	}, 300_000);
});
