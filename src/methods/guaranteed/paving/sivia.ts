/**
 * Set inversion on stored output polynomials (Sivia, section 4.1 of [kletting2011]; [jaulin1993]): boxes of unknowns that are proved
 * consistent, boxes that are proved not to be, and small boxes between. No integration is needed.
 */
import type { Constraint, ConstraintReader } from "../constraint/constraint.ts";
import { contractRelaxed, dataOf } from "../constraint/contract-relaxed.ts";
import type { Effort } from "../flow/effort.ts";

interface Item {
	readonly box: Float64Array;
	readonly active: readonly Constraint[];
}

export class Sivia {
	readonly inner: Float64Array[] = [];
	/** Small, or left when the number of boxes ran out. */
	readonly outer: Float64Array[] = [];
	tried = 0;
	/** Whether boxes ran out. */
	exhausted = false;
	#queue: Item[] = [];
	#next = 0;

	constructor(
		readonly reader: (constraint: Constraint) => ConstraintReader,
		/** Side k of a small box is at most `small[k]`. */
		readonly small: Float64Array,
		readonly limit: number,
		readonly effort: Effort,
		/** Data that may be beyond their bars, at most. */
		readonly outliers = 0,
	) {}

	add(box: Float64Array, constraints: readonly Constraint[]): void {
		this.#queue.push({ box: box.slice(), active: constraints });
	}

	get done(): boolean {
		return this.#next >= this.#queue.length;
	}

	/** Still to be sorted. */
	get waiting(): readonly Float64Array[] {
		return this.#queue.slice(this.#next).map(({ box }) => box);
	}

	/** So many boxes. */
	advance(count: number): void {
		for (let i = 0; i < count && !this.done; i++) {
			const item = this.#queue[this.#next++];
			if (this.tried >= this.limit || this.effort.isSpent) {
				this.exhausted = true;
				this.outer.push(item.box);
			} else this.#one(item);
		}
		if (this.#next > 4096) {
			this.#queue = this.#queue.slice(this.#next);
			this.#next = 0;
		}
	}

	#one({ box, active }: Item): void {
		this.tried++;
		for (const { coefficients } of active) this.effort.spend(100 + 20 * coefficients.length);
		if (this.outliers > 0) {
			this.#relaxed(box, active);
			return;
		}
		const still: Constraint[] = [];
		for (const constraint of active) {
			const verdict = this.reader(constraint).contract(constraint, box);
			if (verdict === "outside") return;
			if (verdict === "unknown") still.push(constraint);
		}
		if (still.length === 0) this.inner.push(box);
		else this.#cut(box, still);
	}

	/** All data but some. Those that contradict the box are kept: they count in its halves. */
	#relaxed(box: Float64Array, active: readonly Constraint[]): void {
		const sorted = contractRelaxed(this.reader, dataOf(active), box, this.outliers, 0.02);
		if (!sorted) return;
		if (sorted.broken.length + sorted.open.length <= this.outliers) this.inner.push(box);
		else this.#cut(box, [...sorted.broken, ...sorted.open].flat());
	}

	#cut(box: Float64Array, still: readonly Constraint[]): void {
		const halves = halvesOf(box, this.small);
		if (halves) this.#queue.push(...halves.map((half) => ({ box: half, active: still })));
		else this.outer.push(box);
	}
}

/** A box cut in two across its longest side, in units of `small`; undefined where none is longer than that, or can be cut. */
export function halvesOf(
	box: Float64Array,
	small: ArrayLike<number>,
): [Float64Array, Float64Array] | undefined {
	let side = -1;
	let most = 1;
	for (let k = 0; 2 * k < box.length; k++) {
		const size = (box[2 * k + 1] - box[2 * k]) / small[k];
		if (size > most) [side, most] = [k, size];
	}
	const cut = side < 0 ? 0 : box[2 * side] / 2 + box[2 * side + 1] / 2;
	if (side < 0 || !(box[2 * side] < cut && cut < box[2 * side + 1])) return undefined;
	const lower = box.slice();
	const upper = box.slice();
	lower[2 * side + 1] = cut;
	upper[2 * side] = cut;
	return [lower, upper];
}

/** The least box that holds all boxes; undefined of none. */
export function hullOf(boxes: readonly Float64Array[]): Float64Array | undefined {
	if (boxes.length === 0) return undefined;
	const out = boxes[0].slice();
	for (const box of boxes)
		for (let i = 0; i < out.length; i += 2) {
			out[i] = Math.min(out[i], box[i]);
			out[i + 1] = Math.max(out[i + 1], box[i + 1]);
		}
	return out;
}
