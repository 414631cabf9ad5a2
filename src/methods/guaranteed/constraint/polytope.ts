/**
 * The least box around a polytope, from outside: |ζ_v| <= 1, and rows Σ_v a_v·ζ_v in [lo, hi], one for each datum. Unknowns that act on outputs together are narrowed by no
 * row alone, but by all of them at once. The linear programs are solved by the dual simplex method in plain floating point; what it finds are
 * multipliers of the rows, and with any multipliers λ
 *
 *   ζ_k = Σ_i λ_i·(a_i·ζ) + (e_k - Σ_i λ_i·a_i)·ζ >= Σ_i min(λ_i·lo_i, λ_i·hi_i) - Σ_v |e_k - Σ_i λ_i·a_i|_v,
 *
 * which is evaluated outward [neumaier2004]. Nothing depends on the simplex method being right.
 */
const U = 2 ** -53;
/** Pivots for one end: what is known by then holds. */
const mostPivots = 40;
/** Rows and columns closer to 0 than this are not divided by. */
const tiny = 1e-9;

export class Polytope {
	readonly #n: number;
	#rows = 0;
	/** a_iv at i·n + v. */
	#a = new Float64Array(0);
	#lo = new Float64Array(0);
	#hi = new Float64Array(0);
	/** The dictionary: basic quantity i is Σ_j D_ij·(nonbasic quantity j); quantities below `rows` are rows, others are unknowns. */
	#D = new Float64Array(0);
	#basic = new Int32Array(0);
	readonly #nonbasic: Int32Array;
	readonly #at: Float64Array;
	readonly #cost: Float64Array;
	readonly #residual: Float64Array;

	constructor(nVars: number) {
		this.#n = nVars;
		this.#nonbasic = new Int32Array(nVars);
		this.#at = new Float64Array(nVars);
		this.#cost = new Float64Array(nVars);
		this.#residual = new Float64Array(nVars);
	}

	/** Room for so many rows, none of them set. */
	clear(most: number): void {
		this.#rows = 0;
		if (this.#lo.length >= most) return;
		this.#a = new Float64Array(most * this.#n);
		this.#lo = new Float64Array(most);
		this.#hi = new Float64Array(most);
		this.#D = new Float64Array(most * this.#n);
		this.#basic = new Int32Array(most);
	}

	/** Σ slopes_v·ζ_(variables_v) is in [lo, hi]. */
	add(variables: ArrayLike<number>, slopes: ArrayLike<number>, lo: number, hi: number): void {
		const n = this.#n;
		const i = this.#rows;
		let size = 0;
		for (let v = 0; v < variables.length; v++) size += Math.abs(slopes[v]);
		// A row that every point of the box meets says nothing.
		if (!(size > 0 && size < 1e150) || (lo <= -size && hi >= size)) return;
		this.#a.fill(0, i * n, (i + 1) * n);
		for (let v = 0; v < variables.length; v++) this.#a[i * n + variables[v]] = slopes[v];
		this.#lo[i] = Math.max(lo, -2 * size);
		this.#hi[i] = Math.min(hi, 2 * size);
		this.#rows++;
	}

	get rows(): number {
		return this.#rows;
	}

	/** A number that no ζ_k·side of the polytope is below; infinite where it is empty. */
	least(k: number, side: -1 | 1): number {
		this.#begin(k, side);
		for (let pivot = 0; pivot < mostPivots; pivot++) {
			const row = this.#mostViolated();
			if (row < 0) break;
			const entering = this.#entering(row);
			if (entering < 0) {
				if (this.#isEmpty(row)) return Number.POSITIVE_INFINITY;
				break;
			}
			this.#pivot(row, entering);
		}
		return this.#safe(k, side);
	}

	/** All unknowns are nonbasic, ζ_k at its least. */
	#begin(k: number, side: -1 | 1): void {
		const n = this.#n;
		this.#D.set(this.#a.subarray(0, this.#rows * n));
		for (let i = 0; i < this.#rows; i++) this.#basic[i] = i;
		for (let v = 0; v < n; v++) {
			this.#nonbasic[v] = this.#rows + v;
			this.#at[v] = -1;
			this.#cost[v] = 0;
		}
		this.#at[k] = -side;
		this.#cost[k] = side;
	}

	#lower(quantity: number): number {
		return quantity < this.#rows ? this.#lo[quantity] : -1;
	}

	#upper(quantity: number): number {
		return quantity < this.#rows ? this.#hi[quantity] : 1;
	}

	#value(i: number): number {
		let sum = 0;
		for (let j = 0; j < this.#n; j++) sum += this.#D[i * this.#n + j] * this.#at[j];
		return sum;
	}

