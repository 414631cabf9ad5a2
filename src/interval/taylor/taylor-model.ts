/**
 * Taylor models: a polynomial with floating-point coefficients in variables of [-1, 1] and in the time of a step, s in
 * [0, 1], and a radius r that bounds everything else: a function g is in the model when |g(ζ, s) - P(ζ, s)| <= r all
 * over the domain [makino2003]. Degrees are bounded apart: `order` in ζ, `timeOrder` in s.
 *
 * Rounding. Sums of non-negative terms with at most 2^12 roundings are multiplied by UP = 1 + 2^-40, which exceeds
 * (1 + 2^-53)^(2^12); longer ones by a factor made for their length. A coefficient that is the sum of n products is off by at most
 * (n + 1)·2^-53·(1 + 2^-40) times the sum of the products' magnitudes; over all coefficients these sum up to at most
 * |A|·|B|, with |·| the sum of the magnitudes of the coefficients. Underflow is covered by LEAST.
 */
import { interval } from "../interval.ts";
import { type Monomials, monomials } from "./monomials.ts";

const U = 2 ** -53;
/** Covers underflow of up to 10^20 products. */
const LEAST = 1e-300;

export class TaylorModel {
	/** Coefficient of s^k ζ^m at k·M + m. */
	readonly c: Float64Array;
	r = 0;
	/** Above this power of s all coefficients are 0. */
	top = 0;
	constructor(size: number) {
		this.c = new Float64Array(size);
	}
}

export class TaylorSpace {
	readonly table: Monomials;
	/** Monomials in ζ. */
	readonly M: number;
	readonly size: number;
	/** Covers the roundings of a sum over all coefficients. */
	readonly up: number;
	readonly #normA: Float64Array;
	readonly #normB: Float64Array;
	readonly #tailB: Float64Array;
	readonly #rowB: Float64Array;
	readonly #product: Float64Array;

	constructor(
		readonly nVars: number,
		readonly order: number,
		readonly timeOrder: number,
	) {
		this.table = monomials(nVars, order);
		this.M = this.table.length;
		this.size = this.M * (timeOrder + 1);
		this.up = 1 + 2 ** -40 + 4 * this.size * U;
		const groups = (timeOrder + 1) * (order + 1);
		this.#normA = new Float64Array(groups);
		this.#normB = new Float64Array(groups);
		this.#tailB = new Float64Array(groups);
		this.#rowB = new Float64Array(timeOrder + 1);
		this.#product = new Float64Array(this.size);
	}

	model(): TaylorModel {
		return new TaylorModel(this.size);
	}

	/** Upper bound of |P|: the sum of the magnitudes of all coefficients. */
	norm(a: TaylorModel): number {
		let sum = 0;
		const end = (a.top + 1) * this.M;
		for (let i = 0; i < end; i++) sum += Math.abs(a.c[i]);
		return sum * this.up;
	}

	/** Upper bound of |g| for all g of the model. */
	mag(a: TaylorModel): number {
		return (this.norm(a) + a.r) * this.up;
	}

	copyInto(out: TaylorModel, a: TaylorModel): void {
		out.c.set(a.c);
		out.r = a.r;
		out.top = a.top;
	}

	constantInto(out: TaylorModel, lo: number, hi: number): void {
		// A radius below 0 would make every later bound false.
		if (lo > hi) interval(lo, hi);
		out.c.fill(0);
		const middle = lo === hi ? lo : lo / 2 + hi / 2;
		out.c[0] = middle;
		out.r = lo === hi ? 0 : Math.max(hi - middle, middle - lo) * this.up + LEAST;
		out.top = 0;
	}

	/** All numbers of [lo, hi], as variable v. */
	variableInto(out: TaylorModel, v: number, lo: number, hi: number): void {
		interval(lo, hi);
		this.constantInto(out, lo, hi);
		if (this.order === 0 || lo === hi) return;
		// The radius becomes the coefficient of ζ_v: it covers both ends.
		out.c[this.table.linear[v]] = out.r;
		out.r = 0;
	}

