/**
 * Guesses of states that no sample shows: what is measured says how it changes, so its slope, its slope in shares of itself and
 * its bend are functions of what is hidden. Each such curve, either way up and about several levels, is a guess of a hidden
 * state; its size is 1, since what is hidden can be measured in any unit. The fit in segments decides between them.
 */

import { measuredValue } from "../../../estimate/observe/compared.ts";
import { smoothCurve } from "../../../estimate/state-space/wiener-smoother.ts";
import { constantValue } from "../../../model/constant.ts";
import { deviation, nodesBetween, type SmoothStates } from "./smooth-states.ts";
import type { Setting } from "./weight-forward.ts";

/** Hidden states of which guesses are made, at most. */
const mostHidden = 2;
/** Levels of a guess, in its deviations. */
const levels = [0, 1, 2.5];
/** What a gap in a hidden state counts for, in its deviations. */
const hiddenNoise = 0.03;
/** A measured state whose least size is above this share of its deviation is never 0. */
const awayFromZero = 0.01;

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
		const spread = deviation(own.flatMap(({ value }) => [...value]));
		const isAway = own.every(({ value }) => value.every((x) => Math.abs(x) > awayFromZero * spread));
		return [
			...(isAway ? [own.map(({ value, slope }) => slope.map((s, k) => s / value[k]))] : []),
			own.map(({ slope }) => slope),
			own.map(({ bend }) => bend),
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
