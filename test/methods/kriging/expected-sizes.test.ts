/** Functions drawn at random, seen at few points: errors with expected sizes are as large as is said. */
import { expect, test } from "vitest";
import { expectedSizes } from "../../../src/methods/kriging/field/expected-sizes.ts";
import { fieldCovariance } from "../../../src/methods/kriging/field/field-covariance.ts";
import { FieldDesign, type Site } from "../../../src/methods/kriging/field/field-design.ts";
import { estimateFieldHyper, type FieldData } from "../../../src/methods/kriging/field/field-hyper.ts";
import { LearnedField } from "../../../src/methods/kriging/field/learned-field.ts";
import { drained } from "../../../src/num/drained.ts";
import { choleskyInto } from "../../../src/num/linear/cholesky.ts";
import { stream } from "../../../src/num/random.ts";

const design = new FieldDesign(
	[
		{
			name: "f",
			argNames: ["x"],
			centre: Float64Array.of(0),
			scale: Float64Array.of(1),
			basis: [[0], [1]],
			covariance: fieldCovariance("smooth", 1, 1),
		},
	],
	0,
);
const nSeen = 7;
const noise = 0.02;

/** A function of one length and size 1, at points with noise, and without it at one more. */
function drawn(seed: number): { data: FieldData; x: number; truth: number } {
	const random = stream(seed, "functions");
	const x = Array.from({ length: nSeen + 1 }, (_, i) => 3 * random.uniform(i) - 1.5);
	const sites = x.map((at): Site => ({ of: 0, x: Float64Array.of(at) }));
	const hyper = new Float64Array(4);
	hyper[seed % 3] = 1;
	const k = design.siteCovariance(hyper, sites, sites);
	const n = sites.length;
	for (let i = 0; i < n; i++) k[i * n + i] += 1e-9;
	choleskyInto(k, n);
	const values = x.map((at, i) => {
		let value = 2 - at;
		for (let j = 0; j <= i; j++) value += k[i * n + j] * random.normal(j);
		return value;
	});
	const matrix = new Float64Array(nSeen * nSeen);
	for (let i = 0; i < nSeen; i++) matrix[i * nSeen + i] = noise * noise;
	return {
		data: {
			sites: sites.slice(0, nSeen),
			functionals: Array.from({ length: nSeen }, (_, i) => ({
				at: Int32Array.of(i),
				weight: Float64Array.of(1),
				factors: new Float64Array(0),
			})),
			y: Float64Array.from({ length: nSeen }, (_, i) => values[i] + noise * random.normal(100 + i)),
			noise: matrix,
		},
		x: x[nSeen],
		truth: values[nSeen],
	};
}

test("intervals hold a function at a point as often as they say", { timeout: 60_000 }, () => {
	const count = 200;
	let held = 0;
	let heldByLikely = 0;
	for (let seed = 1; seed <= count; seed++) {
		const { data, x, truth } = drawn(seed);
		const { hyper } = drained(estimateFieldHyper(design, data, { criterion: "reml" }));
		const holds = (sizes: Float64Array): boolean => {
			const { value, sd } = new LearnedField(design, data, sizes).predict(0, [[x]]);
			return Math.abs(value[0] - truth) <= 1.96 * sd[0];
		};
		if (holds(drained(expectedSizes(design, data, hyper)))) held++;
		if (holds(hyper)) heldByLikely++;
	}
	// 0.1 % of the binomial law of 95 %; the most likely sizes are too sure.
	expect(held).toBeGreaterThanOrEqual(179);
	expect(heldByLikely).toBeLessThan(179);
});
