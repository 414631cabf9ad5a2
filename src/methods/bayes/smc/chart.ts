/**
 * Coordinates in which a cloud is nearly normal. Between two bounds the sampled coordinate is the logit, which sends either bound
 * to infinity: near one of them a cloud that data hold to a normal law bends there, and drags along all that goes with it. Straight
 * is the share of the way from bound to bound; there the law ends at the bound, and draws beyond it count as impossible.
 */
import { logOnePlusExp } from "../../../estimate/law/supports.ts";
import { exp, log } from "../../../num/elementary/number.ts";
import { invertDefiniteInto } from "../../../num/linear/definite-inverse.ts";

/** What is known of coordinates before there is a cloud. */
export interface Kinds {
	/** Logarithms of spreads. */
	readonly scales?: readonly number[];
	/** Logits between two bounds. */
	readonly bounded?: readonly number[];
}

/** Log-likelihood that a particle must gain by another coordinate. */
const worthwhile = 0.05;

export function shareOf(z: number): number {
	return 1 / (1 + exp(-z));
}

/** Undefined beyond the bounds. */
export function logitOf(share: number): number | undefined {
	return share > 0 && share < 1 ? log(share) - log(1 - share) : undefined;
}

/** Log of what a share changes by with its logit. */
export function logSlope(z: number): number {
	return -logOnePlusExp(-z) - logOnePlusExp(z);
}

/**
 * Those of the bounded coordinates whose shares describe n weighted particles better, one after the other, by a normal law: what
 * counts is how far a coordinate is from what all others say of it, and that comes from the inverse of their covariance.
 */
export function straightened(z: Float64Array, weights: Float64Array, bounded: readonly number[]): number[] {
	if (bounded.length === 0) return [];
	const n = weights.length;
	const d = z.length / n;
	const x = new Float64Array(z.length);
	for (let i = 0; i < d; i++) x.set(centred(columnOf(z, n, i), weights), i * n);
	const V = new Float64Array(d * d);
	const setCovariances = (i: number, those: Float64Array): void => {
		for (let j = 0; j < d; j++) V[i * d + j] = V[j * d + i] = those[j];
	};
	for (let i = 0; i < d; i++) setCovariances(i, covariances(x, columnOf(x, n, i), weights));
	let P = inverseOf(V, d);
	return bounded.filter((i) => {
		if (!P) return false;
		const own = columnOf(z, n, i);
		const shares = centred(own.map(shareOf), weights);
		const c = covariances(x, shares, weights);
		c[i] = covariance(shares, shares, weights);
		const gain =
			0.5 * log(1 / (P[i * d + i] * leftOver(c, P, i))) + covariance(own.map(logSlope), undefined, weights);
		if (!(gain > worthwhile)) return false;
		x.set(shares, i * n);
		setCovariances(i, c);
		P = inverseOf(V, d);
		return true;
	});
}

/** Variance of a new coordinate in the place of i that the others leave, by its covariances with them and its variance. */
function leftOver(c: Float64Array, P: Float64Array, i: number): number {
	const d = c.length;
	let told = 0;
	let along = 0;
	for (let j = 0; j < d; j++) {
		if (j === i) continue;
		along += P[i * d + j] * c[j];
		for (let k = 0; k < d; k++) if (k !== i) told += c[j] * P[j * d + k] * c[k];
	}
	return c[i] - (told - (along * along) / P[i * d + i]);
}

function inverseOf(V: Float64Array, d: number): Float64Array | undefined {
	const P = V.slice();
	return invertDefiniteInto(P, d) ? P : undefined;
}

function columnOf(x: Float64Array, n: number, i: number): Float64Array {
	return x.subarray(i * n, (i + 1) * n);
}

function centred(values: Float64Array, weights: Float64Array): Float64Array {
	const mean = covariance(values, undefined, weights);
	return values.map((value) => value - mean);
}

function covariances(x: Float64Array, values: Float64Array, weights: Float64Array): Float64Array {
	const n = weights.length;
	return Float64Array.from({ length: x.length / n }, (_, j) =>
		covariance(columnOf(x, n, j), values, weights),
	);
}

/** Of centred values; the mean of the first without the second. */
function covariance(a: Float64Array, b: Float64Array | undefined, weights: Float64Array): number {
	let sum = 0;
	for (let k = 0; k < weights.length; k++) if (weights[k] > 0) sum += weights[k] * (b ? a[k] * b[k] : a[k]);
	return sum;
}
