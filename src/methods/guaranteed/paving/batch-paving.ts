/**
 * Set inversion by the batch: all boxes of a level are narrowed and sorted by one kernel, on whatever place there is, and those at the edge are cut in two for the next level. Lanes do not know one another, so the set is the same on
 * every place, to the last bit. Boxes are kept in columns: a million of them are no million objects.
 */
import type { Compute } from "../../../compute/compute.ts";
import type { Monomials } from "../../../interval/monomials.ts";
import type { Constraint } from "../constraint/constraint.ts";
import type { Effort } from "../flow/effort.ts";
import { BoxList } from "./box-list.ts";
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
		const boxes = new BoxList(this.small.length);
		boxes.push(box);
		if (constraints.length === 0) {
			this.#inner.push(box);
			return;
		}
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
		for (let from = 0; from < boxes.length; from += widest) {
			const isSpent = this.tried >= this.limit || this.effort.isSpent;
			const count = isSpent ? 0 : Math.min(widest, boxes.length - from, this.limit - this.tried);
			if (count > 0) await this.#sort(compute, work, boxes.columns(from, count), count, next);
			this.tried += count;
			this.effort.spend(cost * count);
			if (count === Math.min(widest, boxes.length - from)) continue;
			this.exhausted = true;
			this.#outer.append(boxes, from + count);
			break;
		}
		level.boxes = next;
		if (next.length === 0) this.#levels.shift();
	}

	async #sort(
		compute: Compute,
		{ kernel, rules, scalars }: ContractKernel,
		box: Float64Array,
		count: number,
		next: BoxList,
	): Promise<void> {
		const verdict = new Float64Array(count);
		await compute.run(kernel, { batch: count, buffers: { box, verdict, rules }, scalars });
		const n = this.small.length;
		const one = new Float64Array(2 * n);
		for (let lane = 0; lane < count; lane++) {
			const found = verdict[lane];
			if (found !== edge && found !== inside) continue;
			for (let i = 0; i < 2 * n; i++) one[i] = box[i * count + lane];
			if (found === inside) this.#inner.push(one);
			else if (!this.#cut(one, next)) this.#outer.push(one);
		}
	}

	/** The halves of a box across its longest side, in units of `small`; false where it is not cut. */
	#cut(box: Float64Array, next: BoxList): boolean {
		let side = -1;
		let most = 1;
		for (let k = 0; k < this.small.length; k++) {
			const size = (box[2 * k + 1] - box[2 * k]) / this.small[k];
			if (size > most) [side, most] = [k, size];
		}
		if (side < 0) return false;
		const [lo, hi] = [box[2 * side], box[2 * side + 1]];
		const cut = lo / 2 + hi / 2;
		if (!(lo < cut && cut < hi)) return false;
		box[2 * side + 1] = cut;
		next.push(box);
		box[2 * side + 1] = hi;
		box[2 * side] = cut;
		next.push(box);
		return true;
	}
}
