import { expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import type { Result } from "../../src/estimate/result.ts";
import { compareEvidence } from "../../src/study/compare-evidence.ts";

function result(logEvidence: number | undefined, each: readonly number[] = [], y = [1, 2, 3]): Result {
	const t = Float64Array.of(0, 1, 2);
	return {
		predictions: [
			{
				experiment: "record",
				output: "y",
				part: "train",
				t,
				y: t,
				data: { t, y: Float64Array.from(y) },
			},
		],
		summary: { logEvidence, runs: each.map((one) => ({ logEvidence: one })) },
	} as unknown as Result;
}

test("the best comes first, and odds are ratios of evidences", () => {
	const { rows } = compareEvidence([
		{ run: "a", result: result(10, [9.9, 10.1]) },
		{ run: "b", result: result(10 + Math.log(3), [11, 11.2]) },
	]);
	expect(rows.map(({ run }) => run)).toEqual(["b", "a"]);
	expect(rows[0].probability).toBeCloseTo(0.75, 12);
	expect(rows[0].verdict).toBe("best");
	expect(rows[1].below).toBeCloseTo(Math.log(3), 12);
	expect(rows[1].uncertainty).toBeCloseTo(0.1, 12);
	expect(rows[1].verdict).toBe("somewhat worse");
});

test("a difference within its own uncertainty is none", () => {
	const { rows } = compareEvidence([
		{ run: "a", result: result(10, [4, 14]) },
		{ run: "b", result: result(16, [16, 16]) },
	]);
	expect(rows[1].verdict).toContain("cannot be told");
});

test("runs of other data, and runs without evidence, are refused", () => {
	const a = { run: "a", result: result(10) };
	expect(() => compareEvidence([a, { run: "b", result: result(9, [], [1, 2, 4]) }])).toThrow(
		"the samples of y differ",
	);
	expect(() => compareEvidence([a, { run: "b", result: result(undefined) }])).toThrow(InputError);
});

test("runs that were solved otherwise are not ruled out", () => {
	const solved = (logEvidence: number, filter: Record<string, unknown>, stepShift?: number): Result => ({
		...result(logEvidence, [logEvidence, logEvidence]),
		summary: { logEvidence, stepShift, filter, runs: [] },
		doubts: [],
	});
	const compared = (b: Result) =>
		compareEvidence([
			{ run: "a", result: solved(10, { diffusion: "simulated", substeps: 2 }, 0.1) },
			{ run: "b", result: b },
		]);
	const otherError = compared(solved(-100, { diffusion: "off", substeps: 2 }));
	expect(otherError.rows[1].verdict).toContain("not comparable");
	expect(otherError.warnings[0]).toMatch(/integrationError differs: simulated \(a\), none \(b\)/);
	const otherSteps = compared(solved(-5, { diffusion: "simulated", substeps: 1 }, 14));
	expect(otherSteps.rows[1].verdict).toContain("smaller steps");
	expect(otherSteps.warnings[0]).toContain("substeps differs: 2 (a), 1 (b)");
	const widened = compared(solved(-500, { diffusion: "simulated", substeps: 1 }, -700));
	expect(widened.rows[1].verdict).toBe("ruled out by the data");
	const fineSteps = compared(solved(-5, { diffusion: "simulated", substeps: 3 }, 0.05));
	expect(fineSteps.rows[1].verdict).toBe("ruled out by the data");
});

test("a run that is in doubt is named", () => {
	const doubtful = {
		...result(9),
		doubts: [{ title: "Runs disagree", text: "", grave: true }],
	} as unknown as Result;
	const { warnings } = compareEvidence([
		{ run: "a", result: result(10) },
		{ run: "b", result: doubtful },
	]);
	expect(warnings).toEqual(["b is itself in doubt: Runs disagree."]);
});
