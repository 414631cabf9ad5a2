/**
 * Polynomials on parts of their domain: P(a + b·ζ) with |a_v| + |b_v| <= 1 for each variable, as coefficients in ζ. On a small
 * part the linear terms dominate, so this centred form bounds the range closely.
 *
 * Rounding. The shifted coefficients are sums of c_j·C(j, k)·a^(j-k)·b^k, each with at most 3·order roundings a variable.
 * Their magnitudes sum up to at most Σ|c_j|·(|a| + |b|)^j <= |c|, so the sum of all errors is within
 * nVars·(3·order + 3)·2^-53·|c|. `a` and `b` may be off by 2^-50, which moves the value by at most nVars·order·2^-49·|c|.
 */
import type { Monomials } from "./monomials.ts";

const U = 2 ** -53;
const chains = new WeakMap<Monomials, Int32Array[]>();

/** For each variable the pairs (monomial, monomial·ζ_v), by falling power of ζ_v. */
export function raises(table: Monomials): Int32Array[] {
	const known = chains.get(table);
	if (known) return known;
	const made = Array.from({ length: table.nVars }, (_, v) => {
		const pairs: number[][] = [];
		for (let m = 0; m < table.length; m++) {
			const up = table.order > 0 ? table.product[m * table.length + table.linear[v]] : -1;
			if (up >= 0) pairs.push([m, up, table.exponent(m, v)]);
		}
		pairs.sort((p, q) => q[2] - p[2]);
		return Int32Array.from(pairs.flat());
	});
	chains.set(table, made);
	return made;
}

/** In place: c(ζ) becomes c(a + bζ). Returns a bound of the error that this makes anywhere in the domain. */
export function shiftPolynomial(
	c: Float64Array,
	table: Monomials,
	a: ArrayLike<number>,
	b: ArrayLike<number>,
): number {
	const { nVars, order, length } = table;
	const error = shiftError(c, table);
	const pairs = raises(table);
	for (let v = 0; v < nVars; v++) {
		const shift = a[v];
		const list = pairs[v];
		if (shift !== 0)
			for (let i = 0; i < order; i++)
				for (let k = 0; k < list.length; k += 3) if (list[k + 2] >= i) c[list[k]] += shift * c[list[k + 1]];
		if (b[v] !== 1)
			for (let m = 0; m < length; m++) {
				const power = table.exponent(m, v);
				for (let i = 0; i < power; i++) c[m] *= b[v];
			}
	}
	return error;
}

/** A bound of the error that any shift of these coefficients makes. */
export function shiftError(c: Float64Array, { nVars, order, length }: Monomials): number {
	let norm = 0;
	for (let m = 0; m < length; m++) norm += Math.abs(c[m]);
	return norm === 0 ? 0 : norm * nVars * (20 * order + 8) * U + 1e-300;
}

/**
 * Bounds of a polynomial on the unit box without its constant and linear terms, into out[0..1]: what is left when it is
 * taken for linear.
 */
export function nonlinearBounds(out: Float64Array, c: Float64Array, table: Monomials): void {
	let lo = 0;
	let hi = 0;
	for (let m = table.nVars + 1; m < table.length; m++) {
		const x = c[m];
		if (table.even[m] === 1) {
			if (x > 0) hi += x;
			else lo += x;
		} else {
			const size = Math.abs(x);
			hi += size;
			lo -= size;
		}
	}
	const up = 1 + 2 ** -40;
	out[0] = lo * up;
	out[1] = hi * up;
}
