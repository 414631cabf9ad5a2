/**
 * Steps for stiff models. A Rosenbrock step is linear: it damps what fast rates have brought to rest, but at the start of a record,
 * and where an input jumps, a model may be far from there, and its rates not yet what they will be a moment later (a species that
 * reacts with itself has none while there is nothing of it). There steps begin very short and grow with the time that has passed.
 */
import { wholePower } from "../../../../num/whole-power.ts";
import { gridOf, piecesOf, type StepGrid } from "../filter-grid.ts";

/** Times that the first step of a record is halved. */
const mostLevels = 20;
/** A longer step by this share needs no second one: clocks jitter. */
const jitter = 0.01;

/**
 * `substeps` steps in every interval that is no longer than usual; in longer ones more, by the root of how much longer they are: where
 * samples stand close together something happens, and elsewhere no rate of the model needs to be followed. `edges`: jumps of inputs.
 */
export function gradedGrid(
	t0: number,
	sampleTimes: Float64Array,
	substeps: number,
	edges: Float64Array,
): StepGrid {
	const pieces = piecesOf(t0, sampleTimes, edges);
	const lengths = pieces.map(({ from, to }) => to - from);
	const usual = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? 1;
	const jumps = new Set(edges);
	// Where inputs jump often, short steps at all jumps are not to be more than the others.
	const levels = Math.min(mostLevels, Math.floor(pieces.length / Math.max(1, edges.length)));
	const steps = pieces.map(({ from, to }, k) => {
		const longer = Math.sqrt(Math.max(1, (to - from) / usual));
		const count = Math.ceil(substeps * longer - jitter * substeps);
		const own = k === 0 ? mostLevels : jumps.has(from) ? levels : 0;
		const shares = gradedShares(count, substeps, own);
		return shares.map((share, step) => ({
			h: (to - from) * (share - (step === 0 ? 0 : shares[step - 1])),
			end: share === 1 ? to : from + share * (to - from),
		}));
	});
	return gridOf(t0, sampleTimes, pieces, steps);
}

/** Ends of `count` even steps; the first `substeps` of them are instead such that each is that part of the time that has passed. */
function gradedShares(count: number, substeps: number, levels: number): number[] {
	const even = Array.from({ length: count }, (_, k) => (k + 1) / count);
	if (levels === 0) return even;
	const first = even[Math.min(substeps, count) - 1];
	const least = first / wholePower(2, levels);
	const graded: number[] = [];
	for (let share = first; share >= least; share /= 1 + 1 / substeps) graded.push(share);
	return [...graded.reverse(), ...even.slice(Math.min(substeps, count))];
}
