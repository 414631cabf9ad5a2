/**
 * Hyperparameters of the unknown functions by REML (or ML where the covariance is one), from several starts; the size of
 * the noise is one of them where nobody knows it.
 */
import { type Minimum, minimizationSteps } from "../../../num/bounded-bfgs.ts";
import { exp, log } from "../../../num/elementary/number.ts";
import { Reflections } from "../../../num/linear/reflections.ts";
import { squared } from "../../../num/whole-power.ts";
import { type FieldDesign, type Functional, type Site, SplitFunctionals } from "./field-design.ts";
import { ContrastParts, type Criterion, negLogLikelihood } from "./likelihood.ts";

export interface FieldData {
	readonly sites: readonly Site[];
	readonly functionals: readonly Functional[];
	readonly y: Float64Array;
	/** Covariance of the errors of y (n × n). */
	readonly noise: Float64Array;
}

export interface FieldFit {
	readonly hyper: Float64Array;
	/** Factor of the standard deviation of the noise; 1 where it is known. */
	readonly noiseFactor: number;
	readonly value: number;
	readonly converged: boolean;
}

export interface FieldHyperOptions {
	readonly criterion: Criterion;
	/** Hyperparameters to start from, in place of several starts. */
	readonly from?: Float64Array;
	/** Bounds of the factor of the noise, where it is estimated. */
	readonly noise?: { readonly lo: number; readonly hi: number };
}

/** Starts of covariance parameters, as shares of what would explain all contrasts. */
const shares = [
	[0.3, 0.3, 0.3, 0.3],
	[1e-3, 1e-3, 1e-3, 1e-3],
	[1e-5, 1e-3, 0.3, 0.3],
];

/** In pieces that are short: one evaluation of the criterion each. */
export function* estimateFieldHyper(
	design: FieldDesign,
	data: FieldData,
	{ criterion, from, noise }: FieldHyperOptions,
): Generator<void, FieldFit> {
	const { nHyper } = design;
	const split = new SplitFunctionals(design, data.sites, data.functionals);
	const parts = unitParts(split);
	const isLength = lengths(design);
	const unit = unitHyper(design, data, isLength, parts);
	const objective = fieldObjective(design, data, criterion, noise !== undefined, split, parts);
	const lo = Array.from(unit, (value, i) => log(value) - (isLength[i] ? log(20) : log(1e9)));
	const hi = Array.from(unit, (value, i) => log(value) + (isLength[i] ? log(100) : log(1e5)));
	const extra = noise ? [0] : [];
	if (noise) {
		lo.push(log(noise.lo));
		hi.push(log(noise.hi));
	}
	const starts = from
		? [Float64Array.of(...from.map(log), ...extra)]
		: (nHyper === 0 ? shares.slice(0, 1) : shares).map((share) =>
				Float64Array.of(
					...Array.from(unit, (value, i) =>
						isLength[i] ? log(value) + log(share[0]) / 4 : log(value * share[i % share.length]),
					),
					...extra,
				),
			);
	const found: Minimum[] = [];
	for (const start of starts) {
		yield;
		found.push(yield* minimizationSteps(objective, start, lo, hi, { maxEvaluations: 80, longest: 4 }));
	}
	const best = found.reduce((a, b) => (b.value < a.value ? b : a));
	return {
		hyper: best.x.slice(0, nHyper).map(exp),
		noiseFactor: noise ? exp(best.x[nHyper]) : 1,
		value: best.value,
		converged: best.converged,
	};
}

interface Criterial {
	readonly value: number;
	readonly gradient: Float64Array;
}

/** The criterion as a function of the logarithms of the hyperparameters (and of the noise factor). */
export function fieldObjective(
	design: FieldDesign,
	{ sites, functionals, y, noise }: FieldData,
	criterion: Criterion,
	noiseIsFree: boolean,
	split = new SplitFunctionals(design, sites, functionals),
	unit = unitParts(split),
): (z: Float64Array) => Criterial {
	const { nHyper, nMean } = design;
	const n = y.length;
	const p = design.meanMatrix(sites, functionals);
	const isLinear = design.functions.every(({ covariance }) => covariance.isLinear);
	if (isLinear && criterion === "reml") {
		const contrasts = new ContrastParts(p, nMean, y, [...unit, noise]);
		return (z) => {
			const sizes = Float64Array.from({ length: nHyper + 1 }, (_, i) =>
				i < nHyper ? exp(z[i]) : noiseIsFree ? exp(2 * z[i]) : 1,
			);
			const { value, gradient } = contrasts.negLogReml(sizes);
			return {
				value,
				// By the logarithm of each; the noise counts by its standard deviation. Steps that are refused never ask for it.
				get gradient() {
					const bySize = gradient();
					return z.map((_, i) => bySize[i] * sizes[i] * (i < nHyper ? 1 : 2));
				},
			};
		};
	}
	return (z) => {
		const factor = noiseIsFree ? exp(2 * z[nHyper]) : 1;
		const hyper = z.subarray(0, nHyper).map(exp);
		const k = split.covariance(hyper);
		const dk = Array.from(hyper, (_, i) => split.covarianceByLog(hyper, i));
		for (let i = 0; i < n * n; i++) k[i] += factor * noise[i];
		if (noiseIsFree) dk.push(noise.map((value) => 2 * factor * value));
		return negLogLikelihood(criterion, { p, nMean, y, k, dk });
	};
}

/** Derivatives by the logarithm of each hyperparameter with all of them 1: what a linear covariance is a sum of. */
export function unitParts(split: SplitFunctionals): Float64Array[] {
	const ones = new Float64Array(split.design.nHyper).fill(1);
	return Array.from(ones, (_, i) => split.covarianceByLog(ones, i));
}

/** The size of each parameter at which its part of the covariance alone explains the variance of the contrasts. */
export function unitHyper(
	design: FieldDesign,
	{ sites, functionals, y }: FieldData,
	isLength: readonly boolean[],
	unit: readonly Float64Array[],
): Float64Array {
	const n = y.length;
	const contrasts = new Reflections(design.meanMatrix(sites, functionals), n, design.nMean);
	const { rank } = contrasts;
	const rotated = y.slice();
	contrasts.applyTransposeInto(rotated);
	let variance = 0;
	for (let i = rank; i < n; i++) variance += squared(rotated[i]) / Math.max(n - rank, 1);
	const total = y.reduce((sum, value) => sum + value * value, 0) / n;
	variance = Math.max(variance, 1e-8 * total, 1e-300);
	return Float64Array.from(unit, (matrix, i) => {
		if (isLength[i]) return 1;
		const part = matrix.slice();
		contrasts.congruenceInto(part);
		let trace = 0;
		for (let j = rank; j < n; j++) trace += part[j * n + j] / (n - rank);
		return trace > 0 ? variance / trace : variance;
	});
}

/** Lengths are in units of the scaled arguments; all others are variances. */
export function lengths({ functions }: FieldDesign): boolean[] {
	return functions.flatMap(({ covariance }) => covariance.hyperNames.map((name) => name === "length"));
}
