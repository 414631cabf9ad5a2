/** Lengths by argument: the covariance itself, its likelihood by sizes, and what it is for. */
import { describe, expect, test } from "vitest";
import { expectedSizes } from "../../../src/methods/kriging/field/expected-sizes.ts";
import {
	type FieldCovariance,
	fieldCovariance,
} from "../../../src/methods/kriging/field/field-covariance.ts";
import { FieldDesign, type Site } from "../../../src/methods/kriging/field/field-design.ts";
import { type FieldData, fieldObjective } from "../../../src/methods/kriging/field/field-hyper.ts";
import { LearnedField } from "../../../src/methods/kriging/field/learned-field.ts";
import { monomials } from "../../../src/methods/kriging/field/monomials.ts";
import { logLikelihoodBySize, PartLikelihood } from "../../../src/methods/kriging/field/part-likelihood.ts";
import { smoothByArgument } from "../../../src/methods/kriging/field/smooth-by-argument.ts";
import { drained } from "../../../src/num/drained.ts";
import { exp, log } from "../../../src/num/elementary/number.ts";
import { choleskyInto } from "../../../src/num/linear/cholesky.ts";
import { stream } from "../../../src/num/random.ts";

const lengths = [0.75, 1.5, 3, 6];
const noise = 0.01;

function designOf(covariance: FieldCovariance, nFunctions = 1): FieldDesign {
	const functions = Array.from({ length: nFunctions }, (_, f) => ({
		name: `f${f}`,
		argNames: ["x", "y"],
		centre: new Float64Array(2),
		scale: new Float64Array(2).fill(1),
		basis: monomials(2, 2),
		covariance,
	}));
	return new FieldDesign(functions, 0);
}

/** Values at sites, with noise. */
function seen(sites: readonly Site[], values: ArrayLike<number>, seed: number): FieldData {
	const random = stream(seed, "noise");
	const n = sites.length;
	const matrix = new Float64Array(n * n);
	for (let i = 0; i < n; i++) matrix[i * n + i] = noise * noise;
	return {
		sites,
		functionals: sites.map((_, i) => ({
			at: Int32Array.of(i),
			weight: Float64Array.of(1),
			factors: new Float64Array(0),
		})),
		y: Float64Array.from({ length: n }, (_, i) => values[i] + noise * random.normal(i)),
		noise: matrix,
	};
}

describe("the covariance", () => {
	test.each([1, 2, 3])("of %i arguments begins with the parts of one length, and has few more", (nArgs) => {
		const own = smoothByArgument(lengths, nArgs);
		const same = fieldCovariance("smooth", 1, nArgs);
		expect(own.hyperNames).toHaveLength([4, 16, 40][nArgs - 1]);
		const hyper = new Float64Array(own.hyperNames.length);
		hyper.set([0.3, 0.2, 1, 4]);
		const squares = Float64Array.of(0.5, 2, 0.1);
		expect(own.value(hyper, squares, 0)).toBeCloseTo(same.value(hyper.slice(0, 4), squares, 0), 12);
	});

	test("has the slopes and the derivatives by parts that it should", () => {
		const own = smoothByArgument(lengths, 2);
		const hyper = Float64Array.from(own.hyperNames, (_, i) => 1 + i / 7);
		const gap = [0.8, -0.5];
		const at = (d: readonly number[]): number =>
			own.value(
				hyper,
				Float64Array.from(d, (v) => v * v),
				0,
			);
		const squares = Float64Array.from(gap, (v) => v * v);
		const slopes = new Float64Array(2);
		own.slopesInto(slopes, hyper, squares, 0);
		for (const a of [0, 1]) {
			const [up, down] = [1e-5, -1e-5].map((h) => at(gap.map((v, i) => (i === a ? v + h : v))));
			expect(slopes[a] * gap[a]).toBeCloseTo((up - down) / 2e-5, 6);
		}
		const sum = hyper.reduce((total, _, i) => total + own.byLog(hyper, squares, 0, i), 0);
		expect(sum).toBeCloseTo(at(gap), 10);
	});
});

