/** What is to be seen of a search for cycles on the way: what each start came to. */

import { type Glimpse, nothingSeen } from "../../estimate/run/glimpse.ts";
import { log } from "../../num/elementary/number.ts";
import { FollowRun } from "./follow/follow-run.ts";
import { JointRun } from "./joint-run.ts";
import { LongRun } from "./long/long-run.ts";
import type { PeriodicRun } from "./periodic-run.ts";

/** Starts that have a place each along the axis. */
const mostNamed = 24;

export function glimpse(run: PeriodicRun | JointRun | LongRun | FollowRun): Glimpse {
	if (run instanceof FollowRun) return run.present ? glimpse(run.present) : nothingSeen;
	if (run instanceof JointRun) return glimpse(run.runs[run.runs.length - 1]);
	const { found } = run;
	if (found.length === 0) return nothingSeen;
	const starts = run instanceof LongRun ? run.starts.length : run.starts;
	const misfits = found.map(({ cost }) => (0.5 * log(2 * cost)) / Math.LN10);
	const seen = misfits.map((y, i) => ({ x: i + 1, y })).filter(({ y }) => Number.isFinite(y));
	return {
		figures: [
			{
				name: "starts",
				title: "What each start of the search came to",
				caption: "",
				xLabel: "start",
				yLabel: "misfit of the record, power of ten",
				section: "sure",
				...(starts <= mostNamed
					? { xNames: Array.from({ length: starts }, (_, i) => ({ at: i + 1, name: String(i + 1) })) }
					: {}),
				marks: [{ type: "points", x: seen.map(({ x }) => x), y: seen.map(({ y }) => y), role: "model" }],
			},
		],
	};
}
