/** The answer of a Bayesian run on a population: posteriors of what all share, and of each record's own. */
import { counted, distrust, doubt, list, sorted } from "../../../estimate/judge/words.ts";
import { type Individual, spreadsOf, valueAt } from "../../../estimate/population/individuals.ts";
import { innovationSeries, misfitRemarks } from "../../../estimate/population/innovations.ts";
import { populationProblem } from "../../../estimate/population/problem.ts";
import {
	individualFigures,
	individualsFile,
	individualsSummary,
} from "../../../estimate/population/tables.ts";
import type { Remark, Result } from "../../../estimate/result.ts";
import { unanswered } from "../../../estimate/unanswered.ts";
import { fromSearch } from "../../../estimate/unknowns/unknowns.ts";
import { parameterSummaries, posteriorCsv } from "../answer/answer.ts";
import { cornerFigure } from "../answer/corner.ts";
import {
	checksOf,
	type Diagnostics,
	diagnosticsText,
	mostDraws,
	mostSamples,
} from "../answer/diagnostics.ts";
import { runsDisagree } from "../answer/doubts.ts";
import { marginalFigures } from "../answer/figures.ts";
import { posteriorFile } from "../answer/inference-data.ts";
import type { PointwiseSample } from "../answer/pointwise.ts";
import { marginals, moments, weightedMoments } from "../answer/posterior.ts";
import { type RunClouds, rHats } from "../answer/run-agreement.ts";
import { runFigures } from "../answer/run-figures.ts";
import { verdictOf } from "../answer/verdicts.ts";
import { samplesOf } from "../likelihood/samples.ts";
import { drawPriors, naturalValues, type PosteriorUnknown, priorSpreads } from "../likelihood/unknowns.ts";
import type { BayesSummary } from "../summary.ts";
import { populationCurves } from "./curves.ts";
import { populationPointwise } from "./pointwise.ts";
import type { PopulationBayes, PopulationDraws } from "./population-bayes.ts";

/** Effective draws below which quantiles are rough, and below which there is no answer to trust. */
const [roughDraws, tooFewDraws] = [200, 30];
/** Half of a 90 % interval of a normal law. */
const normalQuantile95 = 1.6448536269514722;

export async function populationAnswer(run: PopulationBayes): Promise<Result<BayesSummary>> {
	const { population, best } = run;
	if (!best || run.rounds.length === 0)
		return unanswered({
			method: "bayes",
			outcome: "diverged",
			message: "No starting point gave a finite simulation of all records. Narrow the priors.",
			summary: { parameters: {}, particles: 0, runs: [] },
		});
	const { logEvidence, sd } = run.evidence();
	const plusMinus = normalQuantile95 * sd;
	const n = run.options.particles;
	const draws = run.posterior(n);
	const unknowns = population.unknowns
		.slice(0, population.nShared)
		.map(({ name, law }): PosteriorUnknown => ({ name, kind: "param", prior: law! }));
	const columns = ({ points }: PopulationDraws): Float64Array =>
		Float64Array.from({ length: unknowns.length * points.length }, (_, k) => {
			const i = Math.floor(k / points.length);
			const natural = fromSearch(population.unknowns[i], points[k % points.length][i]);
			return unknowns[i].prior.toSampled(natural);
		});
	const z = columns(draws);
	const posterior = marginals(unknowns, z, n);
	const { effective, weights, points } = run.weights();
	const nRuns = run.rounds.length >= run.found.length ? run.found.length : 1;
	const runs = Array.from({ length: nRuns }, (_, r) => {
		const rounds = run.roundsOf(r);
		const own = run.posterior(Math.floor(n / nRuns), rounds);
		return { ...run.evidence(rounds), effective: run.weights(rounds).effective, draws: own };
	});
	const all = columns({ points, etas: [], logTarget: [] });
	const clouds: RunClouds = {
		names: unknowns.map(({ name }) => name),
		runs: runs.map((one) => ({ ...one, z: columns(one.draws), n: one.draws.points.length })),
		pooled: { z, n },
		drawn: { effective, ...weightedMoments(all, weights) },
	};
	const individuals = individualsOf(run, draws);
	const spreads = spreadsOf(population, best.end!.modes).map(({ name, shrinkage }) => ({ name, shrinkage }));
	const { model, train, test, start, compute, seed } = run.problem;
	const curves = { population, ...draws, integration: best.integration, seed };
	const nCurves = Math.min(run.options.predictive, n);
	const trainCurves = await populationCurves(
		curves,
		populationProblem(model, train, start, compute),
		"train",
		nCurves,
	);
	const testCurves =
		test.length > 0
			? await populationCurves(curves, populationProblem(model, test, start, compute, 1), "test", nCurves)
			: [];
	const pointwise = (own: PopulationDraws, which: number): Promise<PointwiseSample[]> =>
		populationPointwise(population, train, own, best.integration, which);
	const ess = Math.round(effective);
	const diagnostics: Diagnostics = {
		ess,
		...(population.whole.observations.nObservations <= mostSamples &&
			checksOf(model, await pointwise(run.posterior(Math.min(n, mostDraws)), seed))),
	};
	const outcome = run.isDone ? "converged" : "maxSteps";
	const { doubts, notes } = sorted([
		...misfitRemarks(
			await innovationSeries(best.likelihood, best.end!),
			population.nShared,
			trainCurves,
			model,
		),
		...fewDraws(effective),
		...shrunk(spreads),
		...runsDisagree(clouds, plusMinus),
	]);
	const priorSd = priorSpreads(unknowns);
	const distrusted = distrust(doubts);
	return {
		method: "bayes",
		outcome,
		message: !run.isDone
			? "Stopped before all draws were made; the posterior so far is shown."
			: `The posterior of ${population.nShared > 0 ? `${counted(population.nShared, "parameter")} and of ` : ""}${list(spreads.map(({ name }) => name))} of ${individuals.length} records, from ${ess} effective draws; log evidence ${logEvidence.toFixed(2)} ± ${plusMinus.toFixed(2)}${distrusted ? `, ${distrusted}` : ""}.`,
		answered: run.isDone && effective >= tooFewDraws,
		parameters: posterior.map((one, i) => ({
			name: one.name,
			estimate: one.mean,
			sd: one.sd,
			lo: one.q05,
			hi: one.q95,
			verdict: verdictOf(one, priorSd[i], unknowns[i].prior),
		})),
		intervalName: "90 % credible interval",
		predictions: [...trainCurves, ...testCurves],
		summary: {
			parameters: parameterSummaries(posterior, rHats(clouds)),
			logEvidence,
			logEvidenceInterval: { lo: logEvidence - plusMinus, hi: logEvidence + plusMinus, level: 0.9 },
			...diagnostics,
			particles: n,
			runs: runs.map((one) => ({ logEvidence: one.logEvidence, outcome, divergedShareOfPrior: 0 })),
			...individualsSummary(population, spreads, individuals),
		},
		doubts,
		notes,
		assumptions: [
			"Errors of the measurements are independent from sample to sample, and records from one another.",
			`The equations are integrated by ${best.likelihood.likelihood(0).forward.says}, whose error is small beside the noise and left out.`,
			`Differences between records are integrated out by ${run.nDraws} weighted draws for each record, without bias.`,
			`Shrinkage of single records towards the population: ${list(spreads.map(({ name, shrinkage }) => `${name} ${Math.round(100 * shrinkage)} %`))}.`,
			...diagnosticsText(diagnostics, n),
		],
		figures: [
			...marginalFigures(unknowns, posterior),
			...cornerFigure(posterior, z, n),
			...individualFigures(population, individuals),
			...runFigures(clouds),
		],
		files: [
			{ name: "posterior.csv", content: posteriorCsv(posterior) },
			individualsFile(population, individuals),
			...(run.options.netcdf ? [{ name: "posterior.nc", content: await netcdfFile() }] : []),
		],
		references: ["tran2013", "hooker2007", ...(diagnostics.loo ? ["vehtari2017"] : [])],
	};

	async function netcdfFile(): Promise<Uint8Array<ArrayBuffer>> {
		const named = (values: Float64Array, count: number): { name: string; values: Float64Array }[] =>
			unknowns.map(({ name }, i) => ({ name, values: values.slice(i * count, (i + 1) * count) }));
		const nDraws = clouds.runs[0].n;
		const prior = drawPriors(unknowns, nDraws, seed, "run 0");
		return posteriorFile({
			model: population.model,
			experiments: train,
			samples: train.map((experiment) => samplesOf(population.model, experiment)),
			nDraws,
			nOwn: population.units.length,
			chains: runs.map(({ draws: own, logEvidence: evidence }, r) => ({
				columns: named(naturalValues(unknowns, clouds.runs[r].z, nDraws), nDraws),
				own: ownValues(run, own),
				lp: Float64Array.from(own.logTarget),
				logEvidence: evidence,
			})),
			prior: named(naturalValues(unknowns, prior, nDraws), nDraws),
			pointwise: (r) => pointwise(runs[r].draws, seed + r),
		});
	}
}

