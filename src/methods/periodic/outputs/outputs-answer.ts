/** The answer from several outputs of one record. */
import { isTooLarge } from "../../../estimate/judge/size.ts";
import { distrust, doubt } from "../../../estimate/judge/words.ts";
import { observationsOf } from "../../../estimate/observe/observations.ts";
import { parameterSummary } from "../../../estimate/parameter-summary.ts";
import type { Doubt, ParameterRow, Prediction, Result } from "../../../estimate/result.ts";
import { normalQuantile975 } from "../../../num/statistics/quantile.ts";
import { squared } from "../../../num/whole-power.ts";
import { isLoose } from "../adjustment/influence.ts";
import type { NaturalValue } from "../adjustment/natural.ts";
import { answer, interval, rowOf } from "../answer/answer.ts";
import { mirrorDoubts, scaleDoubt, unseenErrors, unsettledDoubt } from "../answer/doubts.ts";
import { type FoundLikelihood, foundLikelihood } from "../answer/likelihood.ts";
import type { JointRun } from "../joint-run.ts";
import type { Polished } from "../polish/polish.ts";
import type { Mirror } from "../search/mirrors.ts";
import type { PeriodicSummary } from "../summary.ts";
import type { OutputsPlan } from "./outputs-plan.ts";
import { type OpenScale, openScales, stillOpen } from "./scales.ts";
import { simulateOutputs } from "./simulate-outputs.ts";

export async function outputsAnswer(joint: JointRun, plan: OutputsPlan): Promise<Result<PeriodicSummary>> {
	const { runs, joined, answered } = joint;
	const results = await Promise.all(runs.map((run) => answer(run)));
	const outputs = plan.parts.map(({ model }) => model.measures[0].name);
	if (!joined) {
		const failed = results.findIndex((_, k) => !answered.includes(k));
		const { message, ...rest } = results[Math.max(failed, 0)];
		return { ...rest, message: `${outputs[Math.max(failed, 0)]}: ${message}` };
	}
	const { model, periodSd, period, problem } = plan;
	const simulated = simulateOutputs(plan, joined);
	const values = joined.values.map((value) => ({ ...value, sd: value.sd * widening(plan) }));
	const open = stillOpen(openScales(plan.parts), joined.values);
	const mirrors = mirrorsOf(runs);
	const rows = rowsOf(values, joined, mirrors, open);
	const likelihood = likelihoodOfAll(plan, joined, simulated);
	const doubts = [
		...doubtsOf(plan, joined),
		...likelihood.doubts,
		...mirrorDoubts(mirrors, joined.values),
		...open.flatMap(({ component, scales }) =>
			scaleDoubt([...new Set(scales.values())], component, "what is measured"),
		),
	];
	const distrusted = distrust(doubts);
	const periodRow: ParameterRow = plan.isFree
		? interval({ name: "period", value: period, sd: periodSd }, "identifiable")
		: { name: "period", estimate: period, verdict: "that of the drive" };
	const parameters = [...rows, periodRow, ...likelihood.rows];
	const initial = new Set(model.components.map((name) => `${name}(0)`));
	const found = `Found parameters from ${model.measures.length} outputs with a period of ${period.toPrecision(7)}`;
	return {
		...results[0],
		outcome: joined.outcome,
		message: distrusted ? `${found}, ${distrusted}.` : `${found}; a simulation of all keeps to the record.`,
		answered: true,
		parameters,
		predictions: predictionsOf(plan, simulated),
		summary: {
			period,
			periodSd,
			parameters: parameterSummary(
				[...rows.filter(({ name }) => !initial.has(name)), ...likelihood.rows],
				0.95,
			),
			states: Object.fromEntries(
				model.components.map((name) => [name, values.find((each) => each.name === `${name}(0)`)!.value]),
			),
			...likelihood.goodness,
			iterations: runs.reduce((sum, { iterations }) => sum + iterations, 0),
			evaluations: runs.reduce((sum, { evaluations }) => sum + evaluations, joined.evaluations),
			rms: Object.fromEntries(model.measures.map(({ name }, k) => [name, joined.rms[k]])),
			records: Object.fromEntries(results.map(({ summary }, k) => [outputs[k], summary])),
		},
		doubts,
		notes:
			problem.test.length === 0
				? []
				: [
						{
							code: "no-test",
							title: "Test records were not predicted",
							text: "From several outputs periodic predicts its own record only. Run  method: fit  from this answer to test it.",
						},
					],
		assumptions: [
			"The record is periodic: transients have died out.",
			"Errors of the samples are independent and of one size for each output.",
			"Parameters and initial values are those of one least squares on simulations of all outputs, from what the integrals find of each output by itself with the others as known functions of time.",
		],
		figures: results.flatMap(({ figures }, k) =>
			figures.map((figure) => ({
				...figure,
				name: `${figure.name}-${k + 1}`,
				title: `${outputs[k]}: ${figure.title}`,
			})),
		),
		files: results.flatMap(({ files }, k) =>
			files.map((file) => ({ ...file, name: file.name.replace(/\.csv$/, `-${k + 1}.csv`) })),
		),
	};
}

