import { expect, it } from "vitest";
import { stepGrid } from "../../../src/methods/bayes/filter/filter-grid.ts";

const times = (intervals: readonly number[]): Float64Array => {
	let t = 0;
	return Float64Array.from(intervals, (interval) => (t += interval));
};

it("a clock that jitters takes no more steps than one that does not", () => {
	const jittering = times(Array.from({ length: 1000 }, (_, i) => 1e-3 * (1 + 4e-5 * Math.sin(7 * i))));
	for (const substeps of [1, 2, 8]) expect(stepGrid(0, jittering, substeps).h.length).toBe(1000 * substeps);
});

it("longer intervals take as many more steps as they are longer", () => {
	const { stepOf, h } = stepGrid(0, times([0.1, 0.1, 0.3, 0.15]), 2);
	expect([...stepOf]).toEqual([0, 2, 4, 10, 13]);
	expect(Math.max(...h)).toBeLessThan(0.0501);
});
