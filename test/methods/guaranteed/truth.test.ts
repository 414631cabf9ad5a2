/** Every statement of a result holds for all that is known to be consistent: a slice of the problems of `npm run bench -- guaranteed-truth`. */
import { describe, expect, it } from "vitest";
import { repeated, repetitions } from "../../repetitions.ts";
import { closedProblem, eventProblem } from "./truth/families.ts";
import { partialProblem } from "./truth/partial-families.ts";
import { checkStatements } from "./truth/statements.ts";
import { wideProblem } from "./truth/wide-families.ts";

/** The first seeds of which a problem comes. */
function seedsOf(problemOf: (seed: number) => unknown, count: number): number[] {
	const seeds: number[] = [];
	for (let seed = 0; seeds.length < count; seed++) if (problemOf(seed)) seeds.push(seed);
	return seeds;
}

describe("statements", () => {
	const count = repetitions(14, 84);
	const nWide = repetitions(4, 24);
	// Those of the first that are done soon; the others take 8 s each.
	const partial = repeated([1, 2, 3, 8, 10], seedsOf(partialProblem, 80));
	const nEvents = repetitions(9, 60);
	it(`hold in ${count} problems: blow-up, division through zero, corners, stiffness, long and several records`, async () => {
		const outcomes: Record<string, number> = {};
		const counts: Record<string, number> = {};
		const misses: string[] = [];
		let done = 0;
		for (let seed = 0; done < count; seed++) {
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
		expect(outcomes.proved).toBeGreaterThan(count * (30 / 84));
		expect(outcomes.undecided).toBeGreaterThan(count * (8 / 84));
		for (const kind of ["message", "states", "band", "caption", "shrinkage", "boxes", "inner boxes"])
			expect(counts[kind], kind).toBeGreaterThan(count * (50 / 84));
		expect(counts["test prediction"]).toBeGreaterThan(count * (20 / 84));
		expect(counts["output figure"]).toBeGreaterThan(count * (50 / 84));
	}, 600_000);
	it(`hold in ${partial.length} problems whose outputs are not defined everywhere, have poles or follow rates that saturate`, async () => {
		const misses: string[] = [];
		const outcomes: Record<string, number> = {};
		for (const seed of partial) {
			const problem = partialProblem(seed)!;
			const checked = await checkStatements(problem);
			outcomes[checked.outcome] = (outcomes[checked.outcome] ?? 0) + 1;
			for (const miss of checked.misses) misses.push(`seed ${seed}, ${problem.family}: ${miss}`);
		}
		expect(misses).toEqual([]);
		expect(outcomes.proved).toBeGreaterThan(0.75 * partial.length);
	}, 600_000);
	it(`hold in ${nEvents} problems with events whose time unknowns and states decide`, async () => {
		const misses: string[] = [];
		const outcomes: Record<string, number> = {};
		for (let seed = 0, done = 0; done < nEvents; seed++) {
			const problem = eventProblem(seed);
			if (!problem) continue;
			done++;
			const checked = await checkStatements(problem);
			outcomes[checked.outcome] = (outcomes[checked.outcome] ?? 0) + 1;
			for (const miss of checked.misses) misses.push(`seed ${seed}, ${problem.family}: ${miss}`);
		}
		expect(misses).toEqual([]);
		expect(outcomes.proved).toBeGreaterThan(0.4 * nEvents);
	}, 600_000);
	it(`hold in ${nWide} problems with three to five unknowns that act together`, async () => {
		const misses: string[] = [];
		const outcomes: Record<string, number> = {};
		for (let seed = 0; seed < nWide; seed++) {
			const checked = await checkStatements(wideProblem(seed));
			outcomes[checked.outcome] = (outcomes[checked.outcome] ?? 0) + 1;
			for (const miss of checked.misses) misses.push(`seed ${seed}: ${miss}`);
		}
		expect(misses).toEqual([]);
		expect(outcomes.proved).toBeGreaterThan(nWide / 8);
	}, 600_000);
});
