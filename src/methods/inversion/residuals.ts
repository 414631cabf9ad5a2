/**
 * What the residuals of an answer are like: their size beside the noise, and whether they are independent (Ljung and Box's
 * statistic over a few lags, which sees slow errors that hardly show from one sample to the next).
 */
import { log } from "../../num/elementary/number.ts";
import { cleanOutputs } from "./clean-outputs.ts";
import type { InversionRun } from "./inversion-run.ts";

const mostLags = 10;
/** Logarithm of the chance that independent residuals of an output are taken for dependent ones, at each number of lags. */
const level = log(1e-3 / mostLags);
/** Standard errors so many times too small make the choice of terms itself doubtful. */
const graveFrom = 1.6;

export interface Dependence {
	readonly output: string;
	/** Correlation of one residual with the next. */
	readonly next: number;
	/** By how much standard errors are too small, about. */
	readonly factor: number;
	readonly isGrave: boolean;
}

/** Size of the residuals in standard deviations of the noise. */
export function misfitRatio({ final, starts, degrees }: InversionRun): number {
	return Math.sqrt(final!.sse / degrees) / starts.noise.scale;
}

/** Outputs whose residuals are not independent, the worst first. */
export function dependentResiduals(run: InversionRun): Dependence[] {
	const { final, starts, work } = run;
	// Data without noise leave only errors of the integration.
	if (starts.noise.floored) return [];
	const { groups } = work.setting.observations;
	const names = [...new Set(groups.map(({ measure }) => measure.name))];
	const clean = cleanOutputs(run);
	return (
		names
			.flatMap((output) => {
				const series = groups
					.filter(({ measure }) => measure.name === output)
					.map(({ from, to }) => final!.residual.subarray(from, to));
				return dependence(output, series);
			})
			// Systematic errors that the declared noise covers make no term look surer than it is.
			.filter(({ output, factor }) => !(factor * (clean.get(output) ?? Number.POSITIVE_INFINITY) < 1))
			.sort((a, b) => b.factor - a.factor)
	);
}

function dependence(output: string, series: readonly Float64Array[]): Dependence[] {
	const count = series.reduce((sum, { length }) => sum + length, 0);
	const lags = Math.min(mostLags, Math.floor(count / series.length / 4));
	const squares = series.reduce((sum, own) => sum + own.reduce((a, r) => a + r * r, 0), 0);
	if (lags < 1 || !(squares > 0)) return [];
	let statistic = 0;
	let inflation = 1;
	let falling = true;
	let next = 0;
	let isChance = true;
	for (let lag = 1; lag <= lags; lag++) {
		let products = 0;
		let pairs = 0;
		for (const own of series)
			for (let i = lag; i < own.length; i++, pairs++) products += own[i] * own[i - lag];
		const rho = products / squares;
		if (lag === 1) next = rho;
		// Over n + 2 and the pairs that there are: independent residuals have χ² with as many degrees of freedom as lags.
		statistic += (count * (count + 2) * rho * rho) / Math.max(pairs, 1);
		if (!isChanceAlone(statistic, lag)) isChance = false;
		falling &&= rho > 0;
		if (falling) inflation += 2 * rho;
	}
	const factor = Math.sqrt(inflation);
	return isChance ? [] : [{ output, next, factor, isGrave: factor > graveFrom }];
}

/** Chernoff's bound of the tail of χ² with so many degrees of freedom. */
function isChanceAlone(statistic: number, freedom: number): boolean {
	return !(statistic > freedom) || -(statistic - freedom - freedom * log(statistic / freedom)) / 2 > level;
}