/** By how much errors are wider where noise goes on from sample to sample, which least squares takes as independent. */
function widening({ records }: OutputsPlan): number {
	const most = Math.max(...records.map(({ noise }) => noise.correlation));
	return Math.sqrt((1 + most) / (1 - most));
}

/** Mirrors of one output that no other output tells apart. */
function mirrorsOf(runs: JointRun["runs"]): Mirror[] {
	const named = (name: string): number =>
		runs.filter(({ natural }) => natural?.params.some((each) => each.name === name)).length;
	return runs.flatMap(({ mirrors }) =>
		mirrors.filter(({ chosen, names }) => !chosen && names.every((name) => named(name) === 1)),
	);
}

function rowsOf(
	values: readonly NaturalValue[],
	{ openNames }: Polished,
	mirrors: readonly Mirror[],
	scales: readonly OpenScale[],
): ParameterRow[] {
	const open = new Set([
		...openNames,
		...scales.flatMap(({ component, scales: own }) => [`${component}(0)`, ...own.values()]),
	]);
	const several = new Set(mirrors.flatMap(({ names }) => names));
	const loose = new Set(values.filter((value) => isLoose(value, undefined)).map(({ name }) => name));
	return values.map((value) => rowOf(value, open, several, loose));
}

function predictionsOf(plan: OutputsPlan, simulated: readonly Float64Array[]): Prediction[] {
	return plan.model.measures.map(({ name }, k) => {
		const { times, values } = plan.series[k];
		const half = normalQuantile975 * Math.sqrt(plan.records[k].variance);
		const y = simulated[k];
		return {
			experiment: plan.experiment.name,
			output: name,
			part: "train",
			unasked: true,
			t: times,
			y,
			lo: y.map((value) => value - half),
			hi: y.map((value) => value + half),
			data: { t: times, y: values },
		};
	});
}

function likelihoodOfAll(
	{ model, problem }: OutputsPlan,
	{ values }: Polished,
	simulated: readonly Float64Array[],
): FoundLikelihood {
	const observations = observationsOf(model, problem.train);
	const value = new Float64Array(observations.nObservations);
	for (const { index, from } of observations.groups) value.set(simulated[index], from);
	return foundLikelihood(observations, value, values.filter(({ from }) => from !== "held").length);
}

function doubtsOf({ model, series, records }: OutputsPlan, joined: Polished): Doubt[] {
	return [
		...unsettledDoubt(joined, "outputs", "An orbit that is unstable or sensitive makes it so."),
		...unseenErrors(joined),
		...rivalDoubts(joined),
		...model.measures.flatMap(({ name }, k) => {
			// Beside others with the same spread an output is explained as far as that says.
			const variance = Math.max(records[k].variance, squared(joined.weighedBy[k]));
			const squares = (series[k].times.length * squared(joined.rms[k])) / variance;
			if (!isTooLarge(squares, series[k].times.length) || records[k].exact) return [];
			return doubt(
				"misfit",
				`The model does not do all that ${name} does`,
				`A simulation of the answer leaves ${joined.rms[k].toPrecision(3)} of ${name}, where its noise is ${Math.sqrt(variance).toPrecision(3)}. The model may not be the right one.`,
				true,
			);
		}),
	];
}

function rivalDoubts({ rival, values }: Polished): Doubt[] {
	if (!rival) return [];
	const shift = (k: number): number => Math.abs(rival[k].value - values[k].value) / values[k].sd;
	const at = values.reduce((most, { sd }, k) => (sd > 0 && shift(k) > shift(most) ? k : most), 0);
	return doubt(
		"other-optimum",
		"Another optimum is as good",
		`From another start the least squares on all outputs ends elsewhere and leaves as little: ${values[at].name} is ${rival[at].value.toPrecision(4)} there instead of ${values[at].value.toPrecision(4)}. The record cannot tell them apart: give starts under  set:, or declare ranges.`,
		true,
	);
}
