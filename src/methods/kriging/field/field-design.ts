/**
 * Observations of unknown functions: each is a weighted sum of values of one or more functions at some sites, and of free
 * numbers times known factors. All functions are independent processes with a polynomial trend; free numbers belong to the
 * mean. So a whole vector field, one term of an equation beside known ones, a sum of several unknown functions, and a
 * trajectory (an integral of the field) are one problem.
 */
import type { FieldCovariance } from "./field-covariance.ts";
import { monomialAt } from "./monomials.ts";

/** An unknown function: how its arguments are scaled, its trend and its covariance. */
export interface FieldFunction {
	readonly name: string;
	readonly argNames: readonly string[];
	/** Scaled argument: (x - centre)/scale. */
	readonly centre: Float64Array;
	readonly scale: Float64Array;
	/** Exponents of the trend, in scaled arguments. */
	readonly basis: readonly (readonly number[])[];
	readonly covariance: FieldCovariance;
}

/** A function at a point (in scaled arguments). */
export interface Site {
	readonly of: number;
	readonly x: Float64Array;
}

/** A weighted sum over sites, and a factor for each free number. */
export interface Functional {
	readonly at: Int32Array;
	readonly weight: Float64Array;
	readonly factors: Float64Array;
}

export class FieldDesign {
	/** Where the trend of each function starts among the mean functions; then come the free numbers. */
	readonly trendStart: readonly number[];
	readonly nMean: number;
	/** Where the hyperparameters of each function start. */
	readonly hyperStart: readonly number[];
	readonly nHyper: number;

	constructor(
		readonly functions: readonly FieldFunction[],
		readonly nFree: number,
	) {
		this.trendStart = starts(functions.map(({ basis }) => basis.length));
		this.hyperStart = starts(functions.map(({ covariance }) => covariance.hyperNames.length));
		this.nMean = this.nTrend + nFree;
		this.nHyper = this.hyperStart[functions.length];
	}

	get nTrend(): number {
		return this.trendStart[this.functions.length];
	}

	hyperOf(hyper: Float64Array, fn: number): Float64Array {
		return hyper.subarray(this.hyperStart[fn], this.hyperStart[fn + 1]);
	}

	/** Of a function's variations. */
	variance(hyper: Float64Array, fn: number): number {
		const { covariance, argNames } = this.functions[fn];
		return covariance.value(this.hyperOf(hyper, fn), new Float64Array(argNames.length), 0);
	}

	/** Trend functions at a site, and zeros for the free numbers. */
	meanAtSite({ of, x }: Site): Float64Array {
		const row = new Float64Array(this.nMean);
		const start = this.trendStart[of];
		this.functions[of].basis.forEach((exponents, j) => {
			row[start + j] = monomialAt(exponents, x);
		});
		return row;
	}

	/** Mean functions of the functionals: n × nMean. */
	meanMatrix(sites: readonly Site[], functionals: readonly Functional[]): Float64Array {
		const { nMean, nTrend } = this;
		const atSites = sites.map((site) => this.meanAtSite(site));
		const p = new Float64Array(functionals.length * nMean);
		functionals.forEach(({ at, weight, factors }, i) => {
			const row = p.subarray(i * nMean, (i + 1) * nMean);
			for (let s = 0; s < at.length; s++) {
				const mean = atSites[at[s]];
				for (let j = 0; j < nTrend; j++) row[j] += weight[s] * mean[j];
			}
			row.set(factors, nTrend);
		});
		return p;
	}

	/** Covariances of sites with sites, without their means: a.length × b.length. */
	siteCovariance(hyper: Float64Array, a: readonly Site[], b: readonly Site[]): Float64Array {
		const own = this.functions.map((_, of) => this.hyperOf(hyper, of));
		const squares = this.functions.map(({ argNames }) => new Float64Array(argNames.length));
		const matrix = new Float64Array(a.length * b.length);
		for (let i = 0; i < a.length; i++) {
			const { of, x } = a[i];
			const { covariance } = this.functions[of];
			for (let j = 0; j < b.length; j++) {
				if (b[j].of !== of) continue;
				squaresInto(squares[of], 0, x, b[j].x);
				matrix[i * b.length + j] = covariance.value(own[of], squares[of], 0);
			}
		}
		return matrix;
	}
}

