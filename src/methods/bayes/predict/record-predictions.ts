/** The records of a run simulated with particles of its posterior, for curves and bands. */
import type { Experiment } from "../../../data/experiment.ts";
import { startOf } from "../../../data/warm-up.ts";
import type { BayesRun } from "../bayes-run.ts";
import { isDriven } from "../filter/layout.ts";
import { type FilterSettings, Likelihood } from "../likelihood/likelihood.ts";
import { displaySamples, samplesOf } from "../likelihood/samples.ts";
import { typicalInterval } from "../likelihood/step-choice.ts";
import { naturalValues, type PosteriorUnknown, posteriorUnknowns } from "../likelihood/unknowns.ts";
import { halvedSteps, Predictive, type RecordPrediction } from "./predictive.ts";
import { RecordStart } from "./record-start.ts";
import { SmoothedRecord } from "./smoothed-record.ts";

/** Points of a curve, at least. */
const curvePoints = 400;

export function trainPrediction(run: BayesRun): RecordPrediction {
	const { theta, n } = particlesOf(run);
	const likelihood = curveLikelihood(run, run.problem.train, run.unknowns, run.settings);
	return isDriven(likelihood.layout)
		? new SmoothedRecord(likelihood, theta, n)
		: new Predictive(likelihood, theta, n, finerOf(run, likelihood), true);
}

/** Where integration is not to count as exact. */
function finerOf({ options }: BayesRun, likelihood: Likelihood): Likelihood | undefined {
	return options.integrationError === "none" ? undefined : halvedSteps(likelihood);
}

/** Parameters of the posterior; initial values with a distribution come from the test record itself. */
export async function testPrediction(run: BayesRun): Promise<RecordPrediction> {
	const { model, problem } = run;
	const settings = testSettings(run);
	const { theta, n } = particlesOf(run);
	const unknowns = posteriorUnknowns(
		model,
		problem.test.map(({ name }) => name),
		problem.prior,
	);
	const nParams = unknowns.filter(({ kind }) => kind === "param").length;
	const own = new Float64Array(unknowns.length * n);
	own.set(theta.subarray(0, nParams * n));
	const measured = new Likelihood(model, unknowns, problem.test.map(startOf), settings, problem.compute);
	for (const e of problem.test.keys()) await new RecordStart(measured, e, problem.seed).drawInto(own, n);
	const likelihood = curveLikelihood(run, problem.test, unknowns, settings);
	return new Predictive(likelihood, own, n, finerOf(run, likelihood));
}

/** Steps that were chosen are no longer in a test record whose samples lie farther apart. */
function testSettings({ settings, options, problem }: BayesRun): FilterSettings {
	if (options.substeps !== "auto") return settings;
	const wider = typicalInterval(problem.test) / typicalInterval(problem.train);
	return { ...settings, substeps: Math.max(settings.substeps, Math.ceil(settings.substeps * wider - 1e-6)) };
}

function particlesOf(run: BayesRun): { theta: Float64Array; n: number } {
	const { z, n } = run.thinned(run.options.predictive);
	return { theta: naturalValues(run.unknowns, z, n), n };
}

/** At every row, also where nothing was measured, and at more instants where those are few. */
function curveLikelihood(
	{ model, problem }: BayesRun,
	experiments: readonly Experiment[],
	unknowns: readonly PosteriorUnknown[],
	settings: FilterSettings,
): Likelihood {
	const samples = experiments.map((experiment) =>
		displaySamples(samplesOf(model, experiment), experiment.times[0], curvePoints, experiment.times),
	);
	return new Likelihood(model, unknowns, experiments, settings, problem.compute, samples);
}
