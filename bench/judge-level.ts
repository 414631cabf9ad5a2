/**
 * The level of the test of instruments on fits of problems whose truth is known: how often sound residuals are as unlikely as its chances say. Where an
 * unknown is far off, a better optimum was not found and the residuals are not sound: those are counted apart.
 */

import { instrumentChance } from "../src/estimate/judge/instrument.ts";
import { seriesWithPredicted } from "../src/methods/fit/doubts.ts";
import type { FitRun } from "../src/methods/fit/fit-run.ts";
import { problemOf } from "../src/prove/problem.ts";
import { isWrong } from "./truth/counts.ts";
import { answerOf, baseOf } from "./truth/entries-of.ts";
import { judged } from "./truth/judged.ts";

const levels = [0.1, 0.05, 0.01, 0.001];

export async function judgeLevel(from: number, count: number): Promise<void> {
	const right: number[] = [];
	const wrong: number[] = [];
	for (let number = from; right.length + wrong.length < count; number++) {
		const proved = problemOf(number);
		if (!proved || proved.fault) continue;
		const { result, state } = await answerOf(proved, "fit");
		const run = state as FitRun;
		if (!result.answered || run.scale.atFloor) continue;
		const chance = instrumentChance(
			seriesWithPredicted(run, result.predictions),
			run.estimation.unknowns.length,
		);
		if (chance === undefined) continue;
		const entry = { ...baseOf(proved, "fit"), ...judged(result, state, proved) };
		(isWrong(entry) ? wrong : right).push(chance);
	}
	console.log("\ntest of instruments on fits: share of answers with a chance below");
	for (const [name, chances] of [
		["answers that hold the truth", right],
		["answers with an unknown far off", wrong],
	] as const) {
		const shares = levels.map((level) => {
			const below = chances.filter((chance) => chance < level).length;
			return `${level}: ${(below / Math.max(chances.length, 1)).toFixed(4)} (${below})`;
		});
		console.log(`  ${name.padEnd(34)} ${shares.join("  ")}  of ${chances.length}`);
	}
}
