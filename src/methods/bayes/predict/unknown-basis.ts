/**
 * How outputs go along with the unknowns over particles: the part of an output's scatter that is linear in them. Over instants these rows,
 * in spreads of the noise, are what a posterior takes out of residuals: r = (I - BBᵀ)^½ z for sound ones.
 */
import { Reflections } from "../../../num/linear/reflections.ts";

export class UnknownBasis {
	/** Orthonormal columns over the particles: the unknowns without their means. */
	readonly #columns: Float64Array[];

	constructor(
		/** Natural values in columns of n. */
		theta: Float64Array,
		private readonly n: number,
	) {
		const m = theta.length / n;
		const centred = new Float64Array(n * m);
		for (let j = 0; j < m; j++) {
			let mean = 0;
			for (let b = 0; b < n; b++) mean += theta[j * n + b] / n;
			for (let b = 0; b < n; b++) centred[b * m + j] = theta[j * n + b] - mean;
		}
		const basis = new Reflections(centred, n, m);
		this.#columns = Array.from({ length: basis.rank }, (_, j) => {
			const column = new Float64Array(n);
			column[j] = 1;
			basis.applyInto(column);
			return column;
		});
	}

	get rank(): number {
		return this.#columns.length;
	}

	/** Row `s`, from the values of all particles; those that were lost tell nothing. */
	alongInto(out: Float64Array, s: number, value: ArrayLike<number>, from: number, mean: number): void {
		const { n } = this;
		const scale = 1 / Math.sqrt(Math.max(n - 1, 1));
		for (let j = 0; j < this.rank; j++) {
			const column = this.#columns[j];
			let sum = 0;
			for (let b = 0; b < n; b++)
				if (Number.isFinite(value[from + b])) sum += column[b] * (value[from + b] - mean);
			out[s * this.rank + j] = sum * scale;
		}
	}
}
