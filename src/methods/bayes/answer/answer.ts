/** The answer of a Bayesian run: table, predictions, figures, doubts, files. */

import { csvText } from "../../../data/csv/write-csv.ts";
import { distrust, sorted } from "../../../estimate/judge/words.ts";
import { sampleLaw } from "../../../estimate/law/declared.ts";
import type { JointPrior } from "../../../estimate/law/joint.ts";
import type { ParameterRow, Prediction, Result } from "../../../estimate/result.ts";
import { unanswered } from "../../../estimate/unanswered.ts";
import { squared } from "../../../num/whole-power.ts";
import type { BayesRun } from "../bayes-run.ts";
import { isDriven } from "../filter/layout.ts";
import { type ForceBand, forceBands, quantile95 } from "../predict/force-bands.ts";
import type { OutputPrediction, RecordPrediction } from "../predict/predictive.ts";
import { stagesText } from "../run-label.ts";
import { Ibis } from "../smc/ibis.ts";
import type { BayesSummary, OverParticles, Rejuvenation } from "../summary.ts";
import { goodnessOfBest } from "./best-draw.ts";
import { diagnosticsOf, diagnosticsText } from "./diagnostics.ts";
import { remarksOf, residualSeries } from "./doubts.ts";
import { figuresOf } from "./figures.ts";
import { inferenceData } from "./inference-data.ts";
import { type Marginal, marginals } from "./posterior.ts";
import { cloudsOf, rHats } from "./run-agreement.ts";
import { spreadRemedy, spreadText } from "./spread-trouble.ts";
import { isPoint, verdictsOf } from "./verdicts.ts";

export async function answer(run: BayesRun): Promise<Result<BayesSummary>> {
	if (run.samplers.every(({ outcome, cloud }) => outcome === "diverged" || !cloud)) return noAnswer(run);
	const { z, n } = run.pooled();
	const posterior = marginals(run.unknowns, z, n);
	const verdicts = verdictsOf(run, posterior);
	const parameters: ParameterRow[] = posterior.map((one, i) => ({
		name: one.name,
		estimate: one.mean,
		...(isPoint(one) ? {} : { sd: one.sd, lo: one.q05, hi: one.q95 }),
		verdict: verdicts[i],
	}));
	const predictions = [
		...withJudged(run, predictionsOf(run.train, "train")),
		...predictionsOf(run.test, "test"),
	];
	const { doubts, notes } = sorted(remarksOf(run, posterior, z, n, predictions));
	const diagnostics = await diagnosticsOf(run);
	const converged = run.samplers.every(({ outcome }) => outcome === "converged");
	const outcome = converged ? "converged" : run.samplers.find((one) => one.outcome !== "converged")!.outcome;
	return {
		method: "bayes",
		outcome,
		message: messageOf(run, n, distrust(doubts)),
		answered: converged,
		parameters,
		intervalName: "90 % credible interval",
		predictions,
		summary: { ...summaryOf(run, posterior, n), ...diagnostics, ...(await goodnessOfBest(run)) },
		doubts,
		notes,
		assumptions: [...assumptionsOf(run), ...diagnosticsText(diagnostics, n)],
		figures: figuresOf(run, posterior, z, n),
		files: [
			...(posterior.length > 0 ? [{ name: "posterior.csv", content: posteriorCsv(posterior) }] : []),
			...forceFiles(run),
			...(run.options.netcdf && posterior.length > 0
				? [{ name: "posterior.nc", content: await inferenceData(run) }]
				: []),
		],
		references: [
			"longbottom2024",
			...(run.options.sampler === "ibis" ? ["chopin2002"] : ["delmoral2006"]),
			...(run.settings.diffusion !== "off" ? ["bosch2021"] : []),
			"tronarp2019",
			...(run.likelihood.layout.forces.length > 0 ? ["hartikainen2010"] : []),
			...(diagnostics.loo ? ["vehtari2017"] : []),
		],
	};
}

function summaryOf(run: BayesRun, posterior: readonly Marginal[], n: number): BayesSummary {
	const { samplers, settings, logEvidences } = run;
	return {
		parameters: parameterSummaries(posterior, rHats(cloudsOf(run))),
		logEvidence: run.logEvidence,
		...evidenceInterval(run),
		...(run.stepShift === undefined ? {} : { stepShift: run.stepShift }),
		particles: n,
		runs: samplers.map((sampler) => ({
			...(logEvidences.has(sampler) && { logEvidence: logEvidences.get(sampler)! }),
			outcome: sampler.outcome,
			divergedShareOfPrior: sampler.diverged,
		})),
		rejuvenations: rejuvenationsOf(run),
		filter: { ...settings, rateTimesStep: run.rateStep, stepEffect: run.stepEffect },
		...(run.train ? { train: { rmseOver: rmseOver(run, run.train) } } : {}),
		...(run.test ? { test: { rmseOver: rmseOver(run, run.test) } } : {}),
	};
}

