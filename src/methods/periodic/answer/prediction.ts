/**
 * Predictions: the answer simulated over its record; for a test record the periodic solution (ŷ of the model, not the series
 * that was measured) at the phase at which it fits it best.
 */
import type { Experiment } from "../../../data/experiment.ts";
import type { Prediction } from "../../../estimate/result.ts";
import { seriesAt, seriesDerivative } from "../../../num/harmonic-fit.ts";
import { normalQuantile975 } from "../../../num/statistics/quantile.ts";
import { squared } from "../../../num/whole-power.ts";
import { basisOn, projectOn } from "../adjustment/record-derivatives.ts";
import type { PeriodicRun } from "../periodic-run.ts";
import type { Question } from "../question.ts";
import { isExplained } from "./explained.ts";

const phases = 400;

export function predictionsOf(run: PeriodicRun): Prediction[] {
	const { adjusted, problem, question, simulated } = run;
	if (!adjusted) return [];
	const half = normalQuantile975 * Math.sqrt(question.record.variance);
	const { omega, evaluation, representation } = adjusted;
	const harmonics = (adjusted.c.length - 1) / 2;
	const c = projectOn(basisOn(representation.grid, harmonics), evaluation.y);
	const isDriven = question.drive.period !== undefined;
	const of = (experiment: Experiment, part: "train" | "test"): Prediction[] => {
		const { name } = question.model.measures[0];
		const series = experiment.outputs.get(name);
		if (!series) return [];
		const origin =
			part === "train"
				? question.record.series.origin
				: isDriven
					? drivenOrigin(question, experiment)
					: bestOrigin(series.times, series.values, c, omega);
		if (origin === undefined) return [];
		const y =
			part === "train" && simulated?.outcome === "converged"
				? simulated.y
				: series.times.map((time) => seriesAt(c, omega * (time - origin)));
		return [
			{
				experiment: experiment.name,
				output: name,
				part,
				...(isExplained(run) ? {} : { unasked: true as const }),
				t: series.times,
				y,
				lo: y.map((value) => value - half),
				hi: y.map((value) => value + half),
				data: { t: series.times, y: series.values },
			},
		];
	};
	return [
		...problem.train.flatMap((each) => of(each, "train")),
		...problem.test
			.filter(({ conditions }) => isSame(conditions, problem.train[0].conditions))
			.flatMap((each) => of(each, "test")),
	];
}

/** Whether two records were taken under the same conditions: another cycle goes with others. */
export function isSame(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): boolean {
	return Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);
}

/** Drives that differ by more than this share of their size are different ones. */
const sameDrive = 0.01;

/** The time at which the cycle begins in a record whose drive is the same, perhaps later or earlier; undefined where it is another. */
function drivenOrigin({ drive, form, record }: Question, experiment: Experiment): number | undefined {
	const { series, period } = record;
	const drives = drive.at(series.origin, period);
	const inputs = form.drives.flatMap((name, i) => {
		const signal = experiment.inputs.get(name);
		return signal ? [{ own: signal, at: drives[i] }] : [];
	});
	// Time itself is the same clock for all records.
	if (inputs.length < form.drives.length || inputs.length === 0) return series.origin;
	let best: { origin: number; rest: number } | undefined;
	const from = experiment.times[0];
	for (let k = 0; k < phases; k++) {
		const origin = from - (k * period) / phases;
		let rest = 0;
		let size = 0;
		for (const time of experiment.times) {
			const turns = (time - origin) / period;
			const phi = 2 * Math.PI * (turns - Math.floor(turns));
			for (const { own, at } of inputs) {
				rest += squared(own.at(time) - at(phi));
				size += squared(own.at(time));
			}
		}
		if (!best || rest / size < best.rest) best = { origin, rest: rest / size };
	}
	return best && best.rest < sameDrive ? best.origin : undefined;
}

/** The origin of time at which the periodic solution is nearest to the samples. */
function bestOrigin(t: Float64Array, y: Float64Array, c: Float64Array, omega: number): number {
	const rss = (origin: number): number =>
		t.reduce((sum, time, i) => sum + squared(y[i] - seriesAt(c, omega * (time - origin))), 0);
	let best = t[0];
	let least = Number.POSITIVE_INFINITY;
	for (let k = 0; k < phases; k++) {
		const origin = t[0] - (2 * Math.PI * k) / phases / omega;
		const value = rss(origin);
		if (value < least) [best, least] = [origin, value];
	}
	const d = seriesDerivative(c);
	for (let iteration = 0; iteration < 20; iteration++) {
		let along = 0;
		let size = 0;
		for (let i = 0; i < t.length; i++) {
			const phi = omega * (t[i] - best);
			const slope = -omega * seriesAt(d, phi);
			along += slope * (y[i] - seriesAt(c, phi));
			size += slope * slope;
		}
		if (size > 0) best += along / size;
	}
	return best;
}
