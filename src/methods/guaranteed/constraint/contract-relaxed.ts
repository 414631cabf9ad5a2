/**
 * Contraction where some data may be beyond their bars (relaxed intersection [jaulin2009]): a value is consistent when all data but at most q allow it. Each datum narrows the box on
 * its own; of each end at most the q closest data may be wrong, so the next one holds. Where q data already contradict all of the box, the others hold without exception.
 */
import type { Constraint, ConstraintReader } from "./constraint.ts";
import { contractBox, gain } from "./contract.ts";

type Readers = (constraint: Constraint) => ConstraintReader;

/** The constraints of one datum: its output, and the sides of its error. */
export type Datum = readonly Constraint[];

export function dataOf(constraints: readonly Constraint[]): Datum[] {
	const groups = new Map<string, Constraint[]>();
	for (const constraint of constraints) {
		const key = `${constraint.experiment},${constraint.t},${constraint.output}`;
		const own = groups.get(key);
		if (own) own.push(constraint);
		else groups.set(key, [constraint]);
	}
	return [...groups.values()];
}

export interface Sorted {
	/** Data that contradict all of the box. */
	readonly broken: readonly Datum[];
	/** Data that some values of the box contradict, perhaps, and others do not. */
	readonly open: readonly Datum[];
}

/** Narrows the box in place by all data but q; undefined when nothing is left. */
export function contractRelaxed(
	reader: Readers,
	data: readonly Datum[],
	box: Float64Array,
	q: number,
	precision: number,
): Sorted | undefined {
	const sorted = narrowed(reader, data, box, q);
	if (!sorted || sorted.open.length === 0) return sorted;
	const left = q - sorted.broken.length;
	if (left === 0) {
		const all = sorted.open.flat();
		return contractBox(reader, all, box, { kind: "box", precision }) ? undefined : sorted;
	}
	for (let k = 0; 2 * k < box.length; k++)
		for (const side of [0, 1] as const) shave(reader, sorted.open, box, left, k, side);
	return sorted;
}

/** The contraction without slices. */
function narrowed(reader: Readers, data: readonly Datum[], box: Float64Array, q: number): Sorted | undefined {
	let broken: Datum[] = [];
	let open: Datum[] = [];
	for (let round = 0; round < 5; round++) {
		const before = box.slice();
		broken = [];
		open = [];
		const ends: Float64Array[] = [];
		for (const datum of data) {
			const own = box.slice();
			let isInside = true;
			let isBroken = false;
			for (const constraint of datum) {
				const verdict = reader(constraint).contract(constraint, own);
				if (verdict === "outside") isBroken = true;
				if (verdict !== "inside") isInside = false;
				if (isBroken) break;
			}
			if (isBroken) broken.push(datum);
			else if (!isInside) {
				open.push(datum);
				ends.push(own);
			}
			if (broken.length > q) return undefined;
		}
		const left = q - broken.length;
		if (left >= open.length) break;
		for (let i = 0; i < box.length; i++) {
			const isLower = i % 2 === 0;
			// All but `left` of the data hold: the end is not beyond the closest of the others.
			const sides = ends.map((own) => own[i]).sort((a, b) => (isLower ? b - a : a - b));
			box[i] = isLower ? Math.max(box[i], sides[left]) : Math.min(box[i], sides[left]);
		}
		for (let i = 0; i < box.length; i += 2) if (!(box[i] <= box[i + 1])) return undefined;
		if (!(gain(before, box) > 0.01)) break;
	}
	return { broken, open };
}

/** Takes slices that more than q data contradict off one end. */
function shave(
	reader: Readers,
	data: readonly Datum[],
	box: Float64Array,
	q: number,
	k: number,
	side: 0 | 1,
): void {
	for (let share = 1 / 4, tries = 0; share > 1 / 64 && tries < 12; tries++) {
		const width = box[2 * k + 1] - box[2 * k];
		const cut = side === 0 ? box[2 * k] + share * width : box[2 * k + 1] - share * width;
		if (!(box[2 * k] < cut && cut < box[2 * k + 1])) return;
		const slice = box.slice();
		slice[2 * k + 1 - side] = cut;
		if (narrowed(reader, data, slice, q)) {
			box[2 * k + side] = slice[2 * k + side];
			share /= 4;
		} else box[2 * k + side] = cut;
	}
}
