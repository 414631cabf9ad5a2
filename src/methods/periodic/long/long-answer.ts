/** The answer for a record that is not periodic. */

import { poorFitDoubt } from "../../../estimate/judge/poor-fit.ts";
import { type ResidualSeries, unitOf } from "../../../estimate/judge/series.ts";
import { distrust, doubt, sorted } from "../../../estimate/judge/words.ts";
import { declaredSpreads } from "../../../estimate/observe/declared-spreads.ts";
import { parameterSummary } from "../../../estimate/parameter-summary.ts";
import { residualsOf, rootMeanSquare } from "../../../estimate/predict/residuals.ts";
import type { Doubt, ParameterRow, Prediction, Remark, Result } from "../../../estimate/result.ts";
import { localPolynomial } from "../../../num/local-polynomial.ts";
import { squared } from "../../../num/whole-power.ts";
import type { NaturalValue } from "../adjustment/natural.ts";
import { interval } from "../answer/answer.ts";
import type { PeriodicSummary } from "../summary.ts";
import type { LongRun } from "./long-run.ts";

export async function longAnswer(run: LongRun): Promise<Result<PeriodicSummary>> {
	const { natural, best } = run;
	const params = (natural?.params ?? []).map((value) => rowOf(value));
	const states = (natural?.initial ?? []).map((value) => rowOf({ ...value, name: `${value.name}(0)` }));
	const residual = best ? Math.sqrt(2 * best.cost) : Number.NaN;
	const shown = natural ? predictions(run) : [];
	const { doubts, notes } = sorted(
		natural ? [...searchDoubts(run), ...shiftDoubts(run), ...misfitRemarks(run, shown)] : [],
	);
	const distrusted = distrust(doubts);
	return {
		method: "periodic",
		outcome: natural ? best!.outcome : "diverged",
		message: natural
			? distrusted
				? `Found, ${distrusted}.`
				: `Found without a period; ŷ - y is ${(100 * residual).toPrecision(2)} % of the record.`
			: `No start out of ${run.found.length} led to a finite ŷ. Give starts under  set:, or ranges in the model.`,
		answered: natural !== undefined,
		parameters: [...params, ...states],
		intervalName: "95 % interval",
		predictions: shown,
		summary: {
			record: "long",
			parameters: parameterSummary(params, 0.95),
			states: Object.fromEntries((natural?.initial ?? []).map(({ name, value }) => [name, value])),
			iterations: run.found.reduce((sum, { iterations }) => sum + iterations, 0),
			evaluations: run.found.reduce((sum, { evaluations }) => sum + evaluations, 0),
			residual,
			noise: run.errors?.noise,
		},
		doubts,
		notes,
		assumptions: [
			"The record between samples is a quintic through them: noise is not smoothed.",
			"Standard deviations are how far noise of the size that the record shows moves the answer, its shift included; they are rough (about 10 %).",
		],
		figures: [],
		files: [],
		references: ["tyukin2016"],
	};
}

function rowOf(value: NaturalValue): ParameterRow {
	return interval(value, value.sd <= Math.abs(value.value) ? "identifiable" : "practically unidentifiable");
}

/** What noise inside the integrals has shifted by more than it spreads it. */
function shiftDoubts({ natural, shifted }: LongRun): Doubt[] {
	const moved = natural!.params.flatMap(({ name, value, sd }, i) => {
		const shift = shifted!.params[i].value - value;
		// The spread holds the shift.
		return squared(shift) > squared(sd) / 2 && Math.abs(shift) > 1e-3 * Math.abs(value)
			? [{ name, shift, value }]
			: [];
	});
	if (moved.length === 0) return [];
	return doubt(
		"noise-shifts",
		`Noise shifts ${moved.map(({ name }) => name).join(", ")}`,
		`The record stands inside the integrals with its noise, and as much noise again would move ${moved.map(({ name, shift }) => `${name} by ${Number(shift.toPrecision(2))}`).join(", ")}: about as much as it has done already. The errors allow for it. Use  method: fit, from these values, for an answer without it.`,
		moved.some(({ shift, value }) => Math.abs(shift) > 0.1 * Math.abs(value)),
	);
}

function searchDoubts({ best }: LongRun): Doubt[] {
	if (best!.outcome === "converged") return [];
	return doubt(
		"not-converged",
		"The search ran out of evaluations",
		`The best start had not converged after ${best!.evaluations} evaluations. Raise  periodic: { maxEvaluations }, or give better starts under  set:.`,
		true,
	);
}

/** What the solution leaves of the record, beside the noise that this shows: where less than a poor fit is left, and more than noise. */
function besideNoise({ best, errors, objective, representation }: LongRun): Doubt[] {
	const residual = Math.sqrt(2 * best!.cost);
	const noise = (errors!.noise * Math.sqrt(representation.grid.intervals)) / objective.size;
	if (!(residual > Math.max(0.05, 1.5 * noise))) return [];
	return doubt(
		"not-reproduced",
		"The model does not reproduce the record",
		`ŷ - y is ${(100 * residual).toPrecision(2)} % of the record, more than noise leaves. The search ended beside the best point, or the model is not the right one. Give other starts (set:), or use another model.`,
		residual > 0.2,
	);
}

function misfitRemarks(run: LongRun, shown: readonly Prediction[]): Remark[] {
	const { model, problem, unknowns, representation } = run;
	const [measure] = model.measures;
	const series = shown.map((prediction): ResidualSeries => {
		const left = residualsOf(prediction)!;
		const { t, y: observed } = prediction.data!;
		const declared = declaredSpreads(model, measure, problem.train[0], t);
		const found = rootMeanSquare([left]);
		return {
			experiment: prediction.experiment,
			output: prediction.output,
			t,
			observed,
			residual: left.r.map((r, i) => r / (declared?.[i] ?? found)),
			noise: declared ? unitOf(measure) : "found",
		};
	});
	const poor = poorFitDoubt(
		shown,
		series,
		unknowns.length + representation.observer.m,
		"The search ended beside the best point, or the model is not the right one. Give other starts (set:), or use another model.",
	);
	return poor.length > 0 ? poor : besideNoise(run);
}

function predictions({ representation, yhat, t, y, model, problem }: LongRun): Prediction[] {
	const { grid } = representation;
	const times = Float64Array.from({ length: grid.intervals }, (_, k) => t[0] + k * grid.h);
	const curve = localPolynomial(times, yhat!);
	const count = t.findLastIndex((time) => time <= times[times.length - 1]) + 1;
	const shown = t.subarray(0, count);
	return [
		{
			experiment: problem.train[0].name,
			output: model.measures[0].name,
			part: "train",
			unasked: true,
			t: shown,
			y: shown.map((time) => curve.at(time)),
			data: { t: shown, y: y.subarray(0, count) },
		},
	];
}
