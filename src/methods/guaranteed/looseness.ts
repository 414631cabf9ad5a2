/**
 * What more work may gain. The remainder of an output's Taylor model has three sources: terms beyond the order (a higher order or smaller boxes help), corners and
 * jumps (smaller boxes help), and rounding, steps and disturbances (nothing of these helps).
 */
import type { Monomials } from "../../interval/taylor/monomials.ts";
import type { Constraint, ConstraintReader } from "./constraint/constraint.ts";
import type { ExperimentFlow } from "./flow/experiment-flow.ts";
import { type FlowSet, remainderOf } from "./flow/flow-set.ts";

/** A radius of this share of a datum's bar is loose. */
const loose = 0.002;
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
	/** What cuts are to make less: of outputs beside their bars, of states beside their ranges where these are the answer. */
	readonly most: number;
	readonly isLoose: boolean;
	/** Whether a higher order may help, and whether smaller boxes may. */
	readonly byOrder: boolean;
	readonly byUnknowns: boolean;
	/** Corners, jumps, ends of domains or outputs that no polynomial is near to make it: a cut may gain nothing until a box is clear of them. */
	readonly byCorners: boolean;
}

interface Passed {
	readonly constraints: readonly Constraint[];
	readonly box: Float64Array;
	readonly flows: readonly ExperimentFlow[];
	/** Steps went over corners of the equations. */
	readonly overCorners: boolean;
	readonly courses: CourseLooseness;
}

/** How loose the states are where they are the answer: nothing is measured, and their bounds are told at each instant. */
export interface CourseLooseness {
	/** The largest remainder of a state, as a share of its range. */
	readonly ofRanges: number;
	/** Some of it is of terms beyond the order. */
	readonly isTruncated: boolean;
	/** How much the highest terms of loose states depend on each unknown. */
	readonly bends: readonly number[];
}

export const closeCourses: CourseLooseness = { ofRanges: 0, isTruncated: false, bends: [] };

/** With the states of one more instant, whose bounds are known. */
export function withCourse(
	known: CourseLooseness,
	{ table, variables, unknowns }: ExperimentFlow,
	set: FlowSet,
	bounds: Float64Array,
): CourseLooseness {
	const rest = remainderOf(set);
	const bends = unknowns.map((_, k) => known.bends[k] ?? 0);
	let { ofRanges, isTruncated } = known;
	rest.forEach((radius, i) => {
		const part = (2 * radius) / (bounds[2 * i + 1] - bounds[2 * i]);
		const P = set.P.subarray(i * table.length, (i + 1) * table.length);
		const { highest } = sizesOf(P, table);
		if (!(part > looseRange && highest > ofOrder * radius)) return;
		ofRanges = Math.max(ofRanges, part);
		isTruncated = true;
		for (let m = 0; m < table.length; m++)
			if (table.degree[m] === table.order)
				for (let v = 0; v < variables.length; v++)
					bends[variables[v]] += (Math.abs(P[m]) / highest) * part * table.exponent(m, v);
	});
	return { ofRanges, isTruncated, bends };
}

/** Sums of the terms of the highest degree, and of the others but the constant. */
function sizesOf(P: Float64Array, { degree, order, length }: Monomials): { highest: number; others: number } {
	let highest = 0;
	let others = 0;
	for (let m = 1; m < length; m++)
		if (degree[m] === order) highest += Math.abs(P[m]);
		else others += Math.abs(P[m]);
	return { highest, others };
}

export function loosenessOf(
	{ constraints, box, flows, overCorners, courses }: Passed,
	reader: (constraint: Constraint) => ConstraintReader,
): Looseness {
	let ofBars = 0;
	let { ofRanges, isTruncated: byOrder } = courses;
	let byUnknowns = overCorners || byOrder;
	let byCorners = overCorners;
	for (const constraint of constraints) {
		const { radius, hi, lo, jump, isSide, coefficients, experiment, range, atPoint } = constraint;
		// A jump by the clock is in every part.
		if (jump === "clock") continue;
		const share = radius / (hi - lo);
		ofBars = Math.max(ofBars, share);
		const { highest, others } = sizesOf(coefficients, flows[experiment].table);
		const isTruncated = highest > ofOrder * radius;
		const isOwn = atPoint === undefined ? isTruncated || range : atPoint < leftByHalving * radius;
		if (share > loose && (jump || isOwn || highest + others === 0)) byUnknowns = true;
		if (share > loose && (jump || (atPoint !== undefined && 2 * atPoint < radius))) byCorners = true;
		if (isSide || jump || range) continue;
		const [least, most] = reader(constraint).range(constraint, box);
		const part = (2 * radius) / (most - least);
		if (part > ofRanges) ofRanges = part;
		if (isTruncated && (share > loose || part > looseRange)) byOrder = true;
	}
	const most = Math.max(ofBars, courses.ofRanges);
	const isLoose = ofBars > loose || courses.ofRanges > looseRange;
	return { ofBars, ofRanges, most, isLoose, byOrder, byUnknowns, byCorners };
}
