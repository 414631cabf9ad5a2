/** One step of an adjustment: the least correction of the record, and the λ with it, to first order. */
import { nullSpace, openSteps } from "../../../estimate/least-squares/null-space.ts";
import {
	choleskyInto,
	solveLowerColumnsInto,
	solveLowerInto,
	solveUpperInto,
} from "../../../num/linear/cholesky.ts";
import { product, transposed } from "../../../num/linear/dense.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Linearization } from "./linearization.ts";

export interface AdjustmentStep {
	readonly lambda: Float64Array;
	/** The step of λ that bounds and damping do not hold back. */
	readonly free: Float64Array;
	readonly z: Float64Array;
	/** Squared length of the correction of the record that is left, in the metric of Σ. */
	readonly misfit: number;
	/** How far ŷ moves with λ, in the same metric. */
	readonly length: number;
	/** The largest change of a λ relative to it, or of a coefficient or the frequency relative to the largest of them. */
	readonly moved: number;
	/** Number of conditions less the directions of λ that they determine. */
	readonly degrees: number;
	/** Cholesky factor of the covariance of the misclosure / variance. */
	readonly V: Float64Array;
	readonly sigmaBt: Float64Array;
	/** How λ answers to the whitened misclosure, without bounds and damping: p × size. */
	readonly gain: Float64Array;
	readonly singular: Float64Array;
	/** Directions of what is not held, as relative changes, that the conditions do not see. */
	readonly unseen: readonly Float64Array[];
}

export interface StepControl {
	/** Variance of a condition beside that of the record, / variance: what is not linear, and harmonics left out. */
	readonly slack: number;
	/** Levenberg's damping of λ, relative to the largest singular value. */
	readonly damping: number;
	/** Components of λ that stay where they are: never determined, or on a bound. */
	readonly held: ReadonlySet<number>;
	readonly onBound: ReadonlySet<number>;
}

/** The covariance of the misclosure / variance without slack: size × size, and its mean diagonal. */
export interface Spread {
	readonly sigmaBt: Float64Array;
	readonly V: Float64Array;
	readonly mean: number;
}

/** `sigma`: covariance of z / variance. */
export function spreadOf({ B, misclosure }: Linearization, sigma: Float64Array): Spread {
	const size = misclosure.length;
	const sigmaBt = product(sigma, transposed(B, size, size + 1), size + 1, size + 1, size);
	const V = product(B, sigmaBt, size, size + 1, size);
	let trace = 0;
	for (let i = 0; i < size; i++) trace += V[i * (size + 1)];
	return { sigmaBt, V, mean: trace / size };
}

/** Undefined where the covariance of the misclosure is not definite. */
export function stepOf(
	{ misclosure, J, B }: Linearization,
	{ sigmaBt, V: own }: Spread,
	lambda: Float64Array,
	z: Float64Array,
	measured: Float64Array,
	{ slack, damping, held, onBound }: StepControl,
): AdjustmentStep | undefined {
	const size = misclosure.length;
	const p = lambda.length;
	// Conditions that hold for every record and λ (∫φ(ŷ - y) = 0, since χ₂ is periodic; or what the model conserves) have no
	// variance of their own: the slack keeps them from weighing more than all others.
	const V = own.slice();
	for (let i = 0; i < size; i++) V[i * (size + 1)] += slack;
	if (!choleskyInto(V, size)) return undefined;
	// w = h + B (z₀ - z): the misclosure of the measured record, to first order.
	const w = misclosure.slice();
	for (let i = 0; i < size; i++)
		for (let j = 0; j <= size; j++) w[i] += B[i * (size + 1) + j] * (measured[j] - z[j]);
	solveLowerInto(w, V, size);
	const whitened = J.map((value, i) => (held.has(i % p) ? 0 : value));
	solveLowerColumnsInto(whitened, p, V, size);
	const scale = lambda.map((value) => Math.abs(value) || 1);
	// Errors are those without bounds and damping; the step heeds them.
	const free = leastSquares(whitened, w, size, p, scale, 0);
	const solution =
		onBound.size === 0 && damping === 0
			? free
			: leastSquares(
					whitened.map((value, i) => (onBound.has(i % p) ? 0 : value)),
					w,
					size,
					p,
					scale,
					damping,
				);
	const rest = w.slice();
	let length = 0;
	for (let i = 0; i < size; i++) {
		let along = 0;
		for (let j = 0; j < p; j++) along += whitened[i * p + j] * solution.step[j];
		rest[i] += along;
		length += along * along;
	}
	const misfit = rest.reduce((sum, value) => sum + value * value, 0);
	solveUpperInto(rest, V, size);
	const corrected = measured.map((value, j) => {
		let sum = value;
		for (let i = 0; i < size; i++) sum -= sigmaBt[j * size + i] * rest[i];
		return sum;
	});
	const largest = z.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
	return {
		lambda: lambda.map((value, j) => value + solution.step[j]),
		free: free.step,
		z: corrected,
		misfit,
		length,
		moved: Math.max(
			...solution.step.map((value, j) => Math.abs(value) / scale[j]),
			...corrected.map((value, j) => Math.abs(value - z[j]) / largest),
		),
		degrees: traceOfRatio(own, V, size) - solution.rank,
		V,
		sigmaBt,
		gain: free.gain,
		singular: free.s,
		// A component that is held is not seen either, as it must be.
		unseen: free.unseen.filter((d) => d.reduce((sum, v, j) => sum + (held.has(j) ? 0 : v * v), 0) > 0.5),
	};
}

interface Solution {
	readonly step: Float64Array;
	/** -(JᵀV⁻¹J)⁺JᵀL⁻¹: p × size. */
	readonly gain: Float64Array;
	readonly rank: number;
	readonly s: Float64Array;
	readonly unseen: readonly Float64Array[];
}

/** min |w + J step| where directions that J hardly sees are not moved. */
function leastSquares(
	J: Float64Array,
	w: Float64Array,
	m: number,
	p: number,
	scale: Float64Array,
	damping: number,
): Solution {
	const scaled = J.map((value, i) => value * scale[i % Math.max(p, 1)]);
	const seen = nullSpace(scaled, p, { changes: () => 1 });
	const { s, v, norms, rank } = seen;
	const gain = new Float64Array(p * m);
	for (let l = 0; l < rank; l++) {
		const weight = 1 / (s[l] * s[l] + squared(damping * s[0]));
		for (let i = 0; i < m; i++) {
			let along = 0;
			for (let j = 0; j < p; j++) along += (scaled[i * p + j] * v[j * p + l]) / norms[j];
			for (let j = 0; j < p; j++) gain[j * m + i] -= ((scale[j] * v[j * p + l]) / norms[j]) * along * weight;
		}
	}
	const step = new Float64Array(p);
	for (let j = 0; j < p; j++) for (let i = 0; i < m; i++) step[j] += gain[j * m + i] * w[i];
	return { step, gain, rank, s, unseen: openSteps(seen) };
}

/** Trace of (L Lᵀ)⁻¹ A: how many conditions have a variance of their own. */
function traceOfRatio(a: Float64Array, l: Float64Array, n: number): number {
	const half = a.slice();
	solveLowerColumnsInto(half, n, l, n);
	const whole = transposed(half, n, n);
	solveLowerColumnsInto(whole, n, l, n);
	let trace = 0;
	for (let i = 0; i < n; i++) trace += whole[i * (n + 1)];
	return trace;
}