/** Functionals split by function: each part sees only the sites of its own. */
export class SplitFunctionals {
	readonly #parts: readonly {
		/** Squared differences of the sites by argument, row by row of the lower triangle. */
		readonly squares: Float64Array;
		readonly nSites: number;
		readonly functionals: readonly Functional[];
	}[];

	constructor(
		readonly design: FieldDesign,
		sites: readonly Site[],
		readonly functionals: readonly Functional[],
	) {
		this.#parts = design.functions.map((_, fn) => {
			const position = new Int32Array(sites.length).fill(-1);
			const own = sites.filter(({ of }, s) => {
				if (of !== fn) return false;
				position[s] = 0;
				return true;
			});
			let next = 0;
			for (let s = 0; s < sites.length; s++) if (position[s] === 0) position[s] = next++;
			const d = design.functions[fn].argNames.length;
			const squares = new Float64Array((d * own.length * (own.length + 1)) / 2);
			for (let i = 0, at = 0; i < own.length; i++)
				for (let j = 0; j <= i; j++, at += d) squaresInto(squares, at, own[i].x, own[j].x);
			return {
				squares,
				nSites: own.length,
				functionals: functionals.map((each) => restricted(each, position)),
			};
		});
	}

	/** Covariance of all functionals, without their means. */
	covariance(hyper: Float64Array): Float64Array {
		const n = this.functionals.length;
		const total = new Float64Array(n * n);
		this.#parts.forEach((_, fn) => {
			const { covariance } = this.design.functions[fn];
			const own = this.design.hyperOf(hyper, fn);
			this.#combine(fn, (squares, at) => covariance.value(own, squares, at)).forEach((value, i) => {
				total[i] += value;
			});
		});
		return total;
	}

	/** Its derivative by the logarithm of hyperparameter i. */
	covarianceByLog(hyper: Float64Array, i: number): Float64Array {
		const { hyperStart, functions } = this.design;
		const fn = functions.findIndex((_, f) => i < hyperStart[f + 1]);
		const own = this.design.hyperOf(hyper, fn);
		const { covariance } = functions[fn];
		return this.#combine(fn, (squares, at) => covariance.byLog(own, squares, at, i - hyperStart[fn]));
	}

	#combine(fn: number, value: (squares: Float64Array, at: number) => number): Float64Array {
		const { squares, nSites: m, functionals } = this.#parts[fn];
		const d = this.design.functions[fn].argNames.length;
		const k = new Float64Array(m * m);
		for (let i = 0, at = 0; i < m; i++)
			for (let j = 0; j <= i; j++, at += d) k[i * m + j] = k[j * m + i] = value(squares, at);
		return combineBoth(functionals, k, m);
	}
}

function restricted({ at, weight, factors }: Functional, position: Int32Array): Functional {
	const places = new Int32Array(at.length);
	const weights = new Float64Array(at.length);
	let count = 0;
	for (let s = 0; s < at.length; s++) {
		const place = position[at[s]];
		if (place < 0) continue;
		places[count] = place;
		weights[count++] = weight[s];
	}
	return { at: places.slice(0, count), weight: weights.slice(0, count), factors };
}

/** S M for the functionals' weights S (n × nSites) and a matrix with one row a site. */
export function combineRows(
	functionals: readonly Functional[],
	matrix: Float64Array,
	nColumns: number,
): Float64Array {
	const out = new Float64Array(functionals.length * nColumns);
	functionals.forEach(({ at, weight }, i) => {
		const to = i * nColumns;
		let s = 0;
		// Four sites at once, added in their order: each number is fetched and put back a quarter as often.
		for (; s + 3 < at.length; s += 4) {
			const f0 = at[s] * nColumns;
			const f1 = at[s + 1] * nColumns;
			const f2 = at[s + 2] * nColumns;
			const f3 = at[s + 3] * nColumns;
			const w0 = weight[s];
			const w1 = weight[s + 1];
			const w2 = weight[s + 2];
			const w3 = weight[s + 3];
			for (let c = 0; c < nColumns; c++)
				out[to + c] =
					out[to + c] + w0 * matrix[f0 + c] + w1 * matrix[f1 + c] + w2 * matrix[f2 + c] + w3 * matrix[f3 + c];
		}
		for (; s < at.length; s++) {
			const from = at[s] * nColumns;
			const w = weight[s];
			for (let c = 0; c < nColumns; c++) out[to + c] += w * matrix[from + c];
		}
	});
	return out;
}

/** S M Sᵀ for a symmetric matrix M of the sites. */
function combineBoth(functionals: readonly Functional[], matrix: Float64Array, nSites: number): Float64Array {
	const n = functionals.length;
	const half = combineRows(functionals, matrix, nSites);
	const out = new Float64Array(n * n);
	for (let i = 0; i < n; i++)
		for (let j = 0; j <= i; j++) {
			const { at, weight } = functionals[j];
			let sum = 0;
			for (let s = 0; s < at.length; s++) sum += weight[s] * half[i * nSites + at[s]];
			out[i * n + j] = out[j * n + i] = sum;
		}
	return out;
}

export function scaled({ centre, scale }: FieldFunction, args: ArrayLike<number>): Float64Array {
	return Float64Array.from(centre, (c, i) => (args[i] - c) / scale[i]);
}

/** Squared differences of two points, by argument, from position `at` on. */
export function squaresInto(out: Float64Array, at: number, a: Float64Array, b: Float64Array): void {
	for (let i = 0; i < a.length; i++) out[at + i] = (a[i] - b[i]) * (a[i] - b[i]);
}

function starts(lengths: readonly number[]): number[] {
	const all = [0];
	for (const length of lengths) all.push(all[all.length - 1] + length);
	return all;
}
