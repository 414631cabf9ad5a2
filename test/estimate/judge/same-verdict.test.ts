/** The same record in every method: the same verdict, in the same words. */
import { describe, expect, test } from "vitest";
import { independenceWords } from "../../../src/estimate/judge/independence.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { stream } from "../../../src/num/random.ts";
import { ask, asked, doubtOf, truth } from "./one-record.ts";
import { noiseOf } from "./simulated.ts";
import { askSwing, swing } from "./swing.ts";

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

test.each(["fit", "inversion"] as const)(
	"%s doubts gravely what makes errors 1.2 to 1.6 times too small",
	async (method) => {
		const noise = noiseOf(stream(7, "weak"), 300, { kind: "correlated", rho: 0.3 });
		const times = Array.from(noise, (_, i) => (0.1 * i) / 3);
		const y = times.map((time, i) => truth(time) + 0.05 * noise[i]);
		const doubt = doubtOf(await ask(method, "~ normal(x, 0.05)", times, y), "dependent-residuals");
		const [, factor] = doubt?.text.match(/too narrow, by a factor of about ([\d.]+)\./) ?? [];
		expect(Number(factor)).toBeGreaterThan(1.19);
		expect(Number(factor)).toBeLessThan(1.6);
		expect(doubt?.grave).toBe(true);
	},
);

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

describe("of a swing periodic says what fit does", () => {
	const both = async (noise: ArrayLike<number>): Promise<Result[]> => {
		const y = swing.map((value, i) => value + 0.02 * noise[i]);
		return [
			await askSwing("fit", "param mu in [0.1, 5]", y),
			await askSwing("periodic", "param mu in [0.1, 5]", y),
		];
	};
	const codes = ["dependent-residuals", "noise-larger", "noise-smaller", "outliers"];
	const white = noiseOf(stream(2, "swing"), swing.length);

	test("nothing of white noise of the declared size", async () => {
		for (const { doubts } of await both(white))
			expect(doubts.filter(({ code }) => codes.includes(code))).toEqual([]);
	});

	test("that residuals are not independent, in the caption of their plot too", async () => {
		const noise = noiseOf(stream(4, "swing"), swing.length, { kind: "correlated", rho: 0.5 });
		for (const result of await both(noise)) {
			expect(doubtOf(result, "dependent-residuals")?.title).toBe("The residuals of y are not independent");
			expect(independenceWords(result.predictions[0], result.doubts)).toMatch(/are not independent/);
		}
	});

	test("by how much they are larger than declared", async () => {
		const ratios = (await both(white.map((value) => 2.4 * value))).map((result) => {
			const { title } = doubtOf(result, "noise-larger")!;
			return Number(/^The residuals of y are ([\d.]+) times the declared noise$/.exec(title)?.[1]);
		});
		// 2.4 with the root mean square of 400 normal numbers: a standard deviation of 3.5 %.
		for (const ratio of ratios) expect(Math.abs(ratio / 2.4 - 1)).toBeLessThan(0.12);
		// Least squares on the record leave the least; of 400 samples other estimates leave no more than a few unknowns' worth.
		expect(Math.abs(ratios[1] / ratios[0] - 1)).toBeLessThan(0.01);
	});

	test("which sample lies far off", async () => {
		for (const result of await both(white.with(100, 30))) {
			const found = doubtOf(result, "outliers");
			expect(found?.title).toBe("1 sample of y lies far off");
			expect(found?.text).toMatch(/^y at t = 10 \(/);
		}
	});
});
