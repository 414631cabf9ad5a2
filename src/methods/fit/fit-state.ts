/** Where a fit stands, in plain values. */

import type { Integration } from "../../estimate/forward/estimation.ts";
import type { SearchSnapshot } from "../../estimate/least-squares/search.ts";
import type { CutRoundsState } from "./starts/cut-rounds.ts";
import type { HopsState } from "./starts/hops.ts";
import type { SegmentRunsState } from "./starts/segment-runs.ts";
import type { ShortRunsState } from "./starts/short-runs.ts";
import type { StartingPhase, StartingState } from "./starts/starting.ts";

export type Phase = StartingPhase | "search" | "segments" | "check" | "profile" | "done";

/** What became of one start. */
export interface StartOutcome {
	/** Where it ended, in search coordinates. */
	readonly z: readonly number[];
	readonly cost: number;
	readonly outcome: string;
	readonly iterations: number;
	/** Whether it came of cut records. */
	readonly cut?: boolean;
	/** Finer integration was tried: it found the same optimum, or (`spurious`) none as good. */
	readonly checked?: boolean;
	readonly spurious?: boolean;
}

/** Everything needed to go on. */
export interface FitCheckpoint {
	readonly phase: Phase;
	readonly integration: Integration;
	readonly search: readonly SearchSnapshot[] | null;
	readonly starts: readonly StartOutcome[];
	readonly error: number;
	readonly unresolved: number;
	readonly carriesAll: boolean;
	readonly isRough: boolean;
	readonly absorbed: { substeps: number; finer: string; shift: readonly number[] } | null;
	readonly iterations: number;
	readonly evaluations: number;
	readonly starting: StartingState;
	readonly segments: SegmentRunsState | null;
	/** Draws that see growing parts of the records; whether there were any, or no need of them. */
	readonly grown: ShortRunsState | null;
	readonly hasGrown: boolean;
	/** Points that hop from optimum to optimum, of those draws. */
	readonly hops: HopsState | null;
	/** Whether records were cut, or there was no need to. */
	readonly isCut: boolean;
	readonly rounds: CutRoundsState;
	/** Whether the search under way follows what is left of a round of segments. */
	readonly addsStarts: boolean;
	readonly restarted: number;
	readonly sharpened: number;
	/** Operations of profiles that were begun and given up. */
	readonly profiled: number;
}
