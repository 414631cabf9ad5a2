/**
 * A stationary process in time and its derivatives: Cov[X^(q)(t), X^(r)(s)] = (-1)^r k^(q+r)(t - s), with
 * k(τ) = σ² φ(|τ|/ρ). (The paper prints another (-1)^r, which is one too many.)
 */

import { wholePower } from "../../../num/whole-power.ts";
import type { Radial } from "../field/radial.ts";

export interface TimeHyper {
	/** Variance of the process. */
	readonly variance: number;
	/** Length of its correlation, in units of time. */
	readonly length: number;
}

/** Cov[X^(q)(t), X^(r)(t - lag)]. */
export function timeCovariance(
	radial: Radial,
	{ variance, length }: TimeHyper,
	lag: number,
	q: number,
	r: number,
): number {
	const order = q + r;
	const value = (variance * radial.derivative(order, Math.abs(lag) / length)) / wholePower(length, order);
	return flips(lag, order, r) ? -value : value;
}

/** Its derivative by log length; by log variance it is the covariance itself. */
export function timeCovarianceByLogLength(
	radial: Radial,
	{ variance, length }: TimeHyper,
	lag: number,
	q: number,
	r: number,
): number {
	const order = q + r;
	const distance = Math.abs(lag) / length;
	const change =
		order * radial.derivative(order, distance) + distance * radial.derivative(order + 1, distance);
	const value = (-variance * change) / wholePower(length, order);
	return flips(lag, order, r) ? -value : value;
}

/** k is even: its odd derivatives change sign with the lag; and each derivative by s gives a minus. */
function flips(lag: number, order: number, r: number): boolean {
	return (order % 2 === 1 && lag < 0 ? 1 : 0) + (r % 2) === 1;
}
