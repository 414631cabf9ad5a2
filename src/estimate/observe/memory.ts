/**
 * Errors that go on from sample to sample: e decays with a time of memory τ, as an Ornstein–Uhlenbeck process does, which for even
 * sampling is an autoregression of first order. With ρ = exp(-Δt/τ) a sample is, given the one before it, normal about
 * m + ρ s e with the spread s √(1 - ρ²). So the likelihood of such samples is that of independent ones with other values and
 * spreads, at any times, and what is judged of them is what is new in each.
 *
 * Reference: Jones, "Longitudinal Data with Serial Correlation: A State-space Approach", 1993, section 3.
 */
import type { Experiment } from "../../data/experiment.ts";
import { Differentiator } from "../../model/derivative.ts";
import { evaluate } from "../../model/evaluate.ts";
import type { Measure, Model } from "../../model/model.ts";
import { symbolsOf } from "../../model/walk.ts";
import { exp } from "../../num/elementary/number.ts";
import type { Evaluation, Forward } from "../forward/forward.ts";
import type { Unknown } from "../unknowns/unknowns.ts";
import type { Observations, OutputGroup } from "./observations.ts";

type NumberOf = (name: string) => number;

/** The time that errors of one output in one record are remembered for. */
export interface Memory {
	/** Parameters that it depends on. */
	readonly params: readonly string[];
	time(numberOf: NumberOf): number;
	slope(param: string, numberOf: NumberOf): number;
}

export function memoryOf(
	model: Model,
	{ correlated }: Measure,
	{ conditions }: Experiment,
): Memory | undefined {
	if (!correlated) return undefined;
	const known = new Set(model.conditions.map(({ name }) => name));
	const differentiator = new Differentiator(model.graph);
	const lookup =
		(numberOf: NumberOf): NumberOf =>
		(name) =>
			known.has(name) ? conditions[name] : numberOf(name);
	return {
		params: [...symbolsOf([correlated])].filter((name) => !known.has(name)),
		time: (numberOf) => evaluate(correlated, lookup(numberOf)),
		slope: (param, numberOf) => evaluate(differentiator.derivative(correlated, param), lookup(numberOf)),
	};
}

/** How much of an error is left after a while, and the spread of what is new, over that of all. */
export function decayOf(gap: number, time: number): { readonly rho: number; readonly fresh: number } {
	const x = gap / time;
	if (!(time > 0)) return { rho: Number.NaN, fresh: Number.NaN };
	// 1 - exp(-2x), where the difference would lose digits.
	const lost = x < 1e-4 ? 2 * x * (1 - x * (1 - (2 / 3) * x)) : 1 - exp(-2 * x);
	return { rho: exp(-x), fresh: Math.sqrt(lost) };
}

/** Values and spreads of samples given those before them, in the place of those of the samples by themselves. */
export function conditionInto(
	{ t, observed }: Pick<OutputGroup, "t" | "observed">,
	time: number,
	value: Float64Array,
	spread: Float64Array,
): void {
	let before = 0;
	for (let k = 0; k < t.length; k++) {
		const error = (observed[k] - value[k]) / spread[k];
		if (k > 0) {
			const { rho, fresh } = decayOf(t[k] - t[k - 1], time);
			value[k] += rho * spread[k] * before;
			spread[k] *= fresh;
		}
		before = error;
	}
}

/** The model as one of samples given those before them, where errors are remembered. */
export function rememberingForward(
	forward: Forward,
	{ groups }: Observations,
	unknowns: readonly Unknown[],
): Forward {
	const remembered = groups.filter(({ memory }) => memory);
	if (remembered.length === 0) return forward;
	const place = new Map(unknowns.map(({ name }, j) => [name, j]));
	return {
		says: forward.says,
		get operations() {
			return forward.operations;
		},
		async evaluate(points, sensitivities, spare) {
			const evaluations = await forward.evaluate(points, sensitivities, spare);
			evaluations.forEach((evaluation, i) => {
				const numberOf = (name: string): number => points[i][place.get(name)!];
				for (const group of remembered) remember(group, evaluation, numberOf, place, unknowns.length);
			});
			return evaluations;
		},
	};
}

function remember(
	group: OutputGroup,
	{ value, spread, jacobian, spreadJacobian }: Evaluation,
	numberOf: NumberOf,
	place: ReadonlyMap<string, number>,
	n: number,
): void {
	const { from, to, t, memory } = group;
	const time = memory!.time(numberOf);
	const [values, spreads] = [value.subarray(from, to), spread!.subarray(from, to)];
	if (!jacobian || !spreadJacobian) return conditionInto(group, time, values, spreads);
	const byTime = new Float64Array(n);
	for (const param of memory!.params) byTime[place.get(param)!] = memory!.slope(param, numberOf);
	const { observed } = group;
	let before = 0;
	let slopesBefore = new Float64Array(n);
	for (let k = 0; k < t.length; k++) {
		const at = (from + k) * n;
		const s = spreads[k];
		const error = (observed[k] - values[k]) / s;
		const slopes = new Float64Array(n);
		for (let j = 0; j < n; j++) slopes[j] = -(jacobian[at + j] + error * spreadJacobian[at + j]) / s;
		if (k > 0) {
			const gap = t[k] - t[k - 1];
			const { rho, fresh } = decayOf(gap, time);
			const rhoByTime = (rho * gap) / (time * time);
			for (let j = 0; j < n; j++) {
				const byRho = rhoByTime * byTime[j];
				jacobian[at + j] +=
					rho * (spreadJacobian[at + j] * before + s * slopesBefore[j]) + s * before * byRho;
				spreadJacobian[at + j] = spreadJacobian[at + j] * fresh - (s * rho * byRho) / fresh;
			}
			values[k] += rho * s * before;
			spreads[k] = s * fresh;
		}
		before = error;
		slopesBefore = slopes;
	}
}
