/**
 * What an adjustment finds (λ, R, closures, hidden states at the origin, ω), and the covariance of all of it: each is a
 * function of λ and the corrected record, and both answer linearly to errors of the measured record.
 */
import { solveLowerColumnsInto } from "../../../num/linear/cholesky.ts";
import { product, transposed } from "../../../num/linear/dense.ts";
import type { Linearization } from "./linearization.ts";

/**
 * `V`: the factor of the covariance of the misclosure; `sigma`: covariance of z / variance; `sigmaBt`: its product with Bᵀ;
 * `gain`: how λ answers to the whitened misclosure.
 */
export function quantitiesOf(
	{ evaluation, J, B, columns, rep }: Linearization,
	V: Float64Array,
	sigmaBt: Float64Array,
	sigma: Float64Array,
	gain: Float64Array,
	lambda: Float64Array,
	omega: number,
): { quantities: Float64Array; covariance: Float64Array } {
	const p = lambda.length;
	const size = columns.length - 1;
	const nz = size + 1;
	// δλ = gain L⁻¹ B ε and δz = ε - Σ Bᵀ V⁻¹ (B ε + J δλ), for errors ε of the measured z.
	const whiteB = B.slice();
	solveLowerColumnsInto(whiteB, nz, V, size);
	const dLambda = product(gain, whiteB, p, size, nz);
	const inner = product(J, dLambda, size, p, nz);
	for (let i = 0; i < inner.length; i++) inner[i] += B[i];
	solveLowerColumnsInto(inner, nz, V, size);
	solveUpperColumnsInto(inner, nz, V, size);
	const dZ = product(sigmaBt, inner, nz, size, nz).map((value, i) => (i % (nz + 1) === 0 ? 1 : 0) - value);
	const { n, r } = rep.observer;
	const nHidden = rep.form.hidden.length;
	const rows: Float64Array[] = [];
	const values: number[] = [];
	const add = (value: number, byLambda: (j: number) => number, byZ: (k: number) => number): void => {
		const row = new Float64Array(nz);
		for (let e = 0; e < nz; e++) {
			let sum = 0;
			for (let j = 0; j < p; j++) sum += byLambda(j) * dLambda[j * nz + e];
			for (let k = 0; k < nz; k++) sum += byZ(k) * dZ[k * nz + e];
			row[e] = sum;
		}
		rows.push(row);
		values.push(value);
	};
	for (let i = 0; i < p; i++) {
		rows.push(dLambda.slice(i * nz, (i + 1) * nz));
		values.push(lambda[i]);
	}
	for (let a = 0; a < n + r; a++)
		add(
			evaluation.R[a],
			(j) => evaluation.dR![a * p + j],
			(k) => columns[k].R[a],
		);
	for (let i = 0; i < nHidden; i++)
		add(
			evaluation.closures[i] ?? 0,
			(j) => evaluation.dClosures![i]?.[j] ?? 0,
			(k) => columns[k].closures[i] ?? 0,
		);
	for (let i = 0; i < nHidden; i++)
		add(
			evaluation.hidden[i],
			(j) => evaluation.dHidden![i * p + j],
			(k) => columns[k].hidden[i],
		);
	add(
		omega,
		() => 0,
		(k) => (k === size ? 1 : 0),
	);
	const count = rows.length;
	const stacked = new Float64Array(count * nz);
	rows.forEach((row, i) => {
		stacked.set(row, i * nz);
	});
	const half = product(stacked, sigma, count, nz, nz);
	return {
		quantities: Float64Array.from(values),
		covariance: product(half, transposed(stacked, count, nz), count, nz, count),
	};
}

/** X = L⁻ᵀ X for row-major X (n × nColumns). */
function solveUpperColumnsInto(x: Float64Array, nColumns: number, l: Float64Array, n: number): void {
	for (let i = n - 1; i >= 0; i--) {
		const row = i * nColumns;
		const diagonal = l[i * n + i];
		for (let c = 0; c < nColumns; c++) x[row + c] /= diagonal;
		for (let k = 0; k < i; k++) {
			const factor = l[i * n + k];
			for (let c = 0; c < nColumns; c++) x[k * nColumns + c] -= factor * x[row + c];
		}
	}
}
