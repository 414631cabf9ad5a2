/**
 * Parameters, hidden states and initial values from a periodic record of one state or of several, by explicit integrals instead of
 * integration.
 *
 * Reference: Tyukin, Gorban, Tyukina, Al-Ameri, Korablev, "Fast sampling of evolving systems with periodic trajectories",
 * Math. Model. Nat. Phenom. 11, 2016. Departures, with reasons, in docs/methods/periodic.md: a gain in the observer,
 * Gauss nodes, a period that is estimated, scans instead of inverses, and an adjustment of the record itself.
 */
import { fromBytes, toBytes } from "../../estimate/run/checkpoint-text.ts";
import type { Method } from "../method.ts";
import { answer } from "./answer/answer.ts";
import { jointAnswer } from "./answer/joint-answer.ts";
import { appliesTo } from "./applies.ts";
import { driftingParam } from "./follow/drift.ts";
import { followAnswer } from "./follow/follow-answer.ts";
import { type FollowCheckpoint, FollowRun } from "./follow/follow-run.ts";
import { refuseUneven } from "./form/noise.ts";
import { glimpse } from "./glimpse.ts";
import { type JointCheckpoint, JointRun, RecordsPlan } from "./joint-run.ts";
import { longAnswer } from "./long/long-answer.ts";
import { LongRun } from "./long/long-run.ts";
import { periodicOptions } from "./options.ts";
import { outputsAnswer } from "./outputs/outputs-answer.ts";
import { OutputsPlan } from "./outputs/outputs-plan.ts";
import { type PeriodicCheckpoint, PeriodicRun } from "./periodic-run.ts";
import type { PeriodicSummary } from "./summary.ts";

type Run = PeriodicRun | JointRun | LongRun | FollowRun;

export const periodic: Method<Run, typeof periodicOptions, PeriodicSummary> = {
	name: "periodic",
	says: "Parameters, hidden states and period from a periodic record of one state or more, by explicit integrals.",
	accent: { light: "#8a5a00", dark: "#e6b450", terminal: "yellow" },
	options: periodicOptions,
	appliesTo,
	suits: ({ measures }) =>
		measures.every(({ kind }) => kind === "exact") ? "one state is seen without declared noise" : undefined,
	needs: "one-output",
	async prepare(problem, options) {
		refuseUneven(problem);
		if (driftingParam(problem.model)) return new FollowRun(problem, options);
		if (options.record === "long") return LongRun.of(problem, options);
		if (problem.train.length > 1) return JointRun.of(problem, options, new RecordsPlan(problem));
		if (problem.model.measures.length > 1)
			return JointRun.of(problem, options, new OutputsPlan(problem, options));
		return PeriodicRun.of(problem, options);
	},
	advance: (run) => run.advance(),
	result(run) {
		if (run instanceof FollowRun) return followAnswer(run);
		if (run instanceof LongRun) return longAnswer(run);
		if (run instanceof PeriodicRun) return answer(run);
		return run.plan instanceof OutputsPlan ? outputsAnswer(run, run.plan) : jointAnswer(run);
	},
	glimpse,
	save: (run) => toBytes(run.save()),
	async load(problem, options, bytes) {
		const saved = fromBytes<PeriodicCheckpoint & JointCheckpoint & FollowCheckpoint>(bytes);
		const run = await periodic.prepare(problem, options);
		await run.restore(saved);
		return run;
	},
};
