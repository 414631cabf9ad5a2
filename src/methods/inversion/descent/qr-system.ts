/** The same damped step as `DampedSystem`, without singular values: for the many short refits of selection. */
import { solveTriangleInto, triangulateInto } from "../../../num/linear/householder.ts";
import { triangulateDampedInto } from "./damped-triangle.ts";
import type { LinearSystem } from "./descent.ts";
import type { Triangle } from "./linear-fit.ts";

/** From a triangle R (column by column) and Qᵀr. */
export class TriangleSystem implements LinearSystem, Triangle {
	readonly #reach: Int32Array;

	constructor(
		readonly triangle: Float64Array,
		readonly right: Float64Array,
		readonly n: number,
	) {
		this.#reach = Int32Array.from({ length: n }, (_, j) => j);
	}

	/** How much the sum of squares would fall by the undamped step, were the model linear. */
	get promised(): number {
		return this.right.reduce((sum, value) => sum + value * value, 0);
	}

	/** Minimum of |R s - Qᵀr|² + λ² |s|². */
	step(lambda: number): Float64Array {
		const { n } = this;
		const r = this.triangle.slice();
		const diagonal = new Float64Array(n * n);
		for (let j = 0; j < n; j++) diagonal[j * n + j] = lambda;
		const step = this.right.slice();
		triangulateDampedInto(r, n, this.#reach, diagonal, step, new Float64Array(n), n);
		solveTriangleInto(step, r, n, n);
		return step;
	}
}

export class QrSystem extends TriangleSystem {
	/** `b` is m × n, row-major; both are kept as they are. */
	constructor(b: Float64Array, residual: Float64Array, m: number, n: number) {
		const columns = new Float64Array(m * n);
		for (let i = 0, at = 0; i < m; i++) for (let j = 0; j < n; j++) columns[j * m + i] = b[at++];
		const right = residual.slice();
		triangulateInto(columns, m, right, m, n);
		const r = new Float64Array(n * n);
		for (let j = 0; j < n; j++)
			for (let i = 0; i <= Math.min(j, m - 1); i++) r[j * n + i] = columns[j * m + i];
		super(r, right.slice(0, n), n);
	}
}
