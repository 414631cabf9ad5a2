import { describe, expect, test } from "vitest";
import { betaMass, gammaMass, normalMass, studentMass } from "../../src/num/statistics/tail-mass.ts";

/** From scipy.stats 1.10. */
const reference: [number, number][] = [
	[normalMass(1.959963984540054), 0.975],
	[normalMass(-5), 2.866515718791933e-7],
	[normalMass(-1), 0.15865525393145707],
	[normalMass(0), 0.5],
	[gammaMass(2.5, 3), 0.6937810815867212],
	[gammaMass(0.3, 0.01), 0.27924099635901484],
	[gammaMass(30, 45), 0.9926628007022035],
	[betaMass(2, 3, 0.4), 0.5247999999999999],
	[betaMass(0.5, 0.5, 0.9), 0.7951672353008665],
	[studentMass(4, 2.776445), 0.9749999973089543],
	[studentMass(3, -3.182446), 0.025000005859639705],
];

describe("mass below a value", () => {
	test("is that of an independent implementation", () => {
		for (const [ours, theirs] of reference) expect(Math.abs(ours / theirs - 1)).toBeLessThan(1e-12);
	});
	test("goes from 0 to 1", () => {
		expect([gammaMass(2, 0), betaMass(2, 2, -1), normalMass(-40)].every((p) => p < 1e-300)).toBe(true);
		expect([gammaMass(2, Infinity), betaMass(2, 2, 1), normalMass(40), studentMass(3, 1e200)]).toEqual([
			1, 1, 1, 1,
		]);
	});
});
