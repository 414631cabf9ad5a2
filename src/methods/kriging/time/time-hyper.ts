/**
 * Variance and length of the process in time, by REML or ML with exact derivatives. Noise that the model leaves open is
 * estimated along, above a floor: left free it runs to zero, and the smoother then follows the noise.
 */
import { type Minimum, minimizationSteps } from "../../../num/bounded-bfgs.ts";
import { exp, log } from "../../../num/elementary/number.ts";
import { squared } from "../../../num/whole-power.ts";
import { type Criterion, negLogLikelihood } from "../field/likelihood.ts";
import type { Radial } from "../field/radial.ts";
import { meanAt, type Samples, sampleCovariance, sampleCovarianceByLogLength } from "./smoother.ts";
import type { TimeHyper } from "./time-covariance.ts";

export interface TimeFit extends TimeHyper {
	/** Standard deviation of the noise where it was estimated: the `variance` of the samples is times this squared. */
	readonly noiseFactor: number;
	readonly value: number;
	readonly converged: boolean;
	/** The noise ran to its floor. */
	readonly atFloor: boolean;
}

export interface TimeHyperProblem {
	/** One for each stretch of record that counts: they share the hyperparameters. */
	readonly stretches: readonly Samples[];
	readonly radial: Radial;
	readonly criterion: Criterion;
	readonly meanDegree: number;
	/** Smallest and largest factor of the noise; undefined: the noise is known. */
	readonly noise?: { readonly lo: number; readonly hi: number };
}

/** In pieces that are short: one evaluation of the criterion each. */
export function* estimateTimeHyper(problem: TimeHyperProblem): Generator<void, TimeFit> {
	const { stretches, noise } = problem;
	const spread = Math.max(
		...stretches.map(({ y, order }) => varianceOf(y.filter((_, i) => order[i] === 0))),
		0,
	);
	const span = Math.max(...stretches.map(({ t }) => t[t.length - 1] - t[0]));
	const spacing = Math.min(...stretches.map(({ t }) => medianSpacing(t)));
	const base = spread > 0 ? spread : 1;
	const lo = [log(base * 1e-4), log(spacing * 0.5)];
	const hi = [log(base * 1e6), log(span * 20)];
	if (noise) {
		lo.push(log(noise.lo));
		hi.push(log(noise.hi));
	}
	const wide = problem.radial.support < Number.POSITIVE_INFINITY ? 4 : 1;
	const starts = [3, 10, 30].map((reach) =>
		Float64Array.of(
			log(base),
			log(Math.min(reach * wide * spacing, span)),
			...(noise ? [log(Math.sqrt(noise.lo * Math.sqrt(noise.lo * noise.hi)))] : []),
		),
	);
	const objective = (z: Float64Array) => timeObjective(problem, z);
	const found: Minimum[] = [];
	for (const start of starts)
		found.push(yield* minimizationSteps(objective, start, lo, hi, { maxEvaluations: 60 }));
	const best = found.reduce((a, b) => (b.value < a.value ? b : a));
	return {
		variance: exp(best.x[0]),
		length: exp(best.x[1]),
		noiseFactor: noise ? exp(best.x[2]) : 1,
		value: best.value,
		converged: best.converged,
		atFloor: noise !== undefined && best.x[2] <= lo[2] + 1e-6,
	};
}

/** z: log variance, log length, and log noise factor where it is estimated. */
export function timeObjective(
	{ stretches, radial, criterion, meanDegree, noise }: TimeHyperProblem,
	z: Float64Array,
): { value: number; gradient: Float64Array } {
	const hyper = { variance: exp(z[0]), length: exp(z[1]) };
	const factor = noise ? exp(2 * z[2]) : 1;
	const total = { value: 0, gradient: new Float64Array(z.length) };
	for (const stretch of stretches) {
		const samples = { ...stretch, variance: stretch.variance.map((v) => v * factor) };
		const n = samples.t.length;
		const k = sampleCovariance(samples, radial, hyper);
		const byVariance = k.slice();
		for (let i = 0; i < n; i++) byVariance[i * n + i] -= samples.variance[i];
		const dk = [byVariance, sampleCovarianceByLogLength(samples, radial, hyper)];
		if (noise) {
			const byNoise = new Float64Array(n * n);
			for (let i = 0; i < n; i++) byNoise[i * n + i] = 2 * samples.variance[i];
			dk.push(byNoise);
		}
		const { value, gradient } = negLogLikelihood(criterion, {
			p: meanAt(samples, meanDegree, samples.t[0]),
			nMean: meanDegree + 1,
			y: samples.y,
			k,
			dk,
		});
		total.value += value;
		for (let i = 0; i < gradient.length; i++) total.gradient[i] += gradient[i];
	}
	return total;
}

export function varianceOf(values: ArrayLike<number>): number {
	let mean = 0;
	for (let i = 0; i < values.length; i++) mean += values[i] / values.length;
	let sum = 0;
	for (let i = 0; i < values.length; i++) sum += squared(values[i] - mean);
	return values.length > 1 ? sum / (values.length - 1) : 0;
}

export function medianSpacing(t: Float64Array): number {
	const gaps = Float64Array.from({ length: t.length - 1 }, (_, i) => t[i + 1] - t[i])
		.filter((gap) => gap > 0)
		.sort();
	return gaps[gaps.length >> 1] ?? 1;
}
