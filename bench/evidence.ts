/**
 * The log evidence over many seeds: its mean error, how often what it states holds it, and whether a model is ever ruled out
 * by itself. The truth is the mean over long runs of its own seeds, far more draws than one run has.
 */
import type { BayesSummary } from "../src/methods/bayes/summary.ts";
import { compareEvidence } from "../src/study/compare-evidence.ts";
import { runBayes } from "../test/methods/bayes/helpers.ts";
import { type BayesProblem, duffing, lynxHare, problemWith, twoModes } from "./bayes-problems.ts";

const seeds = 40;
const pairs = 100;

export async function bench(): Promise<void> {
	for (const problem of [lynxHare(), duffing(0.05), twoModes()]) await tell(problem);
}

async function tell(problem: BayesProblem): Promise<void> {
	const options = { netcdf: false, predictive: 10 };
	const truth = await reference(problem);
	const runs = [];
	for (let seed = 0; seed < seeds; seed++)
		runs.push((await runBayes(problemWith(problem, seed), options)).result);
	const found = runs.map(({ summary }) => summary as unknown as BayesSummary);
	const off = found.map(({ logEvidence }) => logEvidence! - truth);
	const within = found.filter(
		({ logEvidenceInterval: interval }) => interval!.lo < truth && truth < interval!.hi,
	);
	const meanError = off.reduce((sum, value) => sum + Math.abs(value), 0) / seeds;
	const coverage = within.length / seeds;
	console.log(
		`${problem.name.padEnd(20)} log evidence ${truth.toFixed(3)}: mean error ${meanError.toFixed(3)} (goal <= 0.1 ${mark(meanError <= 0.1)}), largest ${Math.max(...off.map(Math.abs)).toFixed(3)}, ` +
			`± holds ${coverage.toFixed(3)} (goal 0.85 … 0.95 ${mark(coverage >= 0.85 && coverage <= 0.95)})`,
	);
	let ruledOut = 0;
	for (let k = 0; k < pairs; k++) {
		const [a, b] = [k % seeds, (k * 7 + 1 + Math.floor(k / seeds)) % seeds];
		if (a === b) continue;
		const { rows } = compareEvidence([
			{ run: "a", result: runs[a] },
			{ run: "b", result: runs[b] },
		]);
		if (rows.some(({ verdict }) => /ruled out|worse/.test(verdict))) ruledOut++;
	}
	console.log(
		`  of ${pairs} pairs a model is worse than itself in ${ruledOut}  (goal 0 ${mark(ruledOut === 0)})`,
	);
}

/** Ten runs of 8,000 particles, each with its own seed. */
async function reference(problem: BayesProblem): Promise<number> {
	let sum = 0;
	for (let k = 0; k < 10; k++) {
		const { run } = await runBayes(problemWith(problem, 1000 + k), {
			particles: 8000,
			netcdf: false,
			predictive: 10,
		});
		sum += run.logEvidence;
	}
	return sum / 10;
}

function mark(reached: boolean): string {
	return reached ? "reached" : "MISSED";
}
