/** Errors are judged on the scale that matters: collinear regressors are told by it, and a zero is a value like others. */
import { describe, expect, it } from "vitest";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import { oscillators, problemFor } from "./oscillators.ts";

async function answerTo(text: string, truth: Record<string, number>, noise: number, options = {}) {
	const problem = problemFor({ ...oscillators.vanDerPol, text, truth }, {}, { samplesPerPeriod: 100, noise });
	const run = await periodic.prepare(problem, { ...defaultOptions(periodic.options), ...options });
	while (!(await periodic.advance(run)).done);
	return periodic.result(run);
}

describe("regressors that are nearly collinear", () => {
	const text = (share: number) =>
		`param a, b, k\nstate x, s\nx' = a*(x - x^3/3) + b*(x - x^3/3 + ${share}*x^2) + s\ns' = -k*x\nmeasure y = x\n`;
	const truth = { a: 0.6, b: 0.4, k: 1.3 };
	it("are named, with the direction, where noise hides what tells them apart", async () => {
		const { doubts, message, parameters } = await answerTo(text(0.001), truth, 0.02);
		const [found] = doubts.filter(({ grave }) => grave);
		expect(found.title).toBe("The record hardly tells a and b apart");
		expect(found.text).toMatch(/a by [−+]([\d.]+), b by [−+]\1: changed together, x stays within its noise/);
		expect(message).toMatch(/do not trust it yet/);
		expect(parameters.find(({ name }) => name === "a")!.verdict).toBe("practically unidentifiable");
		expect(parameters.find(({ name }) => name === "k")!.verdict).toBe("identifiable");
	});
	it("are mentioned where it hides some of it, and the errors are as large as they are", async () => {
		const { doubts, notes, parameters } = await answerTo(text(0.001), truth, 0.001);
		expect(doubts).toEqual([]);
		expect(notes).toMatchObject([{ title: "The record hardly tells a and b apart" }]);
		const a = parameters.find(({ name }) => name === "a")!;
		expect(Math.abs(a.estimate - 0.6) / a.sd!).toBeLessThan(3);
	});
	it("are no matter where the record is exact", async () => {
		const { doubts, parameters } = await answerTo(text(0.001), truth, 0);
		expect(doubts).toEqual([]);
		expect(parameters.find(({ name }) => name === "a")!.estimate).toBeCloseTo(0.6, 8);
	});
});

describe("a parameter that is zero", () => {
	const text = "param a, b, k\nstate x, s\nx' = a*(x - x^3/3) + b*x^2 + s\ns' = -k*x\nmeasure y = x\n";
	it.each([0, 0.02])("is found and called identifiable, noise %d", async (noise) => {
		const { doubts, parameters } = await answerTo(text, { a: 1, b: 0, k: 1.3 }, noise);
		expect(doubts).toEqual([]);
		const b = parameters.find(({ name }) => name === "b")!;
		expect(b.verdict).toBe("identifiable");
		expect(Math.abs(b.estimate)).toBeLessThan(4 * b.sd!);
	});
});

describe("a search whose record is not adjusted", () => {
	it("ends without a word about adjustment", async () => {
		const { text, truth } = oscillators.vanDerPol;
		const { doubts, outcome } = await answerTo(text, truth, 0.02, { adjust: false });
		expect(outcome).toBe("converged");
		// The estimate has the bias that adjustment takes away, and residuals show it: nothing else is doubted.
		expect(doubts.map(({ code, grave }) => ({ code, grave }))).toEqual([
			{ code: "dependent-residuals", grave: false },
		]);
		expect(doubts[0].text).not.toMatch(/adjust/);
	});
});
