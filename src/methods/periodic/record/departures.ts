/**
 * How a record departs from a periodic one: its level, its amplitude or its timing changes slowly. Each is a few slow
 * functions of time, alone, times the series, or times its slope. Freed of what the series can follow, they are tested
 * against the noise: under a periodic record the statistic follows the χ² law with as many degrees as there are functions.
 */

import { type HarmonicFit, seriesAt, seriesDerivative } from "../../../num/harmonic-fit.ts";
import { choleskyInto, choleskySolveInto } from "../../../num/linear/cholesky.ts";
import { dot, product } from "../../../num/linear/dense.ts";
import { squared, wholePower } from "../../../num/whole-power.ts";
import {
	correlatedProducts,
	forgetting,
	frequenciesOf,
	type Noise,
	noiseOf,
	seriesRowInto,
} from "./record-noise.ts";

export type DepartureKind = "level" | "amplitude" | "timing" | "transient";

export interface Departure {
	readonly kind: DepartureKind;
	/** Whether it goes one way all the time. */
	readonly steady: boolean;
	/** Change over the record: in the record's unit, as a share of the amplitude, as a share of a period; a transient: its end. */
	readonly change: number;
	/** The same, in the record's unit, relative to its range. */
	readonly share: number;
}

/** Standard normal quantile of the level at which each test is made, about 1 in 30000. */
const z = 4;
const mostFunctions = 6;
/** Even noise that never forgets leaves more than this share of itself beside so few functions. */
const unlike = 0.05;

/** The plainest departure, and the noise that is left without any. */
export function departureOf(
	t: Float64Array,
	rest: Float64Array,
	series: HarmonicFit,
	cycles: number,
	exact: boolean,
): { departure: Departure | undefined; noise: Noise } {
	const J = Math.min(mostFunctions, Math.max(3, Math.floor(cycles)));
	const slow = slowFunctions(t, J);
	const raw = functionsOf(t, series, slow);
	const columns = withoutSeries(t, raw, series);
	const all = explained(columns, rest);
	const span = t[t.length - 1] - t[0];
	const taken = [
		...frequenciesOf(series),
		...Array.from({ length: J }, (_, j) => [((j + 1) * Math.PI) / span, series.omega, series.omega]).flat(),
	];
	const noise = noiseOf(t, all.rest, taken, exact);
	const r = forgetting(t, noise);
	const statisticOf = (own: readonly Float64Array[]): number => {
		const score = Float64Array.from(own, (column) => dot(column, rest));
		const spread = correlatedProducts(own, r).map((value) => value * noise.variance);
		const solved = score.slice();
		if (choleskyInto(spread, own.length)) choleskySolveInto(solved, spread, own.length);
		else solved.fill(0);
		return dot(score, solved);
	};
	const found = (["level", "amplitude", "timing"] as const).map((kind, g) => {
		const own = columns.slice(g * J, (g + 1) * J);
		return { kind, g, own, statistic: statisticOf(own) };
	});
	const most = found.reduce((a, b) => (b.statistic > a.statistic ? b : a));
	// Noise that is slow leaves few samples that are independent, and its own rate is known the less.
	const independent = (t.length * (1 - noise.correlation)) / (1 + noise.correlation) - taken.length / 2;
	const samples = Math.max(independent, 4);
	const isSeen =
		most.statistic > chiSquared(J, samples) ||
		sumOfSquares(explained(most.own, rest).rest) < unlike * sumOfSquares(rest);
	if (exact || !isSeen) return { departure: undefined, noise };
	// A line is all there is to it where what goes beyond the line is not seen.
	const line = statisticOf(most.own.slice(0, 1));
	const used = most.statistic - line > chiSquared(J - 1, samples) ? J : 1;
	const { weights } = explained(most.own.slice(0, used), rest);
	const along = (of: readonly Float64Array[]): Float64Array =>
		t.map((_, i) => weights.reduce((sum, weight, j) => sum + weight * of[j][i], 0));
	const shape = along(slow);
	const change = Math.max(...shape) - Math.min(...shape);
	const whole = shape[shape.length - 1] - shape[0];
	const size = along(raw.slice(most.g * J)).reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
	return {
		departure: {
			kind: most.kind,
			steady: Math.abs(whole) > 0.75 * change,
			change: changeOf(most.kind, change, shape),
			share: (most.kind === "level" ? change : 2 * size) / rangeOf(series),
		},
		noise,
	};
}

