/**
 * Step 2: unknown functions learned from data, f̂(x) = Σ w_s k(x, x_s) + trend (the paper's eq. 16), with the joint
 * covariance of their errors and of those of the free numbers.
 */
import { drained } from "../../../num/drained.ts";
import type { ByColumns } from "../../../num/linear/pivoted-cholesky.ts";
import { combineRows, type FieldDesign, type Site, SplitFunctionals, scaled } from "./field-design.ts";
import type { FieldData } from "./field-hyper.ts";
import { IntrinsicKriging, type Reduced } from "./intrinsic-kriging.ts";
import { KernelSum } from "./kernel-sum.ts";

/** Covariances of errors, and what they are errors of. */
export interface FieldErrors extends ByColumns {
	readonly prediction: Float64Array;
}

/** Sites without a pause. */
const pauseEvery = 32;

export class LearnedField {
	readonly kriging: IntrinsicKriging;
	#functions: readonly KernelSum[] | undefined;
	/** Coefficients of all trends, then the free numbers. */
	readonly beta: Float64Array;

	constructor(
		readonly design: FieldDesign,
		readonly data: FieldData,
		readonly hyper: Float64Array,
	) {
		const { sites, functionals, y, noise } = data;
		const k = new SplitFunctionals(design, sites, functionals).covariance(hyper);
		for (let i = 0; i < k.length; i++) k[i] += noise[i];
		this.kriging = new IntrinsicKriging(k, design.meanMatrix(sites, functionals), y, design.nMean);
		this.beta = this.kriging.beta;
	}

	/** Each function, ready to be evaluated. */
	get functions(): readonly KernelSum[] {
		const { design, hyper, data, kriging, beta } = this;
		this.#functions ??= kernelSums(design, hyper, data.sites, siteWeights(data, kriging.dual), beta);
		return this.#functions;
	}

	get free(): Float64Array {
		return this.beta.slice(this.design.nTrend);
	}

	/** Sites, ready for covariances of errors. */
	reduceSites(sites: readonly Site[]): Reduced[] {
		return drained(this.#reduction(sites));
	}

	*#reduction(sites: readonly Site[]): Generator<void, Reduced[]> {
		const { design, hyper, data, kriging } = this;
		const m = sites.length;
		const cross = design.siteCovariance(hyper, data.sites, sites);
		const k = combineRows(data.functionals, cross, m);
		const reduced: Reduced[] = [];
		for (const [j, site] of sites.entries()) {
			if (j % pauseEvery === 0) yield;
			const own = new Float64Array(kriging.n);
			for (let i = 0; i < own.length; i++) own[i] = k[i * m + j];
			reduced.push(kriging.reduce({ k: own, p: design.meanAtSite(site) }));
		}
		return reduced;
	}

	/** The error of free number j, likewise. */
	reduceFree(j: number): Reduced {
		const p = new Float64Array(this.design.nMean);
		p[this.design.nTrend + j] = 1;
		return this.kriging.reduce({ k: new Float64Array(this.kriging.n), p });
	}

	/** Covariance of the errors at `sites` and of the free numbers named, in this order. */
	*errorCovariance(sites: readonly Site[], free: readonly number[]): Generator<void, FieldErrors> {
		const { design, hyper, kriging } = this;
		const reduced = [...(yield* this.#reduction(sites)), ...free.map((j) => this.reduceFree(j))];
		const ownVariance = design.functions.map((_, of) => design.variance(hyper, of));
		return {
			prediction: Float64Array.from(reduced, ({ prediction }) => prediction),
			diagonal: Float64Array.from(reduced, (each, i) =>
				kriging.errorCovariance(i < sites.length ? ownVariance[sites[i].of] : 0, each, each),
			),
			column(j) {
				const column = new Float64Array(reduced.length);
				if (j < sites.length) column.set(design.siteCovariance(hyper, sites, [sites[j]]));
				kriging.errorCovariancesInto(column, reduced, reduced[j]);
				return column;
			},
		};
	}

	/** Values of one function with the standard deviations of their errors, at points in natural units. */
	predict(fn: number, points: readonly ArrayLike<number>[]): { value: Float64Array; sd: Float64Array } {
		const sites = points.map((args) => ({ of: fn, x: scaled(this.design.functions[fn], args) }));
		const reduced = this.reduceSites(sites);
		const prior = this.design.variance(this.hyper, fn);
		return {
			value: Float64Array.from(reduced, ({ prediction }) => prediction),
			sd: Float64Array.from(reduced, (each) =>
				Math.sqrt(Math.max(this.kriging.errorCovariance(prior, each, each), 0)),
			),
		};
	}
}

/** Sᵀ c: how much each site weighs. */
export function siteWeights({ sites, functionals }: FieldData, c: Float64Array): Float64Array {
	const weights = new Float64Array(sites.length);
	functionals.forEach(({ at, weight }, i) => {
		for (let s = 0; s < at.length; s++) weights[at[s]] += weight[s] * c[i];
	});
	return weights;
}

export function kernelSums(
	design: FieldDesign,
	hyper: Float64Array,
	sites: readonly Site[],
	weights: Float64Array,
	beta: Float64Array,
): KernelSum[] {
	return design.functions.map((fn, of) => {
		const own = sites.flatMap((site, s) => (site.of === of ? [s] : []));
		return new KernelSum(
			fn,
			design.hyperOf(hyper, of).slice(),
			Float64Array.from(own.flatMap((s) => [...sites[s].x])),
			Float64Array.from(own, (s) => weights[s]),
			beta.slice(design.trendStart[of], design.trendStart[of + 1]),
		);
	});
}
