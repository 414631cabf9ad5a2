/**
 * Where a search has come to rest, some unknowns may do nothing that the records show: a rate so fast that all is over before the
 * first sample, or so slow that nothing has begun at the last. Derivatives along them are those of the solver's errors and lead nowhere, yet the optimum
 * may lie some decades away. So points along each flat direction are simulated once, up to the bounds.
 */
import { svdSmall, triangulate } from "../../num/linear/least-squares.ts";
import { squared } from "../../num/whole-power.ts";
import { costUnit, type LikelihoodProblem } from "../observe/likelihood.ts";
import type { LevenbergMarquardt } from "./levenberg-marquardt.ts";
import { searchBounds, searchReach } from "./region.ts";

/** What a direction does to the residuals over its reach, in standard deviations, to be seen. */
const leastSeen = 0.1;
/** How far to look, in reaches: decades of what is searched on a logarithmic scale. */
const distances = [0.5, 1, 1.5, 2, 3, 4, 5, 6, 8];
const mostDirections = 24;

/** Points further and further out, on both sides of the best one of a search, along each direction that the residuals do not show there. */
export function raysAlongFlat(problem: LikelihoodProblem, machine: LevenbergMarquardt): Float64Array[][] {
	const { best, cost, residual, jacobian } = machine;
	if (!residual || !jacobian) return [];
	const size = costUnit(problem, cost) / (problem.observations.nObservations / 2);
	const { lo, hi } = searchBounds(problem);
	const reach = searchReach(problem);
	return flatDirections(jacobian, residual.length, reach, leastSeen * Math.sqrt(size)).flatMap((direction) =>
		[-1, 1].map((sign) => {
			const points: Float64Array[] = [];
			for (const distance of distances) {
				const far = best.map((value, j) =>
					direction[j] === 0 ? value : value + sign * distance * direction[j] * reach[j],
				);
				const within = far.map((value, j) => Math.min(Math.max(value, lo[j]), hi[j]));
				const meets = far.some((value, j) => value !== within[j] && Math.abs(direction[j]) > 0.5);
				if (within.some((value, j) => value !== best[j])) points.push(within);
				if (meets) break;
			}
			return points;
		}),
	);
}

/** Directions, in reaches, largest component 1: unknowns that are flat by themselves, then what is flat of the others together. */
export function flatDirections(
	jacobian: Float64Array,
	m: number,
	reach: Float64Array,
	seen: number,
): Float64Array[] {
	const n = reach.length;
	const effect = (j: number): number => {
		let sum = 0;
		for (let i = 0; i < m; i++) sum += squared(jacobian[i * n + j] * reach[j]);
		return Math.sqrt(sum);
	};
	const finite = [...reach.keys()].filter((j) => reach[j] < Number.POSITIVE_INFINITY);
	const alone = finite.filter((j) => effect(j) <= seen);
	const rest = finite.filter((j) => !alone.includes(j));
	const k = rest.length;
	const columns = new Float64Array(m * k);
	for (let i = 0; i < m; i++)
		for (const [c, j] of rest.entries()) columns[i * k + c] = jacobian[i * n + j] * reach[j];
	const { s, v } = svdSmall(triangulate(columns, new Float64Array(m), m, k).r, k);
	const together = [...s.keys()]
		.filter((l) => s[l] <= seen)
		.map((l) => {
			const direction = new Float64Array(n);
			const most = rest.reduce((largest, _, c) => Math.max(largest, Math.abs(v[c * k + l])), 0);
			for (const [c, j] of rest.entries()) direction[j] = v[c * k + l] / most;
			return direction;
		});
	const single = alone.map((j) => reach.map((_, i) => (i === j ? 1 : 0)));
	return [...together, ...single].slice(0, mostDirections);
}
