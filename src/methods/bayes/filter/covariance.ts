/**
 * The covariance step of the filter as code, entry by entry: what is structurally zero is never computed, and what is
 * the same for all particles is folded into constants while the code is made. The same text runs on values of the
 * kernel IR and, to find which entries can ever differ from zero, on mere marks.
 */
import { pascalAdditions, scaledNoise } from "../../../estimate/state-space/integrated-wiener.ts";
import type { Layout } from "./layout.ts";

/** What entries are made of. */
export interface EntryAlgebra<V> {
	add(a: V, b: V): V;
	sub(a: V, b: V): V;
	mul(a: V, b: V): V;
	times(a: V, factor: number): V;
	/** 1/a; guarded: 0 where a is not positive, so that a direction without variance gets no correction. */
	reciprocal(a: V, guarded: boolean): V;
}

/** What square roots of covariances need beside. */
export interface RootAlgebra<V> extends EntryAlgebra<V> {
	sqrt(a: V): V;
	/** r = √(a² + b²), c = a/r, s = b/r; where both are 0, c = 1 and s = 0. */
	rotation(a: V, b: V): { readonly c: V; readonly s: V; readonly r: V };
}

/** A symmetric matrix of entries; those that are missing are zero. */
export class Symmetric<V> {
	readonly #entries = new Map<number, V>();
	constructor(readonly n: number) {}

