/** Boxes that are to be followed, how they are cut and chosen, and how they are kept in a checkpoint. */
import type { ExperimentFlow } from "../flow/experiment-flow.ts";
import { type Part, type PlainRecord, plainRecord, readRecord } from "../part.ts";
import type { PassAnswer } from "./pass-work.ts";

export interface Waiting {
	readonly box: Float64Array;
	readonly round: number;
	/** The data at so many instants have narrowed the box already, and the history tells of them. */
	readonly told: number;
	/** To be followed to the end, whatever is seen. */
	readonly isWhole?: boolean;
	/** How loose the enclosures of the box were that this is a half of. */
	readonly looseness?: number;
	/** What is known of a box that holds this one, all records followed: it stands where there is no effort left for more. */
	readonly known?: Omit<Part, "box">;
}

/** A box that is followed, or will be as soon as there is a hand free: how is settled when it is chosen, so that nothing depends on the number of hands. */
export interface Flight {
	readonly from: Waiting;
	readonly endsBlind: boolean;
	/** Effort that was spent when it was chosen. */
	readonly spent: number;
	/** Where others follow it. */
	answer?: Promise<PassAnswer | undefined>;
}

export const fresh = (box: Float64Array): Waiting => ({ box, round: 1, told: 0 });

/** A box in so many parts: the widest side of the widest part, beside its prior, again and again. */
export function cutInto(prior: Float64Array, count: number): Float64Array[] {
	const boxes: Float64Array[] = [prior.slice()];
	const size = (box: Float64Array, k: number): number => {
		const whole = prior[2 * k + 1] - prior[2 * k];
		return whole > 0 ? (box[2 * k + 1] - box[2 * k]) / whole : 0;
	};
	while (boxes.length < count) {
		let part = 0;
		let side = 0;
		let most = 0;
		for (const [i, box] of boxes.entries())
			for (let k = 0; 2 * k < prior.length; k++)
				if (size(box, k) > most) [part, side, most] = [i, k, size(box, k)];
		const halves = bisected(boxes[part], side);
		if (!halves) break;
		boxes.splice(part, 1, ...halves);
	}
	return boxes;
}

/** The halves of a box, cut across side k; nothing where there is no double between its ends. */
export function bisected(box: Float64Array, k: number): Float64Array[] | undefined {
	const cut = box[2 * k] / 2 + box[2 * k + 1] / 2;
	if (!(box[2 * k] < cut && cut < box[2 * k + 1])) return undefined;
	const lower = box.slice();
	const upper = box.slice();
	lower[2 * k + 1] = cut;
	upper[2 * k] = cut;
	return [lower, upper];
}

/** The volume of a box beside that of the prior, as far as that is open. */
export function shareOf(box: Float64Array, prior: Float64Array): number {
	let volume = 1;
	for (let k = 0; k < box.length; k += 2) {
		const whole = prior[k + 1] - prior[k];
		if (whole > 0) volume *= (box[k + 1] - box[k]) / whole;
	}
	return volume;
}

/** The waiting box with the greatest volume beside the prior, the last of them; -1 where none waits. */
export function largest(waiting: readonly Waiting[], prior: Float64Array): number {
	let found = -1;
	let most = Number.NEGATIVE_INFINITY;
	for (const [i, { box }] of waiting.entries()) {
		const volume = shareOf(box, prior);
		if (volume >= most) [found, most] = [i, volume];
	}
	return found;
}

export type PlainWaiting = Omit<Waiting, "box" | "known"> & {
	readonly box: number[];
	readonly known?: PlainRecord;
};

export function plainWaiting({ known, box, ...rest }: Waiting): PlainWaiting {
	return { ...rest, box: [...box], ...(known ? { known: plainRecord(known) } : {}) };
}

export function readWaiting(
	{ known, box, ...rest }: PlainWaiting,
	flows: readonly ExperimentFlow[],
): Waiting {
	return { ...rest, box: Float64Array.from(box), ...(known ? { known: readRecord(known, flows) } : {}) };
}
