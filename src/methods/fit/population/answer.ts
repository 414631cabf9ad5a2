/** The answer of a fit of a population: what all share, how far records differ, and each record's own. */
import type { Figure } from "../../../estimate/figure.ts";
import { distrust, list, sorted } from "../../../estimate/judge/words.ts";
import { parameterSummary } from "../../../estimate/parameter-summary.ts";
import { individualsOf, spreadsOf } from "../../../estimate/population/individuals.ts";
import { innovationSeries, misfitRemarks } from "../../../estimate/population/innovations.ts";
import { middleModes, unitPredictions } from "../../../estimate/population/predictions.ts";
import { populationProblem } from "../../../estimate/population/problem.ts";
import {
	individualFigures,
	individualsFile,
	individualsSummary,
} from "../../../estimate/population/tables.ts";
import type { Doubt, ParameterRow, Prediction, Result } from "../../../estimate/result.ts";
import { unanswered } from "../../../estimate/unanswered.ts";
import { fromSearch } from "../../../estimate/unknowns/unknowns.ts";
import { symbolsOf } from "../../../model/walk.ts";
import { normalQuantile975, studentQuantile975 } from "../../../num/statistics/quantile.ts";
import type { FitSummary } from "../summary.ts";
import type { PopulationFit } from "./population-fit.ts";

/** Shrinkage from which on what is said of single records is mostly what is known of all. */
const muchShrinkage = 0.5;
/** A spread below this share of the parameter's own error is none. */
const noSpread = 1e-3;

export async function populationAnswer(run: PopulationFit): Promise<Result<FitSummary>> {
	const { search, population } = run;
	const { end } = search;
	if (!end || !(end.value < Number.POSITIVE_INFINITY))
		return unanswered({
			method: "fit",
			outcome: "diverged",
			message:
				"No starting point gave a finite simulation of all records. Give a start under  set:, or narrower knowledge of the parameters.",
			summary: { parameters: {}, iterations: 0, starts: { tried: search.places, agree: 0 } },
		});
	const rows = sharedRows(run);
	const individuals = individualsOf(population, end.modes);
	const spreads = spreadsOf(population, end.modes);
	const predictions = [
		...(await unitPredictions(population, end.modes, search.integration, "train")),
		...(await testPredictions(run)),
	];
	const { doubts, notes } = sorted([
		...misfitRemarks(
			await innovationSeries(search.likelihood, end),
			population.nShared,
			predictions,
			run.problem.model,
		),
		...doubtsOf(run, spreads),
	]);
	const distrusted = distrust(doubts);
	const isConverged = search.phase === "done" && search.outcome === "converged";
	const { goodness } = search;
	const figures: Figure[] = individualFigures(population, individuals);
	return {
		method: "fit",
		outcome: isConverged ? "converged" : "maxSteps",
		message: isConverged
			? `Converged; ${list(spreads.map(({ name }) => name))} of ${individuals.length} records around what all share${distrusted ? `, ${distrusted}` : ""}.`
			: "Stopped before it converged; the best point so far is shown.",
		answered: isConverged,
		parameters: rows,
		intervalName: "95 % interval",
		predictions,
		summary: {
			parameters: parameterSummary(rows, 0.95),
			...goodness,
			iterations: search.iterations,
			starts: { tried: search.places, agree: 1 },
			evaluations: search.evaluations,
			integration: search.likelihood.likelihood(0).forward.says,
			integrationError: search.error,
			timing: { search: run.seconds, profile: 0 },
			...individualsSummary(population, spreads, individuals),
		},
		doubts,
		notes,
		assumptions: [
			"Errors of the measurements are independent from sample to sample, and records from one another.",
			"Differences between records are integrated out by Laplace's method (FOCE with interaction): near its end the likelihood of each record is taken for normal in them.",
			"Standard errors come from the curvature of that likelihood; intervals of what laws of the population are made of count records, not samples.",
			...(run.problem.test.length > 0
				? [
						"Test records of a unit that was learned from have its own parameters, others the middle of the population.",
					]
				: []),
		],
		figures,
		files: [individualsFile(population, individuals)],
		references: ["wang2007", "hooker2007"],
	};
}

function sharedRows({ search, population }: PopulationFit): ParameterRow[] {
	const { nShared: p, unknowns, units } = population;
	const ofLaws = symbolsOf(population.population.flatMap(({ location, spread }) => [location, spread]));
	const byUnits = studentQuantile975(Math.max(units.length - 1, 1));
	return unknowns.slice(0, p).map((unknown, i) => {
		const z = search.end!.shared[i];
		const estimate = fromSearch(unknown, z);
		const sd = search.covariance && Math.sqrt(search.covariance[i * p + i]);
		if (sd === undefined || !Number.isFinite(sd))
			return { name: unknown.name, estimate, verdict: "no standard error" };
		const half = sd * (ofLaws.has(unknown.name) ? byUnits : normalQuantile975);
		// No further from 0 than its own error: a logarithm has no curvature there that would tell where it ends.
		if (unknown.scale === "log" && sd > 1)
			return {
				name: unknown.name,
				estimate,
				sd: sd * estimate,
				lo: Math.max(0, unknown.lo),
				hi: Math.min(estimate * (1 + half), unknown.hi),
				verdict: "practically unidentifiable",
			};
		return {
			name: unknown.name,
			estimate,
			sd: sd * (unknown.scale === "log" ? estimate : 1),
			lo: Math.max(fromSearch(unknown, z - half), unknown.lo),
			hi: Math.min(fromSearch(unknown, z + half), unknown.hi),
			verdict: "not profiled",
		};
	});
}

async function testPredictions({ problem, search, population }: PopulationFit): Promise<Prediction[]> {
	const { model, test, start, compute } = problem;
	if (test.length === 0) return [];
	const tested = populationProblem(model, test, start, compute, 1);
	const known = new Map(population.units.map(({ name }, u) => [name, search.end!.modes[u]]));
	const modes = middleModes(tested, search.end!.shared, known);
	return unitPredictions(tested, modes, search.integration, "test");
}

function doubtsOf({ search, population }: PopulationFit, spreads: ReturnType<typeof spreadsOf>): Doubt[] {
	const doubts: Doubt[] = [];
	const none = spreads.flatMap(({ name, spread }) =>
		spread !== undefined && spread < noSpread ? [name] : [],
	);
	if (none.length > 0)
		doubts.push({
			code: "no-spread",
			title: "Records do not differ",
			text: `The spread of ${list(none)} over the records ended at 0: they differ in it by no more than chance. Write it as one parameter that all share.`,
			grave: false,
		});
	const shrunk = spreads.filter(({ name, shrinkage }) => shrinkage > muchShrinkage && !none.includes(name));
	if (shrunk.length > 0)
		doubts.push({
			code: "shrinkage",
			title: "Single records say little of their own",
			text: `${list(shrunk.map(({ name, shrinkage }) => `${name} (${Math.round(100 * shrinkage)} %)`))}: what is said of single records is shrunk so far towards the middle of the population. Do not read differences between records out of it.`,
			grave: false,
		});
	if (search.phase === "done" && !search.covariance)
		doubts.push({
			code: "unidentifiable",
			title: "The likelihood has no curvature",
			text: "Around the estimate the likelihood is flat in some direction: the records do not tell all that is asked for. Take a parameter or a spread out, or give narrower knowledge with  fit: { priors: true }.",
			grave: true,
		});
	if (population.units.length < 6)
		doubts.push({
			code: "few-records",
			title: "Few records",
			text: `How far ${population.units.length} records differ tells little of a population: its spreads are uncertain, and too small on the average.`,
			grave: false,
		});
	return doubts;
}
