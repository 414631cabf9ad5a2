/** Starts where states are hidden: the integral form along each guess of them, and of those that it suits best the sets of terms. */
import type { Cuts } from "../../../estimate/segments/cuts.ts";
import type { SmoothStates } from "../forward/smooth-states.ts";
import type { AsyncSlices } from "../slices.ts";
import type { Workspace } from "../workspace.ts";
import { type Bridge, bridging } from "./bridge.ts";
import { recordsCut } from "./cutting.ts";

/** Guesses that are fitted in segments. */
const mostGuesses = 8;
/** Guesses whose misfits differ by a smaller share are one: a hidden state upside down, or in another unit. */
const sameWithin = 1e-3;

export async function* hiddenBridge(
	work: Workspace,
	guesses: readonly (readonly SmoothStates[])[],
): AsyncSlices<{ bridge: Bridge; guess: readonly SmoothStates[]; cuts: Cuts } | undefined> {
	const found: { bridge: Bridge; guess: readonly SmoothStates[] }[] = [];
	for (const [k, guess] of guesses.entries()) {
		const bridge = yield* bridging(work, guess);
		if (bridge && Number.isFinite(bridge.misfit)) found.push({ bridge, guess });
		yield `${k + 1} of ${guesses.length} guesses of what is hidden`;
	}
	found.sort((a, b) => a.bridge.misfit - b.bridge.misfit);
	const best: typeof found = [];
	for (const each of found)
		if (
			best.length < mostGuesses &&
			!(each.bridge.misfit <= (1 + sameWithin) * (best.at(-1)?.bridge.misfit ?? -1))
		)
			best.push(each);
	// Segments are as long as the states, with those that were guessed, let them be.
	const cuts = best.length > 0 ? recordsCut(work.setting, best[0].guess) : undefined;
	if (!cuts) return undefined;
	const sparse = best.flatMap(({ bridge, guess }) =>
		bridge.sparse.slice(0, 1).map(({ active, point }) => ({ active, point: withStarts(cuts, point, guess) })),
	);
	return { bridge: { ...best[0].bridge, sparse }, guess: best[0].guess, cuts };

	function withStarts(
		{ nStarts, segments }: Cuts,
		point: Float64Array,
		guess: readonly SmoothStates[],
	): Float64Array {
		const n = work.functions.nStates;
		const whole = new Float64Array(work.nUnknowns + nStarts * n);
		whole.set(point);
		for (const { start, experiment, from } of segments) {
			if (start < 0) continue;
			const { x, parts } = guess[experiment];
			whole.set(x.subarray(from * parts * n, (from * parts + 1) * n), work.nUnknowns + start * n);
		}
		return whole;
	}
}
