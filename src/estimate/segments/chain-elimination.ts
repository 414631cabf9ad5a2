/**
 * Least squares over chains of segments: each has a start of its own, tied to the end of the one before, and all share the
 * unknowns of the border. Starts are eliminated one after the other by orthogonal reflections, so that only the border's
 * triangle is ever held and work is linear in the number of segments; from a step of the border the steps of all starts follow.
 * This is the square-root information filter, with the starts as its states.
 *
 * Reference: Bierman, Factorization Methods for Discrete Sequential Estimation, 1977, chapter V.
 */
import { triangulateInto, triangulateLeadingInto } from "../../num/linear/householder.ts";
import { squared } from "../../num/whole-power.ts";

/** Rows of a segment, row by row: columns of its start, of the border, and the right-hand side. */
export interface SegmentRows {
	readonly count: number;
	readonly own: Float64Array;
	readonly border: Float64Array;
	readonly right: Float64Array;
}

/** What is kept of an eliminated start: R own + next + border = right. */
interface Kept {
	readonly start: number;
	/** The start that follows; -1 at the end of a chain. */
	readonly next: number;
	/** n rows of n own, n next, the border, and the right-hand side; column by column. */
	readonly rows: Float64Array;
}

export interface BorderTriangle {
	/** Column by column. */
	readonly triangle: Float64Array;
	readonly right: Float64Array;
	/** Sum of squares that no unknown explains. */
	readonly rest: number;
}

/** Pivots below so small a share of the largest of their start are not moved. */
const negligiblePivot = 1e-13;

export class ChainElimination {
	readonly #kept: Kept[] = [];
	readonly #stride: number;
	readonly #collected: Float64Array;
	readonly #collectedRight: Float64Array;
	#matrix = new Float64Array(0);
	#rows = 0;
	#rest = 0;
	/** Rows in the start that comes next, its border and right-hand side. */
	#carried: Float64Array | undefined;

	constructor(
		/** Unknowns of a start, and of the border. */
		readonly n: number,
		readonly nBorder: number,
	) {
		this.#stride = 4 * nBorder + 64;
		this.#collected = new Float64Array(this.#stride * nBorder);
		this.#collectedRight = new Float64Array(this.#stride);
	}

	/**
	 * Adds a segment. `start`: number of its own start, or -1 where it begins as the border says (columns `own` are then not
	 * looked at). `end`: rows of its end minus the next start, already weighted, with the weight of each; absent at the last of a chain.
	 */
	add(
		start: number,
		seen: SegmentRows,
		end?: { rows: SegmentRows; weights: Float64Array; next: number },
	): void {
		const { n, nBorder } = this;
		const nOwn = start >= 0 ? n : 0;
		const nNext = end ? n : 0;
		const carried = start >= 0 ? this.#carried : undefined;
		const m = (carried ? n : 0) + seen.count + nNext;
		const lead = nOwn + nNext;
		const width = lead + nBorder + 1;
		const a = this.#cleared(m * width);
		let row = 0;
		if (carried) {
			for (let i = 0; i < n; i++, row++) {
				for (let j = 0; j < n; j++) a[j * m + row] = carried[j * n + i];
				for (let j = 0; j <= nBorder; j++) a[(lead + j) * m + row] = carried[(n + j) * n + i];
			}
		}
		for (const rows of end ? [seen, end.rows] : [seen])
			for (let i = 0; i < rows.count; i++, row++) {
				for (let j = 0; j < nOwn; j++) a[j * m + row] = rows.own[i * n + j];
				if (rows !== seen) a[(nOwn + i) * m + row] = -end!.weights[i];
				for (let j = 0; j < nBorder; j++) a[(lead + j) * m + row] = rows.border[i * nBorder + j];
				a[(lead + nBorder) * m + row] = rows.right[i];
			}
		triangulateLeadingInto(a, m, m, lead, width);
		if (nOwn > 0) this.#keep(a, m, start, end?.next ?? -1, nNext);
		if (end) this.#carry(a, m, nOwn, lead);
		else this.#carried = undefined;
		this.#collect(a, m, lead);
	}

