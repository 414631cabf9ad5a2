/**
 * Multiple shooting as damped least squares: unknowns and the starts of all segments are found together; samples, the gaps
 * between segments and those to the declared initial state are what is made small. Its step eliminates the starts, so that
 * its cost is linear in the segments.
 */
import { solveTriangleInto, triangulateInto } from "../../num/linear/householder.ts";
import { squared } from "../../num/whole-power.ts";
import type { Estimation } from "../forward/estimation.ts";
import type { Evaluation } from "../forward/forward.ts";
import { InitialState } from "../forward/initial-state.ts";
import { naturalPoint } from "../observe/likelihood.ts";
import { ChainElimination, type SegmentRows } from "./chain-elimination.ts";
import type { CutEstimation } from "./cut-estimation.ts";

/** Beside what is seen most of, each going as far as it may. */
const leastSeen = 1e-4;

/** Where a descent is: unknowns in search coordinates, and the starts of all segments. */
export interface ShootingPoint {
	readonly z: Float64Array;
	readonly starts: Float64Array;
}

/** What all descents share. */
export class ShootingProblem {
	readonly nStates: number;
	readonly nBorder: number;
	readonly #initial: InitialState;
	readonly #nParams: number;
	/** One over what each output may be missed by. */
	readonly #outputWeights: readonly number[];
	/** Samples of each segment, and rows of what it declares of its start. */
	readonly #counts: readonly number[];
	/** Where the rows of one segment after the other stand: what is seen, with room for those that hold its start back, and its end. */
	readonly #seen: SegmentRows;
	readonly #gaps: SegmentRows;

