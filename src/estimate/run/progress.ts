/** How far a run is. */

export interface Progress {
	readonly done: boolean;
	/** Share of the work done, 0 to 1, never falling. */
	readonly fraction: number;
	/** What happened last, in a few words: `4 of 8 starts, best rms 0.0213`. */
	readonly label: string;
	/** What was done so far, in operations, of methods that count them: the same on every machine. */
	readonly operations?: number;
}

/** Where each phase of a run begins and ends on the bar. */
export type PhaseShares<Phase extends string> = Readonly<Record<Phase, readonly [from: number, to: number]>>;

/** The share of the work that is done: it never falls, though a phase may be gone back to. */
export class WorkDone {
	constructor(public fraction = 0) {}

	rise(to: number): number {
		if (to > this.fraction) this.fraction = to;
		return this.fraction;
	}

	/** `within`: how much of the phase is done, 0 to 1. */
	inPhase([from, to]: readonly [from: number, to: number], within: number): number {
		return this.rise(from + (to - from) * Math.min(within, 1));
	}
}
