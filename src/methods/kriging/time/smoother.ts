/**
 * Step 1: a measured state as a function of time, with all derivatives that the model needs and the joint covariance of
 * their errors, from noisy samples at any times (the paper's section 3.1). This is the dense form; `state-space.ts` and
 * `banded-smoother.ts` do the same for long records.
 */

import { wholePower } from "../../../num/whole-power.ts";
import { IntrinsicKriging, type Reduced, type Target } from "../field/intrinsic-kriging.ts";
import type { Radial } from "../field/radial.ts";
import { type TimeHyper, timeCovariance, timeCovarianceByLogLength } from "./time-covariance.ts";

/** Samples of a state or of its derivatives. */
export interface Samples {
	readonly t: Float64Array;
	/** Which derivative each sample is of. */
	readonly order: ArrayLike<number>;
	readonly y: Float64Array;
	/** Variance of the error of each. */
	readonly variance: Float64Array;
}

/** A derivative of the state at an instant. */
export interface Instant {
	readonly t: number;
	readonly order: number;
}

/** Values of some instants with their errors. */
export interface Posterior {
	readonly mean: Float64Array;
	readonly variance: Float64Array;
	/** Row-major, of all instants; only where it was asked for. */
	readonly covariance?: Float64Array;
}

export interface Smoother {
	readonly form: "dense" | "banded" | "state space";
	posterior(instants: readonly Instant[], joint: boolean): Posterior;
}

export class DenseSmoother implements Smoother {
	readonly form = "dense";
	readonly #kriging: IntrinsicKriging;

	constructor(
		readonly samples: Samples,
		readonly radial: Radial,
		readonly hyper: TimeHyper,
		readonly meanDegree: number,
	) {
		const { t, y } = samples;
		this.#kriging = new IntrinsicKriging(
			sampleCovariance(samples, radial, hyper),
			meanAt(samples, meanDegree, t[0]),
			y,
			meanDegree + 1,
		);
	}

	get isDefinite(): boolean {
		return this.#kriging.isDefinite;
	}

	posterior(instants: readonly Instant[], joint: boolean): Posterior {
		const { radial, hyper } = this;
		const reduced = instants.map((instant) => this.#kriging.reduce(this.target(instant)));
		const n = instants.length;
		const prior = (a: Instant, b: Instant): number =>
			timeCovariance(radial, hyper, a.t - b.t, a.order, b.order);
		const mean = Float64Array.from(reduced, ({ prediction }) => prediction);
		const covariance = joint ? new Float64Array(n * n) : undefined;
		const variance = new Float64Array(n);
		const error = (i: number, j: number): number =>
			this.#kriging.errorCovariance(prior(instants[i], instants[j]), reduced[i], reduced[j] as Reduced);
		for (let i = 0; i < n; i++) {
			variance[i] = Math.max(error(i, i), 0);
			if (!covariance) continue;
			for (let j = 0; j < i; j++) covariance[i * n + j] = covariance[j * n + i] = error(i, j);
			covariance[i * n + i] = variance[i];
		}
		return { mean, variance, covariance };
	}

	weights(instant: Instant): { a: Float64Array; mu: Float64Array } {
		return this.#kriging.weights(this.target(instant));
	}

	private target({ t, order }: Instant): Target {
		const { samples, radial, hyper } = this;
		return {
			k: samples.t.map((ti, i) => timeCovariance(radial, hyper, t - ti, order, samples.order[i])),
			p: meanRow(t - samples.t[0], order, this.meanDegree),
		};
	}
}

/** Covariance of the samples, with their noise. */
export function sampleCovariance(samples: Samples, radial: Radial, hyper: TimeHyper): Float64Array {
	const { t, order, variance } = samples;
	const n = t.length;
	const k = new Float64Array(n * n);
	for (let i = 0; i < n; i++) {
		for (let j = 0; j <= i; j++)
			k[i * n + j] = k[j * n + i] = timeCovariance(radial, hyper, t[i] - t[j], order[i], order[j]);
		k[i * n + i] += variance[i];
	}
	return k;
}

/** Its derivative by log length. */
export function sampleCovarianceByLogLength(
	{ t, order }: Samples,
	radial: Radial,
	hyper: TimeHyper,
): Float64Array {
	const n = t.length;
	const k = new Float64Array(n * n);
	for (let i = 0; i < n; i++)
		for (let j = 0; j <= i; j++)
			k[i * n + j] = k[j * n + i] = timeCovarianceByLogLength(radial, hyper, t[i] - t[j], order[i], order[j]);
	return k;
}

/** Mean functions 1, t, …, t^degree (from `origin`) at the samples: n × (degree + 1). */
export function meanAt({ t, order }: Samples, degree: number, origin: number): Float64Array {
	const p = new Float64Array(t.length * (degree + 1));
	for (let i = 0; i < t.length; i++) p.set(meanRow(t[i] - origin, order[i], degree), i * (degree + 1));
	return p;
}

/** Derivatives of given order of 1, t, …, t^degree. */
export function meanRow(t: number, order: number, degree: number): Float64Array {
	return Float64Array.from({ length: degree + 1 }, (_, power) => {
		if (power < order) return 0;
		let value = 1;
		for (let k = 0; k < order; k++) value *= power - k;
		return value * wholePower(t, power - order);
	});
}