	#mostViolated(): number {
		let found = -1;
		let most = 1e-9;
		for (let i = 0; i < this.#rows; i++) {
			const value = this.#value(i);
			const lower = this.#lower(this.#basic[i]);
			const upper = this.#upper(this.#basic[i]);
			const far =
				Math.max(lower - value, value - upper) / (upper - lower + Math.abs(lower) + Math.abs(upper));
			if (far > most) [found, most] = [i, far];
		}
		return found;
	}

	/** Which nonbasic quantity moves to mend a row, so that all costs keep their signs; -1 where none can. */
	#entering(row: number): number {
		const n = this.#n;
		const rises = this.#value(row) < this.#lower(this.#basic[row]);
		let found = -1;
		let least = Number.POSITIVE_INFINITY;
		let size = 0;
		for (let j = 0; j < n; j++) {
			const d = this.#D[row * n + j];
			const isLow = this.#at[j] === this.#lower(this.#nonbasic[j]);
			const lower = this.#lower(this.#nonbasic[j]);
			if (!(Math.abs(d) > tiny) || lower === this.#upper(this.#nonbasic[j])) continue;
			// From its lower end a quantity only rises, from its upper end it only falls.
			const raises = isLow === d > 0;
			if (raises !== rises) continue;
			const ratio = Math.abs(this.#cost[j] / d);
			if (ratio < least || (ratio === least && Math.abs(d) > size))
				[found, least, size] = [j, ratio, Math.abs(d)];
		}
		return found;
	}

	/** The row's quantity goes to the end that it violates, and out of the basis; the other comes in. */
	#pivot(row: number, entering: number): void {
		const n = this.#n;
		const D = this.#D;
		const quantity = this.#basic[row];
		const end = this.#value(row) < this.#lower(quantity) ? this.#lower(quantity) : this.#upper(quantity);
		const d = D[row * n + entering];
		for (let j = 0; j < n; j++) D[row * n + j] = j === entering ? 1 / d : -D[row * n + j] / d;
		for (let i = 0; i <= this.#rows; i++) {
			if (i === row) continue;
			const target = i === this.#rows ? this.#cost : D;
			const at = i === this.#rows ? 0 : i * n;
			const factor = target[at + entering];
			if (factor === 0) continue;
			for (let j = 0; j < n; j++)
				if (j === entering) target[at + j] = factor * D[row * n + j];
				else target[at + j] += factor * D[row * n + j];
		}
		this.#basic[row] = this.#nonbasic[entering];
		this.#nonbasic[entering] = quantity;
		this.#at[entering] = end;
	}

	/** The bound that the multipliers of the nonbasic rows prove. */
	#safe(k: number, side: -1 | 1): number {
		const { value, size } = this.#combined((j) => this.#cost[j]);
		const residual = this.#residual;
		let sum = value;
		let all = size + 1;
		for (let v = 0; v < this.#n; v++) {
			const left = Math.abs((v === k ? side : 0) - residual[v]);
			sum -= left;
			all += left;
		}
		// No number narrows nothing.
		return Math.max(sum - all * (8 * this.#n + 32) * U, -1);
	}

	/** Whether a row cannot be mended, whatever the others are: what all rows say together is outside of what the box allows. */
	#isEmpty(row: number): boolean {
		const n = this.#n;
		const quantity = this.#basic[row];
		const sign = this.#value(row) < this.#lower(quantity) ? 1 : -1;
		// Rows as multipliers: sign·(row - Σ_j D_j·(row j)) is at least what their ends say.
		const own = quantity < this.#rows ? quantity : -1;
		const { value, size } = this.#combined((j) => -sign * this.#D[row * n + j], own, sign);
		let most = 0;
		let all = size;
		for (let v = 0; v < n; v++) {
			most += Math.abs(this.#residual[v]);
			all += Math.abs(this.#residual[v]);
		}
		return value - most > (all + 1e-300) * (8 * n + 32) * U;
	}

	/** What rows times multipliers say at least, and their slopes in `#residual`; the size of all terms. */
	#combined(multiplier: (j: number) => number, own = -1, factor = 0): { value: number; size: number } {
		const n = this.#n;
		const residual = this.#residual;
		residual.fill(0);
		let value = 0;
		let size = 0;
		const take = (i: number, times: number): void => {
			const least = times > 0 ? times * this.#lo[i] : times * this.#hi[i];
			value += least;
			size += Math.abs(least);
			for (let v = 0; v < n; v++) {
				const part = times * this.#a[i * n + v];
				residual[v] += part;
				size += Math.abs(part);
			}
		};
		if (own >= 0) take(own, factor);
		for (let j = 0; j < n; j++) {
			const i = this.#nonbasic[j];
			const times = i < this.#rows ? multiplier(j) : 0;
			if (times !== 0) take(i, times);
		}
		return { value, size };
	}
}
