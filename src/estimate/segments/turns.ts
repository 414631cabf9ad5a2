/** How often records turn: outputs that rise and fall again and again swing. */
import { deviation } from "../../num/statistics/deviation.ts";
import { squared } from "../../num/whole-power.ts";
import type { Observations, OutputGroup } from "../observe/observations.ts";
import { turnsOf } from "../turns.ts";

/** How far an output has to come back before it has turned: in its deviations, and, up to a number of these, in those of its noise. */
const turned = { signal: 0.8, noise: 5, most: 1.6 };
/** Turns from which on it swings. */
const fewestTurns = 5;
const fewestSamples = 4;
/** Samples of half a turn from which on noise alone is seldom taken for it: one record of white noise in 25, of 30 or 40 samples. */
const slowTurn = 5;

/** Sample times of half a turn, of the output that turns most often; undefined where none swings. */
export function halfTurn(observations: Observations): number | undefined {
	const lengths = halfTurns(observations);
	if (lengths.length === 0) return undefined;
	return Math.max(fewestSamples, Math.floor(Math.min(...lengths)));
}

/** Whether an output swings so slowly that its turns are not those of noise, which turns every three or four samples. */
export function swingsSlowly(observations: Observations): boolean {
	return halfTurns(observations).some((length) => length >= slowTurn);
}

/** Sample times of half a turn, of each output that swings. */
function halfTurns({ groups, grids }: Observations): number[] {
	return groups.flatMap((group) => {
		const turns = turnsOf(group.observed, limitOf(group));
		const { times } = grids[group.experiment];
		return turns >= fewestTurns ? [times.length / (turns + 1)] : [];
	});
}

/** How far it has to come back before it has turned. */
function limitOf({ observed }: OutputGroup): number {
	const spread = deviation(observed);
	const noise = Math.min(turned.noise * roughness(observed), turned.most * spread);
	return Math.max(turned.signal * spread, noise);
}

/** Size of what is not smooth from sample to sample: noise, or less of it where samples are sparse and all moves. */
function roughness(y: Float64Array): number {
	const bends: number[] = [];
	// Third differences of noise have 1 + 9 + 9 + 1 times its variance.
	for (let i = 3; i < y.length; i++) bends.push(squared(y[i] - 3 * y[i - 1] + 3 * y[i - 2] - y[i - 3]) / 20);
	bends.sort((a, b) => a - b);
	// The median of the square of a normal value is 0.455.
	return Math.sqrt((bends[bends.length >> 1] ?? 0) / 0.455);
}
