/**
 * What a cloud has beyond a normal law: a ridge that bends (`bend.ts`), or a funnel, all of whose coordinates scale with one. Offsets
 * from the mean become straight by it, and bend back.
 */
import { exp, log } from "../../../num/elementary/number.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Bend } from "./bend.ts";

/** Exponents that are tried. */
const exponents = [0, 0.25, 0.5, 0.75, 1];

/** The coordinate that others scale with, and how. */
export interface Funnel {
	readonly kind: "funnel";
	readonly at: number;
	readonly kappa: Float64Array;
	readonly slope: Float64Array;
}

/** What a cloud has beyond a normal law. */
export type Shape = Funnel | Bend;

/** Offsets from the mean become what the shape leaves of them. Log of how much they change with that. */
export function straighten(shape: Shape, e: Float64Array): number {
	if (shape.kind === "bend") return shape.straighten(e);
	const { at, slope, kappa } = shape;
	const w = e[at];
	let logStretch = 0;
	for (let i = 0; i < e.length; i++) {
		if (i === at) continue;
		e[i] = (e[i] - slope[i] * w) / exp(kappa[i] * w);
		logStretch += kappa[i] * w;
	}
	return logStretch;
}

/** And back. */
export function bend(shape: Shape, e: Float64Array): void {
	if (shape.kind === "bend") return shape.bend(e);
	const { at, slope, kappa } = shape;
	const w = e[at];
	for (let i = 0; i < e.length; i++) if (i !== at) e[i] = slope[i] * w + exp(kappa[i] * w) * e[i];
}

/** How the other coordinates scale with coordinate `at`, and the log-likelihood a particle gains by it. */
export function funnelOf(
	z: Float64Array,
	weights: Float64Array,
	mean: Float64Array,
	at: number,
): { funnel: Funnel; gain: number } {
	const d = mean.length;
	const n = weights.length;
	const kappa = new Float64Array(d);
	const slope = new Float64Array(d);
	let gain = 0;
	let varW = 0;
	for (let b = 0; b < n; b++) if (weights[b] > 0) varW += weights[b] * squared(z[at * n + b] - mean[at]);
	for (let i = 0; i < d; i++) {
		if (i === at || !(varW > 0)) continue;
		let covariance = 0;
		for (let b = 0; b < n; b++)
			if (weights[b] > 0) covariance += weights[b] * (z[i * n + b] - mean[i]) * (z[at * n + b] - mean[at]);
		slope[i] = covariance / varW;
		const spreads = exponents.map((exponent) => {
			let sum = 0;
			for (let b = 0; b < n; b++) {
				if (!(weights[b] > 0)) continue;
				const w = z[at * n + b] - mean[at];
				sum += weights[b] * squared((z[i * n + b] - mean[i] - slope[i] * w) * exp(-exponent * w));
			}
			return sum;
		});
		const best = spreads.indexOf(Math.min(...spreads));
		if (!(spreads[best] > 0)) continue;
		kappa[i] = exponents[best];
		gain += 0.5 * log(spreads[0] / spreads[best]);
	}
	return { funnel: { kind: "funnel", at, kappa, slope }, gain };
}
