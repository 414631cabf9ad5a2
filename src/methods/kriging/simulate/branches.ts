/**
 * Where errors are carried along to first order they shrink with the path into an attractor, also where they were so large before
 * that the system may have gone to another one. So the learned system is followed from the ends of the band too: at some instants
 * from the state moved to both ends of the longest axis of its error. In a linear system such paths stay inside the band; where one
 * leaves it, the band is as wide as the path is far.
 */
import { normalQuantile975 } from "../../../num/quantile.ts";
import { knotsOf } from "../../../solve/piecewise-inputs.ts";
import { solveIvp } from "../../../solve/solve-ivp.ts";
import type { BoundDynamics } from "../dynamics.ts";
import type { Path } from "./path.ts";

/** Instants from which paths branch off, beside that of the largest error. */
const mostBranches = 5;
/** Errors, in units of the data's spread, so small that no path bends within them. */
const smallError = 0.01;
const tolerance = { rtol: 1e-6, atol: 1e-9 };

export interface Errors {
	/** Covariance of the state at each instant of the path (n × n). */
	readonly covariances: readonly Float64Array[];
	/** Largest error of an argument of an unknown function there, in units of the data's spread. */
	readonly relative: Float64Array;
}

/** Widens `sd` (instants × states) where paths from the ends of the band leave it; the last instant that all of them reach. */
export function* widenByBranches(
	bound: BoundDynamics,
	path: Path,
	{ covariances, relative }: Errors,
	sd: Float64Array,
	/** The last instant with a band. */
	until: number,
): Generator<void, number> {
	const { n, t, x } = path;
	let last = t.length - 1;
	while (last > 0 && t[last] > until) last--;
	const worst = relative.subarray(0, last + 1).reduce((at, value, k) => (value > relative[at] ? k : at), 0);
	if (!(relative[worst] > smallError)) return until;
	const from = new Set(Array.from({ length: mostBranches }, (_, b) => Math.floor((b * last) / mostBranches)));
	const knots = knotsOf(bound.signals);
	let reached = until;
	for (const k of [...from, worst]) {
		if (k >= last) continue;
		const axis = longestAxis(covariances[k], n);
		const saveAt = t.slice(k + 1, last + 1);
		for (const sign of [1, -1]) {
			yield;
			const start = x.slice(k * n, (k + 1) * n).map((value, i) => value + sign * normalQuantile975 * axis[i]);
			const inside = knots.filter((knot) => knot > t[k] && knot < t[last]);
			const branch = solveIvp(bound.ivp(), t[k], t[last], start, {
				...tolerance,
				knots: inside,
				saveAt,
				maxSteps: 2000 + 20 * (inside.length + saveAt.length),
			});
			if (branch.t.length < saveAt.length) reached = Math.min(reached, branch.t[branch.t.length - 1] ?? t[k]);
			for (let i = 0; i < branch.t.length * n; i++) {
				const apart = Math.abs(branch.x[i] - x[(k + 1) * n + i]) / normalQuantile975;
				if (apart > sd[(k + 1) * n + i]) sd[(k + 1) * n + i] = apart;
			}
		}
	}
	return reached;
}

/** The direction in which the error is largest, as long as its standard deviation there: by repeated products. */
function longestAxis(covariance: Float64Array, n: number): Float64Array {
	let v: Float64Array = Float64Array.from({ length: n }, (_, i) => Math.sqrt(covariance[i * n + i]));
	let size = 0;
	for (let round = 0; round < 30; round++) {
		const next = new Float64Array(n);
		for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) next[i] += covariance[i * n + j] * v[j];
		const length = Math.sqrt(next.reduce((sum, value) => sum + value * value, 0));
		if (!(length > 0)) return new Float64Array(n);
		const before = Math.sqrt(v.reduce((sum, value) => sum + value * value, 0));
		size = length / before;
		v = next.map((value) => value / length);
	}
	return v.map((value) => value * Math.sqrt(size));
}
