/**
 * Whether what the simulated answer leaves of the record can be noise. Where a curve between samples errs by more than their
 * noise, or the simulation leaves the record, it is none: that is said by itself, and nothing else is asked of it.
 */
import { mostTold } from "../../../estimate/judge/series.ts";
import type { PeriodicRun } from "../periodic-run.ts";
import { type Left, leftAtStart } from "../polish/polish-problem.ts";
import { leavesRecord } from "../polish/simulation.ts";

export function isExplained({ question, simulated }: PeriodicRun): boolean {
	return (
		simulated?.outcome === "converged" &&
		question.variance < 2 * question.record.variance &&
		!leavesRecord(question, simulated)
	);
}

/** What simulations leave where that is noise, with what fitting takes out of it: the integrals fit as least squares do. */
export async function leftBy(run: PeriodicRun): Promise<Left | undefined> {
	const { problem, question, natural, simulated, polished, polishRefused } = run;
	// Of an output among several, others stand in its equations as they were measured.
	if (run.role === "output" || question.record.exact || !isExplained(run)) return undefined;
	if (question.t.length > mostTold) return undefined;
	if (polished && polishRefused === undefined) return polished.left;
	return leftAtStart(problem, { question, natural: natural!, simulated });
}
