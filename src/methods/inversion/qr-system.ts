/** The same damped step as `DampedSystem`, without singular values: for the many short refits of selection. */
import { solveTriangleInto, triangulateInto } from "../../num/householder.ts";
import type { LinearSystem } from "./descent.ts";

export class QrSystem implements LinearSystem {
	readonly #r: Float64Array;
	readonly #qtb: Float64Array;

	/** `b` is m × n, row-major; both are kept as they are. */
	constructor(
		b: Float64Array,
		residual: Float64Array,
		readonly m: number,
		readonly n: number,
	) {
		const columns = new Float64Array(m * n);
		for (let i = 0, at = 0; i < m; i++) for (let j = 0; j < n; j++) columns[j * m + i] = b[at++];
		const right = residual.slice();
		triangulateInto(columns, m, right, m, n);
		this.#r = new Float64Array(n * n);
		for (let j = 0; j < n; j++)
			for (let i = 0; i <= Math.min(j, m - 1); i++) this.#r[j * n + i] = columns[j * m + i];
		this.#qtb = right.slice(0, n);
	}

	/** Minimum of |R s - Qᵀr|² + λ² |s|². */
	step(lambda: number): Float64Array {
		const { n } = this;
		const rows = 2 * n;
		const columns = new Float64Array(rows * n);
		for (let j = 0; j < n; j++) {
			columns.set(this.#r.subarray(j * n, j * n + j + 1), j * rows);
			columns[j * rows + n + j] = lambda;
		}
		const right = new Float64Array(rows);
		right.set(this.#qtb);
		triangulateInto(columns, rows, right, rows, n);
		const step = right.slice(0, n);
		solveTriangleInto(step, columns, rows, n);
		return step;
	}
}
