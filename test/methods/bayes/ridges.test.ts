/** Posteriors that are long and thin and bend: shapes that clouds are found to have, and whole runs beside exact draws. */
import { describe, expect, test } from "vitest";
import { Bend } from "../../../src/methods/bayes/smc/bend.ts";
import { Proposal } from "../../../src/methods/bayes/smc/proposal.ts";
import { Tempering } from "../../../src/methods/bayes/smc/tempering.ts";
import { memory, travels } from "../../../src/methods/bayes/smc/travel.ts";
import { type Stream, stream } from "../../../src/num/random.ts";
import { effectiveSampleSize, normalisedWeights } from "../../../src/num/statistics/log-weights.ts";
import { squared } from "../../../src/num/whole-power.ts";

/** A law that is drawn from coordinate by coordinate: each is normal, given those before it. */
interface Ridge {
	readonly d: number;
	mean(i: number, z: Iterable<number> & ArrayLike<number>): number;
	sd(i: number, z: Iterable<number> & ArrayLike<number>): number;
}

/** Others follow the first, to a two-hundredth of its length. */
const thin: Ridge = {
	d: 4,
	mean: (i, [w, v]) => [0.2, 0.8 * w - 0.3 * w * w, 0.2 * Math.exp(w), 0.5 * v][i],
	sd: (i) => [0.6, 0.003, 0.002, 0.05][i],
};
/** Two of them at once, of three coordinates each. */
const two: Ridge = {
	d: 6,
	mean: (i, z) => [0, 0.7 * squared(z[i - 1]), 0.3 * z[i - 2]][i % 3],
	sd: (i) => (i % 3 === 0 ? 0.8 : 0.03),
};
/** A surface. */
const surface: Ridge = {
	d: 4,
	mean: (i, [a, b]) => [0, 0, a * b, 0.4 * (a * a - b)][i],
	sd: (i) => (i < 2 ? 0.7 : 0.02),
};
/** Ten times as broad at one end as at the other. */
const uneven: Ridge = {
	d: 3,
	mean: (i, [w]) => [0, 0.5 * w * w, 0][i],
	sd: (i, [w]) => (i === 0 ? 0.6 : 0.03 * Math.exp(w)),
};

function drawn({ d, mean, sd }: Ridge, n: number, random: Stream): Float64Array {
	const z = new Float64Array(d * n);
	const point = new Float64Array(d);
	for (let b = 0; b < n; b++)
		for (let i = 0; i < d; i++) {
			point[i] = mean(i, point) + sd(i, point) * random.normal(b * d + i);
			z[i * n + b] = point[i];
		}
	return z;
}

function logDensity({ d, mean, sd }: Ridge, z: Float64Array, n: number, b: number): number {
	const point = Float64Array.from({ length: d }, (_, i) => z[i * n + b]);
	let sum = -0.5 * d * Math.log(2 * Math.PI);
	for (let i = 0; i < d; i++)
		sum -= 0.5 * squared((point[i] - mean(i, point)) / sd(i, point)) + Math.log(sd(i, point));
	return sum;
}

/** Share of exact draws that lie in the middle 95 % of a cloud, coordinate by coordinate, from a normal prior. */
async function coverage(ridge: Ridge, seeds: readonly number[]): Promise<number> {
	const { d } = ridge;
	const n = 500;
	const exact = drawn(ridge, 4000, stream(1, "exact"));
	const logPrior = (z: Float64Array, m: number): Float64Array =>
		Float64Array.from({ length: m }, (_, b) => {
			let square = 0;
			for (let i = 0; i < d; i++) square += squared(z[i * m + b]);
			return -0.5 * (square + d * Math.log(2 * Math.PI));
		});
	let held = 0;
	for (const seed of seeds) {
		const target = {
			d,
			draw: (m: number) => {
				const random = stream(seed, "prior");
				return Float64Array.from({ length: d * m }, (_, k) => random.normal(k));
			},
			logPrior,
			logLik: async (z: Float64Array, m: number) =>
				logPrior(z, m).map((prior, b) => logDensity(ridge, z, m, b) - prior),
		};
		const run = new Tempering(target, n, { seed, name: "ridge", threshold: 0.5, maxStages: 1000 });
		while (run.outcome === "running") await run.advance();
		for (let i = 0; i < d; i++) {
			const sorted = run.cloud!.z.slice(i * n, (i + 1) * n).sort();
			const [lo, hi] = [0.025, 0.975].map((share) => sorted[Math.round(share * (n - 1))]);
			held += exact.subarray(4000 * i, 4000 * (i + 1)).filter((x) => lo <= x && x <= hi).length;
		}
	}
	return held / (4000 * d * seeds.length);
}

