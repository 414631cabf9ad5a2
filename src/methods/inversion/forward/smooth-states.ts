/**
 * The states as the samples show them: each component that is measured directly is smoothed, and one that the equations say is
 * the derivative of such a one (x' = v) is its slope.
 */
import { measuredValue } from "../../../estimate/observe/compared.ts";
import type { OutputGroup } from "../../../estimate/observe/observations.ts";
import { smoothCurve } from "../../../estimate/state-space/wiener-smoother.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Setting } from "./weight-forward.ts";

/** Samples of a curve, at least. */
const fewest = 5;

export interface SmoothStates {
	/** Sample times of the experiment, with points put between them: `parts` pieces an interval, an even number. */
	readonly nodes: Float64Array;
	readonly parts: number;
	/** Row-major nodes × components. */
	readonly x: Float64Array;
	/** For each component: standard deviation of its samples' noise, and the samples where they are its own and none is missing. */
	readonly noise: Float64Array;
	readonly samples: readonly (Float64Array | undefined)[];
}

/** undefined where a component cannot be seen in the samples of an experiment. */
export function smoothStates(setting: Setting): SmoothStates[] | undefined {
	const all = setting.experiments.map((_, e) => smoothExperiment(setting, e));
	return all.every((each) => each !== undefined) ? (all as SmoothStates[]) : undefined;
}

function smoothExperiment({ candidates, observations }: Setting, e: number): SmoothStates | undefined {
	const { components, rhs } = candidates.model;
	const { t0, times } = observations.grids[e];
	const n = times.length;
	if (n < fewest || times[0] !== t0) return undefined;
	const { nodes, parts } = nodesBetween(times);
	const x = new Float64Array(nodes.length * components.length);
	const noise = new Float64Array(components.length);
	const samples: (Float64Array | undefined)[] = components.map(() => undefined);
	for (const [c, name] of components.entries()) {
		const own = measured(name);
		const below = components.find((_, b) => rhs[b].op === "sym" && rhs[b].name === name);
		const group = own ?? (below === undefined ? undefined : measured(below));
		if (!group || !isCovered(group.t, times)) return undefined;
		const y = natural(group);
		const curve = smoothCurve(group.t, y, nodes);
		const values = own ? curve.value : curve.slope;
		for (let k = 0; k < nodes.length; k++) x[k * components.length + c] = values[k];
		noise[c] = own ? curve.noise : 0.03 * deviation(curve.slope);
		if (own && y.length === n) samples[c] = y;
	}
	return { nodes, parts, x, noise, samples };

	function measured(name: string): OutputGroup | undefined {
		return observations.groups.find((group) => {
			const node = measuredValue(group.measure);
			return group.experiment === e && node.op === "sym" && node.name === name;
		});
	}
}

/** Sample times with points between them. */
export function nodesBetween(times: Float64Array): { nodes: Float64Array; parts: number } {
	const n = times.length;
	const parts = n >= 200 ? 2 : n >= 50 ? 4 : 8;
	const nodes = new Float64Array((n - 1) * parts + 1);
	for (let k = 0; k < nodes.length; k++) {
		const i = Math.floor(k / parts);
		const share = (k % parts) / parts;
		nodes[k] = share === 0 ? times[i] : times[i] + share * (times[i + 1] - times[i]);
	}
	return { nodes, parts };
}

/** Whether samples are enough for a curve over all times: none of their gaps is long. */
function isCovered(t: Float64Array, times: Float64Array): boolean {
	const first = times[0];
	const last = times[times.length - 1];
	const ends = [first, ...t, last];
	return t.length >= fewest && ends.every((at, k) => k === 0 || at - ends[k - 1] <= (last - first) / 4);
}

function natural({ law, observed }: OutputGroup): Float64Array {
	return observed.map(law.scale.fromCompared);
}

/** Noise of a component's samples in the experiment in the middle. */
export function typicalNoise(states: readonly SmoothStates[], component: number): number {
	const sorted = states.map(({ noise }) => noise[component]).sort((a, b) => a - b);
	return sorted[sorted.length >> 1];
}

export function deviation(values: ArrayLike<number>): number {
	let mean = 0;
	for (let i = 0; i < values.length; i++) mean += values[i] / values.length;
	let sum = 0;
	for (let i = 0; i < values.length; i++) sum += squared(values[i] - mean);
	return Math.sqrt(sum / values.length);
}

/** Deviation of values that move; the size of values that only rounding moves; never 0. */
export function spreadOf(values: ArrayLike<number>): number {
	let largest = 0;
	for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]));
	const spread = deviation(values);
	return (spread > 1e-9 * largest ? spread : largest) || 1;
}
