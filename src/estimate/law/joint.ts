/**
 * Several numbers that are known together: a normal law of them in the coordinates in which each is sampled, so that it keeps to
 * what each may be. Of numbers that may be anything that is a plain normal law, of positive ones a lognormal one.
 */
import { log } from "../../num/elementary/number.ts";
import { choleskyInto, choleskyLogDeterminant, solveLowerInto } from "../../num/linear/cholesky.ts";
import { halfLogTwoPi } from "../../num/statistics/normal-density.ts";
import { normalMass } from "../../num/statistics/tail-mass.ts";
import { squared } from "../../num/whole-power.ts";
import type { Law } from "./law.ts";
import { chartOf, supported } from "./supports.ts";

/** What is said of them, in sampled coordinates. */
export interface JointPrior {
	readonly names: readonly string[];
	readonly mean: readonly number[];
	/** Row by row. */
	readonly covariance: readonly (readonly number[])[];
}

export class JointNormal {
	/** Lower triangular: covariance = L Lᵀ. */
	readonly L: Float64Array;
	readonly #constant: number;
	readonly #work: Float64Array;

	constructor(readonly prior: JointPrior) {
		const d = prior.mean.length;
		this.L = factorOf(prior.covariance)!;
		this.#constant = -0.5 * choleskyLogDeterminant(this.L, d) - d * halfLogTwoPi;
		this.#work = new Float64Array(d);
	}

	/** Log density of the point whose number `at` is z(at). */
	logDensity(z: (at: number) => number): number {
		const { mean } = this.prior;
		const e = this.#work;
		for (let i = 0; i < e.length; i++) e[i] = z(i) - mean[i];
		solveLowerInto(e, this.L, e.length);
		let square = 0;
		for (let i = 0; i < e.length; i++) square += e[i] * e[i];
		return this.#constant - 0.5 * square;
	}

	/** Number `at` of the draw that is made of these normal deviates. */
	drawn(at: number, deviate: (of: number) => number): number {
		const { mean } = this.prior;
		let sum = mean[at];
		for (let j = 0; j <= at; j++) sum += this.L[at * mean.length + j] * deviate(j);
		return sum;
	}

	/** The law of one of them by itself, which lies within these ends. */
	marginal(at: number, ends: Pick<Law, "lo" | "hi">): Law {
		const { mean, covariance } = this.prior;
		const [middle, sd] = [mean[at], Math.sqrt(covariance[at][at])];
		const { toSampled, fromSampled, logSlope } = chartOf(ends);
		const sampled = (z: number): number => -0.5 * squared((z - middle) / sd) - log(sd) - halfLogTwoPi;
		return supported(ends, {
			centre: fromSampled(middle),
			centreIs: "median",
			inside: (x) => sampled(toSampled(x)) - logSlope(toSampled(x)),
			sampled,
			mass: (x) => (x <= ends.lo ? 0 : x >= ends.hi ? 1 : normalMass((toSampled(x) - middle) / sd)),
			draw: (random, index) => middle + sd * random.normal(index),
		});
	}
}

/** L of a covariance; undefined where it is none. */
export function factorOf(covariance: JointPrior["covariance"]): Float64Array | undefined {
	const d = covariance.length;
	const L = Float64Array.from(covariance.flat());
	if (!choleskyInto(L, d)) return undefined;
	for (let i = 0; i < d; i++) L.fill(0, i * d + i + 1, (i + 1) * d);
	return L;
}

/** How the coordinate of a number is written in which it is sampled: `log(k)` of what is positive. */
export function coordinateName(name: string, { lo, hi }: Pick<Law, "lo" | "hi">): string {
	if (lo > Number.NEGATIVE_INFINITY && hi < Number.POSITIVE_INFINITY) return `logit(${name})`;
	if (lo > Number.NEGATIVE_INFINITY)
		return lo === 0 ? `log(${name})` : `log(${name} ${lo < 0 ? "+" : "-"} ${Math.abs(lo)})`;
	return hi < Number.POSITIVE_INFINITY ? `-log(${hi} - ${name})` : name;
}
