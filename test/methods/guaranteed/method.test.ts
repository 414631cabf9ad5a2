/** The method as the study runs it: outcomes, bad input, several records, checkpoints, forecasts. */
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/errors.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { roundedOutward } from "../../../src/methods/guaranteed/answer/sentence.ts";
import { guaranteed } from "../../../src/methods/guaranteed/guaranteed.ts";
import { guaranteedOptions } from "../../../src/methods/guaranteed/options.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { compartments, paperRecord, problemOf, record, simulateTruth } from "./records.ts";

const defaults = defaultOptions(guaranteedOptions);
async function solve(problem: Problem, options = defaults): Promise<Result> {
	const run = await guaranteed.prepare(problem, options);
	while (!(await guaranteed.advance(run)).done);
	return guaranteed.result(run);
}
const paper = () => problemOf(parseModel(compartments, "compartments.ode"), [paperRecord()]);

describe("outcomes", () => {
	it("proves: bounds, states, boxes, figures and a file", async () => {
		const result = await solve(paper());
		expect(result.outcome).toBe("proved");
		expect(result.answered).toBe(true);
		const summary = result.summary as {
			parameters: Record<string, { lo: number; hi: number }>;
			states: { t: number; x1: [number, number] }[];
			innerBoxes: number;
		};
		expect(summary.parameters.p4.lo).toBeLessThan(0.2478);
		expect(summary.states.map(({ t }) => t)).toEqual([2, 4, 6, 8, 10]);
		expect(summary.states[0].x1[0]).toBeLessThan(summary.states[0].x1[1]);
		expect(summary.innerBoxes).toBeGreaterThan(0);
		expect(result.files[0].name).toBe("boxes.csv");
		expect(String(result.files[0].content).split("\n")[0]).toBe("kind,p4.lo,p4.hi");
		expect(result.figures.map(({ name }) => name)).toEqual(["state-0-0", "state-1-0", "shrink-0"]);
		// The bars of the data stand in the plot of the state that is measured.
		const bars = result.figures[1].marks.find(({ type }) => type === "boxes")!;
		if (bars.type !== "boxes") throw new Error("no bars");
		expect(bars.label).toBe("bars of y");
		expect(Array.from(bars.y1, (hi, i) => hi - bars.y0[i])).toEqual(
			Array.from({ length: 5 }, () => expect.closeTo(0.01, 10)),
		);
		expect((bars.y0[0] + bars.y1[0]) / 2).toBeCloseTo(0.320759, 10);
		// What is known as data come in ends with the set of the table, not with what one pass over the record left.
		const [shrunk] = result.figures[2].marks;
		if (shrunk.type !== "band") throw new Error("no band");
		const [row] = result.parameters;
		expect(Array.from(shrunk.lo).at(-1)).toBe(summary.parameters.p4.lo);
		expect([Array.from(shrunk.lo).at(-1), Array.from(shrunk.hi).at(-1)]).toEqual([row.lo, row.hi]);
		const [prediction] = result.predictions;
		prediction.data!.y.forEach((y, i) => {
			expect(prediction.lo![i]).toBeLessThan(y + 0.005);
			expect(prediction.hi![i]).toBeGreaterThan(y - 0.005);
		});
	});
	it("says bounds that are rounded outward", async () => {
		expect((await solve(paper())).message).toContain("p4 in [0.247786, 0.253353]");
		for (const x of [0.2477871, -0.2477871, 1e-300, 12345678, 9.999999, -9.999999, 0, 0.5]) {
			expect(roundedOutward(x, -1)).toBeLessThanOrEqual(x);
			expect(roundedOutward(x, 1)).toBeGreaterThanOrEqual(x);
			expect(roundedOutward(x, 1) - roundedOutward(x, -1)).toBeLessThanOrEqual(2e-5 * Math.abs(x));
		}
	});
	it("shows a bound that was not narrowed as it was declared, and counts in words", async () => {
		const text = "param k in [0.1, 0.9]\nstate x = 1\nx' = -k*x\nmeasure y in x +- 0.9";
		const data = record(Float64Array.of(0, 1), new Map([["y", Float64Array.of(1, 0.6)]]));
		const result = await solve(problemOf(parseModel(text, "m.ode"), [data]));
		expect(result.message).toContain("(k in [0.1, 0.9]), and 1 box holds nothing but consistent values");
		expect(result.parameters[0]).toMatchObject({ lo: 0.1, hi: 0.9, verdict: "not narrowed" });
		// 0.1 is no double: what is proved holds the decimal.
		expect((result.summary.parameters as { k: { lo: number } }).k.lo).toBeLessThan(0.1);
	});
	it("refutes data that no value makes, and says when the set became empty", async () => {
		const problem = problemOf(parseModel(compartments, "compartments.ode"), [
			paperRecord([0.320759, 0.255876, 0.15, 0.136033, 0.105644]),
		]);
		const result = await solve(problem);
		expect(result.outcome).toBe("refuted");
		expect(result.answered).toBe(false);
		expect(result.message).toContain("t = 6");
		expect(result.message).toContain("by y");
	});
	it("finds the time also where only the paving shows that nothing is left", async () => {
		const problem = problemOf(parseModel(compartments, "compartments.ode"), [
			paperRecord([0.320759, 0.255876, 0.15, 0.136033, 0.105644]),
		]);
		const result = await solve(problem, { ...defaults, correction: "sivia" });
		expect(result.outcome).toBe("refuted");
		expect(result.summary.empty).toEqual({ t: 6, output: "y", record: "record" });
	});
	it("finds the record that contradicts the others", async () => {
		const problem = problemOf(parseModel(compartments, "compartments.ode"), [
			{ ...paperRecord(), name: "one" },
			{ ...paperRecord([0.320759, 0.255876, 0.15, 0.136033, 0.105644]), name: "two" },
		]);
		expect((await solve(problem)).message).toContain("t = 6, by y of two");
	});
	it("is undecided, with the reason, where the enclosure ends", async () => {
		const text = `param a in [0.5, 2]
state x = 1
x' = a*x^2
measure y in x +- 1e9`;
		const times = Float64Array.of(0, 0.4, 3);
		const result = await solve(
			problemOf(parseModel(text, "blowup.ode"), [
				record(times, new Map([["y", Float64Array.of(1, 1.5, 5)]])),
			]),
			{ ...defaults, models: 4 },
		);
		expect(result.outcome).toBe("undecided");
		expect(result.answered).toBe(false);
		expect(result.message).toContain("could not be carried on");
	});
});

