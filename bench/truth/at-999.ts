/**
 * Intervals of a fit at 99.9 %, as their own law has them: the profile followed to Student's quantile, the likelihood of a spread. One at 95 %
 * that is stretched as if its law were the normal one is too short where the profile bends, or where few samples tell the noise.
 */

import type { Profile, ProfilePoint } from "../../src/estimate/least-squares/profile.ts";
import { spreadInterval } from "../../src/estimate/observe/spread-interval.ts";
import type { Result } from "../../src/estimate/result.ts";
import { fromSearch } from "../../src/estimate/unknowns/unknowns.ts";
import type { FitRun } from "../../src/methods/fit/fit-run.ts";
import { studentQuantileFrom } from "../../src/num/statistics/quantile.ts";
import type { ProvedProblem } from "../../src/prove/problem.ts";
import { z999 } from "./counts.ts";
import type { Entry } from "./entry.ts";

export function fitAt999({ parameters }: Result, run: FitRun, { truth }: ProvedProblem): Entry["unknowns"] {
	const quantile = studentQuantileFrom(z999, Math.max(run.degrees, 3));
	return parameters.flatMap(({ name, estimate, sd, lo, hi }, i) => {
		if (truth[name] === undefined || lo === undefined || hi === undefined) return [];
		const unknown = run.estimation.unknowns[i];
		const profile = run.profiles?.[i];
		if (!unknown) return [[name, truth[name], estimate, ...spread999(estimate, sd!, lo)] as const];
		const ends = profile
			? ([-1, 1] as const).map((side) => fromSearch(unknown, endOf(profile, run.best[i], side, quantile)))
			: [lo, hi].map((end) => estimate + ((end - estimate) * quantile) / run.scale.quantile);
		return [[name, truth[name], estimate, Math.min(ends[0], lo), Math.max(ends[1], hi)] as const];
	});
}

/** Where a profile passes the quantile; beyond its last point it goes on as it did there, or ends where the declared set does. */
function endOf({ points, lo, hi, sides }: Profile, best: number, side: -1 | 1, quantile: number): number {
	const isDown = side < 0;
	if (!sides[isDown ? 0 : 1].passed) return isDown ? lo : hi;
	const own = (isDown ? points.toReversed() : points).filter(
		({ z, score }) => side * (z - best) >= 0 && Number.isFinite(score),
	);
	if (own.length < 2) return isDown ? lo : hi;
	const last = own.findLastIndex(({ score }) => Math.abs(score) < quantile);
	const [a, b] = last + 1 < own.length ? [own[last], own[last + 1]] : [own[last - 1], own[last]];
	return onLine(a, b, side * quantile);
}

function onLine(a: ProfilePoint, b: ProfilePoint, score: number): number {
	return a.z + ((score - a.score) / (b.score - a.score)) * (b.z - a.z);
}

function spread999(estimate: number, sd: number, lo: number): [number, number] {
	// A spread's error is that over the root of twice its degrees of freedom.
	const degrees = (estimate / sd) ** 2 / 2;
	const s = lo / spreadInterval(1, 1, degrees).lo;
	const { lo: least, hi: most } = spreadInterval(s, s, degrees, undefined, z999);
	return [least, most];
}
