/**
 * What more work may gain. The remainder of an output's Taylor model has three sources: terms beyond the order (a higher order or smaller boxes help), corners and
 * jumps (smaller boxes help), and rounding, steps and disturbances (nothing of these helps).
 */
import type { Constraint, ConstraintReader } from "./constraint/constraint.ts";
import type { ExperimentFlow } from "./flow/experiment-flow.ts";

/** A radius of this share of a datum's bar is loose. */
export const loose = 0.002;
/** With a radius of this share of a bar next to nothing is seen. */
export const blind = 0.25;
/** A remainder of this share of an output's range is loose. */
export const looseRange = 0.01;
/** More than this share of the looseness left: to raise the order gained nothing, or to halve a box. */
export const leftByOrder = 0.7;
export const leftByHalving = 0.95;
/** Terms of the highest degree below this share of a remainder did not make it. */
const ofOrder = 1e-6;

export interface Looseness {
	/** The largest remainder of an output, as a share of the bar of its datum, and of its range. */
	readonly ofBars: number;
	readonly ofRanges: number;
	/** Whether a higher order may help, and whether smaller boxes may. */
	readonly byOrder: boolean;
	readonly byUnknowns: boolean;
	/** Corners, jumps or ends of domains make it: a cut may gain nothing until a box is clear of them. */
	readonly byCorners: boolean;
}

interface Passed {
	readonly constraints: readonly Constraint[];
	readonly box: Float64Array;
	readonly flows: readonly ExperimentFlow[];
	/** Steps went over corners of the equations. */
	readonly overCorners: boolean;
}

export function loosenessOf(
	{ constraints, box, flows, overCorners }: Passed,
	reader: (constraint: Constraint) => ConstraintReader,
): Looseness {
	let ofBars = 0;
	let ofRanges = 0;
	let byOrder = false;
	let byUnknowns = overCorners;
	let byCorners = overCorners;
	for (const constraint of constraints) {
		const { radius, hi, lo, jump, isSide, coefficients, experiment, range } = constraint;
		// A jump by the clock is in every part.
		if (jump === "clock") continue;
		const share = radius / (hi - lo);
		ofBars = Math.max(ofBars, share);
		const { degree, order, length } = flows[experiment].table;
		let highest = 0;
		let others = 0;
		for (let m = 1; m < length; m++)
			if (degree[m] === order) highest += Math.abs(coefficients[m]);
			else others += Math.abs(coefficients[m]);
		const isTruncated = highest > ofOrder * radius;
		if (share > loose && (jump || isTruncated || range || highest + others === 0)) byUnknowns = true;
		if (share > loose && jump) byCorners = true;
		if (isSide || jump || range) continue;
		const [least, most] = reader(constraint).range(constraint, box);
		const part = (2 * radius) / (most - least);
		if (part > ofRanges) ofRanges = part;
		if (isTruncated && (share > loose || part > looseRange)) byOrder = true;
	}
	return { ofBars, ofRanges, byOrder, byUnknowns, byCorners };
}