describe("several records and several unknowns", () => {
	it("encloses shared parameters and own initial values, inner boxes included", async () => {
		const text = `param k in [0.2, 1]
state x in [0.5, 2]
x' = -k*x
measure y in x +- 0.02`;
		const times = Float64Array.of(0, 1, 2, 3);
		const make = (x0: number, name: string) =>
			record(times, simulateTruth({ text, values: { k: 0.6 }, x0: [x0], times }).outputs, { name });
		const result = await solve(problemOf(parseModel(text, "decay.ode"), [make(1, "one"), make(1.7, "two")]));
		expect(result.outcome).toBe("proved");
		const of = (name: string) => result.parameters.find((row) => row.name === name)!;
		expect(of("k").lo).toBeLessThan(0.6);
		expect(of("k").hi).toBeGreaterThan(0.6);
		expect(of("k").hi! - of("k").lo!).toBeLessThan(0.08);
		expect(of("x(0) of two").lo).toBeLessThan(1.7);
		expect(of("x(0) of two").hi).toBeGreaterThan(1.7);
		expect(result.figures.some(({ name }) => name.startsWith("boxes-"))).toBe(true);
	});
	it("follows a drifting parameter, and keeps its rate apart from the states", async () => {
		const text = `param q in [0.2, 0.6], q' in [-0.03, 0.03]
state x = 1
x' = -q*x
measure y in x +- 0.01`;
		const times = Float64Array.from({ length: 11 }, (_, i) => i / 2);
		const truth = text.replace(", q' in [-0.03, 0.03]", "").replace("-q*x", "-(q + 0.02*sin(t))*x");
		const { outputs, x } = simulateTruth({ text: truth, values: { q: 0.4 }, x0: [1], times });
		const result = await solve(problemOf(parseModel(text, "drift.ode"), [record(times, outputs)]));
		expect(result.outcome).toBe("proved");
		const [{ lo, hi }] = result.parameters;
		expect(lo).toBeLessThan(0.4);
		expect(hi).toBeGreaterThan(0.4);
		expect(hi! - lo!).toBeLessThan(0.1);
		const states = result.summary.states as { t: number; x: [number, number]; q: [number, number] }[];
		states.forEach(({ t, x: [least, most], q }, i) => {
			expect(least).toBeLessThanOrEqual(x[i] + 1e-10);
			expect(most).toBeGreaterThanOrEqual(x[i] - 1e-10);
			// The bar of the datum, and what q may have become since the start.
			expect(most - least).toBeLessThan(0.0201);
			expect(q[0]).toBeLessThan(0.4 + 0.02 * Math.sin(t));
			expect(q[1]).toBeGreaterThan(0.4 + 0.02 * Math.sin(t));
			expect(q[1] - q[0]).toBeLessThan(hi! - lo! + 0.06 * t + 0.02);
		});
	});
	it("does not lose a drifting parameter: late bounds are as close as early ones", async () => {
		const text = `param q in [0.2, 0.6], q' in [-0.03, 0.03]
state x = 1
x' = 1 - q*x
measure y in x +- 0.01`;
		const times = Float64Array.from({ length: 41 }, (_, i) => i / 2);
		const truth = text.replace(", q' in [-0.03, 0.03]", "").replace("q*x", "(q + 0.02*sin(t))*x");
		const { outputs } = simulateTruth({ text: truth, values: { q: 0.4 }, x0: [1], times });
		const result = await solve(problemOf(parseModel(text, "drift.ode"), [record(times, outputs)]));
		const states = result.summary.states as { t: number; q: [number, number] }[];
		for (const { t, q } of states) {
			expect(q[0]).toBeLessThan(0.4 + 0.02 * Math.sin(t));
			expect(q[1]).toBeGreaterThan(0.4 + 0.02 * Math.sin(t));
			// Drift alone would make it 1.3 at the end.
			expect(q[1] - q[0]).toBeLessThan(0.2);
		}
	});
	it("takes long steps where states are of very different size", async () => {
		const text = `param r in [0.4, 0.403], r' in [-0.004, 0.004]
state q in [4600, 4640], q' = 40000
q'' = -0.43*q' - 0.8*r*q*(1 + (q/47000)^2)
measure y in q +- 240`;
		const times = Float64Array.from({ length: 8 }, (_, i) => 0.16 * i);
		const truth = text.replace(", r' in [-0.004, 0.004]", "");
		const { outputs } = simulateTruth({ text: truth, values: { r: 0.401 }, x0: [4620, 40000], times });
		const result = await solve(problemOf(parseModel(text, "sizes.ode"), [record(times, outputs)]), {
			...defaults,
			models: 1,
			boxes: 0,
		});
		expect(result.outcome).toBe("proved");
		expect(result.summary.steps).toBeLessThan(150);
	});
	it("forecasts another record with the parameters that are left", async () => {
		const problem = { ...paper(), test: [paperRecord([0.32, 0.25, 0.18, 0.137, 0.103])] };
		const result = await solve(problem);
		const forecast = result.predictions.find(({ part }) => part === "test")!;
		expect(forecast.t.length).toBe(5);
		expect(forecast.lo!.every((lo, i) => lo < forecast.hi![i])).toBe(true);
	});
});

