/** Derivatives of an input where a step begins, by differences within it: whatever jumps lie at its ends. */
import type { Signal } from "../../../data/signal/signal.ts";
import { wholePower } from "../../../num/whole-power.ts";

/** Weights of forward differences at 0, 1, 2, 3, 4 for the derivatives 1 to 4. */
const forward = [
	[-25 / 12, 4, -3, 4 / 3, -1 / 4],
	[35 / 12, -26 / 3, 19 / 2, -14 / 3, 11 / 12],
	[-5 / 2, 9, -12, 7, -3 / 2],
	[1, -4, 6, -4, 1],
];

/** The value, then `count` - 1 derivatives; 0 for those above the fourth. */
export function startDerivatives(signal: Signal, t: number, length: number, count: number): number[] {
	const d = length / 4;
	const values = [0, 1, 2, 3, 4].map((k) => signal.at(t + k * d, k === 4 ? -1 : 1));
	return Array.from({ length: count }, (_, order) => {
		if (order === 0) return values[0];
		const row = forward[order - 1];
		return row ? row.reduce((sum, w, k) => sum + w * values[k], 0) / wholePower(d, order) : 0;
	});
}
