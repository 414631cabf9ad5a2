/**
 * An orthogonal basis that begins with given columns: Q = H₁ H₂ … of Householder reflections, kept as such. Its first
 * columns span those of P; the others are contrasts, which no combination of the columns of P can change.
 *
 * Reference: Golub, Van Loan, Matrix Computations, section 5.2.
 */

export class Reflections {
	/** Columns that were independent of those before them, in their order. */
	readonly kept: readonly number[];
	/** R of P[:, kept] = Q R: row-major, rank × rank, upper. */
	readonly r: Float64Array;
	readonly rank: number;
	readonly #vectors: Float64Array[] = [];
	readonly #betas: number[] = [];

	/** `p` is row-major n × m. A column that the ones before it explain up to `tolerance` of its length is left out. */
	constructor(
		p: Float64Array,
		readonly n: number,
		m: number,
		tolerance = 1e-10,
	) {
		const kept: number[] = [];
		const columns: Float64Array[] = [];
		for (let j = 0; j < m && kept.length < n; j++) {
			const column = Float64Array.from({ length: n }, (_, i) => p[i * m + j]);
			const length = norm(column, 0);
			this.applyTransposeInto(column);
			const k = kept.length;
			const rest = norm(column, k);
			if (!(rest > tolerance * length)) continue;
			const alpha = column[k] > 0 ? -rest : rest;
			const v = column.slice();
			v.fill(0, 0, k);
			v[k] -= alpha;
			this.#vectors.push(v);
			this.#betas.push(-alpha * v[k]);
			column[k] = alpha;
			columns.push(column);
			kept.push(j);
		}
		this.kept = kept;
		this.rank = kept.length;
		this.r = new Float64Array(this.rank * this.rank);
		for (let j = 0; j < this.rank; j++)
			for (let i = 0; i <= j; i++) this.r[i * this.rank + j] = columns[j][i];
	}

	/** x = Qᵀ x. */
	applyTransposeInto(x: Float64Array): void {
		for (let k = 0; k < this.#vectors.length; k++) this.#reflect(x, k);
	}
	/** x = Q x. */
	applyInto(x: Float64Array): void {
		for (let k = this.#vectors.length - 1; k >= 0; k--) this.#reflect(x, k);
	}

	/** A = Qᵀ A Q for a symmetric row-major n × n matrix. */
	congruenceInto(a: Float64Array): void {
		const { n } = this;
		const w = new Float64Array(n);
		for (let k = 0; k < this.#vectors.length; k++) {
			// H A H with H = I - v vᵀ/β:  A - v wᵀ - w vᵀ,  w = A v/β - v (vᵀ A v)/(2 β²).
			const v = this.#vectors[k];
			const beta = this.#betas[k];
			let quadratic = 0;
			for (let i = 0; i < n; i++) {
				let sum = 0;
				for (let j = k; j < n; j++) sum += a[i * n + j] * v[j];
				w[i] = sum / beta;
				quadratic += w[i] * v[i];
			}
			const half = quadratic / (2 * beta);
			for (let i = 0; i < n; i++) w[i] -= half * v[i];
			for (let i = 0; i < n; i++) {
				const vi = v[i];
				const wi = w[i];
				const row = i * n;
				for (let j = 0; j < n; j++) a[row + j] -= vi * w[j] + wi * v[j];
			}
		}
	}

	/** x[0..rank) = R⁻¹ x[0..rank). */
	solveInto(x: Float64Array): void {
		const { rank, r } = this;
		for (let i = rank - 1; i >= 0; i--) {
			let sum = x[i];
			for (let j = i + 1; j < rank; j++) sum -= r[i * rank + j] * x[j];
			x[i] = sum / r[i * rank + i];
		}
	}
	/** x[0..rank) = R⁻ᵀ x[0..rank). */
	solveTransposeInto(x: Float64Array): void {
		const { rank, r } = this;
		for (let i = 0; i < rank; i++) {
			let sum = x[i];
			for (let j = 0; j < i; j++) sum -= r[j * rank + i] * x[j];
			x[i] = sum / r[i * rank + i];
		}
	}

	#reflect(x: Float64Array, k: number): void {
		const v = this.#vectors[k];
		let dot = 0;
		for (let i = k; i < this.n; i++) dot += v[i] * x[i];
		const scale = dot / this.#betas[k];
		for (let i = k; i < this.n; i++) x[i] -= scale * v[i];
	}
}

function norm(x: Float64Array, from: number): number {
	let sum = 0;
	for (let i = from; i < x.length; i++) sum += x[i] * x[i];
	return Math.sqrt(sum);
}