export function parameterSummaries(
	posterior: readonly Marginal[],
	agreement: readonly number[] | undefined,
): BayesSummary["parameters"] {
	return Object.fromEntries(
		posterior.map(({ name, mean, sd, q05, q50, q95 }, i) => [
			name,
			{ mean, sd, q05, q50, q95, lo: q05, hi: q95, level: 0.9, ...(agreement && { rHat: agreement[i] }) },
		]),
	);
}

function evidenceInterval({ logEvidence, evidence: { plusMinus } }: BayesRun): Partial<BayesSummary> {
	if (plusMinus === undefined) return {};
	const [lo, hi] = [logEvidence - plusMinus, logEvidence + plusMinus];
	return { logEvidenceInterval: { lo, hi, level: 0.9 } };
}

/** Of the first run; in tempering a stage has seen its samples to the power λ. */
function rejuvenationsOf({ samplers: [first], likelihood }: BayesRun): Rejuvenation[] {
	if (first instanceof Ibis)
		return first.rejuvenations.map(({ sample, ess, acceptance }) => ({ sample, ess, acceptance }));
	return first.stages.map(({ lambda, bridge, part, ess, acceptance }) => ({
		sample: Math.ceil(part * likelihood.nSamples),
		lambda,
		bridge,
		ess,
		acceptance,
	}));
}

/** Over particles, for each output; several experiments are taken together. */
function rmseOver({ model }: BayesRun, { predictions }: RecordPrediction): Record<string, OverParticles> {
	return Object.fromEntries(
		model.measures.flatMap(({ name }, output) => {
			const own = predictions.filter((one) => one.output === output && !Number.isNaN(one.rmse[0]));
			if (own.length === 0) return [];
			const each = Array.from(own[0].rmse, (_, b) =>
				Math.sqrt(own.reduce((sum, { rmse }) => sum + squared(rmse[b]), 0) / own.length),
			);
			const mean = each.reduce((a, b) => a + b) / each.length;
			return [[name, { mean, min: Math.min(...each), max: Math.max(...each) }]];
		}),
	);
}

function predictionsOf(predictive: RecordPrediction | undefined, part: "train" | "test"): Prediction[] {
	if (!predictive) return [];
	const { experiments, model } = predictive.likelihood;
	return predictive.predictions.map((one): Prediction => {
		const measure = model.measures[one.output];
		const experiment = experiments[one.experiment];
		const series = experiment.outputs.get(measure.name);
		const law = sampleLaw(measure);
		const tail = law.isCount ? 1 : squared(law.widthOf(0.9));
		const back = (values: Float64Array): Float64Array => values.map(law.scale.fromCompared);
		const half = one.mean.map((_, s) => quantile95 * Math.sqrt(totalVariance(one, s, tail)));
		return {
			experiment: experiment.name,
			output: measure.name,
			part,
			t: one.t,
			y: back(one.mean),
			lo: one.lo ?? back(one.mean.map((y, s) => y - half[s])),
			hi: one.hi ?? back(one.mean.map((y, s) => y + half[s])),
			...(series
				? { data: { t: series.times, y: series.values, ...(series.limits && { limits: series.limits }) } }
				: {}),
		};
	});
}

/** What is judged of outputs whose errors are remembered, beside their predictions. */
function withJudged(run: BayesRun, predictions: readonly Prediction[]): readonly Prediction[] {
	const remembered = run.model.measures.flatMap(({ name, correlated }) => (correlated ? [name] : []));
	if (!run.train || remembered.length === 0) return predictions;
	const series = residualSeries(run, run.train);
	return predictions.map((one, i) =>
		remembered.includes(one.output) ? { ...one, judged: series[i].residual } : one,
	);
}

/** `tail`: that of the errors beside normal ones. */
function totalVariance(
	{ measurement, parameters, integration }: OutputPrediction,
	s: number,
	tail: number,
): number {
	return tail * measurement[s] + parameters[s] + integration[s];
}

function messageOf(run: BayesRun, n: number, distrusted: string | undefined): string {
	const { samplers } = run;
	const unfinished = samplers.find(({ outcome }) => outcome === "maxSteps");
	if (unfinished)
		return `Stopped after ${stagesText(run)} before the posterior was reached. Raise  bayes: { maxStages }.`;
	const diverged = samplers.some(({ outcome }) => outcome === "diverged");
	if (diverged) return "A run lost all of its particles; what the others found is shown.";
	if (distrusted) return `The posterior was reached, ${distrusted}.`;
	const runs = samplers.length > 1 ? `${samplers.length} runs agree` : "one run";
	return `The posterior was reached with ${n} particles (${runs}, ${stagesText(run)}); log evidence ${evidenceText(run)}.`;
}