test("likelihood by size is that of the whole covariance", () => {
	const design = designOf(smoothByArgument(lengths, 2), 2);
	const random = stream(3, "points");
	const sites = Array.from(
		{ length: 50 },
		(_, i): Site => ({ of: i % 2, x: Float64Array.of(random.normal(2 * i), random.normal(2 * i + 1)) }),
	);
	const data = seen(
		sites,
		sites.map(({ x }) => exp(-x[0] * x[0]) * x[1]),
		1,
	);
	const hyper = new Float64Array(design.nHyper);
	hyper.set([0, 0, 0.5, 0], 16);
	const likelihood = new PartLikelihood(design, data);
	const beside = likelihood.beside(0, hyper)!;
	const whole = fieldObjective(design, data, "reml", false);
	const direct = (part: number, size: number): number =>
		-whole(hyper.map((value, i) => log(i === part ? size : i < 16 ? 1e-30 : Math.max(value, 1e-30)))).value;
	const found = [1, 3, 9, 15].flatMap((part) => {
		const by = logLikelihoodBySize(beside, drained(likelihood.columns(0, part, hyper)));
		return [0.01, 1, 50].map((size) => by(size) - direct(part, size));
	});
	// They differ by a constant, up to what is left out of a part.
	for (const each of found) expect(each).toBeCloseTo(found[0], 2);
});

test("a function that bends in one argument alone is not taken for smooth in it, nor for rough in the other", () => {
	const one = designOf(fieldCovariance("smooth", 2, 2));
	const byArgument = designOf(smoothByArgument(lengths, 2));
	// Drawn with a length of 0.75 in x and 6 in y; seen along three lines, asked for between them.
	const truth = new Float64Array(16);
	truth[byArgument.functions[0].covariance.hyperNames.indexOf("v0.75,6")] = 1;
	const lines = [-1.6, 0.1, 1.5].flatMap((y) =>
		Array.from({ length: 9 }, (_, i): Site => ({ of: 0, x: Float64Array.of(-1.6 + 0.4 * i, y) })),
	);
	const between = [-0.8, 0.8].flatMap((y) =>
		[-1.2, -0.4, 0.4, 1.2].map((x): Site => ({ of: 0, x: Float64Array.of(x, y) })),
	);
	const sites = [...lines, ...between];
	const n = sites.length;
	const root = byArgument.siteCovariance(truth, sites, sites);
	for (let i = 0; i < n; i++) root[i * n + i] += 1e-9;
	choleskyInto(root, n);
	const count = 12;
	const sizes: number[][] = [[], []];
	const squares = [0, 0];
	for (let seed = 1; seed <= count; seed++) {
		const random = stream(seed, "functions");
		const values = sites.map((_, i) => {
			let value = 0;
			for (let j = 0; j <= i; j++) value += root[i * n + j] * random.normal(j);
			return value;
		});
		const data = seen(lines, values, seed);
		for (const [q, design] of [one, byArgument].entries()) {
			const from = new Float64Array(design.nHyper);
			const field = new LearnedField(design, data, drained(expectedSizes(design, data, from)));
			const { value, sd } = field.predict(
				0,
				between.map(({ x }) => x),
			);
			value.forEach((each, i) => {
				squares[q] += ((each - values[lines.length + i]) / sd[i]) ** 2 / (count * between.length);
				sizes[q].push(sd[i]);
			});
		}
	}
	const median = (of: number[]): number => of.sort((a, b) => a - b)[of.length >> 1];
	expect(squares[1]).toBeGreaterThan(0.6);
	expect(squares[1]).toBeLessThan(1.5);
	// With one length for both it is several times less sure than it could be.
	expect(median(sizes[0])).toBeGreaterThan(3 * median(sizes[1]));
});
