import { describe, expect, it } from "vitest";
import { families } from "../../src/estimate/law/families.ts";
import { quantile } from "../../src/estimate/law/law.ts";
import { logGamma } from "../../src/num/log-gamma.ts";
import { effectiveSampleSize, logSumExp, normalisedWeights } from "../../src/num/log-weights.ts";
import { stream } from "../../src/num/random.ts";
import { systematicResample } from "../../src/num/resampling.ts";

describe("log gamma", () => {
	it("is exact for factorials and halves, and small for no argument", () => {
		let factorial = 1;
		for (let n = 1; n < 30; n++) {
			expect(logGamma(n)).toBeCloseTo(Math.log(factorial), 11);
			factorial *= n;
		}
		expect(logGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 13);
		expect(logGamma(1e-3)).toBeCloseTo(6.907178885383853, 12);
		expect(logGamma(1000)).toBeCloseTo(5905.220423209181, 9);
		expect(logGamma(-1)).toBeNaN();
	});
});

const laws = {
	normal: { law: families.normal.number!(2, 3), mean: 2, variance: 9 },
	lognormal: {
		law: families.lognormal.number!(0.2, 0.5),
		mean: Math.exp(0.325),
		variance: (Math.exp(0.25) - 1) * Math.exp(0.65),
	},
	halfnormal: {
		law: families.halfnormal.number!(2),
		mean: 2 * Math.sqrt(2 / Math.PI),
		variance: 4 - 8 / Math.PI,
	},
	"gamma above 1": { law: families.gamma.number!(3, 2), mean: 1.5, variance: 0.75 },
	"gamma below 1": { law: families.gamma.number!(0.6, 2), mean: 0.3, variance: 0.15 },
	uniform: { law: families.uniform.number!(-1, 3), mean: 1, variance: 16 / 12 },
	student: { law: families.student.number!(7, 1, 2), mean: 1, variance: (4 * 7) / 5 },
	beta: { law: families.beta.number!(2, 5), mean: 2 / 7, variance: 10 / (49 * 8) },
};

describe.each(Object.entries(laws))("%s", (name, { law, mean, variance }) => {
	it("has densities of mass 1 in both coordinates, that agree", () => {
		let natural = 0;
		let sampled = 0;
		const dz = 1e-3;
		for (let z = -40; z < 40; z += dz) {
			const density = Math.exp(law.logDensitySampled(z));
			sampled += density * dz;
			const slope = (law.fromSampled(z + dz / 2) - law.fromSampled(z - dz / 2)) / dz;
			natural += Math.exp(law.logDensity(law.fromSampled(z))) * slope * dz || 0;
		}
		expect(sampled).toBeCloseTo(1, 5);
		expect(natural).toBeCloseTo(1, 5);
	});
	it("has the mass below a value that its density has, and quantiles that undo it", () => {
		for (const p of [0.001, 0.1, 0.5, 0.9, 0.999]) {
			const end = quantile(law, p);
			expect(law.mass(end)).toBeCloseTo(p, 10);
			let below = 0;
			const dz = 1e-3;
			for (let z = law.toSampled(end) - dz / 2; z > -60; z -= dz)
				below += Math.exp(law.logDensitySampled(z)) * dz;
			expect(below).toBeCloseTo(p, 4);
		}
	});
	it("draws with its mean and variance", () => {
		const random = stream(7, `law ${name}`);
		const n = 20_000;
		const x = Array.from({ length: n }, (_, i) => law.fromSampled(law.draw(random, i)));
		const average = x.reduce((a, b) => a + b) / n;
		const spread = x.reduce((a, b) => a + (b - average) ** 2, 0) / n;
		expect(Math.abs(average - mean)).toBeLessThan(4 * Math.sqrt(variance / n));
		expect(Math.abs(spread / variance - 1)).toBeLessThan(0.1);
		expect(law.toSampled(law.fromSampled(0.37))).toBeCloseTo(0.37, 12);
	});
});

describe("weights", () => {
	it("ignores NaN and -Infinity and never over- or underflows", () => {
		const logs = [-1e5, Number.NaN, -1e5 + Math.log(3), Number.NEGATIVE_INFINITY];
		expect([...normalisedWeights(logs)].map((w) => Math.round(w * 1e12) / 1e12)).toEqual([0.25, 0, 0.75, 0]);
		expect(logSumExp(logs)).toBeCloseTo(-1e5 + Math.log(4), 9);
		expect(effectiveSampleSize([1, 1, 1, 0])).toBe(3);
		expect(effectiveSampleSize([0, 0])).toBe(0);
	});
	it("gives every particle its share of children, to within one", () => {
		const weights = normalisedWeights(Array.from({ length: 50 }, (_, i) => Math.sin(3 * i)));
		const parents = systematicResample(weights, 0.3);
		for (const [i, weight] of weights.entries()) {
			const children = parents.filter((parent) => parent === i).length;
			expect(Math.abs(children - 50 * weight)).toBeLessThan(1);
		}
		expect([...systematicResample(Float64Array.of(0, 1, 0), 0.999)]).toEqual([1, 1, 1]);
	});
});
