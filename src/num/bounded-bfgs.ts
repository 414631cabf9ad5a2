/**
 * Minimum of a smooth function of a few variables within bounds: BFGS on the variables that are free, with projection
 * onto the bounds and backtracking.
 *
 * Reference: Bertsekas, "Projected Newton methods for optimization problems with simple constraints", 1982; Nocedal,
 * Wright, Numerical Optimization, chapter 6.
 */

import { drained } from "./drained.ts";
import { dot, identity } from "./linear/dense.ts";

export interface Minimum {
	readonly x: Float64Array;
	readonly value: number;
	readonly gradient: Float64Array;
	readonly converged: boolean;
	readonly evaluations: number;
}

/** Value and gradient; Infinity where the function is not defined. The gradient is read once, and only where it counts. */
export type Smooth = (x: Float64Array) => { readonly value: number; readonly gradient: Float64Array };

type Bounds = ArrayLike<number>;

/** Of a value that comes out of equations near to singular, the share below which changes may be rounding errors. */
const shown = 1e-7;

export function minimizeBounded(
	f: Smooth,
	start: Float64Array,
	lo: Bounds,
	hi: Bounds,
	options: { tolerance?: number; maxEvaluations?: number; longest?: number } = {},
): Minimum {
	return drained(minimizationSteps(f, start, lo, hi, options));
}

/** The same, evaluation by evaluation: for functions that take long. */
export function* minimizationSteps(
	f: Smooth,
	start: Float64Array,
	lo: Bounds,
	hi: Bounds,
	{ tolerance = 1e-6, maxEvaluations = 100, longest = 2 } = {},
): Generator<void, Minimum> {
	const n = start.length;
	const clamp = (value: number, i: number): number => Math.min(Math.max(value, lo[i]), hi[i]);
	let x = start.map(clamp);
	let { value, gradient } = f(x);
	let evaluations = 1;
	let h = identity(n);
	let restarted = true;
	const done = (converged: boolean): Minimum => ({ x, value, gradient, converged, evaluations });
	while (evaluations < maxEvaluations) {
		const held = x.map((xi, i) =>
			(xi <= lo[i] && gradient[i] > 0) || (xi >= hi[i] && gradient[i] < 0) ? 1 : 0,
		);
		const size = gradient.reduce((most, g, i) => (held[i] ? most : Math.max(most, Math.abs(g))), 0);
		if (!(size > tolerance * Math.max(1, Math.abs(value)))) return done(size >= 0);
		const step = new Float64Array(n);
		for (let i = 0; i < n; i++)
			for (let j = 0; j < n; j++) if (!held[i] && !held[j]) step[i] -= h[i * n + j] * gradient[j];
		let slope = dot(step, gradient);
		if (!(slope < 0)) {
			for (let i = 0; i < n; i++) step[i] = held[i] ? 0 : -gradient[i];
			slope = dot(step, gradient);
			h = identity(n);
		}
		const length = step.reduce((most, s) => Math.max(most, Math.abs(s)), 0);
		let scale = Math.min(1, longest / length);
		let next: ReturnType<Smooth> | undefined;
		let trial = x;
		for (; evaluations < maxEvaluations; scale /= scale * length > 0.5 ? 4 : 2) {
			trial = x.map((xi, i) => clamp(xi + scale * step[i], i));
			yield;
			next = f(trial);
			evaluations++;
			if (next.value <= value + 1e-4 * scale * slope) break;
			// A fall that values cannot show: gradients, which are better, tell whether the slope became less.
			const hidden = shown * Math.max(1, Math.abs(value));
			if (-scale * slope < hidden && next.value <= value + hidden) {
				const { gradient } = next;
				next = { value: next.value, gradient };
				if (Math.abs(dot(gradient, step)) < -0.9 * slope) break;
			}
			next = undefined;
			if (scale * length < 1e-9) break;
		}
		if (!next) {
			if (restarted) return done(evaluations < maxEvaluations);
			h = identity(n);
			restarted = true;
			continue;
		}
		const s = trial.map((t, i) => t - x[i]);
		const after = next.gradient;
		const y = after.map((g, i) => g - gradient[i]);
		if (restarted) {
			const first = dot(s, y) / dot(y, y);
			if (first > 0) h = identity(n).map((e) => e * first);
		}
		restarted = false;
		updateInto(h, s, y, n);
		const fall = value - next.value;
		x = trial;
		value = next.value;
		gradient = after;
		if (fall <= 1e-10 * Math.max(1, Math.abs(value))) return done(true);
	}
	return done(false);
}

/** The inverse BFGS update; skipped where the curvature along the step is not positive. */
function updateInto(h: Float64Array, s: Float64Array, y: Float64Array, n: number): void {
	const sy = dot(s, y);
	if (!(sy > 1e-12 * Math.sqrt(dot(s, s) * dot(y, y)))) return;
	const hy = new Float64Array(n);
	for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) hy[i] += h[i * n + j] * y[j];
	const factor = (1 + dot(y, hy) / sy) / sy;
	for (let i = 0; i < n; i++)
		for (let j = 0; j < n; j++) h[i * n + j] += factor * s[i] * s[j] - (hy[i] * s[j] + s[i] * hy[j]) / sy;
}
