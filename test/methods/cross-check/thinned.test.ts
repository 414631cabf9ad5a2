import { expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import { thinned } from "../../../src/methods/cross-check/thinned.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";

const model = parseModel("param k\nstate x = 1\nx' = -k*x\nmeasure y = x", "decay.ode");

function problemOf(count: number, value: (i: number) => number) {
	const times = Float64Array.from({ length: count }, (_, i) => i);
	const series = { times, values: times.map((t) => value(t)), rows: Int32Array.from(times) };
	const experiment: Experiment = {
		name: "run",
		times,
		rows: { from: 0, to: count },
		inputs: new Map(),
		outputs: new Map([["y", series]]),
		conditions: {},
		removed: {},
	};
	return { model, train: [experiment], test: [], start: {}, seed: 1, compute: inline };
}

const timesOf = ({ train }: { train: readonly Experiment[] }): number[] => [
	...train[0].outputs.get("y")!.times,
];

test("a short record is left as it is", () => {
	const problem = problemOf(150, (i) => 0.98 ** i);
	expect(thinned(problem, 150)).toMatchObject({ assumptions: [], problem: { train: problem.train } });
});

test("a slow record is thinned over all of its length", () => {
	const { problem, assumptions } = thinned(
		problemOf(600, (i) => 0.99 ** i),
		150,
	);
	expect(timesOf(problem)).toEqual(Array.from({ length: 150 }, (_, i) => 4 * i));
	expect([...problem.train[0].times]).toEqual(timesOf(problem));
	expect(assumptions).toEqual(["To save time, every 4th of the first 600 of 600 samples of run were used."]);
});

test("swings stay visible: of a fast record the beginning is used", () => {
	const { problem, assumptions } = thinned(
		problemOf(600, (i) => Math.sin(0.6 * i)),
		150,
	);
	expect(timesOf(problem)).toEqual(Array.from({ length: 150 }, (_, i) => i));
	expect(assumptions).toEqual(["To save time, the first 150 of 600 samples of run were used."]);
});
