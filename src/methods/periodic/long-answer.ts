/** The answer for a record that is not periodic. */
import { localPolynomial } from "../../num/local-polynomial.ts";
import { normalQuantile975 } from "../../num/quantile.ts";
import type { Doubt, ParameterRow, Prediction, Result } from "../result.ts";
import type { LongRun } from "./long-run.ts";
import type { NaturalValue } from "./natural.ts";

export async function longAnswer(run: LongRun): Promise<Result> {
	const { natural, best } = run;
	const params = (natural?.params ?? []).map((value) => rowOf(value));
	const states = (natural?.initial ?? []).map((value) => rowOf({ ...value, name: `${value.name}(0)` }));
	const residual = best ? Math.sqrt(2 * best.cost) : Number.NaN;
	const doubts = natural ? doubtsOf(residual) : [];
	const grave = doubts.find((doubt) => doubt.grave);
	return {
		method: "periodic",
		outcome: natural ? best!.outcome : "diverged",
		message: natural
			? grave
				? `Found, but do not trust it yet: ${grave.title[0].toLowerCase()}${grave.title.slice(1)}.`
				: `Found without a period; ŷ - y is ${(100 * residual).toPrecision(2)} % of the record.`
			: `No start out of ${run.found.length} led to a finite ŷ. Give starts under  set:, or ranges in the model.`,
		answered: natural !== undefined,
		parameters: [...params, ...states],
		intervalName: "95 % interval",
		predictions: natural ? predictions(run) : [],
		summary: {
			record: "long",
			parameters: Object.fromEntries(
				params.map(({ name, estimate, sd, verdict }) => [name, { estimate, sd, verdict }]),
			),
			states: Object.fromEntries((natural?.initial ?? []).map(({ name, value }) => [name, value])),
			iterations: run.found.reduce((sum, { iterations }) => sum + iterations, 0),
			evaluations: run.found.reduce((sum, { evaluations }) => sum + evaluations, 0),
			residual,
		},
		doubts,
		assumptions: [
			"The record between samples is a quintic through them: noise is not smoothed.",
			"Standard deviations take the record inside the integrals as exact; they are rough.",
		],
		figures: [],
		files: [],
		references: ["tyukin2016"],
	};
}

function rowOf({ name, value, sd }: NaturalValue): ParameterRow {
	const half = normalQuantile975 * sd;
	const verdict = sd <= Math.abs(value) ? "identifiable" : "practically unidentifiable";
	return { name, estimate: value, sd, lo: value - half, hi: value + half, verdict };
}

function doubtsOf(residual: number): Doubt[] {
	if (!(residual > 0.05)) return [];
	return [
		{
			title: "The model does not reproduce the record",
			text: `ŷ - y is ${(100 * residual).toPrecision(2)} % of the record. The search ended beside the best point, or the model is not the right one.`,
			grave: residual > 0.2,
		},
	];
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
			t: shown,
			y: shown.map((time) => curve.at(time)),
			data: { t: shown, y: y.subarray(0, count) },
		},
	];
}
