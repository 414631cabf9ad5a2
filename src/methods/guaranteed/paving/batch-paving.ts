/**
 * Set inversion by the batch: all boxes of a level are narrowed and sorted by one kernel, on whatever place there is, and those at the edge are cut in two for the next level. Lanes do not know one another, so the set is the same on
 * every place, to the last bit. Boxes are kept in columns: a million of them are no million objects.
 */
import type { Compute } from "../../../compute/compute.ts";
import type { Monomials } from "../../../interval/taylor/monomials.ts";
import type { Constraint } from "../constraint/constraint.ts";
import type { Effort } from "../flow/effort.ts";
import {
	type BoxBlock,
	BoxList,
	BoxRoom,
	chosen,
	doubled,
	type PlainBoxes,
	plainBoxes,
	readBoxes,
	sliced,
} from "./box-list.ts";
import {
	type ConstraintGroup,
	type ContractKernel,
	contractKernel,
	cut,
	edge,
	inside,
} from "./contract-kernel.ts";

/** Boxes of one launch, at most. */
const widest = 2 ** 18;

/** Boxes of a paving that a checkpoint keeps, at most: more of them begin again. */
const mostSaved = 200_000;

export interface PavingCounts {
	readonly inner: number;
	readonly outer: number;
	readonly waiting: number;
}

export interface SavedPaving {
	readonly tried: number;
	readonly exhausted: boolean;
	readonly spent: number;
	readonly inner: PlainBoxes;
	readonly outer: PlainBoxes;
	/** Parts that are not done, and the boxes of the first of them. */
	readonly parts: number;
	readonly level: PlainBoxes;
}

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
	#inner: BoxList;
	#outer: BoxList;
	readonly #levels: Level[] = [];
	readonly #room: BoxRoom;
	/** Of one launch, and the lanes by what was found. */
	readonly #verdict: Float64Array;
	readonly #lanes: readonly [Int32Array, Int32Array, Int32Array];

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
		const lanes = Math.max(2, Math.min(widest, limit));
		this.#room = new BoxRoom(small.length, lanes);
		this.#verdict = new Float64Array(lanes);
		this.#lanes = [new Int32Array(lanes), new Int32Array(lanes), new Int32Array(lanes)];
	}

	add(box: Float64Array, constraints: readonly Constraint[]): void {
		const alone = { count: 1, columns: box.slice() };
		if (constraints.length === 0) {
			this.#inner.add(alone);
			return;
		}
		const boxes = new BoxList(this.small.length);
		boxes.add(alone);
		const work = contractKernel(this.small, this.#grouped(constraints));
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

	/** Still to be sorted. */
	get waiting(): readonly Float64Array[] {
		return this.#levels.flatMap(({ boxes }) => boxes.boxes);
	}

	/** How many, without making them. */
	get counts(): PavingCounts {
		const waiting = this.#levels.reduce((sum, { boxes }) => sum + boxes.length, 0);
		return { inner: this.#inner.length, outer: this.#outer.length, waiting };
	}

	/** Where it stands; nothing where that is larger than a checkpoint should be. */
	save(): SavedPaving | undefined {
		const { inner, outer, waiting } = this.counts;
		if (this.done || inner + outer + waiting > mostSaved) return undefined;
		return {
			tried: this.tried,
			exhausted: this.exhausted,
			spent: this.effort.spent,
			inner: plainBoxes(this.#inner),
			outer: plainBoxes(this.#outer),
			parts: this.#levels.length,
			level: plainBoxes(this.#levels[0].boxes),
		};
	}

	/** All parts have been added. */
	restore({ tried, exhausted, spent, inner, outer, parts, level }: SavedPaving): void {
		const n = this.small.length;
		this.tried = tried;
		this.exhausted = exhausted;
		this.effort.spent = spent;
		this.#inner = readBoxes(n, inner);
		this.#outer = readBoxes(n, outer);
		this.#levels.splice(0, this.#levels.length - parts);
		this.#levels[0].boxes = readBoxes(n, level);
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
		for (const block of boxes.blocks) {
			const isSpent = this.tried >= this.limit || this.effort.isSpent;
			const count = isSpent ? 0 : Math.min(block.count, this.limit - this.tried);
			if (count < block.count) {
				this.exhausted = true;
				this.#outer.add(sliced(block, count, block.count - count));
			}
			if (count > 0) await this.#sort(compute, work, sliced(block, 0, count), next);
			this.tried += count;
			this.effort.spend(cost * count);
			this.#room.give(block);
		}
		level.boxes = next;
		if (next.length === 0) this.#levels.shift();
	}

	/** Boxes of a launch to where they belong. */
	async #sort(
		compute: Compute,
		{ kernel, rules, scalars }: ContractKernel,
		block: BoxBlock,
		next: BoxList,
	): Promise<void> {
		const { count, columns: box } = block;
		const verdict = this.#verdict.subarray(0, count);
		await compute.run(kernel, { batch: count, buffers: { box, verdict, rules }, scalars });
		const [inner, small, large] = this.#lanes;
		let [nInner, nSmall, nLarge] = [0, 0, 0];
		for (let lane = 0; lane < count; lane++) {
			const found = verdict[lane];
			if (found >= cut) large[nLarge++] = lane;
			else if (found === inside) inner[nInner++] = lane;
			else if (found === edge) small[nSmall++] = lane;
		}
		this.#inner.add(chosen(block, inner.subarray(0, nInner)));
		// In blocks that are launched as they are.
		const most = Math.floor(this.#room.lanes / 2);
		for (let from = 0; from < nLarge; from += most)
			next.add(this.#halved(block, large.subarray(from, Math.min(nLarge, from + most)), verdict));
		// The last: it may overwrite the block.
		this.#outer.add(this.#room.kept(block, small.subarray(0, nSmall)));
	}

	/** Both halves of some boxes, one after the other. */
	#halved(block: BoxBlock, lanes: Int32Array, verdict: Float64Array): BoxBlock {
		const halves = doubled(block, lanes, this.#room.take(2 * lanes.length));
		const { count, columns } = halves;
		for (let k = 0; k < lanes.length; k++) {
			const lo = 2 * (verdict[lanes[k]] - cut) * count + 2 * k;
			const middle = columns[lo] / 2 + columns[lo + count] / 2;
			columns[lo + count] = middle;
			columns[lo + 1] = middle;
		}
		return halves;
	}
}
