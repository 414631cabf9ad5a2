/**
 * Radau IIA collocation with an odd number s of stages, order 2s - 1, as data: E. Hairer, G. Wanner, Solving Ordinary
 * Differential Equations II, 2nd ed. 1996, IV.5 and IV.8; Stiff differential equations solved by Radau methods, Journal of
 * Computational and Applied Mathematics 111 (1999) 93-111. Over a step of length h the solution is the polynomial p of
 * degree s with p(0) = x0 that meets the equation at the nodes:
 *
 *     h f(t0 + c_i h, x0 + z_i) = sum_j D_ij z_j          z_i = p(c_i) - x0, the last node is the end point
 *
 * The nodes are the zeros of P_s - P_(s-1) (Legendre, on [0, 1]). D, the inverse of the matrix A of the Runge-Kutta method,
 * is the derivative of the Lagrange polynomials through 0 and the nodes. The error is estimated by what p's slope at 0
 * lacks of the true one.
 */
import { cos } from "../../num/elementary/number.ts";
import { luFactorInto, luSolveInto } from "../../num/linear/lu.ts";
import { complexLuFactorInto, complexLuSolveInto } from "./complex-lu.ts";

export interface RadauTable {
	readonly name: "radau9";
	readonly nStages: number;
	readonly order: number;
	/** Order of the interpolant, p: its error over one step is O(h^(denseOrder + 1)). */
	readonly denseOrder: number;
	/** The error estimate is O(h^errorExponent). */
	readonly errorExponent: number;
	readonly c: readonly number[];
	readonly D: readonly (readonly number[])[];
	/** h p'(0) = sum_j startSlope_j z_j */
	readonly startSlope: readonly number[];
	/** Eigenvalues of D: one real, then of each pair of complex ones that above the real axis. */
	readonly real: number;
	readonly complex: readonly (readonly [re: number, im: number])[];
	/** D = T L T^-1 with L = diag(real, blocks [[re, -im], [im, re]]). */
	readonly T: readonly (readonly number[])[];
	readonly inverseT: readonly (readonly number[])[];
	/** Weights of the vectors F1, F2, ... of dense-output.ts over the z. */
	readonly dense: readonly (readonly number[])[];
	/** Weight of the previous error in the step control. */
	readonly beta: number;
}

export function radauTable(name: RadauTable["name"], nStages: number): RadauTable {
	const c = radauNodes(nStages);
	const D = c.map((at) => lagrangeSlopes(c, at));
	const { real, complex } = eigenvalues(nStages);
	const T = transformation(D, real, complex);
	return {
		name,
		nStages,
		order: 2 * nStages - 1,
		denseOrder: nStages,
		errorExponent: nStages + 1,
		c,
		D,
		startSlope: lagrangeSlopes(c, 0),
		real,
		complex,
		T,
		inverseT: inverse(T),
		dense: inverse(c.map((s) => nestedBasis(s, nStages))).slice(1),
		beta: 0.04,
	};
}

/** Order 9: at tight tolerances it needs far fewer steps than order 5 with three stages. */
export const radau9 = radauTable("radau9", 5);

/** Zeros of P_s - P_(s-1) on [0, 1], rising; the last is 1. */
function radauNodes(nStages: number): number[] {
	return Array.from({ length: nStages }, (_, i) => {
		if (i === nStages - 1) return 1;
		let x = cos((2 * Math.PI * (nStages - 1 - i)) / (2 * nStages - 1));
		for (let k = 0; k < 20; k++) {
			// Legendre polynomials and their slopes by recurrence.
			let [before, slopeBefore, value, slope] = [1, 0, x, 1];
			for (let n = 2; n <= nStages; n++) {
				const next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
				const nextSlope = slopeBefore + (2 * n - 1) * value;
				[before, slopeBefore, value, slope] = [value, slope, next, nextSlope];
			}
			x -= (value - before) / (slope - slopeBefore);
		}
		return (1 + x) / 2;
	});
}

/** Slopes at `at` (0 or a node) of the Lagrange polynomials through 0 and the nodes, but for the one that is 1 at 0. */
function lagrangeSlopes(c: readonly number[], at: number): number[] {
	const all = [0, ...c];
	return c.map((node, j) => {
		// From Jacobi's differential equation, which the polynomial with these zeros obeys; a sum of reciprocals loses digits.
		if (at === node) return node === 1 ? (c.length * c.length + 1) / 2 : 1 / (2 * node);
		const others = all.filter((_, k) => k !== j + 1);
		const scale = others.reduce((product, other) => product * (node - other), 1);
		const rest = others.filter((other) => other !== at);
		return rest.reduce((product, other) => product * (at - other), 1) / scale;
	});
}

