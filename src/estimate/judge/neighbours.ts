/**
 * How much residuals resemble those near them: ratios of quadratic forms whose weights are known (eigenvalues of second differences
 * with free ends are 2 - 2 cos(πk/n)), so their tails are too, at any number of samples.
 *
 * Fitting p unknowns takes p directions out of the residuals. The weights that are left are, one by one, no larger than the n - p
 * largest of all, and no smaller than the n - p smallest (Cauchy's interlacing): Durbin and Watson's bounds. With the first the level
 * holds whatever the model. Where the second leaves a doubt and the directions are told, the tail is that of these very residuals.
 *
 * Reference: Durbin, Watson, "Testing for serial correlation in least squares regression I", Biometrika 37, 1950.
 */

import { cos } from "../../num/elementary/number.ts";
import { projectedRatioTail } from "../../num/statistics/projected-ratio.ts";
import { ratioTail, type Spectrum } from "../../num/statistics/quadratic-ratio.ts";
import { squared } from "../../num/whole-power.ts";
import { level, mostTold, type Taken } from "./series.ts";

/** Residuals of one record, and what fitting took out of them. */
export interface Row {
	readonly r: Float64Array;
	readonly taken?: Taken;
}

export interface Tested {
	readonly chance: number;
	/** By how much standard errors are too small, about. */
	readonly factor: number;
	readonly lag: number;
}

/** Durbin and Watson's sum, of residuals `lag` samples apart. */
export function lagged(rows: readonly Row[], lag: number, nUnknowns: number): Tested {
	const threads = rows.flatMap((row) =>
		Array.from({ length: Math.min(lag, row.r.length) }, (_, start) => everyOf(row, lag, start)),
	);
	let differences = 0;
	let squares = 0;
	for (const { r } of threads)
		for (let i = 0; i < r.length; i++) {
			if (i > 0) differences += squared(r[i] - r[i - 1]);
			squares += r[i] * r[i];
		}
	const { chance } = tailOf(threads, nUnknowns, (gap) => -gap, -differences / squares);
	const rho = Math.min(correlation(rows, lag), 0.999);
	return { chance, lag, factor: Math.sqrt((1 + rho) / (1 - rho)) };
}

/** The share of the squares that is left of residuals smoothed over about `tau` samples: rᵀ(I + τ²D)⁻¹r. */
export function smoothed(rows: readonly Row[], tau: number, nUnknowns: number): Omit<Tested, "lag"> {
	let product = 0;
	let squares = 0;
	for (const { r } of rows) {
		const s = smooth(r, tau * tau);
		for (let i = 0; i < r.length; i++) {
			product += r[i] * s[i];
			squares += r[i] * r[i];
		}
	}
	const share = product / squares;
	const { chance, mean } = tailOf(rows, nUnknowns, (gap) => 1 / (1 + tau * tau * gap), share);
	return { chance, factor: Math.sqrt(share / mean) };
}

export function correlation(rows: readonly Row[], lag: number): number {
	let products = 0;
	let squares = 0;
	for (const { r } of rows)
		for (let i = 0; i < r.length; i++) {
			if (i >= lag) products += r[i] * r[i - lag];
			squares += r[i] * r[i];
		}
	return products / squares;
}

/** How often chance makes a ratio so large, and what it is on average: of a function of second differences that falls. */
function tailOf(
	rows: readonly Row[],
	nUnknowns: number,
	of: (gap: number) => number,
	ratio: number,
): { chance: number; mean: number } {
	const largest = spectrum(rows, nUnknowns, "smallest", of);
	const bound = { chance: ratioTail(largest, ratio), mean: meanOf(largest) };
	const count = rows.reduce((sum, { r }) => sum + r.length, 0);
	const [{ taken: { count: nTaken } = { count: 0 } }] = rows;
	if (nTaken === 0 || count > mostTold || count <= nTaken) return bound;
	if (ratioTail(spectrum(rows, nTaken, "largest", of), ratio) > level) return bound;
	const weight = new Float64Array(count);
	const taken = new Float64Array(count * nTaken);
	let [from, mean, total] = [0, 0, 0];
	for (const { r, taken: own } of rows) {
		const n = r.length;
		taken.set(inWaves(own!.of, n, nTaken), from * nTaken);
		for (let k = 0; k < n; k++, from++) {
			weight[from] = of(gapOf(k, n));
			let left = 1;
			for (let j = 0; j < nTaken; j++) left -= squared(taken[from * nTaken + j]);
			mean += weight[from] * left;
			total += left;
		}
	}
	return { chance: projectedRatioTail({ weight, taken, nTaken }, ratio), mean: mean / total };
}