	addInto(out: TaylorModel, a: TaylorModel, b: TaylorModel): void {
		const top = Math.max(a.top, b.top);
		const end = (top + 1) * this.M;
		let sum = 0;
		for (let i = 0; i < end; i++) {
			const value = a.c[i] + b.c[i];
			out.c[i] = value;
			sum += Math.abs(value);
		}
		for (let i = end; i < (out.top + 1) * this.M; i++) out.c[i] = 0;
		out.r = (a.r + b.r + sum * U) * this.up;
		out.top = top;
	}

	/** All products with a number of [lo, hi]. */
	scaleInto(out: TaylorModel, a: TaylorModel, lo: number, hi: number): void {
		const middle = lo === hi ? lo : lo / 2 + hi / 2;
		const rad = lo === hi ? 0 : Math.max(hi - middle, middle - lo) * this.up;
		const mag = Math.max(Math.abs(lo), Math.abs(hi));
		let sum = 0;
		const end = (a.top + 1) * this.M;
		const norm = rad > 0 ? this.norm(a) : 0;
		for (let i = 0; i < end; i++) {
			const value = a.c[i] * middle;
			out.c[i] = value;
			sum += Math.abs(value);
		}
		for (let i = end; i < (out.top + 1) * this.M; i++) out.c[i] = 0;
		out.top = a.top;
		out.r = middle === 0 && rad === 0 ? 0 : (a.r * mag + rad * norm + sum * U + LEAST) * this.up;
	}

	/** All products. `out` may be an operand. */
	mulInto(out: TaylorModel, a: TaylorModel, b: TaylorModel): void {
		const { M, order, timeOrder } = this;
		const { product, degree, upTo } = this.table;
		const p = this.#product;
		const top = Math.min(a.top + b.top, timeOrder);
		p.fill(0, 0, (top + 1) * M);
		const normA = this.#groups(this.#normA, a);
		const normB = this.#groups(this.#normB, b);
		const both = normA * normB;
		const rows = this.#rows(b.top);
		// Products that are small beside the roundings of the others join the radius.
		const least = both * U * 2 ** -8;
		let swept = 0;
		for (let i = 0; i <= a.top; i++) {
			const jEnd = Math.min(b.top, timeOrder - i);
			for (let m = 0; m < M; m++) {
				const x = a.c[i * M + m];
				if (x === 0) continue;
				const size = Math.abs(x);
				const nEnd = upTo[order - degree[m]];
				const row = m * M;
				for (let j = 0; j <= jEnd; j++) {
					const whole = size * rows[j];
					if (whole <= least) {
						swept += whole;
						continue;
					}
					const from = j * M;
					const to = (i + j) * M;
					for (let n = 0; n < nEnd; n++) p[to + product[row + n]] += x * b.c[from + n];
				}
			}
		}
		const dropped = this.#dropped(a.top, b.top);
		const terms = (Math.min(a.top, b.top) + 1) * M;
		const r = a.r * normB + b.r * normA + a.r * b.r + dropped + swept * this.up + both * (terms + 2) * U;
		for (let i = 0; i < (top + 1) * M; i++) out.c[i] = p[i];
		for (let i = (top + 1) * M; i < (out.top + 1) * M; i++) out.c[i] = 0;
		out.top = top;
		// Exactly 0 stays; a product that underflows does not become it.
		const zero = (normA === 0 && a.r === 0) || (normB === 0 && b.r === 0);
		out.r = zero ? 0 : r * this.up + LEAST;
	}

