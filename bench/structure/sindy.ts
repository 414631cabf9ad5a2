/**
 * SINDy beside inversion: sequentially thresholded least squares on central differences, and its weak form, where equations are
 * integrated against bumps so that no sample is differentiated. Written for this bench.
 *
 * References: Brunton, Proctor, Kutz, PNAS 113, 2016; Messenger, Bortz, J. Comput. Phys. 443, 2021.
 */
import { solveTriangleInto, triangulateInto } from "../../src/num/linear/householder.ts";

export interface Samples {
	readonly t: Float64Array;
	/** One array for each state. */
	readonly x: readonly Float64Array[];
}

/** Exponents of each monomial of the library. */
type Library = readonly (readonly number[])[];

export interface SparseFit {
	/** For each equation: weights of the library's monomials. */
	readonly weights: readonly Float64Array[];
}

/** Least squares with a little ridge, columns scaled; entries below the threshold are put to 0, ten times at most. */
function stlsq(rows: readonly Float64Array[], right: Float64Array, threshold: number): Float64Array {
	const n = rows[0].length;
	let active = [...Array(n).keys()];
	let weights = new Float64Array(n);
	for (let round = 0; round < 10 && active.length > 0; round++) {
		const values = leastSquares(rows, right, active);
		weights = new Float64Array(n);
		active.forEach((j, k) => {
			weights[j] = values[k];
		});
		const kept = active.filter((j) => Math.abs(weights[j]) >= threshold);
		if (kept.length === active.length) break;
		for (const j of active) if (!kept.includes(j)) weights[j] = 0;
		active = kept;
	}
	return weights;
}

function leastSquares(
	rows: readonly Float64Array[],
	right: Float64Array,
	active: readonly number[],
): Float64Array {
	const m = rows.length;
	const n = active.length;
	const a = new Float64Array((m + n) * n);
	const scale = active.map((j) => Math.sqrt(rows.reduce((sum, row) => sum + row[j] * row[j], 0)) || 1);
	active.forEach((j, k) => {
		for (let i = 0; i < m; i++) a[k * (m + n) + i] = rows[i][j] / scale[k];
		a[k * (m + n) + m + k] = 1e-6;
	});
	const b = new Float64Array(m + n);
	b.set(right);
	triangulateInto(a, m + n, b, m + n, n);
	const values = b.slice(0, n);
	solveTriangleInto(values, a, m + n, n);
	return values.map((value, k) => value / scale[k]);
}

function monomials(library: Library, x: readonly Float64Array[], i: number): Float64Array {
	return Float64Array.from(library, (powers) =>
		powers.reduce((product, power, c) => {
			let value = product;
			for (let p = 0; p < power; p++) value *= x[c][i];
			return value;
		}, 1),
	);
}

export function differences({ t, x }: Samples, library: Library, threshold: number): SparseFit {
	const inside = [...t.keys()].slice(1, -1);
	const rows = inside.map((i) => monomials(library, x, i));
	return {
		weights: x.map((own) => {
			const slope = Float64Array.from(inside, (i) => (own[i + 1] - own[i - 1]) / (t[i + 1] - t[i - 1]));
			return stlsq(rows, slope, threshold);
		}),
	};
}

/** Bumps (1 - s²)⁴ over windows of a tenth of the record, at least nine samples, that begin at every second sample or so. */
export function weak({ t, x }: Samples, library: Library, threshold: number): SparseFit {
	const n = t.length;
	const half = Math.max(4, Math.round(n / 20));
	const stride = Math.max(1, Math.floor(n / 200));
	const values = Array.from(t, (_, i) => monomials(library, x, i));
	const centres: number[] = [];
	for (let c = half; c + half < n; c += stride) centres.push(c);
	const integrals = centres.map((c) => {
		const row = new Float64Array(library.length);
		const left = new Float64Array(x.length);
		const width = (t[c + half] - t[c - half]) / 2;
		const middle = (t[c + half] + t[c - half]) / 2;
		for (let i = c - half; i <= c + half; i++) {
			const s = (t[i] - middle) / width;
			const q = 1 - s * s;
			const bump = q * q * q * q;
			const slope = (-8 * s * q * q * q) / width;
			const dt = (t[Math.min(i + 1, c + half)] - t[Math.max(i - 1, c - half)]) / 2;
			for (let j = 0; j < row.length; j++) row[j] += dt * bump * values[i][j];
			for (let k = 0; k < x.length; k++) left[k] -= dt * slope * x[k][i];
		}
		return { row, left };
	});
	const rows = integrals.map(({ row }) => row);
	return {
		weights: x.map((_, k) =>
			stlsq(
				rows,
				Float64Array.from(integrals, ({ left }) => left[k]),
				threshold,
			),
		),
	};
}

/** Monomials of so many states up to a degree. */
export function libraryOf(nStates: number, degree: number): number[][] {
	const all: number[][] = [];
	const add = (powers: number[], left: number): void => {
		if (powers.length === nStates) all.push(powers);
		else for (let p = 0; p <= left; p++) add([...powers, p], left - p);
	};
	add([], degree);
	return all;
}

/** `x^2*y` as the model language writes it. */
export function nameOf(powers: readonly number[], states: readonly string[]): string {
	const parts = powers.flatMap((power, c) =>
		power === 0 ? [] : [power === 1 ? states[c] : `${states[c]}^${power}`],
	);
	return parts.length > 0 ? parts.join("*") : "1";
}
