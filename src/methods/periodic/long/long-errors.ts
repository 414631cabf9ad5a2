/**
 * Errors of an answer from a long record. The record stands inside the integrals with its noise, so errors are neither those
 * of a regression nor without bias. Noise of the size that the record shows is therefore added to it once more, many times,
 * and each time it is seen where the answer goes (a step of Gauss and Newton). The spread is the standard deviation; the
 * mean shift is about what the noise in the record has done already (Cook, Stefanski, "Simulation-extrapolation estimation
 * in parametric measurement error models", J. Amer. Statist. Assoc. 89, 1994).
 */
import { covarianceOf } from "../../../estimate/least-squares/covariance.ts";
import { stream } from "../../../num/random.ts";
import type { Evaluation, Representation } from "../observer/representation.ts";
import { leastChange, type Orthonormal, projectInto } from "../search/linear-unknowns.ts";

const copies = 40;
const neighbours = 3;

export interface LongErrors {
	/** Of (unknowns, R), the shift included. */
	readonly covariance: Float64Array;
	readonly shift: Float64Array;
	/** Standard deviation of the noise. */
	readonly noise: number;
}

/** A record, its representation, and how R enters ŷ. */
export interface LongRecord {
	readonly representation: Representation;
	readonly free: Orthonormal;
}

export function longErrors(
	t: Float64Array,
	y: Float64Array,
	recordOf: (y: Float64Array) => LongRecord,
	lambda: Float64Array,
	{ jacobian }: Evaluation,
	R: Float64Array,
	seed: number,
): LongErrors {
	const noise = noiseOf(t, y);
	const p = lambda.length;
	const size = p + R.length;
	const answer = Float64Array.of(...lambda, ...R);
	const points: Float64Array[] = [];
	for (let copy = 0; copy < copies; copy++) {
		const errors = stream(seed, `copy ${copy} of a long record`);
		const { representation, free } = recordOf(y.map((value, i) => value + noise * errors.normal(i)));
		const there = representation.evaluate(lambda, false);
		if (!there) continue;
		const residual = there.y.map((value, k) => value - representation.y.starts[k]);
		const step = stepOf(residual, jacobian!, lambda, free);
		const moved = residual.map((value, k) => {
			let sum = value;
			for (let j = 0; j < p; j++) sum += jacobian![k * p + j] * step[j];
			return sum;
		});
		points.push(Float64Array.of(...lambda.map((value, j) => value + step[j]), ...leastChange(free, moved)));
	}
	const shift = answer.map(
		(value, i) => points.reduce((sum, point) => sum + point[i], 0) / points.length - value,
	);
	const covariance = new Float64Array(size * size);
	for (const point of points)
		for (let i = 0; i < size; i++)
			for (let j = 0; j < size; j++)
				covariance[i * size + j] +=
					((point[i] - answer[i] - shift[i]) * (point[j] - answer[j] - shift[j])) / (points.length - 1);
	for (let i = 0; i < size; i++)
		for (let j = 0; j < size; j++) covariance[i * size + j] += shift[i] * shift[j];
	return { covariance, shift, noise };
}

/** The change of λ that makes the residual least, whatever R does. */
function stepOf(
	residual: Float64Array,
	jacobian: Float64Array,
	lambda: Float64Array,
	free: Orthonormal,
): Float64Array {
	const p = lambda.length;
	const step = new Float64Array(p);
	if (p === 0) return step;
	const m = residual.length;
	const rest = residual.slice();
	projectInto(rest, free);
	const matrix = new Float64Array(m * p);
	const slope = new Float64Array(p);
	for (let j = 0; j < p; j++) {
		const column = residual.map((_, k) => jacobian[k * p + j]);
		projectInto(column, free);
		for (let k = 0; k < m; k++) {
			matrix[k * p + j] = column[k];
			slope[j] += column[k] * rest[k];
		}
	}
	const inverse = covarianceOf(matrix, p).matrix;
	for (let i = 0; i < p; i++) for (let j = 0; j < p; j++) step[i] -= inverse[i * p + j] * slope[j];
	return step;
}

/** How far each sample is from the polynomial through its neighbours, less what their own noise makes of it. */
function noiseOf(t: Float64Array, y: Float64Array): number {
	let square = 0;
	let expected = 0;
	for (let i = neighbours; i + neighbours < t.length; i++) {
		let value = y[i];
		let variance = 1;
		for (let a = i - neighbours; a <= i + neighbours; a++) {
			if (a === i) continue;
			let weight = 1;
			for (let b = i - neighbours; b <= i + neighbours; b++)
				if (b !== i && b !== a) weight *= (t[i] - t[b]) / (t[a] - t[b]);
			value -= weight * y[a];
			variance += weight * weight;
		}
		square += value * value;
		expected += variance;
	}
	return Math.sqrt(square / expected);
}
