/**
 * How far the answer may be off: the size of the samples' errors, and the covariance that follows from it.
 *
 * Only samples have errors of the size that the residuals show; a prior is as certain as it says. The estimate weighs both as
 * declared, so with H their information together and P that of the priors, its error has the covariance H⁻¹(v(H - P) + P)H⁻¹
 * where errors have v times the variance that was declared. Without priors that is v H⁻¹, and for v = 1 the posterior's H⁻¹.
 *
 * Reference: White, "Maximum likelihood estimation of misspecified models", Econometrica 50, 1982.
 */
import { isOnBound } from "../../estimate/judge/bounds.ts";
import { type Covariance, covarianceOf } from "../../estimate/least-squares/covariance.ts";
import { type ErrorScale, errorScale } from "../../estimate/observe/error-scale.ts";
import { isPlain, numbers } from "../../estimate/observe/sample-terms.ts";
import { type SeenInformation, seenInformation, seenRows } from "../../estimate/observe/seen-information.ts";
import { onEnd } from "../../estimate/observe/spread-interval.ts";
import { symbolsOf } from "../../model/walk.ts";
import { normalQuantile975 } from "../../num/statistics/quantile.ts";
import { squared } from "../../num/whole-power.ts";
import type { FitRun } from "./fit-run.ts";

export interface Errors extends ErrorScale {
	/** As that of least squares is, of what is climbed: times `variance` that of the estimates, if all that counts is samples. */
	readonly curvature: Covariance;
	/** By output: the size of errors that are not normal beside the declared one. */
	readonly sizes: ReadonlyMap<number, { readonly size: number }>;
	/** For errors of unit variance, as that of least squares is: times `variance` it is that of the estimates. */
	readonly covariance: Covariance;
	/** By unknown: variance of its error over that in the curvature of what is climbed. */
	readonly variances: Float64Array;
}

const known = new WeakMap<
	FitRun,
	{ readonly of: Covariance; readonly squares: number; readonly is: Errors }
>();

export function errorsOf(run: FitRun): Errors {
	const { covariance, unresolved } = run;
	const squares = run.optimum.squares + unresolved;
	const made = known.get(run);
	if (made?.of === covariance && made.squares === squares) return made.is;
	const is = errorsFrom(run, covariance);
	known.set(run, { of: covariance, squares, is });
	return is;
}

function errorsFrom(run: FitRun, covariance: Covariance): Errors {
	const { observations } = run.estimation;
	const n = covariance.sd.length;
	const seen = seenInformation(observations, run.optimum.errors);
	const scale = scaleOf(run, seen);
	const sizes = scale.byDeclaration ? new Map<number, SeenInformation>() : seen;
	const curvature =
		sizes.size > 0 ? covarianceOf(seenRows(observations, sizes, run.rows.jacobian, n), n) : covariance;
	const { variance } = scale;
	const found = { ...scale, curvature, sizes };
	const priors = priorInformation(run);
	if (!priors) return { ...found, covariance: curvature, variances: curvature.sd.map(() => variance) };
	const { matrix } = curvature;
	const share = 1 - 1 / variance;
	const own = matrix.map((value, at) => {
		const [i, j] = [Math.floor(at / n), at % n];
		return value - share * priors.reduce((sum, p, k) => sum + p * matrix[i * n + k] * matrix[k * n + j], 0);
	});
	const diagonal = curvature.sd.map((_, i) => Math.max(own[i * n + i], 0));
	return {
		...found,
		covariance: { ...curvature, matrix: own, sd: diagonal.map(Math.sqrt) },
		variances: diagonal.map((value, i) => (variance * value) / matrix[i * n + i] || variance),
	};
}

/** As the residuals show it, or as found spreads have it where sets or priors hold these elsewhere. */
function scaleOf(run: FitRun, seen: ReadonlyMap<number, SeenInformation>): ErrorScale {
	if (knowsSpreads(run)) return asFound(run.scale);
	const lacking = [...seen.values()].reduce((sum, own) => sum + own.lacking, lackingSquares(run));
	if (lacking === 0) return run.scale;
	const { observations, unknowns } = run.estimation;
	const { sd, squares } = run.optimum;
	return errorScale(observations, sd, unknowns.length, squares + lacking, run.unresolved);
}

/** The information of the priors that count, by unknown; each has a row after those of the samples. */
export function priorInformation(run: FitRun): Float64Array | undefined {
	const count = run.priors?.filter((law) => law).length ?? 0;
	if (count === 0) return undefined;
	const { jacobian } = run.rows;
	const n = run.estimation.unknowns.length;
	const information = new Float64Array(n);
	for (let at = jacobian.length - count * n; at < jacobian.length; at++)
		information[at % n] += jacobian[at] * jacobian[at];
	return information;
}

/** Whether all spreads were found under priors of their own: the answer then holds what residuals and priors say of them. */
function knowsSpreads({ priors, estimation: { unknowns, observations } }: FitRun): boolean {
	const names = new Set(unknowns.flatMap(({ name }, i) => (priors?.[i] ? [name] : [])));
	return observations.groups.every(
		({ spread, measure }) =>
			spread.kind === "simulated" && [...symbolsOf([measure.spread!])].some((name) => names.has(name)),
	);
}

/**
 * What the squares of residuals lack to errors as large as their spread, where that was found on the least value of its set: the
 * model then says that errors are so large, whatever the residuals happen to be.
 */
function lackingSquares(run: FitRun): number {
	const { observations, unknowns } = run.estimation;
	const { errors, sd } = run.optimum;
	const held = new Set(
		unknowns.flatMap((unknown, i) => (isOnBound(unknown, run.best[i]) ? [unknown.name] : [])),
	);
	const sums = new Map<string, { squares: number; count: number }>();
	for (const group of observations.groups) {
		const { spread, measure, law, from, to } = group;
		const key =
			spread.kind === "common" &&
			spread.lo > 0 &&
			sd[from] <= spread.lo * (spread.perParam ?? 1) * (1 + onEnd)
				? spread.key
				: spread.kind === "simulated" && spread.isFound
					? [...symbolsOf([measure.spread!])].find((name) => held.has(name))
					: undefined;
		if (key === undefined || law.isCount) continue;
		const sum = sums.get(key) ?? { squares: 0, count: 0 };
		for (let i = from; i < to; i++) {
			const square = squared(errors[i]);
			sum.squares += isPlain(group) ? law.weight(numbers, square) * square : square;
		}
		sum.count += to - from;
		sums.set(key, sum);
	}
	let lacking = 0;
	for (const { squares: own, count } of sums.values()) lacking += Math.max(count - own, 0);
	return lacking;
}

/** Errors have the size that was found. */
function asFound(scale: ErrorScale): ErrorScale {
	const variance = scale.atFloor ? scale.variance : 1;
	return { ...scale, noise: 1, variance, byDeclaration: false, quantile: normalQuantile975 };
}
