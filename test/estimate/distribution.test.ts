import { describe, expect, it } from "vitest";
import { families } from "../../src/estimate/law/families.ts";
import { quantile } from "../../src/estimate/law/law.ts";
import { truncated } from "../../src/estimate/law/truncated.ts";
import { stream } from "../../src/num/random.ts";
import { logGamma } from "../../src/num/statistics/log-gamma.ts";
import { effectiveSampleSize, logSumExp, normalisedWeights } from "../../src/num/statistics/log-weights.ts";
import { systematicResample } from "../../src/num/statistics/resampling.ts";

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
	laplace: { law: families.laplace.number!(-1, 0.7), mean: -1, variance: 2 * 0.49 },
	loglaplace: {
		law: families.loglaplace.number!(0.3, 0.15),
		mean: Math.exp(0.3) / 0.9775,
		variance: Math.exp(0.6) * (1 / 0.91 - 1 / 0.9775 ** 2),
	},
	exponential: { law: families.exponential.number!(4), mean: 0.25, variance: 1 / 16 },
	weibull: {
		law: families.weibull.number!(1.5, 2),
		mean: 2 * 0.9027452929509336,
		variance: 4 * (1.190639348758999 - 0.9027452929509336 ** 2),
	},
	rayleigh: {
		law: families.rayleigh.number!(3),
		mean: 3 * Math.sqrt(Math.PI / 2),
		variance: (9 * (4 - Math.PI)) / 2,
	},
	chisquare: { law: families.chisquare.number!(5), mean: 5, variance: 10 },
	loguniform: {
		law: families.loguniform.number!(0.5, 8),
		mean: 7.5 / Math.log(16),
		variance: (64 - 0.25) / (2 * Math.log(16)) - (7.5 / Math.log(16)) ** 2,
	},
	"normal above 0": {
		law: truncated(families.normal.number!(0, 2), 0, Number.POSITIVE_INFINITY)!,
		mean: 2 * Math.sqrt(2 / Math.PI),
		variance: 4 - 8 / Math.PI,
	},
	"exponential below 1": {
		law: truncated(families.exponential.number!(1), -3, 1)!,
		mean: 1 - 1 / (Math.E - 1),
		variance: 1 - Math.E / (Math.E - 1) ** 2,
	},
	"normal below -1": {
		// Mean -φ(1)/Φ(-1), by the inverse Mills ratio λ(1); variance 1 + λ - λ².
		law: truncated(families.normal.number!(0, 1), Number.NEGATIVE_INFINITY, -1)!,
		mean: -1.5251352761609807,
		variance: 1 + 1.5251352761609807 - 1.5251352761609807 ** 2,
	},
	"uniform between": { law: truncated(families.uniform.number!(-1, 3), 0, 2)!, mean: 1, variance: 4 / 12 },
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

describe("a law that is cut", () => {
	const normal = families.normal.number!(0, 1);
	it("is itself where nothing is cut off, and none where next to nothing is left", () => {
		expect(truncated(families.halfnormal.number!(1), 0, Number.POSITIVE_INFINITY)!.lo).toBe(0);
		expect(truncated(normal, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe(normal);
		expect(truncated(normal, 12, 13)).toBeUndefined();
		expect(truncated(normal, 1, 1)).toBeUndefined();
	});
	it("is what halfnormal is", () => {
		const half = families.halfnormal.number!(2);
		const cut = truncated(families.normal.number!(0, 2), 0, Number.POSITIVE_INFINITY)!;
		for (const x of [-1, 0.1, 1, 5]) {
			expect(cut.mass(x)).toBeCloseTo(half.mass(x), 12);
			if (x > 0) expect(cut.logDensity(x)).toBeCloseTo(half.logDensity(x), 12);
		}
	});
});

describe("cauchy", () => {
	it("has quartiles one scale from its middle", () => {
		const law = families.cauchy.number!(2, 3);
		expect(quantile(law, 0.25)).toBeCloseTo(-1, 9);
		expect(quantile(law, 0.75)).toBeCloseTo(5, 9);
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
