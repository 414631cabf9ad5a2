/**
 * Statements of guaranteed results held against what is known to be consistent, over thousands of random problems: blow-up, division through zero, corners,
 * stiffness, events, outputs that are not defined everywhere, several records, unequal times, long horizons, several unknowns that act together, wrong samples, no samples, assumptions, certificates, too little effort;
 * and random expressions with random settings, for a tenth of the time. Every miss is printed with its seed.
 */
import { provedByBrackets, provedByTaylorModels } from "../test/methods/guaranteed/keeps-truth.ts";
import { closedProblem, eventProblem } from "../test/methods/guaranteed/truth/families.ts";
import {
	assumedProblem,
	certifiedProblem,
	freeProblem,
	robustProblem,
} from "../test/methods/guaranteed/truth/other-families.ts";
import { partialProblem } from "../test/methods/guaranteed/truth/partial-families.ts";
import { checkStatements } from "../test/methods/guaranteed/truth/statements.ts";
import { wideProblem } from "../test/methods/guaranteed/truth/wide-families.ts";
import type { BenchOptions } from "./main.ts";

const families = [
	closedProblem,
	closedProblem,
	robustProblem,
	freeProblem,
	assumedProblem,
	certifiedProblem,
	wideProblem,
	partialProblem,
	eventProblem,
];

/** Problems where no time is given. */
const most = 5000;
const mostRandom = 400;

export async function bench({ minutes, seed: first = 0 }: BenchOptions): Promise<void> {
	const until = minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + 60_000 * minutes;
	let misses = await randomModels(first, minutes === undefined ? undefined : minutes / 10);
	const outcomes: Record<string, number> = {};
	const counts: Record<string, number> = {};
	let problems = 0;
	for (let seed = first; problems < most && performance.now() < until; seed++) {
		const problem = families[seed % families.length](seed);
		if (!problem) continue;
		problems++;
		const checked = await checkStatements(problem);
		outcomes[checked.outcome] = (outcomes[checked.outcome] ?? 0) + 1;
		for (const [kind, count] of Object.entries(checked.counts)) counts[kind] = (counts[kind] ?? 0) + count;
		misses += checked.misses.length;
		for (const miss of checked.misses) console.log(`  seed ${seed}, ${problem.family}: ${miss}`);
		if (problems % 500 === 0) console.log(`  ${problems} problems, ${misses} misses`);
	}
	console.log(`  ${problems} problems, ${misses} misses; outcomes ${JSON.stringify(outcomes)}`);
	for (const [kind, count] of Object.entries(counts)) console.log(`  ${kind.padEnd(18)}${count}`);
	if (misses > 0) process.exitCode = 1;
}

/** Expressions of every function, inputs of every kind, coarse and fine settings: how often the truth was lost. */
async function randomModels(first: number, minutes: number | undefined): Promise<number> {
	const until = minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + 60_000 * minutes;
	let [models, proved, misses] = [0, 0, 0];
	for (; models < mostRandom && performance.now() < until; models++) {
		try {
			// Brackets take longer: one in eight.
			const way = models % 8 === 7 ? provedByBrackets : provedByTaylorModels;
			if (await way(first + models)) proved++;
		} catch (error) {
			misses++;
			console.log(`  ${error instanceof Error ? error.message : error}`);
		}
	}
	console.log(`  ${models} random models, ${proved} proved, ${misses} misses`);
	return misses;
}
