/**
 * The paper's integrator (section 4): each state is predicted one step ahead by kriging from its present value and the
 * derivatives at the last q + 1 instants, eqs. (17)–(19), with a fixed step.
 *
 * Departs from the paper: the sum of the weights β is below the step, since the process is drawn to its mean (0.785 of it
 * at h = 0.5, q = 3 in the paper's example); so the step is halved until they agree to 0.3 %. The error
 * terms W̃ of the paper shrink the weights further; they are off unless asked for.
 */
import type { BoundDynamics } from "../../src/methods/kriging/dynamics.ts";
import { scaled } from "../../src/methods/kriging/field/field-design.ts";
import type { LearnedField } from "../../src/methods/kriging/field/learned-field.ts";
import type { Radial } from "../../src/methods/kriging/field/radial.ts";
import type { TimeHyper } from "../../src/methods/kriging/time/time-covariance.ts";
import { drained } from "../../src/num/drained.ts";
import { type IntegratorWeights, integratorWeights } from "./integrator-weights.ts";

export interface IntegratorSpec {
	readonly bound: BoundDynamics;
	/** Of each track. */
	readonly radials: readonly Radial[];
	readonly hypers: readonly TimeHyper[];
	/** Derivatives before the present. */
	readonly history: number;
	/** Given: derivatives are weighed by the error of this field. */
	readonly errors?: LearnedField;
	/** Largest step, and the start of the choice. */
	readonly spacing: number;
	readonly t0: number;
	/** State before or at t0 (smoothed). */
	before(t: number): Float64Array;
	readonly times: Float64Array;
}

/** How far Σβ may be from the step. */
const consistency = 0.003;

interface Known {
	readonly t: number;
	readonly x: Float64Array;
	readonly slope: Float64Array;
	/** Variances of the errors of the slopes. */
	readonly error: Float64Array;
}

/** States at the times, row by row, as far as they stay finite. */
export function integrateByKriging(spec: IntegratorSpec): Float64Array {
	const { bound, times, t0, history } = spec;
	const { n } = bound.dynamics;
	const h = chosenStep(spec);
	let present = known(spec, t0, spec.before(t0));
	let past = Array.from({ length: history }, (_, i) =>
		known(spec, t0 - (i + 1) * h, spec.before(t0 - (i + 1) * h)),
	);
	const x = new Float64Array(times.length * n);
	for (let k = 0; k < times.length; k++) {
		const target = times[k];
		while (present.t < target - 1e-12 * Math.abs(target)) {
			const length = target - present.t <= h * (1 + 1e-9) ? target - present.t : h;
			const next = predict(spec, present, past, length);
			past = [present, ...past].slice(0, history);
			const t = length === target - present.t ? target : present.t + length;
			present = known(spec, t, next);
			if (!next.every((value) => Math.abs(value) < 1e12)) return x.slice(0, k * n);
		}
		x.set(present.x, k * n);
	}
	return x;
}

function predict(spec: IntegratorSpec, present: Known, past: readonly Known[], h: number): Float64Array {
	const all = [present, ...past];
	return present.x.map((_, c) => advanced(weightsOf(spec, c, all, h), present, all, c));
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
		const covariance = drained(errors.errorCovariance(sites, []));
		for (let j = 0; j < nCalls; j++) {
			const column = covariance.column(j);
			for (let c = 0; c < n; c++)
				for (let i = 0; i < nCalls; i++)
					error[c] += byCall[c * nCalls + i] * column[i] * byCall[c * nCalls + j];
		}
	}
	return { t, x, slope, error: error.map((value) => Math.max(value, 0)) };
}
