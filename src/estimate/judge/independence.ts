/**
 * Are residuals independent from sample to sample? Two kinds of dependence are looked for, in records of any length and
 * with samples at any times, which count in their order:
 *
 * - residuals that resemble those before them, at every scale of time from one sample to an eighth of the record:
 *   Durbin and Watson's Σ(rᵢ - rᵢ₋₁)²/Σrᵢ², and the share of Σrᵢ² that a smoother of each length keeps. The last see slow
 *   errors that hardly show from one sample to the next;
 * - residuals that come back after 2 to 8 samples: Durbin and Watson's sum with that lag.
 *
 * `neighbours.ts` has these tests.
 */

import type { Model } from "../../model/model.ts";
import { measureText } from "../../model/print/model.ts";
import { rootMeanSquare } from "../../num/statistics/root-mean-square.ts";
import type { Doubt, Prediction } from "../result.ts";
import { correlation, lagged, type Row, smoothed } from "./neighbours.ts";
import { byOutput, level, matters, type ResidualSeries, shared } from "./series.ts";
import { doubt, list, triedByAll } from "./words.ts";

const code = "dependent-residuals";
/** Of the level, what is left for residuals that come back; there are many lags to look at. */
const comingBack = 0.3;
const mostLag = 8;
/** Samples beyond the unknowns from which on anything can be said. */
const fewest = 5;

export interface Dependence {
	readonly output: string;
	/** Chance that independent residuals of the whole result look so dependent, at most. */
	readonly chance: number;
	/** After how many samples residuals resemble one another, and how much. */
	readonly lag: number;
	readonly correlation: number;
	/** By how much standard errors are too small, about. */
	readonly factor: number;
}

/** Outputs whose residuals are not independent, the worst first. */
export function dependences(series: readonly ResidualSeries[], nUnknowns: number): Dependence[] {
	const outputs = byOutput(series);
	const judged = [...outputs].flatMap(([output, records]) => {
		// All records of an output together, and each by itself: many short ones, or one of many.
		const sets = records.length > 1 ? [records, ...records.map((each) => [each])] : [records];
		const found = sets.flatMap((set, i) => {
			const share = sets.length === 1 ? 1 : i === 0 ? 2 : 2 * (sets.length - 1);
			const one = dependenceOf(set, nUnknowns);
			return one ? [{ ...one, chance: shared(one.chance, share * outputs.size) }] : [];
		});
		const seen = found.filter(({ chance, factor }) => chance < level && factor > matters);
		return seen.length === 0 ? [] : [{ output, ...seen.reduce((a, b) => (b.chance < a.chance ? b : a)) }];
	});
	return judged.sort((a, b) => b.factor - a.factor);
}

/** Undefined where there are too few samples to tell. */
function dependenceOf(
	records: readonly ResidualSeries[],
	nUnknowns: number,
): Omit<Dependence, "output"> | undefined {
	// What is systematic and yet smaller than the noise that is declared makes nothing look surer than it is.
	const least = 1 / rootMeanSquare(records.map(({ residual }) => residual));
	// A record with larger errors than the others has no more to say.
	const rows = records.flatMap(({ residual, taken }): Row[] => {
		const size = rootMeanSquare([residual]);
		return size > 0 ? [{ r: residual.map((r) => r / size), taken }] : [];
	});
	const count = rows.reduce((sum, { r }) => sum + r.length, 0);
	if (count - nUnknowns < fewest) return undefined;
	const longest = Math.max(...rows.map(({ r }) => r.length));
	const scales: number[] = [];
	for (let tau = 4; tau <= longest / 8; tau *= 4) scales.push(tau);
	const lags = Array.from({ length: mostLag - 1 }, (_, i) => i + 2).filter((lag) => longest >= 4 * lag);
	const first = { ...lagged(rows, 1, nUnknowns), tests: scales.length + 1 };
	const slow = scales.map((tau) => ({ ...smoothed(rows, tau, nUnknowns), lag: 1, tests: scales.length + 1 }));
	const back = lags.map((lag) => ({ ...lagged(rows, lag, nUnknowns), tests: lags.length }));
	const near = [first, ...slow].map(({ tests, chance, ...rest }) => ({
		...rest,
		chance: shared(chance, tests / (1 - comingBack)),
	}));
	const away = back.map(({ tests, chance, ...rest }) => ({
		...rest,
		chance: shared(chance, tests / comingBack),
	}));
	const { chance, lag } = [...near, ...away].reduce((a, b) => (b.chance < a.chance ? b : a));
	const factor = Math.max(...(lag === 1 ? near : away).map((each) => each.factor));
	return { chance: factor > least ? chance : 1, lag, factor, correlation: correlation(rows, lag) };
}

/** What the doubts of a result say of one autocorrelation, below its figure. */
export function independenceWords({ output, part, unasked }: Prediction, doubts: readonly Doubt[]): string {
	if (part === "test")
		return "On a test, errors of the parameters go on from sample to sample: the lags need not stay in it.";
	if (unasked) return "Whether they are independent was not asked of these residuals.";
	const found = doubts.some((each) => each.code === code && each.outputs?.includes(output));
	return found
		? "Taken together, the lags show that these residuals are not independent."
		: "Taken together, the lags gave no reason for doubt.";
}

/**
 * In words. `allowed`: intervals of the answer hold for such residuals already. Else it is grave: of answers to problems with known
 * truth whose residuals were like this, most had an unknown outside of its 99.9 % interval.
 */
export function dependenceDoubt(
	found: readonly Dependence[],
	{
		allowed = false,
		grave = !allowed,
		model,
	}: {
		readonly grave?: boolean;
		readonly allowed?: boolean;
		/** Where the method knows noise that is correlated: how to declare it. */
		readonly model?: Model;
	} = {},
): Doubt[] {
	if (found.length === 0) return [];
	const outputs = found.map(({ output }) => output);
	const [{ factor }] = found;
	const seen = found.map(({ output, lag, correlation: rho }) =>
		lag === 1
			? `neighbouring residuals of ${output} have a correlation of ${rho.toFixed(2)}`
			: `residuals of ${output} come back after ${lag} samples (correlation ${rho.toFixed(2)})`,
	);
	const sentence = list(seen);
	const so = allowed
		? "Intervals shown allow for noise that is forgotten as fast as this."
		: `Intervals shown are too narrow, by a factor of about ${factor.toPrecision(2)}.`;
	return doubt(
		code,
		`The residuals of ${list(outputs)} are not independent`,
		`${sentence[0].toUpperCase()}${sentence.slice(1)}: the model misses something, or the noise goes on from sample to sample. ${so} Look for what is missing${triedByAll}; if the noise is such, ${(model && declared(model, outputs)) ?? "take fewer samples of it"}.`,
		grave,
	).map((each) => ({ ...each, outputs }));
}

/** How to declare that errors are remembered; undefined where the law of the output cannot say it. */
function declared({ measures }: Model, outputs: readonly string[]): string | undefined {
	const measure = measures.find(
		({ name, family = "normal", kind, correlated }) =>
			outputs.includes(name) && kind !== "set" && !correlated && ["normal", "lognormal"].includes(family),
	);
	if (!measure) return undefined;
	const { name, family = "normal" } = measure;
	const text = measure.spread ? measureText(measure) : `${name} ~ ${family}(x, s)`;
	return `declare how long it is remembered:  measure ${text.replace(/\)$/, ", correlated: tau)")}  with a  param tau`;
}