/** An amplitude that falls does so by a share of what it was at first: at most all of it. */
function changeOf(kind: DepartureKind, change: number, shape: Float64Array): number {
	if (kind === "timing") return change / (2 * Math.PI);
	const whole = shape[shape.length - 1] - shape[0];
	if (kind === "level" || whole >= 0) return Math.sign(whole) * change;
	return -Math.min(change / Math.max(1 + Math.max(...shape), change), 1);
}

/** Wilson and Hilferty's cube, with the normal quantile made Student's for a variance from so many samples. */
function chiSquared(degrees: number, samples: number): number {
	const part = 2 / (9 * degrees);
	const student =
		z * (1 + (z * z + 1) / (4 * samples) + ((5 * z * z + 16) * z * z + 3) / (96 * squared(samples)));
	return degrees * wholePower(1 - part + student * Math.sqrt(part), 3);
}

/** Legendre's polynomials of time, from the first to the last sample, of degree 1 to J. */
function slowFunctions(t: Float64Array, J: number): Float64Array[] {
	const u = t.map((time) => (2 * (time - t[0])) / (t[t.length - 1] - t[0]) - 1);
	const all = [u.map(() => 1), u];
	for (let j = 2; j <= J; j++)
		all.push(u.map((x, i) => ((2 * j - 1) * x * all[j - 1][i] - (j - 1) * all[j - 2][i]) / j));
	return all.slice(1);
}

function functionsOf(
	t: Float64Array,
	{ c, omega, origin }: HarmonicFit,
	slow: readonly Float64Array[],
): Float64Array[] {
	const d = seriesDerivative(c);
	const carriers = [() => 1, (phi: number) => seriesAt(c, phi) - c[0], (phi: number) => seriesAt(d, phi)].map(
		(carrier) => t.map((time) => carrier(omega * (time - origin))),
	);
	return carriers.flatMap((carrier) => slow.map((each) => carrier.map((value, i) => value * each[i])));
}

/** What is left of columns beside the regressors of the series. */
function withoutSeries(t: Float64Array, columns: readonly Float64Array[], fit: HarmonicFit): Float64Array[] {
	const size = 2 * fit.harmonics + 2;
	const row = new Float64Array(size);
	const products = columns.map(() => new Float64Array(size));
	for (let i = 0; i < t.length; i++) {
		seriesRowInto(row, fit, t[i]);
		columns.forEach((column, q) => {
			for (let a = 0; a < size; a++) products[q][a] += row[a] * column[i];
		});
	}
	const weights = products.map((own) => product(fit.inverse, own, size, size, 1));
	const rest = columns.map((column) => column.slice());
	for (let i = 0; i < t.length; i++) {
		seriesRowInto(row, fit, t[i]);
		rest.forEach((column, q) => {
			for (let a = 0; a < size; a++) column[i] -= weights[q][a] * row[a];
		});
	}
	return rest;
}

/** Least squares of what is left on the columns. */
function explained(
	columns: readonly Float64Array[],
	rest: Float64Array,
): { weights: Float64Array; rest: Float64Array } {
	const q = columns.length;
	const normal = new Float64Array(q * q);
	for (let a = 0; a < q; a++) for (let b = 0; b < q; b++) normal[a * q + b] = dot(columns[a], columns[b]);
	// Slow functions of different kinds may be the same in a short record.
	for (let a = 0; a < q; a++) normal[a * (q + 1)] *= 1 + 1e-8;
	const weights = Float64Array.from(columns, (column) => dot(column, rest));
	if (!choleskyInto(normal, q)) return { weights: weights.fill(0), rest };
	choleskySolveInto(weights, normal, q);
	return {
		weights,
		rest: rest.map((value, i) => columns.reduce((sum, column, a) => sum - weights[a] * column[i], value)),
	};
}

function rangeOf({ c }: HarmonicFit): number {
	let lo = Number.POSITIVE_INFINITY;
	let hi = Number.NEGATIVE_INFINITY;
	for (let k = 0; k < 500; k++) {
		const value = seriesAt(c, (2 * Math.PI * k) / 500);
		lo = Math.min(lo, value);
		hi = Math.max(hi, value);
	}
	return hi - lo;
}

function sumOfSquares(a: Float64Array): number {
	return dot(a, a);
}
