/**
 * A linear system whose zeros are known beforehand, solved in straight-line code. Pivots stand on the diagonal: code cannot
 * choose them by size, and with I/(hγ) - J of short steps, or of rates that add up to losses, none is small beside the rest.
 */

/** What the entries are made of. */
export interface LuAlgebra<V> {
	sub(x: V, y: V): V;
	neg(x: V): V;
	mul(x: V, y: V): V;
	reciprocal(x: V): V;
}

export class SparseLu<V> {
	readonly #algebra: LuAlgebra<V>;
	/** Rows above the diagonal, in the order of the pivots, and factors below it. */
	readonly #upper: Map<number, V>[];
	readonly #lower: Map<number, V>[];
	readonly #inverse = new Map<number, V>();
	readonly #order: number[] = [];

	/** `rows[i]`: the entries of row i that may differ from zero, the diagonal among them. */
	constructor(algebra: LuAlgebra<V>, rows: readonly ReadonlyMap<number, V>[]) {
		this.#algebra = algebra;
		this.#upper = rows.map((row) => new Map(row));
		this.#lower = rows.map(() => new Map());
		const left = new Set(rows.keys());
		while (left.size > 0) this.#eliminate(this.#cheapest(left), left);
	}

	/** The pivot that makes the fewest new entries (Markowitz); the first of these. */
	#cheapest(left: ReadonlySet<number>): number {
		let [best, least] = [-1, Number.POSITIVE_INFINITY];
		for (const p of left) {
			let below = -1;
			for (const i of left) if (this.#upper[i].has(p)) below++;
			const fill = below * (this.#upper[p].size - 1);
			if (fill < least) [best, least] = [p, fill];
		}
		return best;
	}

	#eliminate(p: number, left: Set<number>): void {
		const { sub, neg, mul, reciprocal } = this.#algebra;
		const pivots = this.#upper[p];
		const inverse = reciprocal(pivots.get(p)!);
		pivots.delete(p);
		left.delete(p);
		this.#order.push(p);
		this.#inverse.set(p, inverse);
		for (const i of left) {
			const row = this.#upper[i];
			const own = row.get(p);
			if (own === undefined) continue;
			row.delete(p);
			const factor = mul(own, inverse);
			this.#lower[i].set(p, factor);
			for (const [j, value] of pivots) {
				const change = mul(factor, value);
				const before = row.get(j);
				row.set(j, before === undefined ? neg(change) : sub(before, change));
			}
		}
	}

	solve(rightSide: readonly V[]): V[] {
		const { sub, mul } = this.#algebra;
		const x = rightSide.slice();
		for (const p of this.#order)
			for (const [k, factor] of this.#lower[p]) x[p] = sub(x[p], mul(factor, x[k]));
		for (const p of this.#order.toReversed()) {
			for (const [j, value] of this.#upper[p]) x[p] = sub(x[p], mul(value, x[j]));
			x[p] = mul(x[p], this.#inverse.get(p)!);
		}
		return x;
	}
}
