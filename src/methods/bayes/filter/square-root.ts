/**
 * The covariance step in square-root form, P = L Lᵀ with L lower triangular: nothing is ever subtracted, so P stays a
 * covariance where high orders, small steps and precise data leave the plain form without digits.
 *
 * New columns (noise, data) are joined to L and rotated away, entry by entry; what is structurally zero is never
 * computed. Entry (i, j), i ≤ j, of the kept matrix is L[j][i].
 *
 * Reference: Krämer, Hennig, "Stable implementation of probabilistic ODE solvers", JMLR 25, 2024; array forms after
 * Kailath, Sayed, Hassibi, "Linear estimation", 2000, chapter 12.
 */

import { noiseFactor, pascalAdditions } from "../../../estimate/state-space/integrated-wiener.ts";
import {
	type Correction,
	combination,
	type MomentStep,
	type RootAlgebra,
	type Row,
	type Symmetric,
} from "./covariance.ts";
import type { Layout } from "./layout.ts";

/** A column of L: by row, missing where zero. */
type Column<V> = (V | undefined)[];

export class RootStep<V> implements MomentStep<V> {
	/** Column k of L begins at row k, once they are in order. */
	#columns: Column<V>[];
	readonly #isPending: boolean[];

	constructor(
		readonly a: RootAlgebra<V>,
		readonly layout: Layout,
		/** L is read from here, and `addNoise` and `condition` write it back. */
		readonly L: Symmetric<V>,
		/** h^(2q+1) Γ of each block; none when integration error is left out. */
		readonly g: readonly V[] | undefined,
	) {
		const n = layout.nCoordinates;
		this.#columns = Array.from({ length: n }, (_, k) =>
			Array.from({ length: n }, (_, i) => (i >= k ? L.get(k, i) : undefined)),
		);
		this.#isPending = layout.blocks.map(() => g !== undefined);
	}

	predict(): void {
		for (const { from, q } of this.layout.blocks)
			for (const local of pascalAdditions(q + 1))
				for (const column of this.#columns)
					column[from + local] = this.#sum(column[from + local], column[from + local + 1]);
		// The noise that comes next brings the columns into order anyway.
		if (!this.g) this.#triangularise([]);
	}

	conditionOnEquation(b: number): Correction<V> {
		const { from, order } = this.layout.blocks[b];
		this.addNoise();
		const correction = this.condition([{ at: from + order, value: 1 }], undefined);
		// Exact conditioning leaves nothing of the coordinate: rounding must not either.
		for (const column of this.#columns) column[from + order] = undefined;
		this.#keep();
		return correction;
	}

	addNoise(): void {
		const n = this.layout.nCoordinates;
		const added: Column<V>[] = [];
		for (const [b, { from, q }] of this.layout.blocks.entries()) {
			if (!this.#isPending[b]) continue;
			this.#isPending[b] = false;
			const root = this.a.sqrt(this.g![b]);
			const F = noiseFactor(q);
			for (let k = 0; k <= q; k++) {
				const column: Column<V> = new Array(n).fill(undefined);
				for (let i = 0; i <= q; i++)
					if (F[i * (q + 1) + k] !== 0) column[from + i] = this.a.times(root, F[i * (q + 1) + k]);
				added.push(column);
			}
		}
		if (added.length > 0) this.#triangularise(added);
	}

	/** Conditions on one linear observation `row` with noise variance R. */
	condition(row: Row<V>, R: V | undefined): Correction<V> {
		const { a } = this;
		const n = this.layout.nCoordinates;
		let top = R === undefined ? undefined : a.sqrt(R);
		let carried: Column<V> = new Array(n).fill(undefined);
		let isTouched = false;
		for (let k = n - 1; k >= 0; k--) {
			const own = this.#columns[k];
			const v = combination(a, row, (at) => own[at]);
			if (v === undefined) continue;
			isTouched = true;
			if (top === undefined) {
				[carried, this.#columns[k]] = [own, new Array(n).fill(undefined)];
				top = v;
				continue;
			}
			const { c, s, r } = a.rotation(top, v);
			[carried, this.#columns[k]] = this.#rotated(carried, own, c, s);
			top = r;
		}
		if (top === undefined) return { gain: new Map(), S: undefined as V };
		if (!isTouched) return { gain: new Map(), S: R!, inverse: a.reciprocal(R!, false) };
		this.#keep();
		const S = a.mul(top, top);
		const inverse = a.reciprocal(S, R === undefined);
		const gain = new Map<number, V>();
		const scale = a.mul(top, inverse);
		for (const [i, entry] of carried.entries()) if (entry !== undefined) gain.set(i, a.mul(entry, scale));
		return { gain, S, inverse };
	}

	transform(rows: ReadonlyMap<number, Row<V>>): void {
		this.#columns = this.#columns.map((column) =>
			column.map((entry, i) => {
				const row = rows.get(i);
				return row ? combination(this.a, row, (at) => column[at]) : entry;
			}),
		);
		this.#triangularise([]);
	}

	addBlock(from: number, Q: readonly (readonly V[])[]): void {
		const { a } = this;
		const m = Q.length;
		const F: V[][] = [];
		// Q = F Fᵀ, column by column.
		for (let k = 0; k < m; k++) {
			const left = (i: number): V => F.reduce((sum, own) => a.sub(sum, a.mul(own[i], own[k])), Q[i][k]);
			const root = a.sqrt(left(k));
			const inverse = a.reciprocal(root, true);
			F.push(Array.from({ length: m }, (_, i) => (i === k ? root : a.mul(left(i), inverse))));
		}
		this.#triangularise(
			F.map((own, k) => {
				const column: Column<V> = new Array(this.layout.nCoordinates).fill(undefined);
				for (let i = k; i < m; i++) column[from + i] = own[i];
				return column;
			}),
		);
	}

	addColumns(columns: readonly ReadonlyMap<number, V>[]): void {
		const n = this.layout.nCoordinates;
		this.#triangularise(columns.map((own) => Array.from({ length: n }, (_, i) => own.get(i))));
	}

	/** Rotates the columns, and those that are added, until each row ends at its diagonal. */
	#triangularise(added: readonly Column<V>[]): void {
		const n = this.layout.nCoordinates;
		let left = [...this.#columns, ...added];
		const done: Column<V>[] = [];
		for (let i = 0; i < n; i++) {
			const touching = left.filter((column) => column[i] !== undefined);
			const others = left.filter((column) => column[i] === undefined);
			let pivot: Column<V> = touching[0] ?? new Array(n).fill(undefined);
			const rest: Column<V>[] = [];
			for (const column of touching.slice(1)) {
				const { c, s, r } = this.a.rotation(pivot[i]!, column[i]!);
				const [kept, turned] = this.#rotated(pivot, column, c, s);
				kept[i] = r;
				turned[i] = undefined;
				pivot = kept;
				rest.push(turned);
			}
			done.push(pivot);
			left = [...others, ...rest].filter((column) => column.some((entry) => entry !== undefined));
		}
		this.#columns = done;
		this.#keep();
	}

	/** c x + s y and c y - s x. */
	#rotated(x: Column<V>, y: Column<V>, c: V, s: V): [Column<V>, Column<V>] {
		const { a } = this;
		const combine = (u: V | undefined, w: V | undefined, minus: boolean): V | undefined => {
			const first = u === undefined ? undefined : a.mul(c, u);
			if (w === undefined) return first;
			const second = a.mul(s, w);
			if (first === undefined) return minus ? a.times(second, -1) : second;
			return minus ? a.sub(first, second) : a.add(first, second);
		};
		return [
			x.map((entry, i) => combine(entry, y[i], false)),
			y.map((entry, i) => combine(entry, x[i], true)),
		];
	}

	#keep(): void {
		for (const [k, column] of this.#columns.entries())
			for (const [i, entry] of column.entries()) if (i >= k) this.L.set(k, i, entry);
	}

	#sum(a: V | undefined, b: V | undefined): V | undefined {
		return a === undefined ? b : b === undefined ? a : this.a.add(a, b);
	}
}