function evidenceText({ logEvidence, evidence: { plusMinus } }: BayesRun): string {
	if (plusMinus === undefined) return logEvidence.toFixed(1);
	const digits = plusMinus < 0.5 ? 2 : 1;
	return `${logEvidence.toFixed(digits)} ± ${plusMinus.toFixed(digits)}`;
}

function assumptionsOf(run: BayesRun): string[] {
	const { settings } = run;
	const free = run.model.components.filter((_, i) => run.model.initial[i].kind !== "exact");
	return [
		"Errors of the measurements are independent and of the declared law.",
		...(run.problem.prior ? [jointText(run.problem.prior)] : []),
		settings.diffusion !== "off"
			? "The error of the integration is an integrated Wiener process whose size is estimated from the equations' residuals."
			: run.options.integrationError === "none"
				? "The integration is taken as exact."
				: `${settings.stiff ? "Stiff integration" : "Integration"} steps are so short (${settings.substeps} a sample) that shorter ones would move no estimate by more than ${Number(run.stepEffect.toPrecision(1))} of its standard deviations: their error is left out.`,
		...(run.train && !isDriven(run.likelihood.layout)
			? [
					"Predictions, of the training record too, are what the model says of itself from the initial values on, parameters drawn from the posterior: no sample corrects them on the way.",
				]
			: []),
		...run.likelihood.layout.forces.map(
			({ name, p }) =>
				`The input ${name} is a Gaussian process with Matérn covariance of smoothness ${p}.5 and zero mean, and nothing else drives the model unseen.`,
		),
		...(run.likelihood.layout.noises.length > 0
			? [
					"Noise in the equations is white, its errors small enough for the equations to be linear around the mean; curves of training records are what all samples tell of them.",
				]
			: []),
		...(run.test && free.length > 0
			? [
					`Initial values of the test record (${free.join(", ")}) were estimated from that record; the parameters were not.`,
				]
			: []),
	];
}

/** What is known together beforehand, and how closely. */
function jointText({ names, covariance }: JointPrior): string {
	let most = 0;
	for (const i of names.keys())
		for (let j = 0; j < i; j++) {
			const r = covariance[i][j] / Math.sqrt(covariance[i][i] * covariance[j][j]);
			if (Math.abs(r) > Math.abs(most)) most = r;
		}
	const correlated = names.length > 1 ? `, with correlations of up to ${most.toFixed(2)}` : "";
	return `Beforehand ${names.join(", ")} obey a normal law${names.length > 1 ? " together" : ""}${correlated} (of logarithms where they are positive, of log-odds between bounds).`;
}

/** Force and 90 % band at each instant, record by record. */
function forceFiles(run: BayesRun): { name: string; content: string }[] {
	const bands = forceBands(run);
	return [...new Set(bands.map(({ name }) => name))].map((name) => {
		const own = bands.filter((band) => band.name === name);
		const joined = (pick: (band: ForceBand) => Float64Array): number[] =>
			own.flatMap((band) => [...pick(band)]);
		const columns = [
			{ name: "t", values: joined(({ t }) => t) },
			{ name, values: joined(({ mean }) => mean) },
			{ name: `${name}.lo`, values: joined(({ lo }) => lo) },
			{ name: `${name}.hi`, values: joined(({ hi }) => hi) },
			...(own.length > 1
				? [{ name: "record", values: own.flatMap(({ t }, e) => Array.from(t, () => e + 1)) }]
				: []),
		];
		return { name: `force-${name}.csv`, content: csvText(columns) };
	});
}

export function posteriorCsv(posterior: readonly Marginal[]): string {
	return csvText(posterior.map(({ name, values }) => ({ name, values })));
}

function noAnswer(run: BayesRun): Result<BayesSummary> {
	const { hint, spread } = run;
	const drawn = run.samplers.reduce((sum, { cloud, n }) => sum + (cloud?.n ?? n), 0);
	const isSpread = spread !== undefined && spread.share > 0.5;
	return unanswered({
		method: "bayes",
		outcome: "diverged",
		message: isSpread
			? `${spreadText(spread)}: samples there are impossible for every parameter vector that was drawn from the prior (${drawn} of them), so no posterior could be reached.`
			: `The model blows up for every parameter vector that was drawn from the prior (${drawn} of them), so no posterior could be reached.`,
		summary: {
			parameters: {},
			particles: 0,
			runs: run.samplers.map(({ outcome, diverged }) => ({ outcome, divergedShareOfPrior: diverged })),
		},
		doubts: [
			isSpread
				? { code: "impossible-spread", title: spreadText(spread), text: spreadRemedy, grave: true }
				: {
						code: "prior-diverges",
						title: "Every particle of the prior diverges",
						text: `${hint} Try narrower priors or smaller steps (now bayes: { substeps: ${run.settings.substeps} })${run.settings.linearisation === "ekf0" && !run.settings.stiff ? "; a stiff model needs bayes: { linearisation: ekf1 }" : ""}.`.trim(),
						grave: true,
					},
		],
		references: ["longbottom2024"],
	});
}