/** Each parameter of the population: draws × units. */
function ownValues(
	{ population }: PopulationBayes,
	{ points, etas }: PopulationDraws,
): { name: string; values: Float64Array; eta: Float64Array }[] {
	const { units, unknowns, nShared } = population;
	const q = unknowns.length - nShared;
	const numbers = (): Float64Array => new Float64Array(points.length * units.length);
	const own = population.population.map(({ name }) => ({ name, values: numbers(), eta: numbers() }));
	for (const [b, point] of points.entries())
		for (const [u, unit] of units.entries()) {
			const z = Float64Array.of(...point, ...etas[b].slice(u * q, (u + 1) * q));
			const value = valueAt(population, unit, z);
			for (const [k, param] of population.population.entries()) {
				own[k].values[b * units.length + u] = value(param.value);
				own[k].eta[b * units.length + u] = z[nShared + k];
			}
		}
	return own;
}

/** Mean and standard deviation of each unit's own parameters. */
function individualsOf(run: PopulationBayes, draws: PopulationDraws): Individual[] {
	const own = ownValues(run, draws);
	const { units } = run.population;
	const ofUnit = (values: Float64Array, u: number): Float64Array =>
		values.filter((_, at) => at % units.length === u);
	return units.map(({ name }, u) => ({
		unit: name,
		parameters: own.map(({ values, eta }) => {
			const { mean, sd } = moments(ofUnit(values, u));
			return { estimate: mean, sd, eta: moments(ofUnit(eta, u)).mean };
		}),
	}));
}

function fewDraws(effective: number): Remark[] {
	if (effective >= roughDraws) return [];
	return doubt(
		"few-effective",
		"Few effective draws",
		`The posterior is worth ${Math.round(effective)} draws: its tails are rough. Raise  bayes: { particles }, or narrow the priors.`,
		effective < tooFewDraws,
	);
}

function shrunk(spreads: readonly { name: string; shrinkage: number }[]): Remark[] {
	const strong = spreads.filter(({ shrinkage }) => shrinkage > 0.5);
	if (strong.length === 0) return [];
	return doubt(
		"shrinkage",
		"Single records say little of their own",
		`${list(strong.map(({ name, shrinkage }) => `${name} (${Math.round(100 * shrinkage)} %)`))}: what is said of single records is drawn so far towards the middle of the population.`,
		false,
	);
}
