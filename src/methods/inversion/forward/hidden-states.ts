/**
 * Guesses of states that no sample shows: what is measured says how it changes, so its slope, its bend, either in shares of itself,
 * and its slope less what it does by itself at its own pace are functions of what is hidden. Each such curve, either way up and
 * about several levels, is a guess of a hidden state; its size is 1, since what is hidden can be measured in any unit. The fit in
 * segments decides between them.
 */

import { measuredValue } from "../../../estimate/observe/compared.ts";
import { type SmoothCurve, smoothCurve } from "../../../estimate/state-space/wiener-smoother.ts";
import { constantValue } from "../../../model/constant.ts";
import { squared } from "../../../num/whole-power.ts";
import { deviation, nodesBetween, type SmoothStates } from "./smooth-states.ts";
import type { Setting } from "./weight-forward.ts";

/** Hidden states of which guesses are made, at most. */
const mostHidden = 2;
/** Levels of a guess, in its deviations. */
const levels = [0, 1, 2.5];
/** What a gap in a hidden state counts for, in its deviations. */
const hiddenNoise = 0.03;
/** A measured state that is so many of its noises beyond 0 at one end only does not change its sign. */
const beyondNoise = 4;

/** A curve of what is measured, experiment by experiment. */
type Feature = readonly Float64Array[];

/** Guess by guess: all states of all experiments. Empty where nothing is hidden, or too much. */
export function hiddenGuesses(setting: Setting): SmoothStates[][] {
	const { components, rhs, initial, graph } = setting.candidates.model;
	const { observations, experiments } = setting;
	const measured = components.map((name) =>
		experiments.map((_, e) =>
			observations.groups.find((group) => {
				const node = measuredValue(group.measure);
				return group.experiment === e && node.op === "sym" && node.name === name;
			}),
		),
	);
	const isSeen = components.map((_, c) => measured[c].every((group) => group !== undefined));
	const below = components.map((name) => components.findIndex((_, b) => rhs[b] === graph.sym(name)));
	const hidden = [...components.keys()].filter((c) => !isSeen[c] && !(below[c] >= 0 && isSeen[below[c]]));
	const grids = observations.grids.map(({ t0, times }) =>
		times[0] === t0 && times.length >= 5 ? nodesBetween(times) : undefined,
	);
	if (hidden.length === 0 || hidden.length > mostHidden || hidden.length === components.length) return [];
	if (grids.some((grid) => grid === undefined)) return [];
	const curves = components.map((_, c) =>
		isSeen[c]
			? experiments.map((__, e) => {
					const { t, observed, law } = measured[c][e]!;
					return smoothCurve(t, observed.map(law.scale.fromCompared), grids[e]!.nodes);
				})
			: undefined,
	);
	const features = curves.flatMap((own): Feature[] => {
		if (!own) return [];
		const spread = (of: (curve: SmoothCurve) => Float64Array): number =>
			deviation(own.flatMap((curve) => [...of(curve)]));
		const pace = spread(({ slope }) => slope) / (spread(({ value }) => value) || 1);
		const goesTo = (sign: number): boolean =>
			own.some(({ value, noise }) => value.some((x) => sign * x > beyondNoise * noise));
		return [
			...(goesTo(1) !== goesTo(-1)
				? [own.map(({ value, slope, noise }) => inShares(slope, value, noise))]
				: []),
			own.map(({ slope }) => slope),
			own.map(({ bend }) => bend),
			...[pace, -pace].map((rate) => own.map(({ slope, value }) => slope.map((s, k) => s + rate * value[k]))),
			own.map(({ value, bend, noise }) => inShares(bend, value, noise)),
		];
	});
	const guesses = hidden.map((c) => {
		const known = initial[c];
		const from =
			known.kind === "exact" && known.value.op === "const" ? constantValue(known.value) : undefined;
		return features.flatMap((feature) => versions(feature, from));
	});
	const chosen =
		guesses.length === 1
			? guesses[0].map((a) => [a])
			: guesses[0].flatMap((a) => guesses[1].map((b) => [a, b]));
	return chosen.map((paths) =>
		experiments.map((_, e) => {
			const { nodes, parts } = grids[e]!;
			const n = components.length;
			const x = new Float64Array(nodes.length * n);
			const noise = new Float64Array(n);
			const samples = components.map((__, c) => {
				const own = curves[c]?.[e];
				const slopeOf = curves[below[c]]?.[e];
				const values = own?.value ?? slopeOf?.slope ?? paths[hidden.indexOf(c)][e];
				for (let k = 0; k < nodes.length; k++) x[k * n + c] = values[k];
				noise[c] = own ? own.noise : hiddenNoise * deviation(values);
				const group = measured[c][e];
				return own && group!.t.length === observations.grids[e].times.length
					? group!.observed.map(group!.law.scale.fromCompared)
					: undefined;
			});
			return { nodes, parts, x, noise, samples };
		}),
	);
}

/**
 * A slope in shares of the value. Where the value is lost in its noise so is that: it is carried on from where it is seen. Least of
 * Σ w (r - slope/value)² + Σ (change of r)², with w from 1, where the value is much larger than its noise, to 0.
 */
function inShares(slope: Float64Array, value: Float64Array, noise: number): Float64Array {
	const n = value.length;
	const diagonal = new Float64Array(n);
	const r = new Float64Array(n);
	for (let k = 0; k < n; k++) {
		const size = squared(value[k]) + squared(noise) || 1;
		diagonal[k] = squared(value[k]) / size + (k > 0 ? 1 : 0) + (k < n - 1 ? 1 : 0);
		r[k] = (slope[k] * value[k]) / size;
	}
	// Off the diagonal all are -1: elimination from the first to the last, and back.
	for (let k = 1; k < n; k++) {
		diagonal[k] -= 1 / diagonal[k - 1];
		r[k] += r[k - 1] / diagonal[k - 1];
	}
	for (let k = n - 1; k >= 0; k--) r[k] = (r[k] + (k < n - 1 ? r[k + 1] : 0)) / diagonal[k];
	return r;
}

/** A feature of deviation 1, either way up, about several levels; or from a known beginning, in several sizes. */
function versions(feature: Feature, from: number | undefined): Feature[] {
	const all = feature.flatMap((each) => [...each]);
	const mean = all.reduce((sum, value) => sum + value / all.length, 0);
	const spread = deviation(all);
	if (!(spread > 0)) return [];
	const made = (size: number, level: (own: Float64Array) => number): Feature =>
		feature.map((own) => own.map((value) => (size * (value - mean)) / spread + level(own)));
	return [1, -1].flatMap((sign) =>
		from === undefined
			? levels.map((level) => made(sign, () => level))
			: [0.2, 0.5, 1].map((share) => {
					const size = sign * share * (Math.abs(from) || 1);
					return made(size, (own) => from - (size * (own[0] - mean)) / spread);
				}),
	);
}
