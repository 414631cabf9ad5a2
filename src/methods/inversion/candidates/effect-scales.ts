/**
 * How strongly each weight acts, so that weights of different units can be compared: a weight of 1 adds, in root mean
 * square along the states, so many state deviations per unit of time to a derivative (or so many to an initial value).
 */
import { unitOf } from "../../../data/experiment.ts";
import { compileFunction } from "../../../lower/compile-function.ts";
import { Differentiator } from "../../../model/derivative.ts";
import { squared } from "../../../num/whole-power.ts";
import { spreadOf } from "../forward/smooth-states.ts";
import type { Setting } from "../forward/weight-forward.ts";
import type { Weight } from "./candidates.ts";
import type { EquationFunctions } from "./equation-functions.ts";
import { costOf } from "./term-odds.ts";

export interface EffectScales {
	/** For each unknown: effect of a value of 1. Initial values count in deviations of their state. */
	readonly effect: Float64Array;
	/**
	 * Weights that share one scale of effects: terms of one parameter, bumps of one spline, and those that a term has in the
	 * records; any other weight stands alone. -1 for initial values, of which nothing is assumed.
	 */
	readonly group: Int32Array;
	/** Whether a group has several candidates. */
	readonly shared: readonly boolean[];
	/** What each term costs before the data, at its first unknown; 0 for the others. */
	readonly cost: Float64Array;
	/** Whether the weight stands in an equation (its scale is a rate) or only in initial values or measurements. */
	readonly isRate: readonly boolean[];
	/** What effect a term of an equation may be expected to have, from the states alone: state deviations per unit of time. */
	readonly typicalRate: number;
}

/** States of an experiment at some instants: row-major instants × components. */
export interface StatePath {
	readonly t: Float64Array;
	readonly x: Float64Array;
}

export function effectScales(
	setting: Setting,
	functions: EquationFunctions,
	paths: readonly StatePath[],
	point: (e: number) => Float64Array,
): EffectScales {
	const { candidates, kernels, experiments, factors, initials } = setting;
	const { weights, inner } = candidates;
	const nStates = functions.nStates;
	const spread = Float64Array.from({ length: nStates }, (_, c) => stateSpread(paths, c, nStates));
	const rates = new Float64Array(weights.length);
	const others = new Float64Array(weights.length);
	const values = new Float64Array(functions.entries.length);
	const initialEffect = new Float64Array(weights.length);
	const byComponent = initialDerivatives(setting);
	const byMeasure = measureDerivatives(setting);
	const counts = new Float64Array(weights.length);
	const nExperiments = new Float64Array(weights.length);
	experiments.forEach((experiment, e) => {
		const { t, x } = paths[e];
		const signals = kernels.inputs.map((name) => experiment.inputs.get(name)!);
		const p = kernels.initial.paramValues(point(e), experiment);
		const ofInner = new Float64Array(inner.length);
		const ofMeasure = new Float64Array(inner.length);
		const u = new Float64Array(signals.length);
		t.forEach((time, k) => {
			signals.forEach((signal, j) => {
				u[j] = signal.at(time);
			});
			const state = x.subarray(k * nStates, (k + 1) * nStates);
			functions.byParams(time, state, u, p, values);
			for (const [j, { component, inner: i }] of functions.entries.entries())
				if (Number.isFinite(values[j])) ofInner[i] += squared(values[j] / spread[component]);
			byMeasure(time, state, u, p, ofMeasure);
		});
		const ofInitial = byComponent(p, spread);
		weights.forEach(({ inner: i, record }, w) => {
			if (record !== undefined && record !== unitOf(experiment)) return;
			counts[w] += t.length;
			nExperiments[w]++;
			const factor = squared(factors[e * weights.length + w]);
			rates[w] += ofInner[i] * factor;
			others[w] += ofMeasure[i] * factor;
			initialEffect[w] += ofInitial[i] * factor;
		});
	});
	const groups = new Map<string, number>();
	const effect = new Float64Array(weights.length + initials.length);
	weights.forEach((_, w) => {
		const rate = Math.sqrt(rates[w] / counts[w]);
		const other = Math.sqrt(initialEffect[w] / nExperiments[w] + others[w] / counts[w]);
		effect[w] = rate > 0 ? rate : other > 0 ? other : 1;
	});
	initials.forEach(({ component }, k) => {
		effect[weights.length + k] = 1 / spread[component];
	});
	const keys = weights.map(groupKey);
	const labels = new Set<string>();
	return {
		effect,
		shared: [...new Set(keys)].map((key) => keys.filter((other) => other === key).length > 1),
		cost: Float64Array.from(effect, (_, u) => {
			if (u >= weights.length || labels.has(weights[u].label)) return 0;
			labels.add(weights[u].label);
			return costOf(weights[u].powers);
		}),
		isRate: weights.map((_, w) => rates[w] > 0),
		typicalRate: typicalRate(paths, spread),
		group: Int32Array.from([
			...weights.map((weight) => {
				const key = groupKey(weight);
				if (!groups.has(key)) groups.set(key, groups.size);
				return groups.get(key)!;
			}),
			...initials.map(() => -1),
		]),
	};
	function stateSpread(all: readonly StatePath[], c: number, n: number): number {
		const series = all.flatMap(({ t, x }) => Array.from(t, (_, k) => x[k * n + c])).filter(Number.isFinite);
		return spreadOf(series);
	}
}