	constructor(
		readonly whole: Estimation,
		readonly cut: CutEstimation,
		/** Size of misfits that count as one, by output. */
		missed: readonly number[],
		readonly bounds: { readonly lo: Float64Array; readonly hi: Float64Array },
		readonly reach: Float64Array,
	) {
		this.nStates = whole.model.components.length;
		this.nBorder = whole.unknowns.length;
		this.#initial = new InitialState(whole.model, whole.unknowns);
		this.#nParams = whole.unknowns.filter(({ kind }) => kind === "param").length;
		this.#outputWeights = missed.map((size) => 1 / size);
		const n = this.nStates;
		this.#counts = cut.cuts.segments.map(({ start }, s) =>
			cut.seen[s].reduce((sum, { from, to }) => sum + to - from, start < 0 ? n : 0),
		);
		const most = this.#counts.reduce((top, count) => Math.max(top, count), 0);
		this.#seen = emptyRows(most + n, n, this.nBorder);
		this.#gaps = emptyRows(n, n, this.nBorder);
	}

	get nSegments(): number {
		return this.cut.cuts.segments.length;
	}

	/** The unknowns of the cut estimation. */
	pointOf({ z, starts }: ShootingPoint): Float64Array {
		const params = naturalPoint(this.whole.unknowns, z).subarray(0, this.#nParams);
		return Float64Array.of(...params, ...starts);
	}

	/** `weights`: one over the size that a gap of each component may have. */
	cost(point: ShootingPoint, { value }: Evaluation, weights: Float64Array): number {
		let sum = 0;
		this.#rows(point, { value }, weights, (rows) => {
			for (let i = 0; i < rows.count; i++) sum += squared(rows.right[i]);
		});
		return Number.isFinite(sum) ? sum : Number.POSITIVE_INFINITY;
	}

	/** The step from a point, damped; undefined where it is no number. */
	step(
		point: ShootingPoint,
		evaluation: Evaluation,
		weights: Float64Array,
		damping: number,
		held: ReadonlySet<number>,
	): ShootingPoint | undefined {
		const { nStates: n, nBorder } = this;
		const elimination = new ChainElimination(n, nBorder);
		const norms = new Float64Array(nBorder);
		const isHeld = Uint8Array.from(norms, (_, j) => (held.has(j) ? 1 : 0));
		let seen: SegmentRows | undefined;
		let start = 0;
		this.#rows(point, evaluation, weights, (rows, end) => {
			const { border, count } = rows;
			for (let i = 0, at = 0; i < count; i++)
				for (let j = 0; j < nBorder; j++, at++) {
					if (isHeld[j] === 1) border[at] = 0;
					norms[j] += squared(border[at]);
				}
			if (!end) seen = this.#damped(rows, weights, damping);
			if (end === "gap") elimination.add(start, seen!, { rows, weights, next: ++start });
			if (end === "none") elimination.add(start++, seen!);
		});
		const { triangle, right } = elimination.border();
		const border = dampedSolution(triangle, right, this.#seenBy(norms), damping);
		if (!border.every(Number.isFinite)) return undefined;
		const starts = elimination.starts(border, this.nSegments);
		return starts.every(Number.isFinite) ? { z: border, starts } : undefined;
	}

	/** How much is seen of each unknown; what is hardly seen is held back as if it were seen a little. */
	#seenBy(norms: Float64Array): Float64Array {
		const { reach } = this;
		// Of what may go anywhere no distance says how much it is seen.
		const most = Math.max(0, ...norms.map((norm, j) => norm * squared(reach[j])).filter(Number.isFinite));
		return norms.map((norm, j) => norm + (leastSeen * most) / squared(reach[j]));
	}

	/** Rows of a segment with those that hold its start back, in the room behind them. */
	#damped({ count, own, border, right }: SegmentRows, weights: Float64Array, damping: number): SegmentRows {
		const { nStates: n, nBorder } = this;
		own.fill(0, count * n, (count + n) * n);
		border.fill(0, count * nBorder, (count + n) * nBorder);
		right.fill(0, count, count + n);
		for (let c = 0; c < n; c++) {
			let norm = squared(weights[c]);
			for (let i = 0; i < count; i++) norm += squared(own[i * n + c]);
			own[(count + c) * n + c] = Math.sqrt(damping * norm);
		}
		return { count: count + n, own, border, right };
	}

	/**
	 * Segment by segment: what is seen of it, then its end; `none` at the last of a record, where there is no end to compare. Rows are
	 * good until those of the next segment are asked for; without a Jacobian they are right-hand sides alone.
	 */
	#rows(
		{ z, starts }: ShootingPoint,
		{ value, jacobian }: Evaluation,
		weights: Float64Array,
		take: (rows: SegmentRows, end?: "gap" | "none") => void,
	): void {
		const { nStates: n, nBorder } = this;
		const { cuts, seen, ends, estimation } = this.cut;
		const nUnknowns = estimation.unknowns.length;
		const natural = naturalPoint(this.whole.unknowns, z);
		const slopes = this.#slopes(natural);
		const nParams = this.#nParams;
		cuts.segments.forEach(({ experiment, start, isLast }, s) => {
			const rows = cleared(this.#seen, this.#counts[s], n, nBorder);
			let row = 0;
			for (const { index, from, to, observed } of seen[s])
				for (let i = from; i < to; i++, row++)
					fill(rows, s, row, i, this.#outputWeights[index], observed[i - from] - value[i]);
			if (start < 0)
				this.#declared(rows, row, natural, starts.subarray(s * n, (s + 1) * n), experiment, weights);
			take(rows);
			const gaps = cleared(this.#gaps, isLast ? 0 : n, n, nBorder);
			for (const [c, i] of ends[s].entries())
				fill(gaps, s, c, i, weights[c], starts[(s + 1) * n + c] - value[i]);
			take(gaps, isLast ? "none" : "gap");
		});

		function fill(
			{ own, border, right }: SegmentRows,
			s: number,
			at: number,
			i: number,
			weight: number,
			misfit: number,
		): void {
			right[at] = weight * misfit;
			if (!jacobian) return;
			for (let c = 0; c < n; c++) own[at * n + c] = weight * jacobian[i * nUnknowns + nParams + s * n + c];
			for (let j = 0; j < nParams; j++)
				border[at * nBorder + j] = weight * slopes[j] * jacobian[i * nUnknowns + j];
		}
	}

	/** Of each unknown by its search coordinate. */
	#slopes(natural: Float64Array): Float64Array {
		return natural.map((x, j) => (this.whole.unknowns[j].scale === "log" ? x : 1));
	}

	/** The start of a record beside what the model declares of it. */
	#declared(
		rows: SegmentRows,
		row: number,
		natural: Float64Array,
		start: Float64Array,
		experiment: number,
		weights: Float64Array,
	): void {
		const { nStates: n, nBorder } = this;
		const slopes = this.#slopes(natural);
		const p = this.#initial.paramValues(natural, this.whole.experiments[experiment], experiment);
		const own = this.whole.experiments[experiment];
		const x = this.#initial.state(natural, p, experiment, own);
		const S = this.#initial.sensitivities(p, own);
		const columns = this.#initial.columns(experiment);
		for (let c = 0; c < n; c++) {
			rows.own[(row + c) * n + c] = weights[c];
			rows.right[row + c] = weights[c] * (x[c] - start[c]);
			columns.forEach((j, k) => {
				rows.border[(row + c) * nBorder + j] -= weights[c] * slopes[j] * S[c * columns.length + k];
			});
		}
	}
}

function emptyRows(count: number, n: number, nBorder: number): SegmentRows {
	return {
		count,
		own: new Float64Array(count * n),
		border: new Float64Array(count * nBorder),
		right: new Float64Array(count),
	};
}

/** So many rows of those that there is room for, all 0. */
function cleared(
	{ own, border, right }: SegmentRows,
	count: number,
	n: number,
	nBorder: number,
): SegmentRows {
	own.fill(0, 0, count * n);
	border.fill(0, 0, count * nBorder);
	right.fill(0, 0, count);
	return { count, own, border, right };
}

/** Least squares in what is left when the starts are gone, each unknown held back by how much of it is seen. */
function dampedSolution(
	triangle: Float64Array,
	right: Float64Array,
	norms: Float64Array,
	damping: number,
): Float64Array {
	const n = right.length;
	const a = new Float64Array(2 * n * n);
	const b = new Float64Array(2 * n);
	b.set(right);
	for (let j = 0; j < n; j++) {
		for (let i = 0; i <= j; i++) a[j * 2 * n + i] = triangle[j * n + i];
		// One that is not seen at all stays where it is.
		a[j * 2 * n + n + j] = norms[j] > 0 ? Math.sqrt(damping * norms[j]) : 1;
	}
	triangulateInto(a, 2 * n, b, 2 * n, n);
	solveTriangleInto(b, a, 2 * n, n);
	return b.subarray(0, n);
}
