/** The answer of a Bayesian run on a population: posteriors of what all share, and of each record's own. */
import { csvText } from "../../../data/write-csv.ts";
import { list } from "../../../estimate/judge/words.ts";
import { type Individual, spreadsOf, valueAt } from "../../../estimate/population/individuals.ts";
import { populationProblem } from "../../../estimate/population/problem.ts";
import {
	individualFigures,
	individualsFile,
	individualsSummary,
} from "../../../estimate/population/tables.ts";
import type { Doubt, ParameterRow, Result } from "../../../estimate/result.ts";
import { unanswered } from "../../../estimate/unanswered.ts";
import { fromSearch } from "../../../estimate/unknowns/unknowns.ts";
import { moments, quantile } from "../answer/posterior.ts";
import type { BayesSummary } from "../summary.ts";
import { populationCurves } from "./curves.ts";
import type { PopulationBayes } from "./population-bayes.ts";

/** Effective draws below which quantiles are rough, and below which there is no answer to trust. */
const [fewDraws, tooFewDraws] = [200, 30];
/** Half of a 90 % interval of a normal law. */
const normalQuantile95 = 1.6448536269514722;

export async function populationAnswer(run: PopulationBayes): Promise<Result<BayesSummary>> {
	const { population, search } = run;
	if (!search.end || run.rounds.length === 0)
		return unanswered({
			method: "bayes",
			outcome: "diverged",
			message: "No starting point gave a finite simulation of all records. Narrow the priors.",
			summary: { parameters: {}, particles: 0, runs: [] },
		});
	const { effective } = run.weights();
	const { logEvidence, sd } = run.evidence();
	const { points, etas } = run.posterior();
	const n = points.length;
	const shared = population.unknowns.slice(0, population.nShared);
	const marginals = shared.map((unknown, i) => {
		const values = Float64Array.from(points, (point) => fromSearch(unknown, point[i]));
		const sorted = values.slice().sort();
		const at = (p: number): number => quantile(sorted, p);
		return { name: unknown.name, values, ...moments(values), q05: at(0.05), q50: at(0.5), q95: at(0.95) };
	});
	const parameters: ParameterRow[] = marginals.map(({ name, mean, sd: own, q05, q95 }) => ({
		name,
		estimate: mean,
		sd: own,
		lo: q05,
		hi: q95,
		verdict: "identifiable",
	}));
	const individuals = individualsOf(run, points, etas);
	const spreads = spreadsOf(population, search.end.modes).map(({ name, shrinkage }) => ({ name, shrinkage }));
	const { model, train, test, start, compute, seed } = run.problem;
	const curves = { population, points, etas, integration: search.integration, seed };
	const draws = Math.min(run.options.predictive, n);
	const trainCurves = await populationCurves(
		curves,
		populationProblem(model, train, start, compute),
		"train",
		draws,
	);
	const testCurves =
		test.length > 0
			? await populationCurves(curves, populationProblem(model, test, start, compute, 1), "test", draws)
			: [];
	const outcome = run.isDone ? "converged" : "maxSteps";
	const doubts = doubtsOf(effective, spreads);
	return {
		method: "bayes",
		outcome,
		message: run.isDone
			? `The posterior of ${population.nShared} parameters and of ${list(spreads.map(({ name }) => name))} of ${individuals.length} records, from ${Math.round(effective)} effective draws; log evidence ${logEvidence.toFixed(2)} ± ${(normalQuantile95 * sd).toFixed(2)}.`
			: "Stopped before all draws were made; the posterior so far is shown.",
		answered: run.isDone && effective >= tooFewDraws,
		parameters,
		intervalName: "90 % credible interval",
		predictions: [...trainCurves, ...testCurves],
		summary: {
			parameters: Object.fromEntries(
				marginals.map(({ name, mean, sd: own, q05, q50, q95 }) => [
					name,
					{ mean, sd: own, q05, q50, q95, lo: q05, hi: q95, level: 0.9 },
				]),
			),
			logEvidence,
			logEvidenceInterval: {
				lo: logEvidence - normalQuantile95 * sd,
				hi: logEvidence + normalQuantile95 * sd,
				level: 0.9,
			},
			ess: Math.round(effective),
			particles: n,
			runs: [{ logEvidence, outcome, divergedShareOfPrior: 0 }],
			...individualsSummary(population, spreads, individuals),
		},
		doubts,
		assumptions: [
			"Errors of the measurements are independent from sample to sample, and records from one another.",
			`The equations are integrated by ${search.likelihood.likelihood(0).forward.says}, whose error is small beside the noise and left out.`,
			`Differences between records are integrated out by ${run.nDraws} weighted draws for each record, without bias.`,
			`Shrinkage of single records towards the population: ${list(spreads.map(({ name, shrinkage }) => `${name} ${Math.round(100 * shrinkage)} %`))}.`,
		],
		figures: individualFigures(population, individuals),
		files: [
			{
				name: "posterior.csv",
				content: csvText(marginals.map(({ name, values }) => ({ name, values }))),
			},
			individualsFile(population, individuals),
		],
		references: ["tran2013"],
	};
}

/** Mean and standard deviation of each unit's own parameters. */
function individualsOf(
	{ population }: PopulationBayes,
	points: readonly (readonly number[])[],
	etas: readonly (readonly number[])[],
): Individual[] {
	const { units, unknowns, nShared } = population;
	const q = unknowns.length - nShared;
	return units.map((unit, u) => {
		const columns = population.population.map(() => new Float64Array(points.length));
		const own = population.population.map(() => new Float64Array(points.length));
		for (const [b, point] of points.entries()) {
			const z = Float64Array.of(...point, ...etas[b].slice(u * q, (u + 1) * q));
			const value = valueAt(population, unit, z);
			for (const [k, param] of population.population.entries()) {
				columns[k][b] = value(param.value);
				own[k][b] = z[nShared + k];
			}
		}
		return {
			unit: unit.name,
			parameters: columns.map((values, k) => {
				const { mean, sd } = moments(values);
				return { estimate: mean, sd, eta: moments(own[k]).mean };
			}),
		};
	});
}

function doubtsOf(effective: number, spreads: readonly { name: string; shrinkage: number }[]): Doubt[] {
	const doubts: Doubt[] = [];
	if (effective < fewDraws)
		doubts.push({
			code: "few-effective",
			title: "Few effective draws",
			text: `The posterior is worth ${Math.round(effective)} draws: its tails are rough. Raise  bayes: { particles }, or narrow the priors.`,
			grave: effective < tooFewDraws,
		});
	const shrunk = spreads.filter(({ shrinkage }) => shrinkage > 0.5);
	if (shrunk.length > 0)
		doubts.push({
			code: "shrinkage",
			title: "Single records say little of their own",
			text: `${list(shrunk.map(({ name, shrinkage }) => `${name} (${Math.round(100 * shrinkage)} %)`))}: what is said of single records is drawn so far towards the middle of the population.`,
			grave: false,
		});
	return doubts;
}
