/**
 * Terms of a linear problem, taken out one at a time: when a term goes, the others and their covariance follow by a rank-one
 * change. The changes of the covariance are kept back and applied several at a time, which is the same and far kinder to the
 * cache; until then only its diagonal, and the column of the term that goes, are brought up to date.
 */

/** Changes that are applied together. */
const together = 32;

export class Elimination {
	/** How many terms are still there. */
	k: number;
	/** Variances for residuals of unit variance. */
	readonly variance: Float64Array;
	/** Changes kept back, place by place: their products are to be subtracted. */
	readonly #kept: Float64Array;
	#count = 0;

	constructor(
		/** Covariance for residuals of unit variance, n × n; only the lower triangle is used. */
		readonly c: Float64Array,
		readonly values: Float64Array,
		readonly order: number[],
	) {
		this.k = order.length;
		this.variance = Float64Array.from(order, (_, i) => c[i * this.k + i]);
		this.#kept = new Float64Array(this.k * together);
	}

	/** Takes out the term at a place; the last one moves there. True when the changes kept back were applied. */
	takeOut(at: number): boolean {
		const { values, variance, order } = this;
		const column = this.#column(at);
		const pivot = variance[at];
		const own = values[at];
		const end = --this.k;
		this.#moveLastTo(at, end);
		column[at] = column[end];
		values[at] = values[end];
		variance[at] = variance[end];
		order[at] = order[end];
		const root = Math.sqrt(pivot);
		const kept = this.#kept;
		const slot = this.#count++;
		for (let i = 0; i < end; i++) {
			const share = column[i] / root;
			kept[i * together + slot] = share;
			variance[i] -= share * share;
			values[i] -= (column[i] / pivot) * own;
		}
		if (this.#count < together) return false;
		this.#apply();
		return true;
	}

	/** A column as it is now. */
	#column(at: number): Float64Array {
		const { c, k } = this;
		const n = this.values.length;
		const kept = this.#kept;
		const column = new Float64Array(k);
		for (let i = 0; i < at; i++) column[i] = c[at * n + i];
		for (let i = at; i < k; i++) column[i] = c[i * n + at];
		for (let i = 0; i < k; i++) {
			let sum = 0;
			for (let m = 0; m < this.#count; m++) sum += kept[i * together + m] * kept[at * together + m];
			column[i] -= sum;
		}
		return column;
	}

	#moveLastTo(at: number, end: number): void {
		const { c } = this;
		const n = this.values.length;
		for (let j = 0; j < at; j++) c[at * n + j] = c[end * n + j];
		c[at * n + at] = c[end * n + end];
		for (let i = at + 1; i < end; i++) c[i * n + at] = c[end * n + i];
		this.#kept.copyWithin(at * together, end * together, (end + 1) * together);
	}

	/** Lower triangle of the covariance, two rows and two columns at a time. */
	#apply(): void {
		const { c, k } = this;
		const n = this.values.length;
		const v = this.#kept;
		for (let i = 0; i < k; i += 2) {
			const p = i * together;
			const q = i + 1 < k ? p + together : p;
			for (let j = 0; j <= i; j += 2) {
				const r = j * together;
				const s = j + 1 < k ? r + together : r;
				let pr = 0;
				let ps = 0;
				let qr = 0;
				let qs = 0;
				for (let m = 0; m < together; m++) {
					pr += v[p + m] * v[r + m];
					ps += v[p + m] * v[s + m];
					qr += v[q + m] * v[r + m];
					qs += v[q + m] * v[s + m];
				}
				c[i * n + j] -= pr;
				if (j + 1 <= i) c[i * n + j + 1] -= ps;
				if (i + 1 < k) {
					c[(i + 1) * n + j] -= qr;
					c[(i + 1) * n + j + 1] -= qs;
				}
			}
		}
		this.#count = 0;
	}
}
