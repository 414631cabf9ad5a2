/**
 * Records cut into segments, for multiple shooting: each but the first of a record begins at a state of its own, which is
 * unknown, and ends where the next one begins.
 *
 * Reference: Bock, "Recent advances in parameter identification techniques for ODE", 1983.
 */
export interface Segment {
	readonly experiment: number;
	/** Samples of the experiment's grid that it is compared with: from, until before to. */
	readonly from: number;
	readonly to: number;
	/** Which of all starts it begins at; -1 for the first of a record, which begins as the model says. */
	readonly start: number;
	readonly isLast: boolean;
}

export interface Cuts {
	readonly segments: readonly Segment[];
	readonly nStarts: number;
	/** Samples of a segment. */
	readonly length: number;
}

/** Segments of about `length` samples each, in every record alike. */
export function cutsOf(grids: readonly { readonly times: Float64Array }[], length: number): Cuts {
	const segments: Segment[] = [];
	let nStarts = 0;
	grids.forEach(({ times }, experiment) => {
		const count = Math.max(1, Math.floor(times.length / length));
		for (let k = 0; k < count; k++)
			segments.push({
				experiment,
				from: k * length,
				to: k === count - 1 ? times.length : (k + 1) * length,
				start: k === 0 ? -1 : nStarts++,
				isLast: k === count - 1,
			});
	});
	return { segments, nStarts, length };
}

/** The same cuts where `between` times as many samples stand in each record. */
export function denserCuts({ segments, nStarts, length }: Cuts, between: number): Cuts {
	return {
		segments: segments.map((segment) => ({
			...segment,
			from: segment.from * between,
			to: segment.isLast ? (segment.to - 1) * between + 1 : segment.to * between,
		})),
		nStarts,
		length: length * between,
	};
}