	/** Magnitudes of the coefficients by power of s and degree in ζ; returns the bound of their sum. */
	#groups(out: Float64Array, a: TaylorModel): number {
		const { M, order } = this;
		const { degree } = this.table;
		out.fill(0);
		let sum = 0;
		for (let k = 0; k <= a.top; k++)
			for (let m = 0; m < M; m++) {
				const size = Math.abs(a.c[k * M + m]);
				out[k * (order + 1) + degree[m]] += size;
				sum += size;
			}
		return sum * this.up;
	}

	/** Magnitudes of all coefficients of each power of s, of the groups of the second factor; not rounded upward. */
	#rows(top: number): Float64Array {
		const width = this.order + 1;
		const row = this.#rowB;
		for (let k = 0; k <= top; k++) {
			let sum = 0;
			for (let d = 0; d < width; d++) sum += this.#normB[k * width + d];
			row[k] = sum;
		}
		return row;
	}

	/** Bound of the products beyond the orders. */
	#dropped(topA: number, topB: number): number {
		const { order, timeOrder } = this;
		const width = order + 1;
		const A = this.#normA;
		const B = this.#normB;
		const tail = this.#tailB;
		const row = this.#rowB;
		for (let j = 0; j <= topB; j++) {
			// tail[j][d]: the terms of degree above order - d.
			let sum = 0;
			for (let d = 0; d < width; d++) {
				tail[j * width + d] = sum;
				sum += B[j * width + order - d];
			}
			row[j] = sum;
		}
		let dropped = 0;
		for (let i = 0; i <= topA; i++)
			for (let d = 0; d < width; d++) {
				const size = A[i * width + d];
				if (size === 0) continue;
				let beyond = 0;
				for (let j = 0; j <= topB; j++) beyond += j > timeOrder - i ? row[j] : tail[j * width + d];
				dropped += size * beyond;
			}
		return dropped * this.up;
	}

	/** h·∫ a ds for a number h of [lo, hi], from s = 0 on. */
	integrateInto(out: TaylorModel, a: TaylorModel, lo: number, hi: number): void {
		const { M, timeOrder } = this;
		const h = lo / 2 + hi / 2;
		const mag = Math.max(Math.abs(lo), Math.abs(hi));
		const rad = Math.max(hi - h, h - lo) * this.up;
		const norm = this.norm(a);
		let lost = 0;
		if (a.top === timeOrder) for (let m = 0; m < M; m++) lost += Math.abs(a.c[timeOrder * M + m]);
		const top = Math.min(a.top + 1, timeOrder);
		for (let k = top; k >= 1; k--)
			for (let m = 0; m < M; m++) out.c[k * M + m] = (a.c[(k - 1) * M + m] * h) / k;
		for (let m = 0; m < M; m++) out.c[m] = 0;
		for (let i = (top + 1) * M; i < (out.top + 1) * M; i++) out.c[i] = 0;
		out.top = top;
		out.r = (a.r * mag + norm * rad + (lost * mag) / (timeOrder + 1) + norm * mag * 3 * U) * this.up + LEAST;
	}

	/** Bounds of all values, at s in [0, 1]: out[o], out[o + 1]. */
	boundsInto(out: Float64Array, o: number, a: TaylorModel): void {
		const { M } = this;
		const { even } = this.table;
		let lo = 0;
		let hi = 0;
		for (let k = 0; k <= a.top; k++)
			for (let m = k === 0 ? 1 : 0; m < M; m++) {
				const x = a.c[k * M + m];
				if (even[m] === 1) {
					if (x > 0) hi += x;
					else lo += x;
				} else {
					const size = Math.abs(x);
					hi += size;
					lo -= size;
				}
			}
		const c0 = a.c[0];
		lo = (lo - a.r) * this.up - LEAST;
		hi = (hi + a.r) * this.up + LEAST;
		out[o] = c0 + lo - (Math.abs(c0) - lo) * 4 * U;
		out[o + 1] = c0 + hi + (Math.abs(c0) + hi) * 4 * U;
	}

	/** The model at s = 1, as one of the same space without time. */
	endInto(out: TaylorModel, a: TaylorModel): void {
		const { M } = this;
		const norm = this.norm(a);
		for (let m = 0; m < M; m++) {
			let sum = 0;
			for (let k = a.top; k >= 0; k--) sum += a.c[k * M + m];
			out.c[m] = sum;
		}
		for (let i = M; i < (out.top + 1) * M; i++) out.c[i] = 0;
		out.top = 0;
		out.r = (a.r + norm * (a.top + 1) * U) * this.up;
	}
}
