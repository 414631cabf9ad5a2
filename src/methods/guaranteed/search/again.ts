/**
 * What is followed once more when the ends are known. The ends are as close as the models of the parts: a remainder widens every bar by as much, and where unknowns make up for one another that is many times
 * as much of the set. Parts that the ends have narrowed have closer models by that alone; rough ones that were not are cut.
 */
import type { Constraint, ConstraintReader } from "../constraint/constraint.ts";
import type { ExperimentFlow } from "../flow/experiment-flow.ts";
import { closeCourses, loosenessOf } from "../looseness.ts";
import { type Part, recordOf } from "../part.ts";
import type { Waiting } from "./waiting.ts";

/** A remainder of this share of a bar is worth a pass. */
const rough = 0.02;
/** A side that is this share shorter than when the part was followed. */
const narrowed = 0.1;

interface Tools {
	readonly flows: readonly ExperimentFlow[];
	readonly reader: (constraint: Constraint) => ConstraintReader;
	/** Halves of a part; nothing where it cannot be cut. */
	readonly halves: (part: Part) => Float64Array[] | undefined;
}

/** The boxes to be followed in place of a part; nothing where it stays as it is. */
export function followedAgain(part: Part, { flows, reader, halves }: Tools): Waiting[] {
	if (part.failure || part.constraints.length === 0) return [];
	const { ofBars, byUnknowns } = loosenessOf(
		{ ...part, flows, overCorners: false, courses: closeCourses },
		reader,
	);
	if (!(ofBars > rough && byUnknowns)) return [];
	const boxes = isNarrower(part) ? [part.box] : (halves(part) ?? []);
	return boxes.map((box) => ({
		box,
		round: 1,
		told: part.instants.length,
		known: recordOf(part),
	}));
}

/** Whether a part is smaller than the boxes that its models are for. */
function isNarrower({ box, constraints }: Part): boolean {
	return constraints.every(({ variables, scale }) =>
		variables.some((k, v) => scale[v] > 0 && box[2 * k + 1] - box[2 * k] < 2 * (1 - narrowed) * scale[v]),
	);
}
