/**
 * What people look at to trust a cloud and to compare models: its effective size, how well samples are foretold that were left
 * out, and whether what the model makes looks like what was measured.
 *
 * Reference: Vehtari, Gelman, Gabry, "Practical Bayesian model evaluation using leave-one-out cross-validation and WAIC",
 * Statistics and Computing 27, 2017.
 */
import type { Model } from "../../../model/model.ts";
import { exp, log } from "../../../num/elementary/number.ts";
import { logSumExp } from "../../../num/statistics/log-weights.ts";
import { paretoSmoothed } from "../../../num/statistics/pareto-smoothing.ts";
import { squared } from "../../../num/whole-power.ts";
import type { BayesRun } from "../bayes-run.ts";
import type { Samples } from "../likelihood/samples.ts";
import { naturalValues } from "../likelihood/unknowns.ts";
import { hasSolution, type PointwiseSample, pointwise } from "./pointwise.ts";
import { moments } from "./posterior.ts";

/** Draws that are used at most, and samples beyond which it is left. */
export const mostDraws = 500;
export const mostSamples = 20_000;
/** Up to here a tail of weights can be trusted. */
export const trustedShape = 0.7;
/** Weights that count like so large a share of all draws are nearly equal: their tail, of whatever shape, weighs nothing. */
const nearlyAll = 0.9;

/** Leave-one-out cross-validation by Pareto smoothed weights. */
export interface LeaveOneOut {
	/** Expected log density of new samples, in sum, and its standard error. */
	readonly elpd: number;
	readonly se: number;
	/** Effective number of parameters. */
	readonly p: number;
	/** Largest shape of a tail of weights, and how many are above 0.7 with weights that differ: these are not to be trusted. */
	readonly worstK: number;
	readonly bad: number;
	/** Whether each sample is foretold from those before it: errors are remembered, or something unseen goes along. */
	readonly oneStepAhead?: true;
}

/** Shares of replicated records whose statistic is above that of the measured one; near 0 or 1 the model cannot make such data. */
export type PredictiveChecks = Readonly<Record<string, Readonly<Record<Statistic, number>>>>;
type Statistic = "mean" | "sd" | "min" | "max";

export interface Diagnostics {
	/** Particles that independent draws would be as good as. */
	readonly ess: number;
	readonly loo?: LeaveOneOut;
	readonly predictiveChecks?: PredictiveChecks;
}

export async function diagnosticsOf(run: BayesRun): Promise<Diagnostics> {
	const { likelihood, unknowns, model, problem } = run;
	const ess = effectiveSize(run);
	if (unknowns.length === 0 || countOf(likelihood.samples) > mostSamples) return { ess };
	const { z, n } = run.thinned(mostDraws);
	const samples = await pointwise(likelihood, naturalValues(unknowns, z, n), n, problem.seed);
	return { ess, ...checksOf(model, samples, !hasSolution(likelihood)) };
}

/** What samples tell that have been gone through one by one. `isFiltered`: each given those before it, whatever its errors. */
export function checksOf(
	model: Model,
	samples: readonly PointwiseSample[],
	isFiltered = false,
): Pick<Diagnostics, "loo" | "predictiveChecks"> {
	const isAhead = isFiltered || model.measures.some(({ correlated }) => correlated);
	return {
		loo: { ...leaveOneOut(samples), ...(isAhead && { oneStepAhead: true }) },
		...(isFiltered ? {} : { predictiveChecks: predictiveChecks(model, samples) }),
	};
}

const countOf = (samples: readonly Samples[]): number =>
	samples.reduce((sum, { present }) => sum + present.filter((one) => one > 0).length, 0);

/** 1/Σw², copies of a particle taken together. */
function effectiveSize({ furthest, evidence: { masses }, unknowns }: BayesRun): number {
	const weights = new Map<string, number>();
	for (const [r, { cloud, n }] of furthest.entries())
		for (let b = 0; b < n; b++) {
			const key = unknowns.map((_, i) => cloud!.z[i * n + b]).join();
			weights.set(key, (weights.get(key) ?? 0) + masses[r] / n);
		}
	let squares = 0;
	for (const weight of weights.values()) squares += squared(weight);
	return Math.round(1 / squares);
}

