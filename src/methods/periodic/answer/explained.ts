/**
 * Whether what the simulated answer leaves of the record can be noise. Where a curve between samples errs by more than their
 * noise, or the simulation leaves the record, it is none: that is said by itself, and nothing else is asked of it.
 */
import type { PeriodicRun } from "../periodic-run.ts";
import { leavesRecord } from "../polish/simulation.ts";

export function isExplained({ question, simulated }: PeriodicRun): boolean {
	return (
		simulated?.outcome === "converged" &&
		question.variance < 2 * question.record.variance &&
		!leavesRecord(question, simulated)
	);
}
