/** What the user can get wrong is said, with what to do. */
import { describe, expect, test } from "vitest";
import { appliesTo } from "../../../src/methods/kriging/applies.ts";
import { kriging } from "../../../src/methods/kriging/kriging.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { duffing, evenTimes, lotkaVolterra, problemOf, recordOf, solve, type Truth } from "./problems.ts";

const times = evenTimes(60, 0.25);
const options = defaultOptions(kriging.options);

async function refusal(
	truth: Truth,
	change: (record: ReturnType<typeof recordOf>) => void = () => {},
	given: Partial<typeof options> = {},
	to = 40,
): Promise<string> {
	const record = recordOf(truth, solve(truth, times), { times, from: 0, to, sd: 0.01, seed: 1 });
	change(record);
	try {
		const state = await kriging.prepare(problemOf(truth, [record], [], 0.01), { ...options, ...given });
		while (!(await kriging.advance(state)).done);
		return "";
	} catch (error) {
		return (error as Error).message;
	}
}

describe("data", () => {
	test("repeated times", async () => {
		const message = await refusal(lotkaVolterra, ({ outputs }) => {
			const series = outputs.get("y1")!;
			series.times = series.times.slice();
			series.times[7] = series.times[6];
		});
		expect(message).toContain("has two samples at t = 1.5");
		expect(message).toContain("Average repeated samples");
	});
	test("fewer samples than trend terms", async () => {
		const message = await refusal(lotkaVolterra, () => {}, {}, 5);
		expect(message).toContain("12 trend terms");
		expect(message).toContain("for 10 observations");
		expect(message).toContain("kriging(trend: 1)");
	});
	test("so few samples that no trend is low enough", async () => {
		const message = await refusal(lotkaVolterra, () => {}, {}, 3);
		expect(message).toContain("12 trend terms");
		expect(message).toContain("Give more samples");
		// Two constants can be learned from six observations, two planes cannot.
		expect(message).toContain("kriging(trend: 0)");
		expect(message).not.toContain("kriging(trend: 1)");
		const mechanical = {
			...lotkaVolterra,
			text: "unknown f(x1, x2) ~ kriging(trend: 1)\nstate x1, x2\nx1' = x2\nx2' = f(x1, x2)\nmeasure y1 ~ normal(x1, SD)\nmeasure y2 ~ normal(x2, SD)",
		};
		const fewest = await refusal(mechanical, () => {}, {}, 2);
		expect(fewest).toContain("for 2 observations");
		expect(fewest).toContain("Give more samples.");
		expect(fewest).not.toContain("trend:");
	});
	test("one sample", async () => {
		const message = await refusal(lotkaVolterra, () => {}, {}, 1);
		expect(message).toContain("column of y1: has 1 sample");
		expect(message).toContain("Give more samples");
		expect(message).not.toContain("does not move");
	});
	test("constant data", async () => {
		const message = await refusal(lotkaVolterra, ({ outputs }) => {
			outputs.get("y2")!.values.fill(2);
		});
		expect(message).toContain("column of y2: holds the same value 2 in all 40 samples");
	});
	test("data that move by rounding only", async () => {
		const message = await refusal(lotkaVolterra, ({ outputs }) => {
			const { values } = outputs.get("y2")!;
			for (let i = 0; i < values.length; i++) values[i] = 2 + (i % 2) * 2 ** -52;
		});
		expect(message).toContain("column of y2: holds the same value 2 in all 40 samples");
	});
	test("a noise level of 0", async () => {
		const message = await refusal({ ...lotkaVolterra, text: lotkaVolterra.text.replaceAll("SD", "0") });
		expect(message).toContain("spread must be a positive number");
		expect(message).toContain("Here it is 0. For exact samples write  measure y = x.");
	});
	test("a value that is not a number", async () => {
		const message = await refusal(lotkaVolterra, ({ outputs }) => {
			outputs.get("y2")!.values[3] = Number.NaN;
		});
		expect(message).toContain("is NaN in sample 3");
	});
	test("a covariance that is not smooth enough, and which one is", async () => {
		const message = await refusal(duffing, () => {}, { covariance: "matern32" });
		expect(message).toContain("covariance matern32: has 1 derivative, but the model needs derivative 2");
		expect(message).toContain("matern72");
	});
	test.each([
		[0, "No noise was found in the samples"],
		[0.01, "The samples are not that smooth"],
	])("noise declared as none, where it is %f", { timeout: 300_000 }, async (sd, said) => {
		const exact = { ...lotkaVolterra, text: lotkaVolterra.text.replaceAll(/~ normal\((\w+), SD\)/g, "= $1") };
		const record = recordOf(exact, solve(exact, times), { times, from: 0, to: 40, sd, seed: 1 });
		const state = await kriging.prepare(problemOf(exact, [record], [], 0.01), options);
		while (!(await kriging.advance(state)).done);
		const { doubts, answered, summary } = await kriging.result(state);
		expect(answered).toBe(true);
		const [doubt] = doubts.filter(({ title }) => title === "The noise of x1 is declared as none");
		expect(doubt.text).toContain(said);
		const { x1 } = summary.hyper!;
		if (sd > 0) {
			expect(x1.noiseSd).toBeGreaterThan(0.5 * sd);
			expect(x1.noiseSd).toBeLessThan(2 * sd);
		}
	});
});

describe("models", () => {
	const verdict = (text: string) => appliesTo(parseModel(text, "model.ode"));
	test("one that fits", () => {
		expect(verdict(lotkaVolterra.text.replaceAll("SD", "0.01"))).toEqual({
			applies: true,
			why: "Learns f1 and f2 as a random process, with its error.",
		});
		const grey =
			"param k\nunknown f(v) ~ kriging(trend: 1)\nstate x\nx'' = -k*x + f(x')\nmeasure y ~ normal(x, 0.1)";
		expect(verdict(grey).why).toBe("Learns f as a random process, with its error, and estimates k along.");
	});
	test.each([
		["state x\nx' = -x\nmeasure y ~ normal(x, 1)", /no unknown function/],
		["unknown f(x) = polynomial(2)\nstate x\nx' = f(x)\nmeasure y ~ normal(x, 1)", /finite basis/],
		["unknown f(x) ~ kriging(trend: 2)\nstate x\nx' = f(x)", /measures nothing/],
		[
			"unknown f(x, z) ~ kriging(trend: 2)\nstate x, z\nx' = f(x, z)\nz' = -z\nmeasure y ~ normal(x, 1)",
			/state z is neither measured nor a derivative/,
		],
		[
			"unknown f(x, z) ~ kriging(trend: 2)\nstate x, z\nx' = f(x, z)\nz' = -z\nmeasure y ~ normal(x + z, 1)",
			/measure y is not of one state alone, but of x, z/,
		],
		[
			"unknown f(x) ~ kriging(trend: 2)\nstate x\nx' = f(x)^2\nmeasure y ~ normal(x, 1)",
			/not enter its equation linearly/,
		],
		[
			"unknown f(x) ~ kriging(trend: 2)\nstate x\nx' = f(f(x))\nmeasure y ~ normal(x, 1)",
			/another unknown function in its argument/,
		],
		[
			"unknown f(x, v) ~ kriging(trend: 2)\nstate x\nx'' = f(x, x')\nmeasure y ~ normal(x', 1)",
			/known up to a constant.*state x = 0/s,
		],
	])("one that does not: %#", (text, why) => {
		const { applies, why: said } = verdict(text);
		expect(applies).toBe(false);
		expect(said).toMatch(why);
	});
});