/**
 * The zeros of the denominator of the stability function, the Pade approximation of exp with degrees s - 1 and s; all at
 * once by the iteration of Durand and Kerner.
 */
function eigenvalues(s: number): { real: number; complex: [number, number][] } {
	// Coefficients from the highest power, which is made 1: whole numbers.
	const coefficients = [1];
	for (let j = s; j >= 1; j--) coefficients.push((-coefficients[s - j] * j * (2 * s - j)) / (s + 1 - j));
	// About the mean of the zeros, s, much less is lost to rounding.
	for (let last = s; last >= 1; last--)
		for (let j = 1; j <= last; j++) coefficients[j] += s * coefficients[j - 1];
	const z = Array.from({ length: s }, (_, k): [number, number] => {
		const angle = (2 * Math.PI * k) / s + 0.4;
		return [s * cos(angle), s * cos(angle - Math.PI / 2)];
	});
	for (let round = 0; round < 100; round++) {
		for (let k = 0; k < s; k++) {
			let value: [number, number] = [1, 0];
			for (const coefficient of coefficients.slice(1)) {
				value = times(value, z[k]);
				value[0] += coefficient;
			}
			for (let j = 0; j < s; j++) if (j !== k) value = over(value, [z[k][0] - z[j][0], z[k][1] - z[j][1]]);
			z[k] = [z[k][0] - value[0], z[k][1] - value[1]];
		}
	}
	z.sort((a, b) => a[1] - b[1]);
	const shifted = z.map(([re, im]): [number, number] => [s + re, im]);
	return { real: shifted[(s - 1) / 2][0], complex: shifted.slice((s + 1) / 2) };
}

/** Eigenvectors of D in columns: the real one; then of each complex one its real part, and its imaginary part negated. */
function transformation(
	D: readonly (readonly number[])[],
	real: number,
	complex: readonly (readonly [number, number])[],
): number[][] {
	const s = D.length;
	const columns = [eigenvector(D, real, 0).re];
	for (const [re, im] of complex) {
		const v = eigenvector(D, re, im);
		columns.push(
			v.re,
			v.im.map((value) => -value),
		);
	}
	return Array.from({ length: s }, (_, i) => columns.map((column) => column[i]));
}

/** The eigenvector whose last component is 1: from all equations but the last. */
function eigenvector(D: readonly (readonly number[])[], lambdaRe: number, lambdaIm: number) {
	const n = D.length - 1;
	const re = Float64Array.from({ length: n * n }, (_, k) => D[Math.floor(k / n)][k % n]);
	const im = new Float64Array(n * n);
	for (let i = 0; i < n; i++) {
		re[i * n + i] -= lambdaRe;
		im[i * n + i] -= lambdaIm;
	}
	const pivots = new Int32Array(n);
	const vRe = Float64Array.from({ length: n }, (_, i) => -D[i][n]);
	const vIm = new Float64Array(n);
	complexLuFactorInto(re, im, pivots, n);
	complexLuSolveInto(vRe, vIm, 1, re, im, pivots, n);
	return { re: [...vRe, 1], im: [...vIm, 0] };
}

/** The polynomials that go with F0, F1, ... in dense-output.ts: s, s r, s r s, ... */
function nestedBasis(s: number, count: number): number[] {
	const values = [s];
	for (let j = 1; j < count; j++) values.push(values[j - 1] * (j % 2 === 0 ? s : 1 - s));
	return values;
}

function inverse(rows: readonly (readonly number[])[]): number[][] {
	const n = rows.length;
	const lu = Float64Array.from(rows.flat());
	const pivots = new Int32Array(n);
	luFactorInto(lu, pivots, n);
	const columns = rows.map((_, j) => {
		const unit = new Float64Array(n);
		unit[j] = 1;
		luSolveInto(unit, lu, pivots, n);
		return unit;
	});
	return rows.map((_, i) => columns.map((column) => column[i]));
}

function times([a, b]: readonly [number, number], [c, d]: readonly [number, number]): [number, number] {
	return [a * c - b * d, a * d + b * c];
}

function over(z: readonly [number, number], [c, d]: readonly [number, number]): [number, number] {
	const [re, im] = times(z, [c, -d]);
	const size = c * c + d * d;
	return [re / size, im / size];
}
