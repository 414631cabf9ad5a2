/**
 * The tempered cloud is as wide as the posterior, also where it comes from a far narrower one over the bridge.
 *
 * A linear normal model in which all is known exactly: θ ~ N(0, 1), y = θ + integration error + noise, so the wanted
 * likelihood is N(y; θ, 1). The cheap one takes the integration as exact, N(y + off; θ, r²) with r² < 1; or, as a check
 * of the other direction, as less exact than it is. Data are drawn from the model, so that by simulation-based
 * calibration the rank of the truth in the cloud is uniform, and the posterior's variance is 1/2, whatever y is.
 */
import { type Target, Tempering } from "../src/methods/bayes/smc/tempering.ts";
import { stream } from "../src/num/random.ts";
import { Calibration, type CalibrationReport } from "./simulation-based-calibration.ts";

const d = 3;
const posteriorVariance = 0.5;

/** The cheap likelihood: what it is called, how wide, and how far its centre lies beside. */
export const cheapOnes = [
	["a fifth as wide", 0.2, 0.1],
	["of the same width", 1, 0.3],
	["four times as wide", 4, 0],
] as const;

/** Particles: n + 1 ranks fill the 20 bins evenly, and 90 % of them are the interval. */
export const cloudSizes = [59, 199] as const;

/**
 * How far off a right sampler may be. Its coverage is binomial: with 800 replications the standard error is
 * √(0.9 · 0.1 / 800) = 0.0106, and one of the 18 is off by more than 3.5 of those once in 120 sets of seeds; p > 5e-4 of the
 * ranks is missed about as often. The mean square of all particles around the exact mean has the relative standard error
 * √(2 / (800 n)) if they are independent, 0.65 % for the smaller clouds, half of it in a standard deviation. Some of a cloud
 * share a parent: were that every other, it would be 0.5 %, and 2 % leaves four of those.
 */
export const wideBounds = (replications: number) => ({
	coverage: 3.5 * Math.sqrt((0.9 * 0.1) / replications),
	pValue: 5e-4,
	ratio: 0.02 * Math.sqrt(800 / replications),
});

/** y of all replications, with the truths; the cheap likelihood is `r` times as wide and its centre lies `off` beside. */
function target(y: readonly number[], r: number, off: number, seed: number): Target {
	const squares = (z: Float64Array, n: number, from: (i: number) => number): Float64Array =>
		Float64Array.from({ length: n }, (_, b) => {
			let sum = 0;
			for (let i = 0; i < d; i++) sum += (z[i * n + b] - from(i)) ** 2;
			return sum;
		});
	return {
		d,
		draw(n, purpose) {
			const random = stream(seed, purpose);
			return Float64Array.from({ length: d * n }, (_, k) => random.normal(k));
		},
		logPrior: (z, n) => squares(z, n, () => 0).map((square) => -0.5 * square),
		logLik: async (z, n) => squares(z, n, (i) => y[i]).map((square) => -0.5 * square),
		cheap: async (z, n) => squares(z, n, (i) => y[i] + off).map((square) => (-0.5 * square) / r ** 2),
	};
}

export async function wideCalibration(
	n: number,
	r: number,
	off: number,
	replications: number,
): Promise<CalibrationReport & { readonly ratios: Float64Array }> {
	const random = stream(n, `truth ${r}`);
	const calibration = new Calibration(d);
	const variances = new Float64Array(d);
	for (let seed = 0; seed < replications; seed++) {
		const truth = Array.from({ length: d }, (_, i) => random.normal(2 * (seed * d + i)));
		const y = truth.map((value, i) => value + random.normal(2 * (seed * d + i) + 1));
		const run = new Tempering(target(y, r, off, seed), n, {
			seed,
			name: "run",
			threshold: 0.5,
			maxStages: 100,
		});
		while (run.outcome === "running") await run.advance();
		const { z } = run.cloud!;
		calibration.add(truth, z);
		for (let i = 0; i < d; i++)
			// Around the exact mean y/2: no factor n/(n - 1), and a cloud in the wrong place counts too.
			for (let b = 0; b < n; b++) variances[i] += (z[i * n + b] - y[i] / 2) ** 2 / (n * replications);
	}
	return { ...calibration.report(), ratios: variances.map((value) => Math.sqrt(value / posteriorVariance)) };
}
