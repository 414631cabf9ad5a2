/** First states of records of their own, by what the samples and the learned field say; how unsure they are is tested between records. */
import { expect, test } from "vitest";
import { openingState } from "../../../src/methods/kriging/simulate/opening.ts";
import type { Path } from "../../../src/methods/kriging/simulate/path.ts";
import type { ErrorColumns } from "../../../src/methods/kriging/simulate/path-error.ts";

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
