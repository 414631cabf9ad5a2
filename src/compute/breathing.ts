/** A place that lets its host see to its events between launches, however long a step of a method is. */
import type { Compute } from "./compute.ts";

/** The work was broken off, as the host asked: no failure, and nothing to be told of. */
export class Interrupted extends Error {
	override readonly name = "Interrupted";
}

/** Milliseconds that pass without. */
const every = 100;

export function breathing(compute: Compute, breathe: () => Promise<void>): Compute {
	let next = performance.now() + every;
	const isTime = (): boolean => performance.now() >= next;
	const breath = async (): Promise<void> => {
		// One at a time: launches that run side by side go on meanwhile.
		next = Number.POSITIVE_INFINITY;
		try {
			await breathe();
		} finally {
			next = performance.now() + every;
		}
	};
	return {
		name: compute.name,
		async run(kernel, launch) {
			if (isTime()) await breath();
			await compute.run(kernel, launch);
		},
		...(compute.allocate ? { allocate: (lengths: readonly number[]) => compute.allocate!(lengths) } : {}),
		async breathe() {
			if (isTime()) await breath();
		},
		close: () => compute.close?.(),
	};
}

/** The end of work that comes in pieces, with a breath after each. */
export async function breathed<T>(
	work: Generator<void, T>,
	compute: Pick<Compute, "breathe"> | undefined,
): Promise<T> {
	for (;;) {
		const piece = work.next();
		await compute?.breathe?.();
		if (piece.done) return piece.value;
	}
}
