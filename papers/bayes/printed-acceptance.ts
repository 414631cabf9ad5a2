/**
 * The acceptance rule of [longbottom2024] eq. (25) as it is printed: without the ratio q(θ)/q(θ̃) of the independent
 * proposals. The cloud then tends to about the square of the posterior, and intervals that claim 90 % hold the truth about
 * 70 times in a hundred. It is here to show that.
 */
import { independentMoves, type Moves } from "../../src/methods/bayes/smc/moves.ts";
import { effectiveSampleSize, normalisedWeights } from "../../src/num/statistics/log-weights.ts";

export const movesAsPrinted: Moves = async (task) => {
	const total = { moves: 0, accepted: 0, steps: 0, logWeights: [] as number[] };
	await independentMoves({ ...task, purpose: `${task.purpose} sweep 0` }, total, () => 0);
	const { moves, accepted, steps, logWeights } = total;
	const share = effectiveSampleSize(normalisedWeights(logWeights)) / logWeights.length;
	return { moves, acceptance: accepted / moves, steps, share };
};
