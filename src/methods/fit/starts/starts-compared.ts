/** Where the starts ended, beside one another: which agree with the answer, which found another optimum as good. */
import { isOpen } from "../../../estimate/least-squares/null-space.ts";
import { costUnit } from "../../../estimate/observe/likelihood.ts";
import type { FitRun } from "../fit-run.ts";
import type { StartOutcome } from "../fit-state.ts";

/** Starts that count: an optimum that finer integration does not confirm is none. */
function confirmed({ starts }: FitRun): StartOutcome[] {
	return starts.filter(({ spurious }) => !spurious);
}

export function bestStart(run: FitRun): StartOutcome {
	return confirmed(run).reduce((best, start) => (start.cost < best.cost ? start : best));
}

/** Starts that ended with the best cost, wherever. */
export function asGood(run: FitRun): StartOutcome[] {
	const { cost } = bestStart(run);
	const slack = 1e-12 + 1e-3 * (run.scale.variance + costUnit(run.misfit, cost));
	return confirmed(run).filter((start) => start.cost <= cost + slack);
}

/** Starts that ended at the answer itself: as good, and at the same place. */
export function agreeingStarts(run: FitRun): StartOutcome[] {
	const { z } = bestStart(run);
	return asGood(run).filter((start) => samePlace(run, start.z, z));
}

/** Whether the answer was found with the records in segments alone. */
export function onlyCut(run: FitRun): boolean {
	return bestStart(run).cut === true && agreeingStarts(run).every(({ cut }) => cut);
}

/** Starts that ended elsewhere, and as well. */
export function rivalStarts(run: FitRun): StartOutcome[] {
	const { z } = bestStart(run);
	return asGood(run).filter((start) => !samePlace(run, start.z, z));
}

/** Whether two points are the same up to what the data leave open. */
export function samePlace(run: FitRun, a: ArrayLike<number>, b: ArrayLike<number>): boolean {
	if (Array.from(a).every((value, i) => value === b[i])) return true;
	const { covariance } = run;
	const scale = Math.sqrt(run.scale.variance);
	return Array.from(a).every((value, i) => {
		const near = Math.max(0.5 * covariance.sd[i] * scale, 1e-3 * Math.max(Math.abs(b[i]), 1e-9));
		return isOpen(covariance.open, i) || Math.abs(value - b[i]) <= near;
	});
}
