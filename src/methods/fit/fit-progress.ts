/** How far a fit is, and what it does, in words. */
import type { Search } from "../../estimate/least-squares/search.ts";
import type { PhaseShares } from "../../estimate/run/progress.ts";
import type { Phase } from "./fit-state.ts";
import type { Hops } from "./starts/hops.ts";
import type { SegmentRuns } from "./starts/segment-runs.ts";
import type { ShortRuns } from "./starts/short-runs.ts";

const phaseShare: PhaseShares<Phase> = {
	screen: [0, 0.05],
	short: [0.05, 0.2],
	hop: [0.2, 0.4],
	search: [0.05, 0.55],
	segments: [0.4, 0.55],
	check: [0.55, 0.65],
	profile: [0.65, 1],
	done: [1, 1],
};
/** Searches after short runs or hops: of many, and of the best of them. */
const laterSearch = { many: [0.2, 0.4], best: [0.4, 0.55] } as const;

/** What is to be seen of a run on its way. */
export interface Seen {
	readonly phase: Phase;
	/** Candidates that were simulated, and their share of all. */
	readonly tried: number;
	readonly screened: number;
	readonly short: ShortRuns | undefined;
	readonly hops: Hops | undefined;
	readonly search: Search | undefined;
	/** Whether the search is one after short runs: of many, or of the best of them. */
	readonly follows: "many" | "best" | undefined;
	readonly segments: SegmentRuns | undefined;
	/** Share of what comes of records that swing. */
	readonly cut: number;
	/** Share of the profiles that is done. */
	readonly profiled: number;
	readonly iterations: number;
}

/** Where the phase begins and ends on the bar. */
export function shareOf({ phase, follows }: Seen): readonly [from: number, to: number] {
	return phase === "search" && follows ? laterSearch[follows] : phaseShare[phase];
}

/** Share of the phase that is done. */
export function withinPhase({ phase, screened, short, hops, search, cut, profiled }: Seen): number {
	switch (phase) {
		case "screen":
			return screened;
		case "short":
			return short?.fraction ?? 0;
		case "hop":
			return hops?.fraction ?? 0;
		case "search":
			return search?.fraction ?? 0;
		case "segments":
			return cut;
		case "profile":
			return profiled;
		default:
			return 0;
	}
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