export function leaveOneOut(samples: readonly Pick<PointwiseSample, "logLik">[]): LeaveOneOut {
	const each = samples.map(({ logLik }) => {
		const n = logLik.length;
		const work = new Float64Array(n);
		for (let b = 0; b < n; b++) work[b] = -logLik[b];
		const { logWeights, k } = paretoSmoothed(work);
		for (let b = 0; b < n; b++) work[b] = logLik[b] + logWeights[b];
		let squares = 0;
		for (let b = 0; b < n; b++) squares += squared(exp(logWeights[b]));
		const isEven = 1 / squares >= nearlyAll * n;
		return { elpd: logSumExp(work), k, isEven, whole: logSumExp(logLik) - log(n) };
	});
	const elpd = each.reduce((sum, one) => sum + one.elpd, 0);
	const { sd } = moments(each.map((one) => one.elpd));
	return {
		elpd,
		se: sd * Math.sqrt(each.length),
		p: each.reduce((sum, one) => sum + one.whole - one.elpd, 0),
		worstK: each.reduce((most, { k }) => Math.max(most, k), Number.NEGATIVE_INFINITY),
		bad: each.filter(({ k, isEven }) => !(isEven || k <= trustedShape)).length,
	};
}

const statistics: Readonly<Record<Statistic, (values: ArrayLike<number>) => number>> = {
	mean: (values) => moments(values).mean,
	sd: (values) => moments(values).sd,
	min: (values) => {
		let least = Number.POSITIVE_INFINITY;
		for (let i = 0; i < values.length; i++) least = Math.min(least, values[i]);
		return least;
	},
	max: (values) => {
		let most = Number.NEGATIVE_INFINITY;
		for (let i = 0; i < values.length; i++) most = Math.max(most, values[i]);
		return most;
	},
};

/** Of samples that are known; ties count half. */
function predictiveChecks({ measures }: Model, samples: readonly PointwiseSample[]): PredictiveChecks {
	return Object.fromEntries(
		measures.flatMap(({ name }, output) => {
			const own = samples.filter((sample) => sample.output === output && sample.isKnown);
			if (own.length < 2) return [];
			const n = own[0].logLik.length;
			const observed = own.map((sample) => sample.observed);
			const checked = Object.entries(statistics).map(([statistic, of]) => ({
				statistic,
				of,
				seen: of(observed),
				above: 0,
			}));
			const made = new Float64Array(own.length);
			for (let b = 0; b < n; b++) {
				for (let k = 0; k < own.length; k++) made[k] = own[k].replicated![b];
				for (const one of checked) {
					const value = one.of(made);
					one.above += value > one.seen ? 1 : value === one.seen ? 0.5 : 0;
				}
			}
			const shares = checked.map(({ statistic, above }): [string, number] => [statistic, above / n]);
			return [[name, Object.fromEntries(shares) as Record<Statistic, number>]];
		}),
	);
}

/** Sentences for the report. */
export function diagnosticsText({ ess, loo, predictiveChecks: checks }: Diagnostics, n: number): string[] {
	const strange = Object.entries(checks ?? {}).flatMap(([output, shares]) =>
		Object.entries(shares)
			.filter(([, share]) => share < 0.01 || share > 0.99)
			.map(([statistic, share]) => `${statistic} of ${output} (above it: ${share.toFixed(3)} of them)`),
	);
	return [
		`The ${n} particles count like ${Math.min(ess, n)} independent draws.`,
		...(loo
			? [
					`Samples that are left out are foretold${loo.oneStepAhead ? " from those before them" : ""} with a log density of ${loo.elpd.toFixed(1)} ± ${loo.se.toFixed(1)} in sum (leave-one-out, effective parameters ${loo.p.toFixed(1)}; ${
						loo.bad === 0
							? `weights can be trusted, ${loo.worstK <= trustedShape ? `k up to ${loo.worstK.toFixed(2)}` : "nearly equal as they are"}`
							: `for ${loo.bad} of them the weights cannot be trusted, k above ${trustedShape}`
					}).`,
				]
			: []),
		...(checks && Object.keys(checks).length > 0
			? [
					strange.length === 0
						? "Records that the posterior makes look like the measured one in mean, deviation, least and largest value."
						: `Records that the posterior makes do not look like the measured one: ${strange.join(", ")}.`,
				]
			: []),
	];
}
