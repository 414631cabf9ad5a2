/** First states of records of their own: as unsure as they are said to be, also where a record begins fast and comes to rest. */
import { expect, test } from "vitest";
import { testSimulations } from "../../../src/methods/kriging/answer/predictions.ts";
import { krigingOptions } from "../../../src/methods/kriging/options.ts";
import { openingState } from "../../../src/methods/kriging/simulate/opening.ts";
import type { Path } from "../../../src/methods/kriging/simulate/path.ts";
import type { ErrorColumns } from "../../../src/methods/kriging/simulate/path-error.ts";
import { smoothedState } from "../../../src/methods/kriging/time/smoothed-record.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { drained } from "../../../src/num/drained.ts";
import { repetitions } from "../../repetitions.ts";
import { learned, planeFields, startsBetween } from "./fields.ts";

/** 0.1 % and 99.9 % of the sum of so many squares of standard normal values. */
const squares = { 8: [0.857, 26.12], 48: [23.29, 84.04] } as const;

test("two switches: first states of other records", { timeout: 600_000 }, async () => {
	const field = planeFields["two switches"];
	const starts = startsBetween(field, repetitions(4, 24));
	const { run, tests } = await learned(field, starts, defaultOptions(krigingOptions), 1);
	let square = 0;
	let smoothed = 0;
	const simulated = drained(testSimulations(run));
	for (const [i, { simulation }] of simulated.entries()) {
		const other = drained(run.smoothOther(run.problem.test[i]));
		const x = smoothedState(run.dynamics, other, 0);
		for (let c = 0; c < 2; c++) {
			const truth = tests[i].states[c];
			square += ((simulation.x[c] - truth) / simulation.sd[c]) ** 2;
			smoothed += (x[c] - truth) ** 2 / other.tracks[c].covariance(0, 0, 0, 0);
		}
	}
	const [least, most] = squares[(2 * simulated.length) as 8 | 48];
	expect(square).toBeGreaterThan(least);
	expect(square).toBeLessThan(most);
	// A smoother that is stationary in time is too sure there.
	expect(smoothed).toBeGreaterThan(most);
});

test("a first state is that of least squares with all errors known", () => {
	// x' = f, one step of length 1, f off by 0.5 ξ: x(1) = x(0) + f, samples at both ends.
	const path: Path = {
		n: 1,
		t: Float64Array.of(0, 1),
		x: Float64Array.of(2, 3),
		args: [0, 1, 2].map(() => Float64Array.of(0)),
		steps: [
			{
				nodes: [0, 1, 2],
				a: Float64Array.of(1),
				w: [Float64Array.of(1 / 6), Float64Array.of(4 / 6), Float64Array.of(1 / 6)],
				p: new Float64Array(0),
			},
		],
		at: Int32Array.of(0, 1),
		outcome: "converged",
	};
	const columns: ErrorColumns = {
		rows: Float64Array.of(0.5, 0.5, 0.5),
		width: 1,
		rank: 1,
		nSites: 3,
		nCalls: 1,
		nParams: 0,
		isFar: [false, false, false],
	};
	const variance = 0.04;
	const samples = [2.1, 3.6].map((y, t) => ({ t, component: 0, y, variance }));
	const { shift, byField, own, covariance } = openingState(path, columns, samples)!;
	// Weights by the inverse of the noise, and of the noise with the error of the field.
	const [near, far] = [1 / variance, 1 / (variance + 0.25)];
	const weight = far / (near + far);
	expect(shift[0]).toBeCloseTo((1 - weight) * 0.1 + weight * 0.6, 12);
	expect(byField[0]).toBeCloseTo(-weight * 0.5, 12);
	expect(covariance[0]).toBeCloseTo(1 / (near + far), 12);
	expect(own[0]).toBeCloseTo(((1 - weight) ** 2 + weight ** 2) * variance, 12);
	// One sample that is missing on the path tells nothing.
	expect(openingState(path, columns, [{ ...samples[0], t: 0.5 }])).toBeUndefined();
});
