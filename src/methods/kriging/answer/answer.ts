/** The answer: hyperparameters, predictions, functions as tables and plots, hints at their form, doubts. */

import { breathed } from "../../../compute/breathing.ts";
import { coverageOf } from "../../../estimate/judge/test-record.ts";
import { distrust, list, sorted } from "../../../estimate/judge/words.ts";
import { parameterSummary } from "../../../estimate/parameter-summary.ts";
import { rmseByOutput } from "../../../estimate/predict/residuals.ts";
import type { ParameterRow, Prediction, Result } from "../../../estimate/result.ts";
import { unanswered } from "../../../estimate/unanswered.ts";
import { normalQuantile975 } from "../../../num/statistics/quantile.ts";
import { after } from "../field/learning.ts";
import type { KrigingRun } from "../run.ts";
import type { Hyper, KrigingSummary } from "../summary.ts";
import { format, remarksOf } from "./doubts.ts";
import { figuresOf } from "./figures.ts";
import { type Hint, hintsFor, isNear } from "./hints.ts";
import { predictionsOf, type Simulated, testSimulations, trainingSimulations } from "./predictions.ts";
import { derivativesCsv, functionCsv } from "./tables.ts";

export async function answer(run: KrigingRun): Promise<Result<KrigingSummary>> {
	if (!run.learning || run.learning.passes.length === 0) return notYet();
	const { compute } = run.problem;
	const simulated = [
		...(await breathed(trainingSimulations(run), compute)),
		...(await breathed(testSimulations(run), compute)),
	];
	const predictions = predictionsOf(run, simulated);
	const test = predictions.filter(({ part }) => part === "test");
	const coverage = byOutput(test, coverageOf);
	const hints = await breathed(hintsFor(run.pass.field, run.options.hints), compute);
	const parameters = parameterRows(run);
	await compute.breathe?.();
	const { doubts, notes } = sorted(remarksOf({ run, simulated, predictions, hints }));
	const figures = await breathed(figuresOf(run), compute);
	const { functions } = run.layout;
	const names = functions.map(({ name }) => name);
	const converged = run.pass.fit.converged && run.fits.every((fit) => fit.converged);
	const distrusted = distrust(doubts);
	return {
		method: "kriging",
		outcome: run.done ? (converged ? "converged" : "maxSteps") : "maxSteps",
		message: distrusted
			? `Learned ${list(names)}, ${distrusted}.`
			: `Learned ${list(names)} from ${run.learning.observations} observations.${hintSentence(hints)}`,
		answered: run.done,
		parameters,
		intervalName: "95 % interval",
		predictions,
		summary: {
			hyper: hyperSummary(run),
			derivatives: "derivatives.csv",
			functions: Object.fromEntries(names.map((name) => [name, `function-${name}.csv`])),
			hints,
			passes: run.learning.passes.map(({ kind, rms }) => (Number.isFinite(rms) ? { kind, rms } : { kind })),
			parameters: parameterSummary(parameters, 0.95),
			train: { rmse: rmseByOutput(predictions, "train") },
			test: {
				rmse: rmseByOutput(predictions, "test"),
				coverage95: coverage,
				bandUntil: bandEnds(simulated),
			},
		},
		doubts,
		notes,
		assumptions: [
			"Each state is a smooth function of time, and the unknown functions are smooth in their arguments.",
			"Errors of the measurements are independent from sample to sample.",
			...(test.length > 0 && simulated.some(({ part, from }) => part === "test" && from === "own samples")
				? ["The first state of a test record was found from its own samples."]
				: []),
			...(hints.some(isNear)
				? [
						"Errors of the terms that a function is near to hold given these terms; other sets may fit as well.",
					]
				: []),
			"Errors of the field are carried along to first order, with their correlation along the path, as long as that holds; then the band has no bounds.",
		],
		figures,
		files: [
			{ name: "derivatives.csv", content: derivativesCsv(run) },
			...functions.map(({ name }, fn) => ({
				name: `function-${name}.csv`,
				content: functionCsv(run.fieldError, fn),
			})),
		],
		references: ["matheron1973", "stein1999", "wendland2005", "hartikainen2010"],
	};
}

function parameterRows(run: KrigingRun): ParameterRow[] {
	const { field } = run.pass;
	const { params } = after(run.pass, run.dynamics);
	const { nMean, nTrend } = field.design;
	const covariance = params.length > 0 ? field.kriging.betaCovariance() : new Float64Array();
	const kept = new Set(field.kriging.reflections.kept);
	return run.layout.params.map((name, j) => {
		const at = nTrend + j;
		if (!kept.has(at)) return { name, estimate: run.startParams[j], verdict: "structurally unidentifiable" };
		const sd = Math.sqrt(Math.max(covariance[at * nMean + at], 0));
		const half = normalQuantile975 * sd;
		return {
			name,
			estimate: params[j],
			sd,
			lo: params[j] - half,
			hi: params[j] + half,
			verdict: "identifiable",
		};
	});
}

function hyperSummary(run: KrigingRun): Record<string, Hyper> {
	const { layout, fits, records, options, pass } = run;
	const times = layout.tracks.map(({ name }, track) => [
		name,
		{
			covariance: options.covariance,
			variance: fits[track].variance,
			length: fits[track].length,
			noiseSd: Math.sqrt(records[0].tracks[track].variance[0]) * fits[track].noiseFactor,
		},
	]);
	const functions = pass.field.design.functions.map(({ name, covariance, scale, centre }, fn) => [
		name,
		{
			covariance: covariance.name,
			...Object.fromEntries(
				covariance.hyperNames.map((each, i) => [each, pass.field.design.hyperOf(pass.field.hyper, fn)[i]]),
			),
			centre: [...centre],
			scale: [...scale],
		},
	]);
	return Object.fromEntries([...times, ...functions]);
}

function hintSentence(hints: readonly Hint[]): string {
	const near = hints.filter(isNear);
	if (near.length === 0) return "";
	const said = near.map(
		({ of, kept, others }) =>
			`${of} is near to ${kept.map(({ term, weight, sd }) => `${withError(weight, sd)}${term === "1" ? "" : ` ${term}`}`).join(" + ")}${others.length > 0 ? " (other terms fit as well)" : ""}`,
	);
	return ` ${said.join("; ")}: inversion can find the terms.`.replaceAll("+ -", "- ");
}

/** As many digits as the error allows. */
function withError(value: number, sd: number): string {
	let digits = 0;
	for (let unit = 1; unit > sd && digits < 8; unit /= 10) digits++;
	return sd > 0 ? value.toFixed(digits) : format(value);
}

/** The last time with a band, of each test record where it ends before the record does. */
function bandEnds(simulated: readonly Simulated[]): Record<string, number> {
	return Object.fromEntries(
		simulated
			.filter(
				({ part, simulation: { t, boundedUntil } }) => part === "test" && boundedUntil < t[t.length - 1],
			)
			.map(({ experiment, simulation }) => [experiment.name, simulation.boundedUntil]),
	);
}

function byOutput(
	predictions: readonly Prediction[],
	of: (predictions: readonly Prediction[]) => number,
): Record<string, number> {
	const outputs = [...new Set(predictions.map(({ output }) => output))];
	return Object.fromEntries(
		outputs.map((output) => [output, of(predictions.filter((p) => p.output === output))]),
	);
}

function notYet(): Result<KrigingSummary> {
	return unanswered({
		method: "kriging",
		outcome: "maxSteps",
		message: "Stopped before anything was learned.",
		summary: {},
	});
}
