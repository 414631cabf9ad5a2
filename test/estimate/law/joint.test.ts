/** Numbers that are known together. */
import { describe, expect, it } from "vitest";
import { numberLaw } from "../../../src/estimate/law/declared.ts";
import { coordinateName, factorOf, JointNormal } from "../../../src/estimate/law/joint.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";

const covariance = [
	[0.5, 0.3, -0.1],
	[0.3, 0.4, 0.05],
	[-0.1, 0.05, 0.2],
];
const law = new JointNormal({ names: ["a", "b", "c"], mean: [1, -2, 0.5], covariance });
const everywhere = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };

describe("a normal law of several numbers", () => {
	it("has the density that its inverse covariance and determinant say", () => {
		// By hand: two numbers, correlation 0.6, sds 2 and 0.5.
		const two = new JointNormal({
			names: ["a", "b"],
			mean: [0, 0],
			covariance: [
				[4, 0.6],
				[0.6, 0.25],
			],
		});
		const [x, y] = [1.5, -0.2];
		const [u, v] = [x / 2, y / 0.5];
		const square = (u * u - 1.2 * u * v + v * v) / (1 - 0.36);
		const expected = -0.5 * square - Math.log(2 * Math.PI * 2 * 0.5 * 0.8);
		expect(two.logDensity((at) => [x, y][at])).toBeCloseTo(expected, 12);
	});

	it("draws with its means and covariances", () => {
		const n = 40_000;
		const randoms = [0, 1, 2].map((i) => stream(3, `joint ${i}`));
		const z = [0, 1, 2].map((at) =>
			Array.from({ length: n }, (_, b) => law.drawn(at, (of) => randoms[of].normal(b))),
		);
		const mean = z.map((values) => values.reduce((a, b) => a + b) / n);
		for (const i of [0, 1, 2]) {
			// Four standard errors, of means and of covariances of normal numbers.
			expect(Math.abs(mean[i] - law.prior.mean[i])).toBeLessThan(4 * Math.sqrt(covariance[i][i] / n));
			for (const j of [0, 1, 2]) {
				const found = z[i].reduce((sum, value, b) => sum + (value - mean[i]) * (z[j][b] - mean[j]), 0) / n;
				const error = Math.sqrt((covariance[i][i] * covariance[j][j] + covariance[i][j] ** 2) / n);
				expect(Math.abs(found - covariance[i][j])).toBeLessThan(4 * error);
			}
		}
	});

	it("has marginals over what each number may be: densities whose mass is what they say", () => {
		for (const ends of [everywhere, { ...everywhere, lo: 0 }, { lo: -1, hi: 3 }, { ...everywhere, hi: 2 }]) {
			const one = law.marginal(1, ends);
			// Simpson's rule in the sampled coordinate, from far out to one standard deviation above the mean.
			const [from, to, count] = [-2 - 9 * Math.sqrt(0.4), -2 + Math.sqrt(0.4), 2000];
			const h = (to - from) / count;
			let sum = 0;
			for (let k = 0; k <= count; k++) {
				const weight = k === 0 || k === count ? 1 : k % 2 === 0 ? 2 : 4;
				sum += (weight * h * Math.exp(one.logDensitySampled(from + k * h))) / 3;
			}
			expect(one.mass(one.fromSampled(to))).toBeCloseTo(sum, 9);
			const x = one.fromSampled(-1.7);
			const slope = (one.fromSampled(-1.7 + 1e-6) - one.fromSampled(-1.7 - 1e-6)) / 2e-6;
			expect(one.logDensity(x) + Math.log(slope)).toBeCloseTo(one.logDensitySampled(-1.7), 8);
		}
	});

	it("is, of positive numbers, what lognormal is", () => {
		const { params } = parseModel("param k ~ lognormal(-2, 0.5)\nstate x = 1\nx' = -k*x\n", "m.ode");
		const { knowledge } = params[0];
		const declared = numberLaw(
			"k",
			(knowledge as { distribution: Parameters<typeof numberLaw>[1] }).distribution,
		);
		const own = new JointNormal({ names: ["k"], mean: [-2], covariance: [[0.25]] }).marginal(0, declared);
		for (const x of [0.01, 0.1, 0.2, 1]) {
			expect(own.logDensity(x)).toBeCloseTo(declared.logDensity(x), 12);
			expect(own.mass(x)).toBeCloseTo(declared.mass(x), 12);
		}
	});
});

it("knows what is no covariance", () => {
	expect(factorOf(covariance)).toBeDefined();
	expect(
		factorOf([
			[1, 1.01],
			[1.01, 1],
		]),
	).toBeUndefined();
	expect(factorOf([[-1]])).toBeUndefined();
	expect(factorOf([[Number.NaN]])).toBeUndefined();
});

it("names coordinates by what a number may be", () => {
	expect(coordinateName("k", everywhere)).toBe("k");
	expect(coordinateName("k", { ...everywhere, lo: 0 })).toBe("log(k)");
	expect(coordinateName("k", { ...everywhere, lo: -2 })).toBe("log(k + 2)");
	expect(coordinateName("k", { ...everywhere, hi: 5 })).toBe("-log(5 - k)");
	expect(coordinateName("k", { lo: 0, hi: 1 })).toBe("logit(k)");
});
