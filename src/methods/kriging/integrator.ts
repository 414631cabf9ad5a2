/**
 * The paper's integrator (section 4): each state is predicted one step ahead by kriging from its present value and the
 * derivatives at the last q + 1 instants, eqs. (17)–(19), with a fixed step or, after its Remark 3, a variable one.
 *
 * Departs from the paper: the sum of the weights β is below the step, since the process is drawn to its mean (0.785 of it
 * at h = 0.5, q = 3 in the paper's example); so unless a step is given it is halved until they agree to 0.3 %. The
 * error terms W̃ of the paper shrink the weights further; they are off unless asked for.
 */
import type { BoundDynamics } from "./dynamics.ts";
import { scaled } from "./field-design.ts";
import { type IntegratorWeights, integratorWeights } from "./integrator-weights.ts";
import type { LearnedField } from "./learned-field.ts";
import type { Radial } from "./radial.ts";
import type { TimeHyper } from "./time-covariance.ts";

export interface IntegratorSpec {
	readonly bound: BoundDynamics;
	/** Of each track. */
	readonly radials: readonly Radial[];
	readonly hypers: readonly TimeHyper[];
	/** Derivatives before the present. */
	readonly history: number;
	/** 0: chosen. */
	readonly step: number;
	readonly variable: boolean;
	/** Given: derivatives are weighed by the error of this field. */
	readonly errors?: LearnedField;
	/** Largest step, and the start of the choice. */
	readonly spacing: number;
	readonly t0: number;
	/** State before or at t0 (smoothed). */
	before(t: number): Float64Array;
	readonly times: Float64Array;
	/** Spread of each state: the unit of the tolerance of a variable step. */
	readonly spread: Float64Array;
}

export interface Integration {
	readonly x: Float64Array;
	/** Steps taken, and the last step. */
	readonly steps: number;
	readonly step: number;
	/** Smallest Σβ/h seen. */
	readonly shrinkage: number;
}

/** How far Σβ may be from the step. */
const consistency = 0.003;
const variableTolerance = 1e-4;

interface Known {
	readonly t: number;
	readonly x: Float64Array;
	readonly slope: Float64Array;
	/** Variances of the errors of the slopes. */
	readonly error: Float64Array;
}

export function integrateByKriging(spec: IntegratorSpec): Integration {
	const { bound, times, t0, history } = spec;
	const { n } = bound.dynamics;
	const fixed = spec.step > 0 ? spec.step : chosenStep(spec);
	let h = fixed;
	let steps = 0;
	let shrinkage = 1;
	let present = known(spec, t0, spec.before(t0));
	let past = Array.from({ length: history }, (_, i) =>
		known(spec, t0 - (i + 1) * h, spec.before(t0 - (i + 1) * h)),
	);
	const x = new Float64Array(times.length * n);
	for (let k = 0; k < times.length; k++) {
		const target = times[k];
		while (present.t < target - 1e-12 * Math.abs(target)) {
			const length = target - present.t <= h * (1 + 1e-9) ? target - present.t : h;
			const { next, estimate, shrink } = predict(spec, present, past, length);
			if (spec.variable && estimate > variableTolerance && length > 1e-4 * spec.spacing) {
				h = length * Math.max(0.3, 0.9 * Math.sqrt(variableTolerance / estimate));
				continue;
			}
			steps++;
			shrinkage = Math.min(shrinkage, shrink);
			past = [present, ...past].slice(0, history);
			const t = length === target - present.t ? target : present.t + length;
			present = known(spec, t, next);
			if (!next.every((value) => Math.abs(value) < 1e12))
				return { x: x.slice(0, k * n), steps, step: h, shrinkage };
			if (spec.variable)
				h = Math.min(h * Math.min(2, 0.9 * Math.sqrt(variableTolerance / (estimate + 1e-300))), spec.spacing);
		}
		x.set(present.x, k * n);
	}
	return { x, steps, step: h, shrinkage };
}

/** One step with all the history; the estimate of its error is the difference to a step with less of it. */
function predict(spec: IntegratorSpec, present: Known, past: readonly Known[], h: number) {
	const { bound, variable, spread } = spec;
	const next = present.x.slice();
	let estimate = 0;
	let shrink = 1;
	bound.dynamics.layout.places.forEach((_, c) => {
		const all = [present, ...past];
		const weights = weightsOf(spec, c, all, h);
		next[c] = advanced(weights, present, all, c);
		shrink = Math.min(shrink, weights.beta.reduce((sum, b) => sum + b, 0) / h);
		if (!variable || past.length === 0) return;
		const fewer = all.slice(0, -1);
		const other = advanced(weightsOf(spec, c, fewer, h), present, fewer, c);
		estimate = Math.max(estimate, Math.abs(other - next[c]) / spread[c]);
	});
	return { next, estimate, shrink };
}

function advanced(
	{ alpha, beta }: IntegratorWeights,
	present: Known,
	all: readonly Known[],
	c: number,
): number {
	let value = alpha * present.x[c];
	all.forEach(({ slope }, i) => {
		value += beta[i] * slope[c];
	});
	return value;
}

function weightsOf(spec: IntegratorSpec, c: number, all: readonly Known[], h: number): IntegratorWeights {
	const { track, order } = spec.bound.dynamics.layout.places[c];
	return integratorWeights({
		radial: spec.radials[track],
		hyper: spec.hypers[track],
		meanDegree: 0,
		order,
		step: h,
		back: Float64Array.from(all, ({ t }) => all[0].t - t),
		errors: Float64Array.from(all, ({ error }) => error[c]),
	});
}

/** The largest step (spacing over a power of two) whose weights sum to it. */
function chosenStep(spec: IntegratorSpec): number {
	const { bound, history, spacing } = spec;
	const n = bound.dynamics.n;
	for (let h = spacing; h > spacing / 1024; h /= 2) {
		const all = Array.from({ length: history + 1 }, (_, i) => ({
			t: -i * h,
			x: new Float64Array(n),
			slope: new Float64Array(n),
			error: new Float64Array(n),
		}));
		const off = bound.dynamics.layout.places.map((_, c) => {
			const { beta } = weightsOf({ ...spec, errors: undefined }, c, all, h);
			return Math.abs(beta.reduce((sum, b) => sum + b, 0) / h - 1);
		});
		if (Math.max(...off) <= consistency) return h;
	}
	return spacing / 1024;
}

function known({ bound, errors }: IntegratorSpec, t: number, x: Float64Array): Known {
	const { n, nCalls, layout } = bound.dynamics;
	const slope = new Float64Array(n);
	bound.rhs(t, x, slope);
	const error = new Float64Array(n);
	if (errors) {
		const byCall = new Float64Array(n * nCalls);
		bound.byCall(t, x, byCall);
		bound.argsAt(t, x);
		const sites = layout.calls.map(({ fn, node, start }) => ({
			of: fn,
			x: scaled(errors.design.functions[fn], bound.args.subarray(start, start + node.args.length)),
		}));
		const covariance = errors.errorCovariance(sites, []);
		for (let c = 0; c < n; c++)
			for (let i = 0; i < nCalls; i++)
				for (let j = 0; j < nCalls; j++)
					error[c] += byCall[c * nCalls + i] * covariance[i * nCalls + j] * byCall[c * nCalls + j];
	}
	return { t, x, slope, error: error.map((value) => Math.max(value, 0)) };
}
