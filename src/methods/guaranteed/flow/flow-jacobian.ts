/** The Jacobian of the flow over one step, J' = A(t)·J with A(t) anywhere in an interval matrix [lohner1987]. */

import { type MidRad, midRad, midRadAddScaled, midRadMultiply } from "../../../interval/mid-rad.ts";
import { log } from "../../../num/elementary/number.ts";
import { pow2 } from "../../../num/elementary/primitives.ts";
import { identity } from "../../../num/linear/dense.ts";
import { squared } from "../../../num/whole-power.ts";

const U = 2 ** -53;
const UP = 1 + 2 ** -40;

/**
 * Upper bound of exp(|A|h), entry by entry: what |J| can reach during the step. States may be of very different size, so the matrix is balanced
 * first: exp(A) = D exp(D^-1 A D) D^-1, with powers of 2 in D, which round nothing.
 */
export function exponentialBound(mag: Float64Array, n: number, h: number): Float64Array | undefined {
	const scaled = mag.map((value) => value * h * UP);
	if (!scaled.every((value) => value < 1e100)) return undefined;
	const D = balance(scaled, n);
	let norm = 0;
	for (let i = 0; i < n; i++) {
		let row = 0;
		for (let j = 0; j < n; j++) row += scaled[i * n + j];
		norm = Math.max(norm, row * UP);
	}
	if (!(norm < 4)) return undefined;
	const sum = identity(n);
	let term = identity(n);
	let tail = 1;
	for (let k = 1; k <= 16; k++) {
		const next = new Float64Array(n * n);
		for (let i = 0; i < n; i++)
			for (let j = 0; j < n; j++) {
				let value = 0;
				for (let l = 0; l < n; l++) value += term[i * n + l] * scaled[l * n + j];
				next[i * n + j] = (value / k) * UP;
			}
		term = next;
		tail *= (norm / k) * UP;
		for (let i = 0; i < n * n; i++) sum[i] += term[i];
	}
	// Σ_{k>16} norm^k/k! <= norm^16/16!·(norm/17)/(1 - norm/18).
	const rest = ((tail * norm) / 17 / (1 - norm / 18)) * UP + 1e-300;
	return sum.map((value, k) => ((value + rest) * UP * D[Math.floor(k / n)]) / D[k % n] + 1e-300);
}

/** Where nothing balances a row or a column, its sum is brought to this. */
const small = 2 ** -4;

/** Balances a non-negative matrix in place: D^-1 A D; returns D. */
function balance(A: Float64Array, n: number): Float64Array {
	const D = new Float64Array(n).fill(1);
	for (let round = 0; round < 4; round++)
		for (let i = 0; i < n; i++) {
			let row = 0;
			let column = 0;
			for (let j = 0; j < n; j++)
				if (j !== i) {
					row += A[i * n + j];
					column += A[j * n + i];
				}
			if (row === 0 && column === 0) continue;
			const ratio = row === 0 ? squared(small / column) : column === 0 ? squared(row / small) : row / column;
			const exponent = Math.round(log(ratio) / (2 * Math.LN2));
			const factor = pow2(Math.max(-100, Math.min(exponent, 100)));
			if (!(D[i] * factor >= 2 ** -100 && D[i] * factor <= 2 ** 100)) continue;
			D[i] *= factor;
			for (let j = 0; j < n; j++)
				if (j !== i) {
					// What is lost below the least numbers is made up for.
					if (A[j * n + i] > 0) A[j * n + i] = A[j * n + i] * factor + 1e-300;
					if (A[i * n + j] > 0) A[i * n + j] = A[i * n + j] / factor + 1e-300;
				}
		}
	return D;
}

/** Σ_{k<4} (hA)^k/k! + (hA)^4/4!·[J over the step], with J in I ± (growth - I). */
export function flowSeries(A: MidRad, growth: Float64Array, n: number, h: number, hUp: number): MidRad {
	const scaled = midRad(n * n);
	const hRad = Math.abs(hUp - h) * UP;
	for (let i = 0; i < n * n; i++) {
		scaled.mid[i] = A.mid[i] * h;
		scaled.rad[i] =
			(A.rad[i] * hUp + Math.abs(A.mid[i]) * hRad + Math.abs(scaled.mid[i]) * 2 * U) * UP +
			(A.rad[i] === 0 && A.mid[i] === 0 ? 0 : 1e-300);
	}
	const over = midRad(n * n);
	for (let i = 0; i < n; i++)
		for (let j = 0; j < n; j++) {
			over.mid[i * n + j] = i === j ? 1 : 0;
			over.rad[i * n + j] = Math.max(0, (growth[i * n + j] - (i === j ? 1 : 0)) * UP + 4 * U);
		}
	// A(s1)···A(sk) is in the interval product, which is convex, and the simplex of the times has volume h^k/k!.
	let term: MidRad = scaled;
	let sum = midRadAddScaled({ mid: identity(n), rad: new Float64Array(n * n) }, scaled, 1);
	for (let k = 2; k <= 4; k++) {
		term = midRadAddScaled(midRad(n * n), midRadMultiply(scaled, term, n, n, n), 1 / k);
		sum = midRadAddScaled(sum, k < 4 ? term : midRadMultiply(term, over, n, n, n), 1);
	}
	return sum;
}