/** Squared derivative of the initial state by each parameter, in deviations of the states. */
function initialDerivatives({
	kernels,
	candidates,
}: Setting): (p: Float64Array, spread: Float64Array) => Float64Array {
	const nInner = candidates.inner.length;
	return (p, spread) => {
		const S = kernels.initial.sensitivities(p);
		const sums = new Float64Array(nInner);
		for (let c = 0; c < spread.length; c++)
			for (let i = 0; i < nInner; i++) sums[i] += squared(S[c * kernels.nSens + i] / spread[c]);
		return sums;
	};
}

/** Adds the squared derivative of the measured values by each parameter, in deviations of the output. */
function measureDerivatives({
	candidates,
	kernels,
	observations,
}: Setting): (t: number, x: Float64Array, u: Float64Array, p: Float64Array, into: Float64Array) => void {
	const { model, inner } = candidates;
	const d = new Differentiator(model.graph);
	const nodes = d.jacobian(
		model.measures.map(({ value }) => value),
		inner,
	);
	if (nodes.every((node) => node === model.graph.zero)) return () => {};
	const spread = model.measures.map((_, m) => {
		const all = observations.groups
			.filter(({ index }) => index === m)
			.flatMap(({ observed }) => [...observed]);
		return spreadOf(all);
	});
	const run = compileFunction(nodes, [
		{ name: "t", symbols: ["t"] },
		{ name: "x", symbols: model.components },
		{ name: "u", symbols: kernels.inputs },
		{ name: "p", symbols: kernels.initial.params },
	]);
	const out = new Float64Array(nodes.length);
	return (t, x, u, p, into) => {
		run(t, x, u, p, out);
		out.forEach((value, i) => {
			if (Number.isFinite(value))
				into[i % inner.length] += squared(value / spread[Math.floor(i / inner.length)]);
		});
	};
}

/** Terms of an equation partly cancel: each is expected to be so much larger than the derivative itself. */
const cancellation = 4;

function typicalRate(paths: readonly StatePath[], spread: Float64Array): number {
	const n = spread.length;
	let sum = 0;
	let count = 0;
	for (const { t, x } of paths)
		for (let k = 1; k < t.length; k++)
			for (let c = 0; c < n; c++) {
				const rate = (x[k * n + c] - x[(k - 1) * n + c]) / (t[k] - t[k - 1]) / spread[c];
				if (!Number.isFinite(rate)) continue;
				sum += rate * rate;
				count++;
			}
	return cancellation * (count > 0 && sum > 0 ? Math.sqrt(sum / count) : 1);
}

function groupKey({ kind, of, term, label }: Weight): string {
	if (kind === "combination") return of;
	return kind === "function" && /^s\d+\(/.test(term) ? `${of} bumps` : label;
}
