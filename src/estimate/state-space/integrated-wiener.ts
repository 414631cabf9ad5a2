/**
 * The integrated Wiener process of order q as a prior of one coordinate and its derivatives, in the scaled coordinates
 * X_i = h^i / i! · x^(i). There the transition is the Pascal matrix (additions only), and the noise is h^(2q+1) Γ c with
 * a constant matrix c, whatever the step: nothing is badly scaled. [longbottom2024] eqs. (14), (15)
 */
import { squared, wholePower } from "../../num/whole-power.ts";

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

/** c of the noise h^(2q+1) Γ c: row-major, (q + 1)². [longbottom2024] eq. (15b), scaled */
export function scaledNoise(q: number): Float64Array {
	const n = q + 1;
	const c = new Float64Array(n * n);
	for (let i = 0; i < n; i++)
		for (let j = 0; j < n; j++)
			c[i * n + j] =
				1 / ((2 * q + 1 - i - j) * factorial(q - i) * factorial(q - j) * factorial(i) * factorial(j));
	return c;
}

/**
 * F with F Fᵀ = c, row-major. c is the Hilbert matrix, rows and columns from last to first and scaled; the Cholesky factor
 * of that one is known in closed form, so that no digits are lost however high q is.
 */
export function noiseFactor(q: number): Float64Array {
	const n = q + 1;
	const F = new Float64Array(n * n);
	for (let i = 0; i < n; i++)
		for (let k = 0; k < n; k++) {
			const [row, column] = [n - i, n - k];
			if (column > row) continue;
			const hilbert =
				(Math.sqrt(2 * column - 1) * squared(factorial(row - 1))) /
				(factorial(row - column) * factorial(row + column - 1));
			F[i * n + k] = hilbert / (factorial(q - i) * factorial(i));
		}
	return F;
}

/** i!/h^i times a scaled coordinate is the derivative itself. */
export function unscale(i: number, h: number): number {
	return factorial(i) / wholePower(h, i);
}

export { factorial };

/** What the data-free filter of one block does with unit Γ: it depends on the steps alone, so it is known beforehand. */
export interface UnitRecursion {
	/** Variance š of ẑ at each step, scaled coordinates. */
	readonly innovation: Float64Array;
	/** Gains of all coordinates at each step: nSteps × (q + 1). */
	readonly gain: Float64Array;
}

/**
 * Runs the recursion over steps h. `order` is the derivative on which the equation stands. Covariances here are in
 * units of h^(2q+1) of the step at hand. [longbottom2024] eqs. (16), (17) with R = 0 and no data
 */
export function unitRecursion(q: number, order: number, h: ArrayLike<number>): UnitRecursion {
	const n = q + 1;
	const c = scaledNoise(q);
	const P = new Float64Array(n * n);
	const additions = pascalAdditions(n);
	const nSteps = h.length;
	const innovation = new Float64Array(nSteps);
	const gain = new Float64Array(nSteps * n);
	for (let step = 0; step < nSteps; step++) {
		const ratio = step > 0 ? h[step] / h[step - 1] : 1;
		if (ratio !== 1)
			for (let i = 0; i < n; i++)
				for (let j = 0; j < n; j++) P[i * n + j] *= wholePower(ratio, i + j - 2 * q - 1);
		pascalCongruence(P, n, additions);
		for (let i = 0; i < n * n; i++) P[i] += c[i];
		const S = P[order * n + order];
		innovation[step] = S;
		for (let i = 0; i < n; i++) gain[step * n + i] = P[i * n + order] / S;
		for (let i = 0; i < n; i++)
			for (let j = 0; j < n; j++)
				if (i !== order && j !== order) P[i * n + j] -= gain[step * n + i] * gain[step * n + j] * S;
		for (let i = 0; i < n; i++) P[i * n + order] = P[order * n + i] = 0;
	}
	return { innovation, gain };
}

/** P := A P Aᵀ for the Pascal matrix A, by elementary additions of rows and columns. */
function pascalCongruence(P: Float64Array, n: number, additions: readonly number[]): void {
	for (const i of additions) {
		for (let j = 0; j < n; j++) P[i * n + j] += P[(i + 1) * n + j];
		for (let j = 0; j < n; j++) P[j * n + i] += P[j * n + i + 1];
	}
}

/** Coordinates i, in order, to which coordinate i + 1 is added: all together they are the Pascal matrix. */
export function pascalAdditions(n: number): number[] {
	const order: number[] = [];
	for (let k = 0; k < n - 1; k++) for (let i = n - 2; i >= k; i--) order.push(i);
	return order;
}
