/** How far a fit is, and what it does, in words. */
import type { Search } from "../../estimate/least-squares/search.ts";
import type { PhaseShares } from "../../estimate/run/progress.ts";
import type { Phase } from "./fit-state.ts";
import type { Hops } from "./starts/hops.ts";
import type { SegmentRuns } from "./starts/segment-runs.ts";
import type { ShortRuns } from "./starts/short-runs.ts";

export const phaseShare: PhaseShares<Phase> = {
	screen: [0, 0.05],
	short: [0.05, 0.2],
	hop: [0.2, 0.4],
	search: [0.05, 0.55],
	segments: [0.4, 0.55],
	check: [0.55, 0.65],
	profile: [0.65, 1],
	done: [1, 1],
};

/** What is to be seen of a run on its way. */
export interface Seen {
	readonly phase: Phase;
	/** Candidates that were simulated. */
	readonly tried: number;
	readonly short: ShortRuns | undefined;
	readonly hops: Hops | undefined;
	readonly search: Search | undefined;
	readonly segments: SegmentRuns | undefined;
	/** Share of the profiles that is done. */
	readonly profiled: number;
	readonly iterations: number;
}

/** Share of the phase that is done. */
export function withinPhase({ phase, short, hops, search, segments, profiled }: Seen): number {
	if (phase === "profile") return profiled;
	if (phase === "hop" || (phase === "segments" && hops)) return hops?.fraction ?? 0;
	if (segments) return segments.fraction;
	const current = phase === "short" || phase === "segments" ? short : phase === "search" ? search : undefined;
	return current ? 1 - current.running.length / current.machines.length : 0;
}

export function labelOf({ phase, tried, short, hops, search, segments, profiled, iterations }: Seen): string {
	switch (phase) {
		case "screen":
			return `${tried} candidates tried`;
		case "short":
			return `${short!.machines.length} starts followed a few steps`;
		case "hop":
			return `${hops!.members.length} points hop from optimum to optimum`;
		case "search":
			return `${search!.machines.length - search!.running.length} of ${search!.machines.length} starts at their optimum`;
		case "segments":
			if (hops) return `${hops.members.length} more points hop from optimum to optimum`;
			return segments
				? `${segments.count} points with the records in segments`
				: `${short!.machines.length} more starts followed a few steps, with growing parts of the records`;
		case "check":
			return "checking the integration with finer steps";
		case "profile":
			return `profiles ${Math.round(100 * profiled)} %`;
		case "done":
			return `${search?.best.outcome ?? "diverged"}, ${iterations} iterations`;
	}
}
