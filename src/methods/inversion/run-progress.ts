/** How far an inversion is, and what it does, in words. */
import type { PhaseShares } from "../../estimate/run/progress.ts";
import type { Phase } from "./checkpoint.ts";
import type { InversionRun } from "./inversion-run.ts";

export const shares: PhaseShares<Phase> = {
	fit: [0, 0.3],
	select: [0.3, 0.6],
	polish: [0.6, 0.62],
	others: [0.62, 0.75],
	profile: [0.75, 0.9],
	stability: [0.9, 0.95],
	design: [0.95, 1],
	done: [1, 1],
};

const casesOf = ({ design }: InversionRun): number => design.reduce((sum, { of }) => sum + of, 0);

/** The share of its phase that is done. */
export function shareWithin(run: InversionRun): number {
	const { starts, selection, work, profiles, final, others, options, stability, design } = run;
	switch (run.phase) {
		case "fit": {
			const { iterations } = starts.running;
			return iterations / (iterations + 10);
		}
		case "select":
			return Math.min((selection?.path.length ?? 0) / Math.max(work.selectable.length, 1), 1);
		case "profile":
			return profiles.length / Math.max(final?.active.length ?? 1, 1);
		case "others":
			return others.length / (options.starts + 4);
		case "stability":
			return stability.of / Math.max(options.stability, 1);
		case "design":
			return casesOf(run) / Math.max(options.design * design.length, 1);
		default:
			return 0;
	}
}

export function labelOf(run: InversionRun): string {
	const { selection, others, profiles, stability, final, work } = run;
	switch (run.phase) {
		case "fit":
			return fitLabel(run);
		case "select": {
			const { size } = selection!.judged;
			return `${size} set${size === 1 ? "" : "s"} of terms judged`;
		}
		case "polish":
			return "fitting the chosen terms";
		case "others":
			return `${others.length} other starts`;
		case "profile":
			return `${profiles.length} profiles`;
		case "stability":
			return `chosen again under ${stability.of} simulated noises`;
		case "design":
			return `design study, ${casesOf(run)} cases`;
		case "done":
			return final
				? `${work.terms(final.active).length} of ${work.selectable.length} terms are there`
				: "no start could be simulated";
	}
}

function fitLabel({ starts, work }: InversionRun): string {
	const { terms, iterations } = starts.running;
	const all = work.selectable.length;
	return `fitting ${terms === all ? `all ${all}` : `${terms} of ${all}`} terms, ${iterations} iteration${iterations === 1 ? "" : "s"}`;
}
