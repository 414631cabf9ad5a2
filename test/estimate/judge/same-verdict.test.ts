/** The same record in every method: the same verdict, in the same words. */
import { describe, expect, test } from "vitest";
import { independenceWords } from "../../../src/estimate/judge/independence.ts";
import { stream } from "../../../src/num/random.ts";
import { ask, asked, doubtOf, truth } from "./one-record.ts";
import { noiseOf } from "./simulated.ts";

const n = 100;
const t = Array.from({ length: n }, (_, i) => 0.1 * i);
const recordOf = (noise: Float64Array, sd: number): number[] =>
	t.map((time, i) => truth(time) + sd * noise[i]);

describe("neighbouring residuals of a correlation of 0.42", () => {
	// Of this seed the residuals show about what the noise has.
	const y = recordOf(noiseOf(stream(4, "same"), n, { kind: "correlated", rho: 0.5 }), 0.05);

	test.each(asked)("%s says that they are not independent", async (method) => {
		const result = await ask(method, "~ normal(x, 0.05)", t, y);
		const doubt = doubtOf(result, "dependent-residuals");
		expect(doubt?.title).toBe("The residuals of y are not independent");
		expect(doubt?.text).toMatch(
			/^Neighbouring residuals of y have a correlation of 0\.4\d: the model misses/,
		);
		const [prediction] = result.predictions;
		expect(independenceWords(prediction, result.doubts)).toMatch(/are not independent/);
	});
});

test.each(asked)("%s has no doubt about white noise of the declared size", async (method) => {
	const y = recordOf(noiseOf(stream(2, "white"), n), 0.05);
	const result = await ask(method, "~ normal(x, 0.05)", t, y);
	const codes = result.doubts.map(({ code }) => code);
	for (const code of ["dependent-residuals", "noise-larger", "noise-smaller", "outliers"])
		expect(codes).not.toContain(code);
});

test.each(asked)("%s says by how much residuals are larger than declared", async (method) => {
	const y = recordOf(noiseOf(stream(3, "larger"), n), 0.12);
	const doubt = doubtOf(await ask(method, "~ normal(x, 0.05)", t, y), "noise-larger");
	const [, ratio] = doubt?.title.match(/^The residuals of y are ([\d.]+) times the declared noise$/) ?? [];
	// 2.4 with the root mean square of 100 normal numbers: a standard deviation of 7 %.
	expect(Math.abs(Number(ratio) / 2.4 - 1)).toBeLessThan(0.25);
	expect(doubt).toMatchObject({ grave: true, outputs: ["y"] });
});

test.each(asked)("%s names the sample that lies far off", async (method) => {
	const y = recordOf(noiseOf(stream(6, "off"), n), 0.05).with(40, truth(t[40]) + 1);
	const doubt = doubtOf(await ask(method, "~ normal(x, 0.05)", t, y), "outliers");
	expect(doubt?.title).toBe("1 sample of y lies far off");
	expect(doubt?.text).toMatch(/^y at t = 4 \(/);
});
