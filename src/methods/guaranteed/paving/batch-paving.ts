/**
 * Set inversion by the batch: all boxes of a level are narrowed and sorted by one kernel, on whatever place there is, and those at the edge are cut in two for the next level. Lanes do not know one another, so the set is the same on
 * every place, to the last bit. Boxes are kept in columns: a million of them are no million objects.
 */
import type { Compute } from "../../../compute/compute.ts";
import type { Monomials } from "../../../interval/monomials.ts";
import type { Constraint } from "../constraint/constraint.ts";
import type { Effort } from "../flow/effort.ts";
import { type BoxBlock, BoxList, chosen, sliced } from "./box-list.ts";
import {
	type ConstraintGroup,
	type ContractKernel,
	contractKernel,
	edge,
	inside,
} from "./contract-kernel.ts";

/** Boxes of one launch, at most. */
const widest = 2 ** 18;

interface Level {
	readonly work: ContractKernel;
	/** Products of coefficients of one box. */
	readonly cost: number;
	boxes: BoxList;
}

export class BatchPaving {
	tried = 0;
	/** Whether boxes ran out. */
	exhausted = false;
	readonly #inner: BoxList;
	readonly #outer: BoxList;
	readonly #levels: Level[] = [];

	constructor(
		/** The monomials of an experiment. */
		readonly tables: (experiment: number) => Monomials,
		/** Side k of a small box is at most `small[k]`. */
		readonly small: Float64Array,
		readonly limit: number,
		readonly effort: Effort,
	) {
		this.#inner = new BoxList(small.length);
		this.#outer = new BoxList(small.length);
	}

	add(box: Float64Array, constraints: readonly Constraint[]): void {
		const alone = { count: 1, columns: box.slice() };
		if (constraints.length === 0) {
			this.#inner.add(alone);
			return;
		}
		const boxes = new BoxList(this.small.length);
		boxes.add(alone);
		const work = contractKernel(this.small.length, this.#grouped(constraints));
		// Side by side in lanes: a product of coefficients takes a fraction of what it does alone.
		const cost = constraints.reduce((sum, { coefficients }) => sum + 20 + 3 * coefficients.length, 0);
		this.#levels.push({ work, cost, boxes });
	}

	/** Constraints of the same unknowns, in the order of the records. */
	#grouped(constraints: readonly Constraint[]): ConstraintGroup[] {
		const groups = new Map<number, Constraint[]>();
		for (const constraint of constraints) {
			const known = groups.get(constraint.experiment);
			if (known) known.push(constraint);
			else groups.set(constraint.experiment, [constraint]);
		}
		return [...groups].map(([experiment, own]) => ({ table: this.tables(experiment), constraints: own }));
	}

	get inner(): readonly Float64Array[] {
		return this.#inner.boxes;
	}

	/** Small, or left when the number of boxes ran out. */
	get outer(): readonly Float64Array[] {
		return this.#outer.boxes;
	}

	/** How many, without making them. */
	get counts(): { readonly inner: number; readonly outer: number } {
		return { inner: this.#inner.length, outer: this.#outer.length };
	}

	get done(): boolean {
		return this.#levels.length === 0;
	}

	/** The least box around all that is left. */
	get hull(): Float64Array | undefined {
		const all = [this.#inner, this.#outer, ...this.#levels.map(({ boxes }) => boxes)];
		const hull = new Float64Array(2 * this.small.length).map((_, i) =>
			i % 2 === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
		);
		for (const list of all) list.extend(hull);
		return all.some(({ length }) => length > 0) ? hull : undefined;
	}

	/** The next level of the first part that has one. */
	async advance(compute: Compute): Promise<void> {
		const level = this.#levels[0];
		if (!level) return;
		const { boxes, work, cost } = level;
		const next = new BoxList(this.small.length);
		for (const block of boxes.blocks)
			for (let from = 0; from < block.count; from += widest) {
				const whole = Math.min(widest, block.count - from);
				const isSpent = this.tried >= this.limit || this.effort.isSpent;
				const count = isSpent ? 0 : Math.min(whole, this.limit - this.tried);
				if (count > 0) await this.#sort(compute, work, sliced(block, from, count), next);
				this.tried += count;
				this.effort.spend(cost * count);
				if (count === whole) continue;
				this.exhausted = true;
				this.#outer.add(sliced(block, from + count, whole - count));
			}
		level.boxes = next;
		if (next.length === 0) this.#levels.shift();
	}

	async #sort(
		compute: Compute,
		{ kernel, rules, scalars }: ContractKernel,
		block: BoxBlock,
		next: BoxList,
	): Promise<void> {
		const { count, columns: box } = block;
		const verdict = new Float64Array(count);
		await compute.run(kernel, { batch: count, buffers: { box, verdict, rules }, scalars });
		const sides = this.#sides(block, verdict);
		const lanes = (isWanted: (lane: number) => boolean): Int32Array => {
			const found = new Int32Array(count);
			let length = 0;
			for (let lane = 0; lane < count; lane++) if (isWanted(lane)) found[length++] = lane;
			return found.subarray(0, length);
		};
		this.#inner.add(
			chosen(
				block,
				lanes((lane) => verdict[lane] === inside),
				1,
			),
		);
		this.#outer.add(
			chosen(
				block,
				lanes((lane) => verdict[lane] === edge && sides[lane] < 0),
				1,
			),
		);
		const cut = lanes((lane) => sides[lane] >= 0);
		// In blocks that are launched as they are.
		for (let from = 0; from < cut.length; from += widest / 2)
			next.add(halved(block, cut.subarray(from, from + widest / 2), sides));
	}

	/** The longest side of each box at the edge, in units of `small`; -1 where it is not cut. */
	#sides({ count, columns }: BoxBlock, verdict: Float64Array): Int8Array {
		const sides = new Int8Array(count).fill(-1);
		const most = new Float64Array(count).fill(1);
		for (let k = 0; k < this.small.length; k++) {
			const unit = this.small[k];
			for (let lane = 0, lo = 2 * k * count, hi = lo + count; lane < count; lane++) {
				const size = (columns[hi + lane] - columns[lo + lane]) / unit;
				if (verdict[lane] === edge && size > most[lane]) {
					most[lane] = size;
					sides[lane] = k;
				}
			}
		}
		for (let lane = 0; lane < count; lane++) {
			const k = sides[lane];
			if (k < 0) continue;
			const [lo, hi] = [columns[2 * k * count + lane], columns[(2 * k + 1) * count + lane]];
			const middle = middleOf(lo, hi);
			if (!(lo < middle && middle < hi)) sides[lane] = -1;
		}
		return sides;
	}
}

/** Both halves of some boxes, one after the other. */
function halved(block: BoxBlock, lanes: Int32Array, sides: Int8Array): BoxBlock {
	const halves = chosen(block, lanes, 2);
	const { count, columns } = halves;
	for (let k = 0; k < lanes.length; k++) {
		const lo = 2 * sides[lanes[k]] * count + 2 * k;
		const middle = middleOf(columns[lo], columns[lo + count]);
		columns[lo + count] = middle;
		columns[lo + 1] = middle;
	}
	return halves;
}

function middleOf(lo: number, hi: number): number {
	return lo / 2 + hi / 2;
}
