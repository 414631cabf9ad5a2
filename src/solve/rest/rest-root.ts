/**
 * The root of a right-hand side near a point, and its derivatives by the implicit function theorem. Sums that are conserved take the place of the
 * equations that follow from the others: N f = 0 everywhere, so N x stays what it is at the start,
 *
 *     f(x) = 0     N x = N x0          f_x S = -f_p     N S = N S0.
 */
import { luFactorInto, luSolveColumnsInto, luSolveInto } from "../../num/linear/lu.ts";
import type { Ivp } from "../ivp.ts";
import type { SensitiveIvp } from "../sensitivity.ts";

/** Beside the terms of a sum, what is left of it is rounding. */
const rounding = 1e-11;
const mostIterations = 12;
const converged = 1e-12;

/** A sum that is conserved, by its weights, and the equation that follows from the others because of it. */
interface Conserved {
	readonly equation: number;
	readonly weights: Float64Array;
}

export type RootIvp = Ivp & Required<Pick<Ivp, "jacobian">>;

export class RestRoot {
	readonly #conserved: readonly Conserved[] | undefined;

	/** `points`: states on the way from the start, which is the first. */
	constructor(
		private readonly ivp: RootIvp,
		private readonly t: number,
		private readonly points: readonly Float64Array[],
	) {
		this.#conserved = this.#conservedSums();
	}

