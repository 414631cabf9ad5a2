/**
 * The posterior with the steps that are chosen beside the one with steps a quarter as long, on eight problems. The second is the
 * first, weighed anew: draws of the cloud get the weights that shorter steps give them, so that no other draws blur the ratio.
 */
import { join } from "node:path";
import { posteriorOf, experimentOf as recordPart, testError } from "../papers/bayes/posterior-run.ts";
import { duffingModel, silverboxPart } from "../papers/bayes/silverbox.ts";
import { inline } from "../src/compute/inline.ts";
import { readTableFile } from "../src/data/node/read-file.ts";
import type { BayesRun } from "../src/methods/bayes/bayes-run.ts";
import { naturalValues } from "../src/methods/bayes/likelihood/unknowns.ts";
import { withSteps } from "../src/methods/bayes/steps/step-effect.ts";
import { effectiveSampleSize, normalisedWeights } from "../src/num/statistics/log-weights.ts";
import { runBayes } from "../test/methods/bayes/helpers.ts";
import {
	type BayesProblem,
	boucWen,
	duffing,
	epidemic,
	lynxHare,
	massChain,
	problemWith,
	tanks,
	vanDerPol,
} from "./bayes-problems.ts";
import type { BenchOptions } from "./main.ts";
import { secondsSince } from "./processor.ts";
import { publicRecord } from "./public-records.ts";

const problems: Record<string, () => BayesProblem> = {
	tanks,
	duffing: () => duffing(5e-4),
	vanDerPol,
	massChain,
	lynxHare,
	epidemic,
	boucWen,
};

export async function bench({
	data,
	systems = [...Object.keys(problems), "silverbox"],
}: BenchOptions): Promise<void> {
	for (const name of systems) {
		if (name === "silverbox") {
			await silverbox(data);
			continue;
		}
		const problem = problems[name]();
		const used = process.cpuUsage();
		const { run, result } = await runBayes(problemWith(problem, 1), { netcdf: false });
		const seconds = secondsSince(used);
		await tell(problem.name, run, seconds);
		const doubts = result.doubts.filter(({ code }) => code === "coarse-steps");
		for (const { title } of doubts) console.log(`  doubted: ${title}`);
	}
}

/** Ratios of standard deviations and shifts of means, with the steps of the run beside four times as many. */
async function tell(name: string, run: BayesRun, seconds: number, more = ""): Promise<void> {
	const { z, n } = run.pooled();
	const theta = naturalValues(run.unknowns, z, n);
	const { substeps, q, diffusion } = run.settings;
	const finer = withSteps(run.likelihood, { substeps: 4 * substeps });
	const [own, other] = [await run.likelihood.logLikelihoods(theta, n), await finer.logLikelihoods(theta, n)];
	const weights = normalisedWeights(other.map((value, b) => value - own[b]));
	let ratio = 1;
	let shift = 0;
	for (const i of run.unknowns.keys()) {
		const column = theta.subarray(i * n, (i + 1) * n);
		const [a, b] = [moments(column, new Float64Array(n).fill(1 / n)), moments(column, weights)];
		if (Math.abs(Math.log(a.sd / b.sd)) > Math.abs(Math.log(ratio))) ratio = a.sd / b.sd;
		shift = Math.max(shift, Math.abs(a.mean - b.mean) / b.sd);
	}
	const reached = ratio > 0.95 && ratio < 1.05 && shift < 0.1;
	const error = diffusion === "off" ? "no error modelled" : `error ${diffusion}`;
	console.log(
		`${name.padEnd(20)} ${seconds.toFixed(2)} s of CPU, q = ${q}, ${substeps} steps a sample, ${error}; beside 4 times as many: sd ${ratio.toFixed(3)}, means ${shift.toFixed(3)} sd ` +
			`(effective share ${(effectiveSampleSize(weights) / n).toFixed(3)})  goal 0.95 … 1.05, 0.1  ${reached ? "reached" : "MISSED"}${more}`,
	);
}

/** By default, and what it says of the arrow, which it never saw. */
async function silverbox(records: string | undefined): Promise<void> {
	const file = "silverbox/SNLS80mV.csv";
	if (!publicRecord(records, file)) return;
	const table = await readTableFile(join(records!, file));
	const context = {
		quick: false,
		seed: 1,
		compute: inline,
		record: async () => table,
		progress: () => {},
	};
	const used = process.cpuUsage();
	const run = await posteriorOf(
		context,
		duffingModel,
		recordPart(silverboxPart(table, "train", 49278, 52350)),
		{},
		() => {},
	);
	const seconds = secondsSince(used);
	const arrow = recordPart(silverboxPart(table, "arrow", 1000, 40000));
	const { mean } = await testError(
		context,
		run,
		duffingModel,
		arrow,
		{ substeps: run.settings.substeps, particles: 200 },
		() => {},
	);
	const goals = `; ${(1e3 * mean).toFixed(4)} mV on the arrow (goal <= 0.46 ${mark(mean <= 0.46e-3)}), goal <= 45 s ${mark(seconds <= 45)}`;
	await tell("Silverbox", run, seconds, goals);
}

function moments(values: Float64Array, weights: Float64Array): { mean: number; sd: number } {
	let mean = 0;
	for (let b = 0; b < values.length; b++) mean += weights[b] * values[b];
	let square = 0;
	for (let b = 0; b < values.length; b++) square += weights[b] * (values[b] - mean) ** 2;
	return { mean, sd: Math.sqrt(square) };
}

function mark(reached: boolean): string {
	return reached ? "reached" : "MISSED";
}
