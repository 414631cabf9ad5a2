/**
 * Directions that least squares does not see to first order, tried by finite steps. On the line on which two rates that can change places
 * are equal nothing depends on their difference to first order, so that a search which came onto the line rests there, however much
 * better a point beside it is.
 */
import { covarianceOf } from "../../../estimate/least-squares/covariance.ts";
import type { LevenbergMarquardt } from "../../../estimate/least-squares/levenberg-marquardt.ts";
import { isOpen } from "../../../estimate/least-squares/null-space.ts";
import type { Unknown } from "../../../estimate/unknowns/unknowns.ts";

/** A search from a point, with some unknowns held. */
export type Solve = (
	from: Float64Array,
	held: ReadonlySet<number>,
	maxEvaluations: number,
) => Promise<LevenbergMarquardt>;

export interface Looked {
	readonly machine: LevenbergMarquardt;
	/** Unknowns of directions that first order does not see, but finite steps do: how well they, and all that goes along, are known is not known. */
	readonly curved: readonly (readonly number[])[];
}

/** Steps, as shares of the unknown that changes most. */
const shares = [0.2, -0.2, 0.5, -0.5, 1, -0.9];
/** Change of the sum of squares that is more than chance, in variances. */
const seen = 1;
const mostMoves = 4;
const evaluations = 60;

export async function lookAlongOpen(
	first: LevenbergMarquardt,
	unknowns: readonly Unknown[],
	fixed: ReadonlySet<number>,
	solve: Solve,
): Promise<Looked> {
	let machine = first;
	for (let moves = 0; machine.told; ) {
		const curved: number[][] = [];
		let better: LevenbergMarquardt | undefined;
		const { directions, sd } = openDirections(machine, unknowns, fixed);
		for (const { step, main, members } of directions) {
			let isCurved = false;
			for (const share of shares) {
				const from = machine.best.map((value, j) => value + share * step[j]);
				const held = await solve(from, new Set([...fixed, main]), evaluations);
				if (!held.told) continue;
				const rise = 2 * (held.cost - machine.cost);
				if (rise < -seen) better = await solve(held.best, fixed, evaluations);
				// Along a line that is wholly open nothing else moves.
				isCurved = rise > seen || goesAlong(machine, held, members, sd);
				if (better || isCurved) break;
			}
			if (better) break;
			if (isCurved) curved.push(members);
		}
		if (!better || !(better.cost < machine.cost) || ++moves > mostMoves) return { machine, curved };
		machine = better;
	}
	return { machine, curved: [] };
}

interface Direction {
	/** In search coordinates. */
	readonly step: Float64Array;
	/** The unknown that changes most, beside its size. */
	readonly main: number;
	readonly members: number[];
}

/** Whether what first order takes for known follows the step by more than its error. */
function goesAlong(
	{ best }: LevenbergMarquardt,
	held: LevenbergMarquardt,
	members: readonly number[],
	sd: Float64Array,
): boolean {
	return best.some((value, j) => sd[j] > 0 && !members.includes(j) && Math.abs(held.best[j] - value) > sd[j]);
}

/** And the standard deviations of all, as far as they go without these. */
function openDirections(
	{ jacobian, best }: LevenbergMarquardt,
	unknowns: readonly Unknown[],
	fixed: ReadonlySet<number>,
): { directions: Direction[]; sd: Float64Array } {
	const n = unknowns.length;
	const {
		open: all,
		norms,
		sd,
	} = covarianceOf(
		jacobian!.map((value, i) => (fixed.has(i % n) ? 0 : value)),
		n,
	);
	const size = (j: number): number => (unknowns[j].scale === "log" ? 1 : Math.abs(best[j]) || 1);
	const directions = all.flatMap((open) => {
		const members = [...open.keys()].filter((j) => !fixed.has(j) && isOpen([open], j));
		if (members.length === 0) return [];
		const plain = Float64Array.from(open, (value, j) => (fixed.has(j) ? 0 : value / norms[j]));
		const relative = (j: number): number => Math.abs(plain[j]) / size(j);
		const main = members.reduce((a, b) => (relative(b) > relative(a) ? b : a));
		return [{ step: plain.map((value) => value / relative(main)), main, members }];
	});
	return { directions, sd };
}
