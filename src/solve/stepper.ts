/**
 * What joins the integration loop and a method: a method that offers this is driven by the one loop of integrate.ts.
 */
import type { MethodName } from "./ivp.ts";

export interface Stepper {
	readonly method: MethodName;
	/** The error of one step is O(h^errorExponent). */
	readonly errorExponent: number;
	/** Weight of the previous error in the step control. */
	readonly beta: number;
	/** Number of vectors F0, F1, ... of the interpolant (dense-output.ts). */
	readonly nDense: number;
	/** f(t, x) at the present point. */
	readonly slope: Float64Array;
	/** Which derivative was not finite when last one was; -1: the Jacobian. */
	readonly culprit: number;

	/** Begins a smooth piece at (t, x): nothing is kept from before. False when the slope is not finite there. */
	start(t: number, x: Float64Array): boolean;

	/**
	 * Tries a step of length h and puts its end into `xNew`. Returns the error over the tolerance (at most 1: good enough),
	 * or NaN when something was not finite.
	 */
	attempt(t: number, x: Float64Array, h: number, xNew: Float64Array): number;

	/** Interpolant of the step last tried, for a step that was good enough, before `advance`. */
	denseInto(out: Float64Array, t: number, x: Float64Array, h: number, xNew: Float64Array): void;

	/** |h| times the size of the largest eigenvalue, estimated from the step last tried, before `advance`. */
	stiffness(h: number, x: Float64Array, xNew: Float64Array): number;

	/** The end of the step last tried becomes the present point. */
	advance(): void;
}

export function allFinite(v: Float64Array): boolean {
	// NaN and infinity less themselves are NaN.
	let sum = 0;
	for (let i = 0; i < v.length; i++) sum += v[i] - v[i];
	return sum === 0;
}

export function firstNotFinite(v: Float64Array): number {
	return v.findIndex((value) => !Number.isFinite(value));
}
