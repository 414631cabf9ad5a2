/**
 * A Matérn process of half-integer smoothness as a linear system driven by white noise. In scaled time τ = λ t and with the
 * state X^(i)/λ^i all numbers are of order one: x' = F x + noise, F the companion matrix of (s + 1)^d.
 *
 * Reference: Hartikainen, Särkkä, "Kalman filtering and smoothing solutions to temporal Gaussian process regression
 * models", 2010.
 */

import { exp } from "../../num/elementary/number.ts";
import { identity } from "../../num/linear/dense.ts";
import { wholePower } from "../../num/whole-power.ts";
import { nilpotent } from "./matern-terms.ts";

/** Nodes and weights of Gauss–Legendre quadrature on (0, 1), 8 points. */
const gauss: readonly (readonly [number, number])[] = [
	[0.01985507175123188, 0.05061426814518813],
	[0.10166676129318664, 0.11119051722668724],
	[0.2372337950418355, 0.15685332293894363],
	[0.4082826787521751, 0.18134189168918099],
	[0.5917173212478249, 0.18134189168918099],
	[0.7627662049581645, 0.15685332293894363],
	[0.8983332387068134, 0.11119051722668724],
	[0.9801449282487681, 0.05061426814518813],
];

export class MaternSystem {
	/** Process and derivatives: smoothness + 1. */
	readonly d: number;
	/** λ: derivative i in natural units is λ^i times state i. */
	readonly rate: number;
	/** Stationary covariance, d × d. */
	readonly stationary: Float64Array;
	/** N^k/k!, k = 0 … d - 1, N = F + I nilpotent: exp(F τ) = e^-τ Σ τ^k N^k/k!. */
	readonly #powers: readonly Float64Array[];
	readonly #column: Float64Array;
	/** Strength of the noise that drives the last state. */
	readonly #noise: number;

	/** `covariance` of derivatives i and j at one instant. */
	constructor(smoothness: number, length: number, covariance: (i: number, j: number) => number) {
		const d = smoothness + 1;
		this.d = d;
		this.rate = Math.sqrt(2 * smoothness + 1) / length;
		this.stationary = new Float64Array(d * d);
		for (let i = 0; i < d; i++)
			for (let j = 0; j < d; j++)
				this.stationary[i * d + j] = covariance(i, j) / wholePower(this.rate, i + j);
		this.#column = new Float64Array(d);
		const n = nilpotent(d);
		const powers: Float64Array[] = [identity(d)];
		for (let k = 1; k < d; k++) powers.push(scaledProduct(powers[k - 1], n, d, 1 / k));
		this.#powers = powers;
		// F P + P Fᵀ + q e eᵀ = 0 in its last entry.
		let flow = 0;
		for (let j = 0; j < d; j++)
			flow += (n[(d - 1) * d + j] - (j === d - 1 ? 1 : 0)) * this.stationary[j * d + d - 1];
		this.#noise = -2 * flow;
	}

	/** Transition over a time dt. */
	transitionInto(a: Float64Array, dt: number): void {
		const tau = this.rate * dt;
		const decay = exp(-tau);
		a.fill(0);
		let factor = decay;
		for (const power of this.#powers) {
			for (let i = 0; i < a.length; i++) a[i] += factor * power[i];
			factor *= tau;
		}
	}

	/** Covariance of what the noise adds over dt; `a` is the transition over dt. */
	noiseInto(q: Float64Array, a: Float64Array, dt: number): void {
		const { d, stationary } = this;
		const tau = this.rate * dt;
		q.fill(0);
		if (tau > 1) {
			for (let i = 0; i < d; i++)
				for (let j = 0; j < d; j++) {
					let value = stationary[i * d + j];
					for (let k = 0; k < d; k++)
						for (let l = 0; l < d; l++) value -= a[i * d + k] * stationary[k * d + l] * a[j * d + l];
					q[i * d + j] = value;
				}
			return;
		}
		// For short steps the difference above would be lost in rounding: quadrature of ∫ e^{Fs} e eᵀ e^{Fᵀs} ds.
		const column = this.#column;
		for (const [node, weight] of gauss) {
			const s = node * tau;
			column.fill(0);
			let factor = exp(-s);
			for (const power of this.#powers) {
				for (let i = 0; i < d; i++) column[i] += factor * power[i * d + d - 1];
				factor *= s;
			}
			const strength = weight * tau * this.#noise;
			for (let i = 0; i < d; i++)
				for (let j = 0; j <= i; j++) q[i * d + j] += strength * column[i] * column[j];
		}
		for (let i = 0; i < d; i++) for (let j = 0; j < i; j++) q[j * d + i] = q[i * d + j];
	}
}

function scaledProduct(a: Float64Array, b: Float64Array, d: number, scale: number): Float64Array {
	const out = new Float64Array(d * d);
	for (let i = 0; i < d; i++)
		for (let k = 0; k < d; k++)
			for (let j = 0; j < d; j++) out[i * d + j] += scale * a[i * d + k] * b[k * d + j];
	return out;
}
