/** Starts where states are hidden: the integral form along each guess of them, and of those that it suits best the sets of terms. */
import type { Cuts } from "../../../estimate/segments/cuts.ts";
import type { SmoothStates } from "../forward/smooth-states.ts";
import type { AsyncSlices } from "../slices.ts";
import type { Workspace } from "../workspace.ts";
import { type Bridge, bridging } from "./bridge.ts";

/** Guesses that are fitted in segments. */
const mostGuesses = 8;

export async function* hiddenBridge(
	work: Workspace,
	guesses: readonly (readonly SmoothStates[])[],
	cuts: Cuts,
): AsyncSlices<{ bridge: Bridge; guess: readonly SmoothStates[] } | undefined> {
	const found: { bridge: Bridge; guess: readonly SmoothStates[] }[] = [];
	for (const [k, guess] of guesses.entries()) {
		const bridge = yield* bridging(work, guess);
		if (bridge && Number.isFinite(bridge.misfit)) found.push({ bridge, guess });
		yield `${k + 1} of ${guesses.length} guesses of what is hidden`;
	}
	found.sort((a, b) => a.bridge.misfit - b.bridge.misfit);
	const best = found.slice(0, mostGuesses);
	if (best.length === 0) return undefined;
	const sparse = best.flatMap(({ bridge, guess }) =>
		bridge.sparse.slice(0, 1).map(({ active, point }) => ({ active, point: withStarts(point, guess) })),
	);
	return { bridge: { ...best[0].bridge, sparse }, guess: best[0].guess };

	function withStarts(point: Float64Array, guess: readonly SmoothStates[]): Float64Array {
		const n = work.functions.nStates;
		const whole = new Float64Array(work.nUnknowns + cuts.nStarts * n);
		whole.set(point);
		for (const { start, experiment, from } of cuts.segments) {
			if (start < 0) continue;
			const { x, parts } = guess[experiment];
			whole.set(x.subarray(from * parts * n, (from * parts + 1) * n), work.nUnknowns + start * n);
		}
		return whole;
	}
}