describe("checkpoints", () => {
	it("resumes to the same bits from any point", async () => {
		const whole = await solve(paper());
		const run = await guaranteed.prepare(paper(), defaults);
		for (let k = 0; k < 4; k++) {
			const { done } = await guaranteed.advance(run);
			const again = await guaranteed.load(paper(), defaults, guaranteed.save(run));
			while (!(await guaranteed.advance(again)).done);
			const { parameters, files, summary } = await guaranteed.result(again);
			expect(summary).toEqual(whole.summary);
			expect(parameters).toEqual(whole.parameters);
			expect(files).toEqual(whole.files);
			if (done) break;
		}
	});
});

describe("bad input", () => {
	const data = paperRecord();
	const failing = (text: string) =>
		guaranteed.prepare(problemOf(parseModel(text, "m.ode"), [data]), defaults);
	it("refuses a distribution where a set is needed", async () => {
		await expect(failing(compartments.replace("p4 in [0.1, 0.5]", "p4 ~ normal(0.3, 0.1)"))).rejects.toThrow(
			InputError,
		);
		await expect(failing(compartments.replace("y in x2 +- 0.005", "y ~ normal(x2, 0.005)"))).rejects.toThrow(
			/largest error/,
		);
	});
	it("names all declarations that are of the wrong kind at once", async () => {
		const text =
			"param k ~ normal(0, 1), m\nstate x ~ normal(1, 1)\nx' = -k*m*x\nmeasure y ~ normal(x, 1), z = x";
		await expect(failing(text)).rejects.toThrow(
			/param k has a distribution, param m is unknown, the initial value of x has a distribution, measure y has a random error, measure z has no error. Write {2}param k in \[lo, hi\] .*measure z in x \+- 0.1/,
		);
	});
	it("refuses bounds the wrong way round", async () => {
		await expect(async () => failing(compartments.replace("[0.1, 0.5]", "[0.5, 0.1]"))).rejects.toThrow();
	});

	it("refuses a record that was detrended: its bounds are not those of what was measured", async () => {
		const problem = paper();
		const moved = { ...problem.train[0], removed: { y: { mean: 0.1, slope: 0, about: 0 } } };
		await expect(guaranteed.prepare({ ...problem, train: [moved] }, defaults)).rejects.toThrow(
			"detrend: none",
		);
	});
	it("refuses inputs that are no polynomials between samples", async () => {
		const text = `input u\nparam k in [0, 1]\nstate x = 0\nx' = u - k*x\nmeasure y in x +- 1`;
		const signal = { at: () => 1, knots: new Float64Array(0) };
		const experiment = { ...data, inputs: new Map([["u", signal]]) };
		await expect(
			guaranteed.prepare(problemOf(parseModel(text, "m.ode"), [experiment]), defaults),
		).rejects.toThrow(/zoh/);
	});
	it("says that brackets and jumps stand in the way, before running", () => {
		const text = compartments.replace("+ p4*x2\n", "+ p4*x2*if(x1 < 0.5, 1, 2)\n");
		expect(guaranteed.appliesTo(parseModel(text, "m.ode")).why).toContain("either side");
		const timed = text.replace("x1 < 0.5", "t < 0.5");
		expect(guaranteed.appliesTo(parseModel(timed, "m.ode")).why).not.toContain("either side");
	});

	it.each(["floor(x)", "ceil(t)"])("refuses %s, of which there is no enclosure", (step) => {
		const text = `param p in [1, 2]\nstate x = 1\nx' = -p*${step}\nmeasure y in x +- 0.1\n`;
		expect(guaranteed.appliesTo(parseModel(text, "m.ode"))).toMatchObject({
			applies: false,
			why: expect.stringContaining("floor or ceil"),
		});
	});
});
