/** Where equations are undefined for a part of the sets: soon, by name, with the time and what to tighten. */
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/errors.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { guaranteed } from "../../../src/methods/guaranteed/guaranteed.ts";
import { guaranteedOptions } from "../../../src/methods/guaranteed/options.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { problemOf, record } from "./records.ts";

async function solve(
	text: string,
	times: number[],
	y: number[],
	options: Partial<ReturnType<typeof defaultOptions<typeof guaranteedOptions>>> = {},
): Promise<Result> {
	const data = record(Float64Array.from(times), new Map([["y", Float64Array.from(y)]]));
	const run = await guaranteed.prepare(problemOf(parseModel(text, "m.ode"), [data]), {
		...defaultOptions(guaranteedOptions),
		...options,
	});
	while (!(await guaranteed.advance(run)).done);
	return guaranteed.result(run);
}
it("tells a time of the calendar to where it can be found", async () => {
	const start = 1714564800;
	const { message } = await solve(
		"param a in [1, 2]\nstate x = 1\nx' = a*x^2\nmeasure y in x +- 1e6",
		[start, start + 20],
		[1, 1],
	);
	expect(message).toMatch(/at t = 171456480[01]\.\d/);
});
const stopped = ({ summary }: Result) => summary.stopped as { t: number; why: string };

const cases: [string, string, RegExp, RegExp, [number, number]][] = [
	[
		"a division by a state",
		"param a in [0.5, 2]\nstate x = 1\nx' = -1/x - a\nmeasure y in x +- 10",
		/x' has a division by x, in \[-.*, .*\], which holds 0/,
		/Narrow the set of a,/,
		[0.1, 0.5],
	],
	[
		"a division by an expression of a state and a parameter",
		"param a in [0.5, 2], b in [0.1, 0.2]\nstate z = 1\nz' = -a + 0.01/(z - b)\nmeasure y in z +- 10",
		/z' has a division by z - b, in .* with b in .*, z in .*, which holds 0/,
		/Narrow the set of a,/,
		[0.1, 1.9],
	],
	[
		"a division by a parameter",
		"param a in [-0.5, 2]\nstate x = 1\nx' = -x/a\nmeasure y in x +- 10",
		/x' has a division by a, in \[-/,
		/Narrow the set of a,/,
		[0, 0],
	],
	[
		"a logarithm",
		"param a in [0.5, 2]\nstate x = 1\nx' = -a + 0.1*log(x)\nmeasure y in x +- 10",
		/x' has the logarithm of x, in \[-/,
		/Narrow the set of a,/,
		[0.3, 2],
	],
	[
		"a root",
		"param a in [0.5, 2]\nstate h = 1\nh' = -a*sqrt(h)\nmeasure y in h +- 10",
		/h' has a root or power of h, in \[-/,
		/Narrow the set of a,/,
		[0.6, 4],
	],
	[
		"a power of a negative base",
		"param a in [0.5, 1]\nstate x = 1\nx' = -a - 0.1*x^a\nmeasure y in x +- 10",
		/x' has a root or power of x, in \[-/,
		/Narrow the set of a,/,
		[0.8, 2],
	],
	[
		"a tangent",
		"param a in [0.5, 1]\nstate x = 0\nx' = a*(1 + 0.01*tan(x))\nmeasure y in x +- 10",
		/x' has the tangent of x, in .*, where there is a pole/,
		/Narrow the set of a,/,
		[1.4, 3.2],
	],
	[
		"an arc",
		"param a in [0.5, 1]\nstate x = 0\nx' = a + 0.1*asin(x)\nmeasure y in x +- 10",
		/x' has the arc sine or cosine of x, in /,
		/Narrow the set of a,/,
		[0.8, 2.1],
	],
	[
		"the largest error of an output",
		"param a in [0.5, 1]\nstate x = 1\nx' = -a\nmeasure y in x +- (10 + log(x))",
		/y has the logarithm of x, in \[-/,
		/Narrow the set of a,/,
		[3, 3],
	],
	[
		"a jump at a state to where nothing is defined",
		"param a in [0.5, 2]\nstate x = 1\nx' = -a*if(x < 0.5, log(x - 0.6), 2)\nmeasure y in x +- 10",
		/x' has the logarithm of x - 0.6/,
		/Narrow the set of a/,
		[0.1, 0.6],
	],
];

describe("an expression that is not defined", () => {
	it.each(cases)("%s: which, when, and what to tighten", async (_, text, why, advice, [from, to]) => {
		const result = await solve(text, [0, 0.1, 3], [1, 1, 1], { models: 4 });
		expect(result.outcome).toBe("undecided");
		expect(result.answered).toBe(false);
		expect(stopped(result).why).toMatch(why);
		expect(result.message).toMatch(why);
		expect(result.message).toMatch(advice);
		expect(stopped(result).t).toBeGreaterThanOrEqual(from);
		expect(stopped(result).t).toBeLessThanOrEqual(to);
	});
	const crossing = "param k in [0.5, 1]\nstate x = 1, z = 1\nx' = -k*x/z\nz' = -1\nmeasure y in x +- 0.5";
	it("stops at once where every solution gets there, and says that no set helps", async () => {
		const result = await solve(crossing, [0, 0.5, 2], [1, 0.5, 0.1]);
		expect(result.message).toMatch(/at t = (0\.9[89]\d*|1) .*x' has a division by z/);
		expect(result.message).toContain("No unknown acts on it: end the record before that time");
		expect(result.doubts[0].text).not.toContain("more models");
		expect(result.summary.models).toBe(1);
		expect(result.summary.steps).toBeLessThan(200);
	});
	it("stops soon where the time depends on an unknown", async () => {
		const text = crossing
			.replace("param k in [0.5, 1]", "param k in [0.5, 1], r in [0.8, 1.2]")
			.replace("-1\n", "-r\n");
		const result = await solve(text, [0, 0.5, 2], [1, 0.5, 0.1]);
		expect(result.message).toMatch(/x' has a division by z, in .*Narrow the set of r,/);
		expect(result.summary.steps).toBeLessThan(1500);
	});
	it("stops soon with brackets, too", async () => {
		const result = await solve(crossing, [0, 0.5, 2], [1, 0.5, 0.1], { prediction: "mueller" });
		expect(result.message).toMatch(/at t = (0\.9\d*|1) .*x' has a division by z/);
		expect(result.summary.boxes).toBe(1);
		const own = await solve(cases[0][1], [0, 0.1, 3], [1, 1, 1], {
			prediction: "mueller",
			correction: "sivia",
		});
		expect(own.message).toMatch(/x' has a division by x, in .*Narrow the set of a,/);
		expect(own.summary.boxes).toBeLessThan(40);
	});
	it("names the initial value that is not defined", async () => {
		const text = "param a in [-0.5, 1]\nstate x = 1/a\nx' = -a*x\nmeasure y in x +- 10";
		const failing = solve(text, [0, 1], [1, 1]);
		await expect(failing).rejects.toThrow(InputError);
		await expect(failing).rejects.toThrow(
			/x\(0\) has a division by a, in \[-0\.5, 1\].*\n.*Narrow the set of a/,
		);
	});
});