describe("the shape of a ridge", () => {
	const n = 1000;
	const even = new Float64Array(n).fill(1 / n);

	test.each([
		["thin", thin, 0.6],
		["two at once", two, 0.6],
		["a surface", surface, 0.6],
		["uneven", uneven, 0.6],
	] as const)("%s: proposals fitted to a cloud of it are like it", (_, ridge, least) => {
		const { d } = ridge;
		const proposal = Proposal.fit(drawn(ridge, n, stream(2, "cloud")), even, d).heavy(1.1);
		const z = new Float64Array(d * n);
		const random = stream(3, "proposals");
		for (let b = 0; b < n; b++) proposal.drawInto(z, n, b, random);
		const logWeights = Array.from(
			{ length: n },
			(_, b) => logDensity(ridge, z, n, b) - proposal.logDensity(z, n, b),
		);
		const share = effectiveSampleSize(normalisedWeights(logWeights)) / n;
		expect(share).toBeGreaterThan(least);
		// Both are densities: the mean weight is 1, with an error that the effective share tells.
		const mass = logWeights.reduce((sum, value) => sum + Math.exp(value) / n, 0);
		expect(Math.abs(mass - 1)).toBeLessThan(4 * Math.sqrt((1 / share - 1) / n));
	});

	test("straight and back again is where it was; steps of no length stay there", () => {
		for (const ridge of [thin, two, surface, uneven]) {
			const z = drawn(ridge, n, stream(4, "cloud"));
			const mean = Float64Array.from({ length: ridge.d }, (_, i) =>
				z.slice(i * n, (i + 1) * n).reduce((sum, value) => sum + value / n, 0),
			);
			const bend = Bend.fit(z, even, mean)!;
			const proposal = Proposal.fit(z, even, ridge.d);
			const stayed = z.slice();
			for (let b = 0; b < n; b++) {
				const e = mean.map((centre, i) => z[i * n + b] - centre);
				bend.straighten(e);
				bend.bend(e);
				for (const [i, value] of e.entries()) expect(value).toBeCloseTo(z[i * n + b] - mean[i], 10);
				proposal.stepInto(stayed, z, n, b, stream(5, "steps"), 0);
			}
			for (const [k, value] of stayed.entries()) expect(value).toBeCloseTo(z[k], 10);
		}
	});

	test("is none of a normal cloud", () => {
		const random = stream(6, "normal");
		const z = Float64Array.from({ length: 5 * n }, (_, k) => random.normal(k));
		expect(Bend.fit(z, even, new Float64Array(5))).toBeUndefined();
	});
});

describe("a run from the prior", () => {
	// Straight steps, and one bend along one coordinate, left 0.93, 0.85 and 0.92.
	test.each([
		["a thin ridge", thin],
		["two ridges", two],
		["a surface", surface],
	])("%s: what its cloud holds as its middle 95 parts of 100 is 95 of exact draws", async (_, ridge) => {
		expect(await coverage(ridge, [1, 2, 3, 4, 5, 6])).toBeGreaterThan(0.935);
	});
});

describe("how far a cloud has moved", () => {
	const n = 500;
	const random = stream(7, "travel");
	const at = Float64Array.from({ length: 2 * n }, (_, k) => random.normal(k));

	test("what it remembers is the largest correlation of its coordinates", () => {
		const moved = at.map((x, k) =>
			k < n ? random.normal(k + 2 * n) : 0.6 * x + 0.8 * random.normal(k + 2 * n),
		);
		expect(memory(at, at, n)).toBeCloseTo(1, 10);
		expect(Math.abs(memory(at, moved, n) - 0.6)).toBeLessThan(4 * (0.64 / Math.sqrt(n)));
	});

	test("it travels where it shifts or widens, and rests where its particles only change places", () => {
		const small = at.map((x, k) => 0.95 * x + Math.sqrt(1 - 0.95 * 0.95) * random.normal(k + 4 * n));
		expect(travels(at, small, n)).toBe(false);
		expect(
			travels(
				at,
				small.map((x, k) => (k < n ? x : x + 0.1)),
				n,
			),
		).toBe(true);
		expect(
			travels(
				at,
				small.map((x, k) => (k < n ? x : 1.2 * x)),
				n,
			),
		).toBe(true);
	});
});
