/**
 * How far all that may be consistent was followed. A value that is consistent is in one of the parts, nobody knows in which: what holds for
 * some of them holds for every consistent value only where all of them were followed.
 */
import type { GuaranteedRun } from "../guaranteed-run.ts";
import type { Part } from "../part.ts";

/** Whether a record can be followed in all parts at all: no box of unknowns still waits. */
export function partsOf(run: GuaranteedRun): readonly Part[] {
	return run.isSorted ? run.parts : [];
}

/** The last instant of a record up to which all parts have bounds of the states; before every time where one has none. */
export function followedTo(run: GuaranteedRun, experiment: number): number {
	return partsOf(run).reduce((least, part) => Math.min(least, endOf(part, experiment)), tops(run));
}

function tops(run: GuaranteedRun): number {
	return partsOf(run).length > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

function endOf({ tubes, failure }: Part, experiment: number): number {
	if (!failure || failure.experiment > experiment) return Number.POSITIVE_INFINITY;
	return tubes.reduce(
		(end, each) => (each.experiment === experiment ? Math.max(end, each.to) : end),
		Number.NEGATIVE_INFINITY,
	);
}
