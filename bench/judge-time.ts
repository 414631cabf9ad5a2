/**
 * What judging takes of a usual run, of problems whose truth is known: processor time of all that is said of an answer, by that of the
 * run, whose fit, profiles and predictions it reads. Goal: 5 % at most.
 */
import { applicability } from "../src/methods/applicability.ts";
import { remarksOf as remarksOfBayes } from "../src/methods/bayes/answer/doubts.ts";
import { marginals } from "../src/methods/bayes/answer/posterior.ts";
import type { BayesRun } from "../src/methods/bayes/bayes-run.ts";
import { remarksOf as remarksOfFit } from "../src/methods/fit/doubts.ts";
import type { FitRun } from "../src/methods/fit/fit-run.ts";
import { remarksOf as remarksOfInversion } from "../src/methods/inversion/answer/doubts.ts";
import type { InversionRun } from "../src/methods/inversion/inversion-run.ts";
import { remarksOf as remarksOfPeriodic } from "../src/methods/periodic/answer/doubts.ts";
import type { PeriodicRun } from "../src/methods/periodic/periodic-run.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import { type ProvedProblem, problemOf } from "../src/prove/problem.ts";
import { secondsSince } from "./processor.ts";
import { answerOf } from "./truth/entries-of.ts";

const goal = 0.05;
/** Judging is short: it is done so many times. */
const repeated = 5;

interface Timed {
	readonly method: string;
	/** Number of the first problem, and how many sound ones from there on. */
	readonly from: number;
	readonly count: number;
	again(state: unknown, predictions: Awaited<ReturnType<typeof answerOf>>["result"]["predictions"]): unknown;
}

const timed: readonly Timed[] = [
	{
		method: "fit",
		from: 5000,
		count: 24,
		again: (state, predictions) => remarksOfFit(state as FitRun, predictions, []),
	},
	{
		method: "bayes",
		from: 5000,
		count: 4,
		again(state, predictions) {
			const run = state as BayesRun;
			const { z, n } = run.pooled();
			return remarksOfBayes(run, marginals(run.unknowns, z, n), z, n, predictions);
		},
	},
	{
		method: "inversion",
		from: 1_005_000,
		count: 8,
		again: (state, predictions) => remarksOfInversion(state as InversionRun, predictions),
	},
	{
		method: "periodic",
		from: 3_005_000,
		count: 8,
		again: (state) => remarksOfPeriodic(state as PeriodicRun),
	},
];

function isFor({ files }: ProvedProblem, method: string): boolean {
	const model = parseModel(files["model.ode"], "model.ode");
	return applicability(model).some((each) => each.method === method && each.applies);
}

export async function judgeTime(): Promise<void> {
	console.log("\njudging, as a share of the processor time of a run (goal: 5 % at most)");
	for (const { method, from, count, again } of timed) {
		const shares: number[] = [];
		let [runs, judging] = [0, 0];
		for (let number = from; shares.length < count; number++) {
			const proved = problemOf(number);
			if (!proved || proved.fault || !isFor(proved, method)) continue;
			const begun = process.cpuUsage();
			const { result, state } = await answerOf(proved, method);
			const whole = secondsSince(begun);
			const after = process.cpuUsage();
			for (let k = 0; k < repeated; k++) again(state, result.predictions);
			const own = secondsSince(after) / repeated;
			shares.push(own / whole);
			runs += whole;
			judging += own;
		}
		shares.sort((a, b) => a - b);
		const share = judging / runs;
		const percent = (value: number): string => `${(100 * value).toFixed(2)} %`;
		console.log(
			`  ${method.padEnd(10)} ${percent(share)} of all, median ${percent(shares[shares.length >> 1])}, most ${percent(shares[shares.length - 1])}, ${count} problems: ${share <= goal ? "holds" : "does not hold"}`,
		);
	}
}
