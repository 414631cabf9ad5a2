/**
 * The most likely λ and record together. The representation takes the record as exact; but the series c and the frequency
 * ω have errors with a known covariance Σ, and they enter ŷ too. Here z = (c, ω) is corrected by as little as possible
 * (in the metric of Σ) so that ŷ(λ; z) = y(z) holds for some λ: a Gauss–Helmert adjustment. It is the maximum of the
 * likelihood over periodic solutions, so it reaches the Cramér–Rao bound, whatever the observer's gains; and its
 * covariances include the error of the period.
 *
 * Reference: Mikhail, Ackermann, Observations and Least Squares, 1976, chapter 5 (general case of adjustment).
 */
import { choleskyInto, solveLowerColumnsInto, solveLowerInto, solveUpperInto } from "../../num/cholesky.ts";
import { product, transposed } from "../../num/dense.ts";
import type { HarmonicFit } from "../../num/harmonic-fit.ts";
import { svdSmall, triangulate } from "../../num/least-squares.ts";
import type { Sampled } from "./grid.ts";
import { linearize, type Represent } from "./linearization.ts";
import { quantitiesOf } from "./quantities.ts";
import type { Evaluation, Representation } from "./representation.ts";

/** What the adjustment finds, and how each changes with the measured (c, ω). */
export interface Adjusted {
	readonly lambda: Float64Array;
	readonly c: Float64Array;
	readonly omega: number;
	readonly representation: Representation;
	readonly evaluation: Evaluation;
	/** λ, R, closures (by hidden state, 0 where there is none), hidden states at the origin, ω: their covariance / variance. */
	readonly quantities: Float64Array;
	readonly covariance: Float64Array;
	/** Sum of squared corrections in the metric of Σ / variance: `variance` times its degrees of freedom on average. */
	readonly misfit: number;
	readonly degrees: number;
	/** Singular values of the whitened Jacobian by relative changes of λ. */
	readonly singular: Float64Array;
	readonly converged: boolean;
	readonly iterations: number;
}

/** Directions of λ that are seen so much less than the best are not moved. */
const unseen = 1e-9;
const maxIterations = 12;

export interface AdjustmentOptions {
	/** False: λ and the record stay as they are, and only errors are found. */
	readonly correct?: boolean;
	/** What λ may not leave. */
	readonly bounds?: readonly { readonly lo: number; readonly hi: number }[];
	/** Components of λ that are not determined and stay as they are. */
	readonly held?: ReadonlySet<number>;
}

/** Harmonics beyond this are taken as exact: only a record that is nearly so has more. */
export const mostAdjusted = 100;

/** How many times more than noise explains the record had to be corrected, squared; 1 where noise may explain it. */
export function excessOf(
	{ misfit, degrees }: Pick<Adjusted, "misfit" | "degrees">,
	variance: number,
): number {
	const expected = Math.max(degrees, 1);
	const ratio = misfit / variance / expected;
	return ratio > 1 + 5 * Math.sqrt(2 / expected) ? ratio : 1;
}

export function adjust(
	represent: Represent,
	measured: HarmonicFit,
	start: Float64Array,
	{ correct = true, bounds, held = new Set() }: AdjustmentOptions = {},
): Adjusted | undefined {
	const harmonics = Math.min(measured.harmonics, mostAdjusted);
	const size = 2 * harmonics + 1;
	const inverse = covarianceOf(measured, size);
	const high = measured.c.subarray(size);
	const z0 = Float64Array.of(...measured.c.subarray(0, size), measured.omega);
	let z = z0;
	let lambda = start;
	let best: Adjusted | undefined;
	let least = Number.POSITIVE_INFINITY;
	let step = Number.POSITIVE_INFINITY;
	/** Components of λ that would leave their bounds, and stay on them. */
	const onBound = new Set<number>();
	for (let iteration = 1; iteration <= maxIterations; iteration++) {
		const linear = linearize(represent, z, high, lambda, harmonics);
		if (!linear) return best;
		const { rep, evaluation, misclosure, J, B } = linear;
		const p = lambda.length;
		for (const j of held) for (let i = 0; i < size; i++) J[i * p + j] = 0;
		// w = h + B (z₀ - z): the misclosure of the measured record, to first order.
		const w = misclosure.slice();
		for (let i = 0; i < size; i++)
			for (let j = 0; j <= size; j++) w[i] += B[i * (size + 1) + j] * (z0[j] - z[j]);
		const sigmaBt = product(inverse, transposed(B, size, size + 1), size + 1, size + 1, size);
		const V = product(B, sigmaBt, size, size + 1, size);
		if (!completed(V, linear.basis, rep, size)) return best;
		solveLowerInto(w, V, size);
		const whitened = J.slice();
		solveLowerColumnsInto(whitened, p, V, size);
		const scale = lambda.map((value) => Math.abs(value) || 1);
		// Errors are those without bounds; the step heeds them.
		const unbound = leastSquares(whitened, w, size, p, scale);
		const solution =
			onBound.size === 0
				? unbound
				: leastSquares(
						whitened.map((value, i) => (onBound.has(i % p) ? 0 : value)),
						w,
						size,
						p,
						scale,
					);
		const rest = w.slice();
		for (let i = 0; i < size; i++)
			for (let j = 0; j < p; j++) rest[i] += whitened[i * p + j] * solution.step[j];
		const misfit = rest.reduce((sum, value) => sum + value * value, 0);
		const corrections = rest.slice();
		solveUpperInto(corrections, V, size);
		const next = z0.map((value, j) => {
			let sum = value;
			for (let i = 0; i < size; i++) sum -= sigmaBt[j * size + i] * corrections[i];
			return sum;
		});
		const moved = lambda.map((value, j) => value + solution.step[j]);
		const length = Math.sqrt(solution.weighted / Math.max(misfit / size, 1e-300));
		const converged = length < 1e-4 || step < 1e-9;
		step = Math.max(...solution.step.map((value, j) => Math.abs(value) / scale[j]));
		const here: Adjusted = {
			lambda,
			c: Float64Array.of(...z.subarray(0, size), ...high),
			omega: z[size],
			representation: rep,
			evaluation,
			...quantitiesOf(linear, V, sigmaBt, inverse, unbound.gain, lambda, z[size]),
			misfit,
			degrees: size - rep.observer.r - solution.rank,
			singular: unbound.s,
			converged,
			iterations: iteration,
		};
		if ((converged && iteration > 1) || !correct) return here;
		// Should it not settle, the iterate with the smallest step is the best of a bad lot.
		if (solution.weighted < least) [best, least] = [here, solution.weighted];
		lambda = moved.map((value, j) => {
			if (!bounds || (value > bounds[j].lo && value < bounds[j].hi)) return value;
			onBound.add(j);
			return Math.min(Math.max(value, bounds[j].lo), bounds[j].hi);
		});
		z = next;
	}
	return best;
}