/** Eigenvalues of second differences of n samples with free ends. */
function gapOf(k: number, n: number): number {
	return 2 - 2 * cos((Math.PI * k) / n);
}

/** Columns of a row-major matrix in the basis of the eigenvectors of second differences: √(2/n) cos(πk(i + ½)/n). */
function inWaves(columns: Float64Array, n: number, p: number): Float64Array {
	const quarter = Float64Array.from({ length: 4 * n }, (_, m) => cos((Math.PI * m) / (2 * n)));
	const out = new Float64Array(n * p);
	for (let k = 0; k < n; k++) {
		const size = Math.sqrt((k === 0 ? 1 : 2) / n);
		for (let i = 0; i < n; i++) {
			const wave = size * quarter[(k * (2 * i + 1)) % (4 * n)];
			for (let j = 0; j < p; j++) out[k * p + j] += wave * columns[i * p + j];
		}
	}
	return out;
}

function everyOf({ r, taken }: Row, lag: number, start: number): Row {
	const isOwn = (i: number): boolean => i % lag === start;
	return {
		r: r.filter((_, i) => isOwn(i)),
		...(taken
			? { taken: { ...taken, of: taken.of.filter((_, at) => isOwn(Math.floor(at / taken.count))) } }
			: {}),
	};
}

/** Solves (I + a D) s = r, where D takes second differences with free ends. */
function smooth(r: Float64Array, a: number): Float64Array {
	const n = r.length;
	if (n === 1) return r.slice();
	const upper = new Float64Array(n);
	const s = new Float64Array(n);
	for (let i = 0; i < n; i++) {
		const diagonal = 1 + (i === 0 || i === n - 1 ? a : 2 * a) + (i > 0 ? a * upper[i - 1] : 0);
		upper[i] = -a / diagonal;
		s[i] = (r[i] + (i > 0 ? a * s[i - 1] : 0)) / diagonal;
	}
	for (let i = n - 2; i >= 0; i--) s[i] -= upper[i] * s[i + 1];
	return s;
}

/** Weights of a falling function of second differences, without the `gone` smallest or largest. Those that lie close together are taken as one. */
function spectrum(
	rows: readonly Row[],
	gone: number,
	without: "smallest" | "largest",
	of: (gap: number) => number,
): Spectrum {
	const parts: { gap: number; times: number }[] = [];
	const lengths = new Map<number, number>();
	for (const { r } of rows) lengths.set(r.length, (lengths.get(r.length) ?? 0) + 1);
	for (const [n, alike] of lengths) {
		for (let k = 0, width = 1; k < n; k += width) {
			width = Math.min(Math.max(1, Math.floor(k / 64)), n - k);
			parts.push({ gap: gapOf(k + (width - 1) / 2, n), times: alike * width });
		}
	}
	parts.sort((a, b) => (without === "smallest" ? b.gap - a.gap : a.gap - b.gap));
	let left = gone;
	for (const part of parts) {
		const less = Math.min(left, part.times);
		part.times -= less;
		left -= less;
	}
	return {
		weight: Float64Array.from(parts, ({ gap }) => of(gap)),
		times: Float64Array.from(parts, ({ times }) => times),
	};
}

function meanOf({ weight, times }: Spectrum): number {
	let mean = 0;
	let total = 0;
	for (let i = 0; i < weight.length; i++) {
		mean += weight[i] * times[i];
		total += times[i];
	}
	return mean / total;
}