	/** The root that Newton's method finds from `x`; undefined where it finds none. */
	near(x: Float64Array): Float64Array | undefined {
		const { n } = this.ivp;
		const root = x.slice();
		const step = new Float64Array(n);
		for (let k = 0; k < mostIterations; k++) {
			const system = this.#systemAt(root);
			if (!system) return undefined;
			this.ivp.rhs(this.t, root, step);
			for (const { equation, weights } of this.#conserved!)
				step[equation] = sumOf(weights, root, this.points[0]);
			for (let i = 0; i < n; i++) step[i] *= -system.scale[i];
			luSolveInto(step, system.lu, system.pivots, n);
			let length = 0;
			for (let i = 0; i < n; i++) {
				root[i] += step[i];
				const size = Math.abs(step[i]) / (Math.abs(root[i]) + 1e-100);
				// What has come to nothing has no relative size.
				if (!(Math.abs(root[i]) <= 1e-200)) length = Math.max(length, size);
			}
			if (!root.every(Number.isFinite)) return undefined;
			if (length <= converged) return root;
		}
		return undefined;
	}

	/** Derivatives of the root, row-major as S0; undefined where they are not determined by it. */
	sensitivities(ivp: SensitiveIvp, root: Float64Array, S0: Float64Array): Float64Array | undefined {
		const { n, nParams } = ivp;
		const nColumns = S0.length / n;
		const system = this.#systemAt(root);
		if (!system || !this.#areFixed(ivp)) return undefined;
		const fp = new Float64Array(n * nParams);
		ivp.paramJacobian(this.t, root, fp);
		const S = new Float64Array(n * nColumns);
		for (let i = 0; i < n; i++) for (let c = 0; c < nParams; c++) S[i * nColumns + c] = -fp[i * nParams + c];
		for (const { equation, weights } of this.#conserved!)
			for (let c = 0; c < nColumns; c++) {
				let sum = 0;
				for (let i = 0; i < n; i++) sum += weights[i] * S0[i * nColumns + c];
				S[equation * nColumns + c] = sum;
			}
		for (let i = 0; i < n; i++) for (let c = 0; c < nColumns; c++) S[i * nColumns + c] *= system.scale[i];
		luSolveColumnsInto(S, nColumns, system.lu, system.pivots, n);
		return S.every(Number.isFinite) ? S : undefined;
	}

	/** f_x with conserved sums in place of what follows from the others, each row divided by its largest. */
	#systemAt(x: Float64Array): { lu: Float64Array; pivots: Int32Array; scale: Float64Array } | undefined {
		if (!this.#conserved) return undefined;
		const { n } = this.ivp;
		const lu = new Float64Array(n * n);
		this.ivp.jacobian(this.t, x, lu);
		for (const { equation, weights } of this.#conserved) lu.set(weights, equation * n);
		const scale = new Float64Array(n);
		for (let i = 0; i < n; i++) {
			const row = lu.subarray(i * n, (i + 1) * n);
			scale[i] = 1 / row.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
			for (let j = 0; j < n; j++) row[j] *= scale[i];
		}
		const pivots = new Int32Array(n);
		if (!luFactorInto(lu, pivots, n)) return undefined;
		// A pivot of rounding's size: another equation follows from the others, at this point alone.
		for (let i = 0; i < n; i++) if (!(Math.abs(lu[i * n + i]) > 1e-15)) return undefined;
		return { lu, pivots, scale };
	}

	/** Combinations of rows that vanish in f_x at all points, by elimination; undefined where one is not conserved after all. */
	#conservedSums(): Conserved[] | undefined {
		const { ivp, t, points } = this;
		const { n } = ivp;
		const width = n * points.length;
		const A = new Float64Array(n * width);
		const J = new Float64Array(n * n);
		points.forEach((x, k) => {
			ivp.jacobian(t, x, J);
			for (let i = 0; i < n; i++) A.set(J.subarray(i * n, (i + 1) * n), i * width + k * n);
		});
		if (!A.every(Number.isFinite)) return undefined;
		const T = new Float64Array(n * n);
		for (let i = 0; i < n; i++) T[i * n + i] = 1;
		// The largest number that went into each element: rates may differ by many powers of ten.
		const size = A.map(Math.abs);
		const open = new Set(Array.from({ length: n }, (_, i) => i));
		const found: Conserved[] = [];
		for (;;) {
			// The element that has lost least by cancellation.
			let [pivot, column, best] = [-1, -1, 0];
			for (const i of open)
				for (let j = 0; j < width; j++) {
					const share = Math.abs(A[i * width + j]) / size[i * width + j];
					if (share > best) [pivot, column, best] = [i, j, share];
				}
			if (pivot < 0) break;
			open.delete(pivot);
			for (const i of open) {
				const factor = A[i * width + column] / A[pivot * width + column];
				if (factor === 0) continue;
				for (let j = 0; j < n; j++) T[i * n + j] -= factor * T[pivot * n + j];
				for (let j = 0; j < width; j++) {
					const [own, other] = [i * width + j, pivot * width + j];
					A[own] -= factor * A[other];
					size[own] = Math.max(size[own], Math.abs(factor) * size[other]);
					if (j === column || Math.abs(A[own]) <= rounding * size[own]) A[own] = 0;
				}
			}
		}
		const slope = new Float64Array(n);
		for (const equation of open) {
			const weights = T.slice(equation * n, (equation + 1) * n);
			for (const x of points) {
				ivp.rhs(t, x, slope);
				if (!vanishes(weights, slope)) return undefined;
			}
			found.push({ equation, weights });
		}
		return found;
	}

	/** Whether the weights of conserved sums are the same for all values of the parameters. */
	#areFixed(ivp: SensitiveIvp): boolean {
		const { n, nParams } = ivp;
		const fp = new Float64Array(n * nParams);
		const column = new Float64Array(n);
		return this.points.every((x) => {
			ivp.paramJacobian(this.t, x, fp);
			return this.#conserved!.every(({ weights }) => {
				for (let c = 0; c < nParams; c++) {
					for (let i = 0; i < n; i++) column[i] = fp[i * nParams + c];
					if (!vanishes(weights, column)) return false;
				}
				return true;
			});
		});
	}
}

function sumOf(weights: Float64Array, x: Float64Array, x0: Float64Array): number {
	let sum = 0;
	for (let i = 0; i < x.length; i++) sum += weights[i] * (x[i] - x0[i]);
	return sum;
}

function vanishes(weights: Float64Array, values: Float64Array): boolean {
	let [sum, size] = [0, 0];
	for (let i = 0; i < values.length; i++) {
		sum += weights[i] * values[i];
		size += Math.abs(weights[i] * values[i]);
	}
	return Math.abs(sum) <= 1e-8 * size;
}