	get(i: number, j: number): V | undefined {
		return this.#entries.get(i < j ? i * this.n + j : j * this.n + i);
	}
	set(i: number, j: number, value: V | undefined): void {
		const key = i < j ? i * this.n + j : j * this.n + i;
		if (value === undefined) this.#entries.delete(key);
		else this.#entries.set(key, value);
	}
	copy(): Symmetric<V> {
		const copy = new Symmetric<V>(this.n);
		for (const [key, value] of this.#entries) copy.#entries.set(key, value);
		return copy;
	}
	/** Pairs i ≤ j of the entries that are there, in order. */
	pairs(): [number, number][] {
		return [...this.#entries.keys()]
			.sort((a, b) => a - b)
			.map((key) => [Math.floor(key / this.n), key % this.n]);
	}
}

/** A sparse row vector: coordinate and value. */
export type Row<V> = readonly { readonly at: number; readonly value: V | 1 }[];

export interface Correction<V> {
	/** Gains by coordinate; a number is the same for all particles. */
	readonly gain: ReadonlyMap<number, V | number>;
	/** Variance of the innovation. */
	readonly S: V;
	/** Its guarded reciprocal; missing where the gain is constant. */
	readonly inverse?: V;
}

/** What a step does with the second moments, in whichever form they are kept. */
export interface MomentStep<V> {
	predict(): void;
	/** The equation of block `b` holds exactly: conditions on its coordinate `order` (EKF0). [longbottom2024] eq. (17) */
	conditionOnEquation(b: number): Correction<V>;
	/** Adds what noise is pending, of all blocks. */
	addNoise(): void;
	/** Conditions on one linear observation `row` with noise variance R. */
	condition(row: Row<V>, R: V | undefined): Correction<V>;
	/** Coordinates become the linear combinations `rows` of all, at once; those without a row stay. */
	transform(rows: ReadonlyMap<number, Row<V>>): void;
	/** Adds the covariance Q to the coordinates from `from` on. */
	addBlock(from: number, Q: readonly (readonly V[])[]): void;
	/** Adds u uᵀ for each column u: by coordinate, missing where zero. */
	addColumns(columns: readonly ReadonlyMap<number, V>[]): void;
}

export class CovarianceStep<V> implements MomentStep<V> {
	/** Constants that are still to be added, times the block's g. */
	readonly #pending: (Float64Array | undefined)[];

	constructor(
		readonly a: EntryAlgebra<V>,
		readonly layout: Layout,
		readonly P: Symmetric<V>,
		/** h^(2q+1) Γ of each block; none when integration error is left out. */
		readonly g: readonly V[] | undefined,
	) {
		this.#pending = layout.blocks.map(({ q }) => (g ? scaledNoise(q) : undefined));
	}

	/** P := A P Aᵀ; the noise stays pending. [longbottom2024] eq. (16b) */
	predict(): void {
		const { layout, P } = this;
		for (const { from, q } of layout.blocks)
			for (const local of pascalAdditions(q + 1)) {
				const i = from + local;
				const next = i + 1;
				const [before, own] = [P.get(i, i), P.get(i, next)];
				for (let j = 0; j < layout.nCoordinates; j++)
					if (j !== i) P.set(i, j, this.#sum(P.get(i, j), P.get(next, j)));
				P.set(i, i, this.#sum(this.#sum(before, own), P.get(i, next)));
			}
	}

	conditionOnEquation(b: number): Correction<V> {
		const { from, q, order } = this.layout.blocks[b];
		const pending = this.#pending[b];
		const at = from + order;
		const constant = Array.from({ length: this.layout.nCoordinates }, (_, i) => this.P.get(i, at)).every(
			(entry) => entry === undefined,
		);
		if (!pending || !constant) {
			this.#addNoise(b);
			const correction = this.condition([{ at, value: 1 }], undefined);
			// Exact conditioning leaves nothing of the coordinate: rounding must not either.
			for (let i = 0; i < this.layout.nCoordinates; i++) this.P.set(i, at, undefined);
			return correction;
		}
		const n = q + 1;
		const S = pending[order * n + order];
		const gain = new Map<number, number>();
		for (let i = 0; i < n; i++) gain.set(from + i, pending[i * n + order] / S);
		const left = pending.slice();
		for (let i = 0; i < n; i++)
			for (let j = 0; j < n; j++)
				left[i * n + j] =
					i === order || j === order
						? 0
						: pending[i * n + j] - (pending[i * n + order] * pending[j * n + order]) / S;
		this.#pending[b] = left;
		return { gain, S: this.a.times(this.g![b], S) };
	}

	addNoise(): void {
		for (const b of this.layout.blocks.keys()) this.#addNoise(b);
	}

	condition(row: Row<V>, R: V | undefined): Correction<V> {
		const { a, P } = this;
		const n = this.layout.nCoordinates;
		const PH = new Map<number, V>();
		for (let i = 0; i < n; i++) {
			const sum = combination(a, row, (at) => P.get(i, at));
			if (sum !== undefined) PH.set(i, sum);
		}
		let S = R;
		for (const { at, value } of row) {
			const entry = PH.get(at);
			if (entry !== undefined) S = this.#sum(S, value === 1 ? entry : a.mul(entry, value));
		}
		if (S === undefined) return { gain: new Map(), S: undefined as V };
		const inverse = a.reciprocal(S, R === undefined);
		const gain = new Map<number, V>();
		for (const [i, entry] of PH) gain.set(i, a.mul(entry, inverse));
		// Where one coordinate itself is measured, P - K S Kᵀ = R K in its row: nothing cancels.
		const direct = R !== undefined && row.length === 1 && row[0].value === 1 ? row[0].at : -1;
		for (const [i, K] of gain)
			for (const [j, entry] of PH)
				if (i <= j) {
					if (i === direct || j === direct) {
						P.set(i, j, a.mul(R!, i === direct ? gain.get(j)! : K));
						continue;
					}
					const known = P.get(i, j);
					const change = a.mul(K, entry);
					P.set(i, j, known === undefined ? a.times(change, -1) : a.sub(known, change));
				}
		return { gain, S, inverse };
	}

	transform(rows: ReadonlyMap<number, Row<V>>): void {
		const { P } = this;
		const n = this.layout.nCoordinates;
		// M = T P, of the rows that change.
		const M = new Map<number, (V | undefined)[]>();
		for (const [i, row] of rows) {
			const own = Array.from({ length: n }, (_, l) => combination(this.a, row, (at) => P.get(at, l)));
			M.set(i, own);
		}
		for (const [i, own] of M)
			for (let j = 0; j < n; j++) {
				const other = rows.get(j);
				if (!other) P.set(i, j, own[j]);
				else if (i <= j)
					P.set(
						i,
						j,
						combination(this.a, other, (at) => own[at]),
					);
			}
	}

	addBlock(from: number, Q: readonly (readonly V[])[]): void {
		for (const [i, row] of Q.entries())
			for (let j = i; j < row.length; j++)
				this.P.set(from + i, from + j, this.#sum(this.P.get(from + i, from + j), row[j]));
	}

	addColumns(columns: readonly ReadonlyMap<number, V>[]): void {
		for (const column of columns)
			for (const [i, u] of column)
				for (const [j, v] of column)
					if (i <= j) this.P.set(i, j, this.#sum(this.P.get(i, j), this.a.mul(u, v)));
	}

	#addNoise(b: number): void {
		const pending = this.#pending[b];
		if (!pending) return;
		this.#pending[b] = undefined;
		const { from, q } = this.layout.blocks[b];
		for (let i = 0; i <= q; i++)
			for (let j = i; j <= q; j++) {
				const c = pending[i * (q + 1) + j];
				if (c === 0) continue;
				this.P.set(
					from + i,
					from + j,
					this.#sum(this.P.get(from + i, from + j), this.a.times(this.g![b], c)),
				);
			}
	}

	#sum(a: V | undefined, b: V | undefined): V | undefined {
		return a === undefined ? b : b === undefined ? a : this.a.add(a, b);
	}
}

/** The combination `row` of the entries; missing where all of them are. */
export function combination<V>(
	a: EntryAlgebra<V>,
	row: Row<V>,
	entry: (at: number) => V | undefined,
): V | undefined {
	let sum: V | undefined;
	for (const { at, value } of row) {
		const own = entry(at);
		if (own === undefined) continue;
		const term = value === 1 ? own : a.mul(own, value);
		sum = sum === undefined ? term : a.add(sum, term);
	}
	return sum;
}

/** Marks in place of values: what is there may differ from zero. */
export const marks: RootAlgebra<true> = {
	add: () => true,
	sub: () => true,
	mul: () => true,
	times: () => true,
	reciprocal: () => true,
	sqrt: () => true,
	rotation: () => ({ c: true, s: true, r: true }),
};