/** Σ / variance of the adjusted coefficients and ω. */
function covarianceOf({ inverse, c }: HarmonicFit, size: number): Float64Array {
	const rows = [...Array(size).keys(), c.length];
	return Float64Array.from(rows.flatMap((i) => rows.map((j) => inverse[i * (c.length + 1) + j])));
}

interface Solution {
	readonly step: Float64Array;
	/** -(JᵀV⁻¹J)⁺JᵀL⁻¹: p × size. */
	readonly gain: Float64Array;
	/** Squared length of J·step. */
	readonly weighted: number;
	readonly rank: number;
	readonly s: Float64Array;
}

/** min |w + J step| where directions that J hardly sees are not moved. */
function leastSquares(J: Float64Array, w: Float64Array, m: number, p: number, scale: Float64Array): Solution {
	const scaled = J.map((value, i) => value * scale[i % Math.max(p, 1)]);
	const { r } = triangulate(scaled.slice(), new Float64Array(m), m, p);
	const { s, v } = svdSmall(r, p);
	const gain = new Float64Array(p * m);
	let rank = 0;
	for (let l = 0; l < p; l++) {
		if (!(s[l] > unseen * s[0])) continue;
		rank++;
		for (let i = 0; i < m; i++) {
			let along = 0;
			for (let j = 0; j < p; j++) along += scaled[i * p + j] * v[j * p + l];
			for (let j = 0; j < p; j++) gain[j * m + i] -= (scale[j] * v[j * p + l] * along) / (s[l] * s[l]);
		}
	}
	const step = new Float64Array(p);
	for (let j = 0; j < p; j++) for (let i = 0; i < m; i++) step[j] += gain[j * m + i] * w[i];
	let weighted = 0;
	for (let i = 0; i < m; i++) {
		let sum = 0;
		for (let j = 0; j < p; j++) sum += J[i * p + j] * step[j];
		weighted += sum * sum;
	}
	return { step, gain, weighted, rank, s };
}

/**
 * Cholesky of V, completed where nothing can happen: χ₂ is periodic, so ∫φ (ŷ - y) = 0 whatever λ and the record are.
 * These r directions get a variance of their own, which nothing that is whitened has a share in.
 */
function completed(V: Float64Array, basis: readonly Sampled[], rep: Representation, n: number): boolean {
	const { r, phi } = rep.observer;
	let trace = 0;
	for (let i = 0; i < n; i++) trace += V[i * (n + 1)];
	const kept: Float64Array[] = [];
	for (let i = 0; i < r; i++) {
		const own = phi.filter((_, j) => j % r === i);
		const u = nodeProjection(basis, own, rep);
		for (const other of kept) subtractShare(u, other);
		const norm = Math.sqrt(u.reduce((sum, value) => sum + value * value, 0));
		if (!(norm > 0)) continue;
		const unit = u.map((value) => value / norm);
		kept.push(unit);
	}
	for (const u of kept)
		for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) V[a * n + b] += (trace / n) * u[a] * u[b];
	const copy = V.slice();
	for (const share of [0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12]) {
		V.set(copy);
		for (let i = 0; i < n; i++) V[i * (n + 1)] += share * trace;
		if (choleskyInto(V, n)) return true;
	}
	return false;
}

/** The vector u for which u·c is the integral of `values` times the series with coefficients c. */
function nodeProjection(
	basis: readonly Sampled[],
	values: Float64Array,
	{ grid }: Representation,
): Float64Array {
	const { weights, stages } = grid.rule;
	return Float64Array.from(basis, ({ nodes }) => {
		let sum = 0;
		for (let j = 0; j < nodes.length; j++) sum += weights[j % stages] * values[j] * nodes[j];
		return sum;
	});
}

function subtractShare(u: Float64Array, unit: Float64Array): void {
	let share = 0;
	for (let i = 0; i < u.length; i++) share += u[i] * unit[i];
	for (let i = 0; i < u.length; i++) u[i] -= share * unit[i];
}
