/** An answer whose segments could not be joined: what it holds for. */
import { doubt } from "../../../estimate/judge/words.ts";
import type { Doubt } from "../../../estimate/result.ts";
import type { InversionRun } from "../inversion-run.ts";

export function inSegments({ joined, starts }: InversionRun): Doubt[] {
	if (joined || !starts.cuts) return [];
	const { segments, length } = starts.cuts;
	return doubt(
		"in-segments",
		"The answer is one of segments",
		`The records are explained in ${segments.length} segments of about ${length} samples, each from a state of its own, and not by one simulation from the beginning: errors grow so fast along them that none could be followed that far. Terms and weights hold for every segment; a simulation from the initial values parts from the record after some time.`,
		false,
	);
}
