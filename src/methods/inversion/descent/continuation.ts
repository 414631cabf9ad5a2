/**
 * A refit without some terms that cannot be reached in one stride: where a simulation is sensitive, a weight of a few standard
 * errors put to 0 throws it far off. The terms are taken down in stages, the others following each time, so that every start
 * is near its fit.
 */

import type { WeightedProblem } from "../forward/linearisation.ts";
import { refit } from "../workspace.ts";
import type { Descent, DescentOptions } from "./descent.ts";

const firstStride = 0.25;
const leastStride = 1 / 64;

/** From a fit (`point`) to the fit of `active`; undefined where even small strides go astray. `isAstray` judges sums of squares. */
export async function takenDown(
	problem: WeightedProblem,
	point: readonly number[],
	active: readonly number[],
	limits: DescentOptions,
	nWeights: number,
	isAstray: (sse: number) => boolean,
): Promise<Descent | undefined> {
	const inside = new Set(active);
	const gone = point.flatMap((value, u) => (u < nWeights && !inside.has(u) && value !== 0 ? [u] : []));
	let here: Float64Array = Float64Array.from(point);
	let share = 1;
	for (let stride = firstStride; ; ) {
		const next = Math.max(share - stride, 0);
		const start = here.slice();
		for (const u of gone) start[u] = next * point[u];
		const descent = refit(problem, active, start, limits, nWeights);
		for (const u of gone) descent.point[u] = start[u];
		await descent.run();
		if (isAstray(descent.sse)) {
			stride /= 2;
			if (!(stride >= leastStride)) return undefined;
			continue;
		}
		if (next === 0) return descent;
		here = descent.point;
		share = next;
	}
}
