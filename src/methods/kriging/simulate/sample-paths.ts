/**
 * Simulation by sample paths of the field: functions are drawn from what is left uncertain of the field, whole (not point
 * by point), and the system is integrated with each. A drawn function is again a sum of covariances:
 *
 *     f̂(x) + Σ_z v_z Cov[error at x, error at z],   Lᵀ v = ξ on the pivots z of the covariance along the path,
 *
 * so it has the right joint law at the pivots, and elsewhere its mean given them.
 */
import { drained } from "../../../num/drained.ts";
import { stream } from "../../../num/random.ts";
import { knotsOf } from "../../../solve/piecewise-inputs.ts";
import { solveIvp } from "../../../solve/solve-ivp.ts";
import { BoundDynamics } from "../dynamics.ts";
import { combineRows } from "../field/field-design.ts";
import { kernelSums, siteWeights } from "../field/learned-field.ts";
import type { KrigingRecord } from "../records.ts";
import { withConditions } from "../time/smoothed-record.ts";
import { far } from "./far-from-data.ts";
import { linearPath } from "./path.ts";
import { pathUncertainty, rootOf, sitesOf } from "./path-error.ts";
import { type SimulationSpec, thinned } from "./simulation.ts";

export interface SamplePaths {
	readonly t: Float64Array;
	/** One array of states (row by row) a draw; shorter where it ended early. */
	readonly draws: readonly Float64Array[];
}

export function samplePaths(spec: SimulationSpec, count: number, seed: number): SamplePaths {
	const { dynamics, functions, params, record, start, times } = spec;
	const { n, nParams } = dynamics;
	const full = record as KrigingRecord;
	const bound = new BoundDynamics(dynamics, functions, withConditions(params, full), record.signals);
	const path = linearPath(bound, start.t, start.x, thinned(times, 300), 400);
	const leaves = path.args.some((args) =>
		sitesOf(spec, args).some((site) => spec.error.hull.leverage(site) > far),
	);
	const field = leaves ? spec.error.open : spec.error.cautious;
	const { sites, free, low } = drained(pathUncertainty(spec, path, field));
	const { kriging, design, hyper, data, beta } = field;
	// Weights and multipliers of each pivot: a site of the path, or a free number.
	const pivotSites = low.pivots.filter((z) => z < sites.length).map((z) => sites[z]);
	const cross = combineRows(
		data.functionals,
		design.siteCovariance(hyper, data.sites, pivotSites),
		pivotSites.length,
	);
	let column = 0;
	const pivots = low.pivots.map((z) => {
		if (z >= sites.length) {
			const p = new Float64Array(design.nMean);
			p[design.nTrend + free[z - sites.length]] = 1;
			return { site: undefined, ...kriging.weights({ k: new Float64Array(kriging.n), p }) };
		}
		const c = column++;
		const k = Float64Array.from({ length: kriging.n }, (_, i) => cross[i * pivotSites.length + c]);
		return { site: sites[z], ...kriging.weights({ k, p: design.meanAtSite(sites[z]) }) };
	});
	const base = siteWeights(data, kriging.dual);
	const random = stream(seed, "sample paths of the field");
	const root = start.kind === "apart" ? rootOf(start.covariance, n) : undefined;
	const t1 = times[times.length - 1];
	const knots = knotsOf(record.signals).filter((knot) => knot > start.t && knot < t1);
	const draws = Array.from({ length: count }, (_, d) => {
		const xi = Float64Array.from({ length: low.rank + n }, (_, i) => random.normal(d * (low.rank + n) + i));
		const v = backSolve(low.factor, low.pivots, low.rank, xi);
		const c = new Float64Array(kriging.n);
		const trend = beta.slice();
		const extra: number[] = [];
		pivots.forEach(({ a, mu, site }, z) => {
			for (let i = 0; i < c.length; i++) c[i] -= v[z] * a[i];
			for (let j = 0; j < trend.length; j++) trend[j] -= v[z] * mu[j];
			if (site) extra.push(v[z]);
		});
		const weights = siteWeights(data, c);
		const all = Float64Array.of(...base.map((w, s) => w + weights[s]), ...extra);
		const drawn = kernelSums(design, hyper, [...data.sites, ...pivotSites], all, trend);
		const moved = (j: number): number => {
			let sum = 0;
			for (let q = 0; q < low.rank; q++) sum += low.factor[(sites.length + j) * low.rank + q] * xi[q];
			return sum;
		};
		const p = params.map((value, j) => value + moved(j));
		const x0 = start.x.map((value, i) => {
			if (!root) return value + moved(nParams + i);
			let sum = value;
			for (let j = 0; j <= i; j++) sum += root[i * n + j] * xi[low.rank + j];
			return sum;
		});
		const system = new BoundDynamics(dynamics, drawn, withConditions(p, full), record.signals);
		const options = { rtol: 1e-5, atol: 1e-8, saveAt: times, knots, maxSteps: 20_000 };
		return solveIvp(system.ivp(), start.t, t1, x0, options).x;
	});
	return { t: times, draws };
}

/** v with Lᵀ v = ξ, L lower triangular on the pivots. */
function backSolve(
	factor: Float64Array,
	pivots: readonly number[],
	rank: number,
	xi: Float64Array,
): Float64Array {
	const v = xi.slice(0, rank);
	for (let q = rank - 1; q >= 0; q--) {
		v[q] /= factor[pivots[q] * rank + q];
		for (let r = 0; r < q; r++) v[r] -= factor[pivots[q] * rank + r] * v[q];
	}
	return v;
}
