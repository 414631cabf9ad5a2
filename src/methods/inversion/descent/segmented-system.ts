/** The damped step where records are in segments: starts are eliminated, and follow the step of the others. */
import {
	type BorderTriangle,
	ChainElimination,
	type SegmentRows,
} from "../../../estimate/segments/chain-elimination.ts";
import { residualOf, sumOfSquares, type WeightedProblem } from "../forward/linearisation.ts";
import type { WeightEvaluation } from "../forward/weight-forward.ts";
import type { LinearSystem } from "./descent.ts";
import { TriangleSystem } from "./qr-system.ts";

export interface Reduced extends BorderTriangle {
	/** Steps of all starts that go with a step of the active unknowns. */
	starts(step: Float64Array): Float64Array;
}

/** The linearised problem in the active unknowns alone. */
export function reducedTo(
	problem: WeightedProblem,
	here: WeightEvaluation,
	active: readonly number[],
): Reduced {
	const { forward, gapWeights } = problem.segmented!;
	const { cuts, seen, nStates: n, nColumns } = forward;
	const { candidates, factors, initials } = forward.setting;
	const { weights } = candidates;
	const nWeights = weights.length;
	const nInner = nColumns - n;
	const nBorder = active.length;
	const residual = residualOf(problem, here);
	const elimination = new ChainElimination(n, nBorder);
	const column = new Int32Array(nBorder);
	const factor = new Float64Array(nBorder);
	const seenRows = emptyRows(Math.max(...seen.map(({ length }) => length)));
	const endRows = emptyRows(n);
	cuts.segments.forEach((segment, s) => {
		const { experiment } = segment;
		active.forEach((u, k) => {
			const initial = initials[u - nWeights];
			const isOwn = u < nWeights || (segment.start < 0 && initial.experiment === experiment);
			column[k] = !isOwn ? -1 : u < nWeights ? weights[u].inner : nInner + initial.component;
			factor[k] = u < nWeights ? factors[experiment * nWeights + u] : 1;
		});
		const rows = { ...seenRows, count: seen[s].length };
		seen[s].forEach(({ observation }, i) => {
			fill(rows, i, here.inner!, observation * nColumns, problem.rowWeights[observation]);
			rows.right[i] = residual[observation];
		});
		if (segment.isLast) {
			elimination.add(segment.start, rows);
			return;
		}
		const { start: next } = cuts.segments[s + 1];
		for (let i = 0; i < n; i++) {
			fill(endRows, i, here.ends!, (s * n + i) * nColumns, gapWeights[i]);
			endRows.right[i] = gapWeights[i] * here.gaps![next * n + i];
		}
		elimination.add(segment.start, rows, { rows: endRows, weights: gapWeights, next });
	});
	return {
		...elimination.border(),
		starts: (step) => elimination.starts(step, cuts.nStarts),
	};

	function emptyRows(count: number): SegmentRows {
		return {
			count,
			own: new Float64Array(count * n),
			border: new Float64Array(count * nBorder),
			right: new Float64Array(count),
		};
	}
	function fill(rows: SegmentRows, i: number, from: Float64Array, at: number, weight: number): void {
		for (let c = 0; c < n; c++) rows.own[i * n + c] = weight * from[at + nInner + c];
		for (let k = 0; k < nBorder; k++)
			rows.border[i * nBorder + k] = column[k] >= 0 ? weight * factor[k] * from[at + column[k]] : 0;
	}
}

export class SegmentedSystem extends TriangleSystem implements LinearSystem {
	readonly #promised: number;
	readonly #starts: Reduced["starts"];

	constructor(
		problem: WeightedProblem,
		here: WeightEvaluation,
		active: readonly number[],
		reduced = reducedTo(problem, here, active),
	) {
		super(reduced.triangle, reduced.right, active.length);
		this.#starts = reduced.starts;
		this.#promised = Math.max(sumOfSquares(problem, here) - reduced.rest, 0);
	}

	/** What the starts would gain is part of it. */
	override get promised(): number {
		return this.#promised;
	}

	follow(step: Float64Array): Float64Array {
		return this.#starts(step);
	}
}
