/** Matrices of the checker: rows of doubles or of bounds. */
import { add, type Bounds, middle, multiply, nothing, point, size, subtract } from "./bounds.ts";

export type Doubles = readonly (readonly number[])[];
export type Matrix = readonly (readonly Bounds[])[];

export const inBounds = (a: Doubles): Matrix => a.map((row) => row.map(point));
export const middles = (a: Matrix): number[][] => a.map((row) => row.map(middle));
export const transposed = (a: Doubles): number[][] => a[0].map((_, j) => a.map((row) => row[j]));

export function applied(a: Matrix, v: readonly Bounds[]): Bounds[] {
	return a.map((row) => row.reduce((sum, each, j) => add(sum, multiply(each, v[j])), nothing));
}

export function product(a: Matrix, b: Matrix): Bounds[][] {
	return a.map((row) =>
		(b[0] ?? []).map((_, j) => row.reduce((sum, each, k) => add(sum, multiply(each, b[k][j])), nothing)),
	);
}

export const sums = (a: readonly Bounds[], b: readonly Bounds[]): Bounds[] => a.map((x, i) => add(x, b[i]));
export const differences = (a: Matrix, b: Doubles): Bounds[][] =>
	a.map((row, i) => row.map((x, j) => subtract(x, point(b[i][j]))));

/** Columns at about right angles that follow those of a matrix, the one with the greatest weight first. */
export function directions(a: Doubles, weights: readonly number[]): number[][] {
	const n = a.length;
	const given = transposed(a).map((column, j) => column.map((value) => value * weights[j]));
	const square = (v: readonly number[]): number => v.reduce((sum, value) => sum + value * value, 0);
	given.sort((p, q) => square(q) - square(p));
	const axes = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, k) => (k === i ? 1 : 0)));
	const found: number[][] = [];
	for (const candidate of [...given, ...axes]) {
		if (found.length === n) break;
		const whole = square(candidate);
		let rest = candidate;
		for (let twice = 0; twice < 2; twice++)
			for (const own of found) {
				const along = own.reduce((sum, value, k) => sum + value * rest[k], 0);
				rest = rest.map((value, k) => value - along * own[k]);
			}
		const left = square(rest);
		if (left > 1e-12 * whole) found.push(rest.map((value) => value / Math.sqrt(left)));
	}
	return transposed(found);
}

/** Times the inverse of Q, whose columns are at about right angles: QᵀQ = I - G, so that the inverse is Qᵀ + GQᵀ + …; nothing where they are not. */
export class Inverse {
	readonly #transposed: Matrix;
	readonly #share: number;

	constructor(q: Doubles) {
		this.#transposed = inBounds(transposed(q));
		const near = product(this.#transposed, inBounds(q));
		const off = Math.max(
			...near.map((row, i) =>
				row.reduce((sum, each, j) => sum + size(subtract(each, point(i === j ? 1 : 0))), 0),
			),
		);
		// Sums of few small numbers: twice as much is surely enough.
		this.#share = off < 0.01 ? 4 * off : Number.NaN;
	}

	times(v: readonly Bounds[]): Bounds[] {
		const turned = applied(this.#transposed, v);
		const most = this.#share * Math.max(...turned.map(size));
		return turned.map((each) => add(each, { lo: -most, hi: most }));
	}
}
