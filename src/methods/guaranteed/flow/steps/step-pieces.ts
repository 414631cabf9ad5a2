/** Bounds of the states over pieces of a step, which is long: what the flow of P is there, and what the carried remainder adds. */
import type { TaylorModel, TaylorSpace } from "../../../../interval/taylor/taylor-model.ts";
import { timePartInto } from "../../../../interval/taylor/time-part.ts";

const U = 2 ** -53;

/** Told of bounds of all states from one instant to another, for plots. */
export type OnStep = (from: number, to: number, tube: Float64Array) => void;

interface Step {
	readonly from: number;
	readonly to: number;
	/** Bounds of the flow of P, and of all solutions. */
	readonly own: Float64Array;
	readonly whole: Float64Array;
}

export function tellPieces(
	space: TaylorSpace,
	states: readonly TaylorModel[],
	{ from, to, own, whole }: Step,
	pieces: number,
	onStep: OnStep,
): void {
	const part = space.model();
	for (let k = 0; k < pieces; k++) {
		const bounds = new Float64Array(whole.length);
		for (let i = 0; 2 * i < whole.length; i++) {
			timePartInto(space, part, states[i], k / pieces, 1 / pieces);
			space.boundsInto(bounds, 2 * i, part);
			const [lo, hi] = [2 * i, 2 * i + 1];
			const below = own[lo] - whole[lo];
			const above = whole[hi] - own[hi];
			bounds[lo] = Math.max(
				whole[lo],
				bounds[lo] - below - (Math.abs(own[lo]) + Math.abs(whole[lo])) * 4 * U,
			);
			bounds[hi] = Math.min(
				whole[hi],
				bounds[hi] + above + (Math.abs(own[hi]) + Math.abs(whole[hi])) * 4 * U,
			);
		}
		const at = (piece: number): number => (piece === pieces ? to : from + ((to - from) * piece) / pieces);
		onStep(at(k), at(k + 1), bounds);
	}
}

/** Bounds that hold all of some. */
export function hullOfTubes(tubes: readonly Float64Array[]): Float64Array {
	return tubes[0].map((_, k) => {
		const ends = tubes.map((each) => each[k]);
		return k % 2 === 0 ? Math.min(...ends) : Math.max(...ends);
	});
}
