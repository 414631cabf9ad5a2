/** The library's surface: a run is awaited and iterated over, can be cancelled, and refuses what is misspelt. */
import { describe, expect, test } from "vitest";
import { record } from "../../src/data/data-record.ts";
import { model } from "../../src/library/model.ts";
import { run } from "../../src/library/run.ts";
import { simulate } from "../../src/library/simulate.ts";
import { fit as leastSquares } from "../../src/methods/fit/entry.ts";
import { Cancelled } from "../../src/methods/run.ts";

const decay = model("param k\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 0.02)");
const times = Array.from({ length: 21 }, (_, i) => i / 5);
const { columns } = simulate(decay, { times, values: { k: 0.7 }, noise: true });
const data = record({ t: columns.t, y: columns.y });

describe("a run", () => {
	test("awaited and iterated over gives the same", async () => {
		const awaited = await run(decay, data);
		const iterated = run(decay, data);
		const fractions: number[] = [];
		for await (const { fraction } of iterated) fractions.push(fraction);
		expect(fractions.at(-1)).toBe(1);
		expect([...fractions].sort((a, b) => a - b)).toEqual(fractions);
		expect((await iterated).parameters).toEqual(awaited.parameters);
	});

	test("is a promise in all it can be asked for", async () => {
		const fitting = run(decay, data);
		let isOver = false;
		const { parameters } = await fitting.finally(() => {
			isOver = true;
		});
		expect(isOver).toBe(true);
		expect((await fitting).parameters).toEqual(parameters);
		const signal = { aborted: true };
		expect(await run(decay, data, { signal }).catch((error) => error)).toBeInstanceOf(Cancelled);
	});

	test("a loop that is left early ends the run", async () => {
		const left = run(decay, data);
		for await (const _ of left) break;
		await expect(left).rejects.toThrow(Cancelled);
	});

	test("parameters that are known together", async () => {
		const known = model("param k ~ lognormal(0, 1)\nstate x = 1\nx' = -k*x\nmeasure y ~ normal(x, 100)");
		const prior = { mean: { "log(k)": -1 }, covariance: [[0.01]] };
		const { parameters } = await run(known, data, { method: "bayes", prior });
		// The samples say nothing, so that the posterior is the prior: its logarithm is normal(-1, 0.1).
		const k = parameters.find(({ name }) => name === "k")!;
		expect(Math.abs(k.estimate / Math.exp(-1 + 0.005) - 1)).toBeLessThan(0.02);
		expect(Math.abs(k.sd! / k.estimate - 0.1)).toBeLessThan(0.015);
		const wrong =
			(given: object): (() => unknown) =>
			() =>
				run(known, data, { method: "bayes", prior: given as typeof prior });
		expect(wrong({ mean: { k: 1 }, covariance: [[1]] })).toThrow(/by its law k is known as log\(k\)/);
		expect(wrong({ mean: { "log(k)": 1 }, covariance: [[-1]] })).toThrow(
			/prior covariance: this is no covariance/,
		);
		expect(wrong({ mean: { "log(k)": 1 }, covarianc: [[1]] })).toThrow(/Did you mean covariance/);
	});

	test("a signal cancels it", async () => {
		const signal = { aborted: false };
		const cancelled = run(decay, data, { signal });
		const seen: number[] = [];
		await expect(
			(async () => {
				for await (const { fraction } of cancelled) {
					seen.push(fraction);
					signal.aborted = true;
				}
			})(),
		).rejects.toThrow(Cancelled);
		expect(seen).toHaveLength(1);
	});

	test("a bad record is refused before it begins", () => {
		expect(() => run(decay, record({ t: [0, 0], y: [1, 1] }))).toThrow("does not increase");
	});
});

test.each([
	["without a name", {}, ["record", "record (2)", "record (3)"]],
	["of one name", { name: "run" }, ["run", "run (2)", "run (3)"]],
])("records %s keep their own initial values in the summary", async (_, options, names) => {
	const free = model("param k\nstate x\nx' = -k*x\nmeasure y ~ normal(x, 0.02)");
	const starts = [1, 2, 4];
	const records = starts.map((start) => {
		const simulated = simulate(free, { times, values: { k: 0.7, "x(0)": start } });
		return record({ t: simulated.columns.t, y: simulated.columns.y }, options);
	});
	const { summary, predictions } = await leastSquares(free, records, { starts: 2, profile: false });
	for (const [i, name] of names.entries())
		expect(summary.parameters[`x(0) of ${name}`].estimate).toBeCloseTo(starts[i], 6);
	expect(new Set(predictions.map(({ experiment }) => experiment))).toEqual(new Set(names));
});

test("an entry of a method has typed options and a typed summary", async () => {
	const { summary } = await leastSquares(decay, data, { starts: 2, profile: false }, { seed: 5 });
	expect(Math.abs(summary.parameters.k.estimate - 0.7)).toBeLessThan(0.1);
	expect(summary.starts.tried).toBe(2);
});

describe("what is misspelt is refused", () => {
	test("a method", () => {
		expect(() => run(decay, data, { method: "fitt" })).toThrow("Did you mean fit?");
	});
	test("an option", () => {
		expect(() => run(decay, data, { options: { start: 3 } })).toThrow("Did you mean starts?");
	});
	test("a value of an option", () => {
		expect(() => run(decay, data, { options: { starts: 0 } })).toThrow("whole number from 1 to 1000");
		expect(() => run(decay, data, { options: { profile: "yes" } })).toThrow("true or false");
		expect(() => run(decay, data, { options: { integrator: "euler" } })).toThrow(
			"one of auto, fixed, adaptive",
		);
	});
	test("what belongs to the run", () => {
		expect(() => run(decay, data, { methd: "bayes" } as object)).toThrow("run option methd");
		expect(() => leastSquares(decay, data, {}, { sed: 5 } as object)).toThrow("Did you mean seed?");
	});
	test("columns of different lengths", () => {
		expect(() => record({ t: [0, 1], y: [1] })).toThrow("column y: has 1 values, t has 2");
	});
	test("what is not there is missing, and what is no number is refused", () => {
		const { table } = record({ t: [0, 1, 2, 3], y: [1, null, undefined, Number.NaN] });
		expect([...table.columns[1].values]).toEqual([1, Number.NaN, Number.NaN, Number.NaN]);
		for (const wrong of ["abc", true, {}, 3n])
			expect(() => record({ t: [0, 1], y: [1, wrong as number] })).toThrow(
				/column y: holds .* \(row 1\), which is no number/,
			);
	});
	test("an option of a record", () => {
		expect(() => record({ t: [0], y: [1] }, { tme: "t" } as object)).toThrow("Did you mean time?");
	});
	test("an input without samples", () => {
		const driven = model("input u\nstate x = 0\nx' = u\nmeasure y = x");
		expect(() => simulate(driven, { times })).toThrow("inputs: { u: […] }");
	});
});
