/**
 * Segments joined to one trajectory: from the fit whose gaps are all but closed, the whole record is simulated from its
 * beginning and fitted once more. Where errors grow beyond what the beginning can steer (chaos), it stays in segments.
 */
import { statePaths } from "../forward/state-paths.ts";
import type { Workspace } from "../workspace.ts";
import { Descent, type DescentOptions } from "./descent.ts";
import type { FitStarts } from "./fit-starts.ts";

/** Rise of the sum of squares that is taken, in variances. */
const joinedWithin = 1;
/** How many times more gaps count before the whole is simulated, one after the other. */
const closing = [30, 1000];

/** undefined where it stays in segments. `limits`: of the fit of the whole, which is the answer then. */
export async function joined(
	work: Workspace,
	starts: FitStarts,
	fit: Descent,
	limits: DescentOptions,
	variance: number,
): Promise<Descent | undefined> {
	const { substeps, noise } = starts;
	const { active, problem } = fit;
	let { point: near, sse: least } = fit;
	for (const tighter of closing) {
		const closed = new Descent(
			starts.weighted(1, active, tighter),
			active,
			near,
			roughly(limits, joinedWithin * variance),
		);
		closed.lambda = 1e-6;
		await closed.run();
		near = closed.point;
		least = closed.sse;
	}
	// It begins at states that fit, and may have a long and narrow valley to go: given up is only what would not come near.
	const wanted = least + joinedWithin * variance;
	const whole = new Descent(work.weighted(substeps, noise, active), active, near.slice(0, work.nUnknowns), {
		...limits,
		wanted,
		quick: true,
	});
	whole.lambda = 1e-6;
	await whole.run();
	if (!(whole.sse <= wanted)) return undefined;
	const point = fit.point.slice();
	point.set(whole.point);
	const paths = statePaths(work.setting, work.functions, whole.point, substeps);
	const n = work.functions.nStates;
	for (const { experiment, start, from } of starts.cuts!.segments)
		if (start >= 0)
			point.set(paths[experiment].x.subarray(from * n, (from + 1) * n), work.nUnknowns + start * n);
	const all = new Descent(problem, active, point, limits);
	await all.evaluation();
	if (!(all.sse <= wanted)) return undefined;
	all.iterations = fit.iterations;
	all.outcome = whole.outcome;
	return all;
}

/**
 * Limits of a fit in segments on the way to the whole. Along the unit of a hidden state, in which gaps have no size of their own, its sum
 * of squares falls a little for ever: a thousandth of what counts ends it.
 */
export function roughly(limits: DescentOptions, counts: number): DescentOptions {
	return { ...limits, tolerance: 1e-7, negligible: 1e-3 * counts, once: true };
}