	/** The place where rows are brought together, all 0. */
	#cleared(size: number): Float64Array {
		if (this.#matrix.length < size) this.#matrix = new Float64Array(size);
		else this.#matrix.fill(0, 0, size);
		return this.#matrix;
	}

	#keep(a: Float64Array, m: number, start: number, next: number, nNext: number): void {
		const { n, nBorder } = this;
		const rows = new Float64Array(n * (2 * n + nBorder + 1));
		for (let i = 0; i < Math.min(n, m); i++) {
			for (let j = i; j < n; j++) rows[j * n + i] = a[j * m + i];
			for (let j = 0; j < nNext; j++) rows[(n + j) * n + i] = a[(n + j) * m + i];
			for (let j = 0; j <= nBorder; j++) rows[(2 * n + j) * n + i] = a[(n + nNext + j) * m + i];
		}
		this.#kept.push({ start, next, rows });
	}

	#carry(a: Float64Array, m: number, nOwn: number, lead: number): void {
		const { n, nBorder } = this;
		const carried = new Float64Array(n * (n + nBorder + 1));
		for (let i = 0; i < n && nOwn + i < m; i++) {
			for (let j = i; j < n; j++) carried[j * n + i] = a[(nOwn + j) * m + nOwn + i];
			for (let j = 0; j <= nBorder; j++) carried[(n + j) * n + i] = a[(lead + j) * m + nOwn + i];
		}
		this.#carried = carried;
	}

	/** Rows in which no start is left. */
	#collect(a: Float64Array, m: number, lead: number): void {
		for (let from = lead; from < m; ) {
			if (this.#rows === this.#stride) this.#triangulate();
			const to = Math.min(m, from + this.#stride - this.#rows);
			for (let j = 0; j < this.nBorder; j++)
				for (let i = from, at = j * this.#stride + this.#rows; i < to; i++, at++)
					this.#collected[at] = a[(lead + j) * m + i];
			for (let i = from; i < to; i++) this.#collectedRight[this.#rows++] = a[(lead + this.nBorder) * m + i];
			from = to;
		}
	}

	#triangulate(): void {
		const { nBorder } = this;
		triangulateInto(this.#collected, this.#stride, this.#collectedRight, this.#rows, nBorder);
		for (let i = nBorder; i < this.#rows; i++) this.#rest += squared(this.#collectedRight[i]);
		this.#rows = Math.min(this.#rows, nBorder);
		for (let j = 0; j < nBorder; j++)
			this.#collected.fill(0, j * this.#stride + j + 1, (j + 1) * this.#stride);
	}

	/** After the last segment: what is left in the border. */
	border(): BorderTriangle {
		const n = this.nBorder;
		this.#triangulate();
		const triangle = new Float64Array(n * n);
		for (let j = 0; j < n; j++)
			for (let i = 0; i <= Math.min(j, this.#rows - 1); i++)
				triangle[j * n + i] = this.#collected[j * this.#stride + i];
		const right = new Float64Array(n);
		right.set(this.#collectedRight.subarray(0, this.#rows));
		return { triangle, right, rest: this.#rest };
	}

	/** Steps of all starts that go with a step of the border, start by start. */
	starts(step: Float64Array, nStarts: number): Float64Array {
		const { n, nBorder } = this;
		const all = new Float64Array(nStarts * n);
		for (let k = this.#kept.length - 1; k >= 0; k--) {
			const { start, next, rows } = this.#kept[k];
			const at = start * n;
			let largest = 0;
			for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(rows[i * n + i]));
			for (let i = n - 1; i >= 0; i--) {
				let sum = rows[(2 * n + nBorder) * n + i];
				for (let j = 0; j < nBorder; j++) sum -= rows[(2 * n + j) * n + i] * step[j];
				if (next >= 0) for (let j = 0; j < n; j++) sum -= rows[(n + j) * n + i] * all[next * n + j];
				for (let j = i + 1; j < n; j++) sum -= rows[j * n + i] * all[at + j];
				const pivot = rows[i * n + i];
				all[at + i] = Math.abs(pivot) > negligiblePivot * largest ? sum / pivot : 0;
			}
		}
		return all;
	}
}
