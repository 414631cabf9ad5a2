/** Residuals of least squares fits to noise of a known kind. */
import type { ResidualSeries } from "../../../src/estimate/judge/series.ts";
import type { Stream } from "../../../src/num/random.ts";

/** How the sensitivities of a model look along its record. */
export type Shape = "slow" | "swinging" | "rough" | "alternating";

export type Noise =
	| { readonly kind: "even" }
	/** Student's law of 4 degrees of freedom. */
	| { readonly kind: "heavy" }
	| { readonly kind: "correlated"; readonly rho: number }
	/** White, and beside it so much of the variance that is forgotten in `tau` samples. */
	| { readonly kind: "slow"; readonly share: number; readonly tau: number }
	| { readonly kind: "swing"; readonly share: number; readonly period: number };

export function noiseOf(random: Stream, n: number, noise?: Noise): Float64Array {
	const white = Float64Array.from({ length: n }, (_, i) => random.normal(i));
	if (!noise) return white;
	switch (noise.kind) {
		case "even":
			return white.map((_, i) => 2 * random.uniform(n + i) - 1);
		case "heavy":
			return white.map((value, i) => {
				const others = [0, 1, 2, 3].reduce((sum, k) => sum + random.normal(n * (1 + k) + i) ** 2, 0);
				return value / Math.sqrt(others / 4);
			});
		case "correlated":
			return forgotten(white, noise.rho);
		case "slow": {
			const rho = Math.exp(-1 / noise.tau);
			const other = forgotten(
				white.map((_, i) => random.normal(n + i)),
				rho,
			);
			return white.map((value, i) => Math.sqrt(1 - noise.share) * value + Math.sqrt(noise.share) * other[i]);
		}
		case "swing":
			return white.map(
				(value, i) =>
					Math.sqrt(1 - noise.share) * value +
					Math.sqrt(2 * noise.share) * Math.sin((2 * Math.PI * i) / noise.period + 1),
			);
	}
}

/** Residuals as the judge reads them; the prediction is 0. */
export function seriesFrom(residual: Float64Array, rest: Partial<ResidualSeries> = {}): ResidualSeries {
	const t = Array.from(residual.keys());
	return { experiment: "record", output: "y", t, observed: residual, residual, noise: "found", ...rest };
}

/** A first-order autoregression of variance 1. */
function forgotten(white: Float64Array, rho: number): Float64Array {
	const out = white.slice();
	for (let i = 1; i < out.length; i++) out[i] = rho * out[i - 1] + Math.sqrt(1 - rho * rho) * white[i];
	return out;
}

/** What a fit of p unknowns leaves of it. Records of n samples share the unknowns. */
export function leftOver(noise: Float64Array, fitted: Fitted): Float64Array {
	const rest = noise.slice();
	for (const column of directions(noise.length, fitted)) subtract(rest, column, inner(rest, column));
	return rest;
}

export interface Fitted {
	readonly shape: Shape;
	readonly p: number;
	readonly n: number;
	readonly uneven?: boolean;
	readonly random: Stream;
}

/** Orthonormal, as many as unknowns. */
export function directions(count: number, { shape, p, n, uneven, random }: Fitted): Float64Array[] {
	const rest = new Float64Array(count);
	const columns: Float64Array[] = [];
	for (let j = 0; j < p; j++) {
		const column = rest.map((_, row) => {
			const i = row % n;
			const s = (i + (uneven ? random.uniform(1e7 + i) : 0.5)) / n;
			// A record further on is another experiment: each sensitivity has another size there.
			const size = 1 + 0.3 * Math.cos(1 + Math.floor(row / n) * (j + 1));
			const sensitivity: Record<Shape, () => number> = {
				slow: () => Math.exp(-j * s * (uneven ? s : 1)) * (1 + j * s),
				swinging: () => (j % 2 ? Math.sin : Math.cos)((2 * Math.PI * i) / 5.3) * s ** (j >> 1),
				rough: () => random.normal(2e7 + j * rest.length + row),
				alternating: () => (i % 2 ? -1 : 1) * s ** j,
			};
			return size * sensitivity[shape]();
		});
		// Gram and Schmidt, twice.
		for (let round = 0; round < 2; round++)
			for (const other of columns) subtract(column, other, inner(column, other));
		const norm = Math.sqrt(inner(column, column));
		if (norm > 1e-8) columns.push(column.map((value) => value / norm));
	}
	return columns;
}

function inner(a: Float64Array, b: Float64Array): number {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
	return sum;
}

function subtract(from: Float64Array, what: Float64Array, times: number): void {
	for (let i = 0; i < from.length; i++) from[i] -= times * what[i];
}
