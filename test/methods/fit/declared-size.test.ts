/** Errors that are not normal, of another size than is declared: standard error and interval say one thing, and hold the truth. */
import { describe, expect, test } from "vitest";
import type { Experiment } from "../../../src/data/experiment.ts";
import { families } from "../../../src/estimate/law/families.ts";
import { stream } from "../../../src/num/random.ts";
import { repetitions } from "../../repetitions.ts";
import { modelOf, regularTimes, runFit } from "./records.ts";

const times = regularTimes(60, 0.1);

/** A constant, 2, with errors of `size` where 1 is declared. */
function record(law: "student" | "laplace", size: number, seed: number): Experiment {
	const noise = families[law].noise!(4);
	const random = stream(seed, "errors");
	const values = times.map((_, i) => 2 + size * noise.draw(random, i));
	const rows = Int32Array.from(times.keys());
	return {
		name: "record",
		times,
		rows: { from: 0, to: times.length },
		inputs: new Map(),
		outputs: new Map([["y", { times, values, rows }]]),
		conditions: {},
		removed: {},
	};
}

const modelWith = (measure: string) =>
	modelOf(`param a in [-50, 50]\nstate x = 1\nx' = 0\nmeasure y ~ ${measure}`);

describe("errors of another size than declared", () => {
	test.each([0.1, 0.4, 1])("Student's, %d times: the error is that of the interval", async (size) => {
		const model = modelWith("student(4, a*x, 1)");
		const { parameters, predictions } = await runFit({ model, train: [record("student", size, 3)] });
		const [{ sd, lo, hi }] = parameters;
		expect((hi! - lo!) / (2 * 2.001 * sd!)).toBeGreaterThan(0.9);
		expect((hi! - lo!) / (2 * 2.001 * sd!)).toBeLessThan(1.1);
		// 95 % of Student's law with four degrees lie within 2.776; the size is known to about 12 %.
		const [band] = predictions;
		const half = (band.hi![0] - band.lo![0]) / 2;
		expect(half / (2.776 * size)).toBeGreaterThan(0.6);
		expect(half / (2.776 * size)).toBeLessThan(1.6);
	});

	test("Student's, three times: so it is in the mean, as curvatures of far errors differ from record to record", async () => {
		const model = modelWith("student(4, a*x, 1)");
		const options = { starts: 1, candidates: 1 };
		const count = 12;
		let sum = 0;
		for (let seed = 1; seed <= count; seed++) {
			const train = [record("student", 3, 9000 + seed)];
			const [{ sd, lo, hi }] = (await runFit({ model, train, start: { a: 2 }, options })).parameters;
			sum += (hi! - lo!) / (2 * 2.001 * sd!);
		}
		// Four standard deviations: about 0.15 a record.
		expect(Math.abs(sum / count - 1)).toBeLessThan(0.6 / Math.sqrt(count));
	});

	test("Laplace's: the error goes by the size, not by its root", async () => {
		const model = modelWith("laplace(a*x, 1)");
		const ratio = async (size: number): Promise<number> =>
			(await runFit({ model, train: [record("laplace", size, 3)], options: { profile: false } }))
				.parameters[0].sd! / size;
		expect((await ratio(0.01)) / (await ratio(1))).toBeCloseTo(1, 1);
	});

	test.each([0.4, 3])("Student's, %d times: intervals to first order hold the truth", async (size) => {
		const model = modelWith("student(4, a*x, 1)");
		const count = repetitions(60, 400);
		const options = { profile: false, starts: 1, candidates: 1 };
		let held = 0;
		for (let seed = 1; seed <= count; seed++) {
			const train = [record("student", size, 7000 + seed)];
			const [{ lo, hi }] = (await runFit({ model, train, start: { a: 2 }, options })).parameters;
			if (lo! <= 2 && hi! >= 2) held++;
		}
		// Four standard deviations of a binomial share.
		expect(Math.abs(held / count - 0.95)).toBeLessThan(4 * Math.sqrt((0.95 * 0.05) / count));
	});
});
