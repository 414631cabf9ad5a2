/** Doubts about how prediction and data go together: poor fits, tests that fail. One doubt for all records. */

import { doubt, list, percent } from "../../estimate/judge/words.ts";
import type { Doubt, Prediction } from "../../estimate/result.ts";
import { squared } from "../../num/whole-power.ts";
import type { FitRun } from "./fit-run.ts";

/** So many places are named, the worst first. */
const mostNamed = 4;

interface Seen {
	readonly prediction: Prediction;
	readonly size: number;
}

export function poorFit({ problem, estimation }: FitRun, predictions: readonly Prediction[]): Doubt[] {
	/** An output that hardly moves is all noise: if that is as declared, there is nothing left to explain. */
	const isNoise = (prediction: Prediction): boolean =>
		estimation.observations.groups.some(
			({ experiment, measure, spread }) =>
				measure.name === prediction.output &&
				problem.train[experiment].name === prediction.experiment &&
				spread.kind === "known" &&
				rootMeanSquare(prediction) <= 1.5 * Math.max(...spread.sd),
		);
	const poor = predictions
		.filter(({ part }) => part === "train")
		.map((prediction) => ({ prediction, size: unexplained(prediction) }))
		.filter(({ prediction, size }) => size > 0.25 && !isNoise(prediction))
		.sort((a, b) => b.size - a.size);
	if (poor.length === 0) return [];
	const advice =
		"The optimum that was found may be a wrong one, or the equations lack something. Try other starting points (set:), more of them (fit: { starts: 32, candidates: 1000 }), or another model.";
	const [{ size }] = poor;
	const upTo = poor.length > 1 ? "up to " : "";
	return doubt(
		"poor-fit",
		size < 1
			? `The model leaves ${upTo}${percent(size)} of the variance of ${outputs(poor)} unexplained`
			: `The model fits ${outputs(poor)} worse than a constant at the mean would`,
		size < 1
			? `Seen in ${places(poor, percent)}. ${advice}`
			: `Mean square of the residuals over the variance of the samples: ${places(poor, times)}. ${advice}`,
		true,
	);
}

export function worseOnTest({ problem }: FitRun, predictions: readonly Prediction[]): Doubt[] {
	const worse = predictions
		.filter(({ part }) => part === "test")
		.map((test) => {
			const train = predictions.filter(({ part, output }) => part === "train" && output === test.output);
			return { prediction: test, size: rootMeanSquare(test) / Math.max(...train.map(rootMeanSquare)) };
		})
		.filter(({ size }) => size > 2)
		.sort((a, b) => b.size - a.size);
	if (worse.length === 0) return [];
	const records = new Set(worse.map(({ prediction }) => prediction.experiment)).size;
	const several = new Set(worse.map(({ prediction }) => prediction.output)).size > 1;
	const { components, initial } = problem.model;
	const fixed = components.filter((_, i) => initial[i].kind === "exact");
	const start = fixed.length
		? ` Or the test does not start at the model's own ${list(fixed)}, which hold at the first row of every record: then leave them open,  state ${fixed[0]}.`
		: "";
	return doubt(
		"worse-on-test",
		`${outputs(worse)} ${several ? "are" : "is"} predicted ${worse.length > 1 ? "up to " : ""}${times(worse[0].size)} worse on the test record${records > 1 ? "s" : ""}`,
		`${worse.length > 1 ? `Residuals beside those of the training: ${places(worse, times)}. ` : ""}The model fits the training record better than it predicts: the test visits conditions that the training did not, or the model is not the right one.${start}`,
		false,
	);
}

/** Root mean square of data minus prediction. */
function rootMeanSquare({ t, y, data }: Prediction): number {
	if (!data) return Number.NaN;
	let sum = 0;
	let at = 0;
	for (let i = 0; i < data.t.length; i++) {
		while (t[at] < data.t[i]) at++;
		sum += squared(data.y[i] - y[at]);
	}
	return Math.sqrt(sum / data.t.length);
}

/** Mean square of the residuals over the variance of the samples. */
function unexplained(prediction: Prediction): number {
	const { data } = prediction;
	if (!data) return Number.NaN;
	const mean = data.y.reduce((a, b) => a + b, 0) / data.y.length;
	const variance = data.y.reduce((a, b) => a + squared(b - mean), 0) / data.y.length;
	return squared(rootMeanSquare(prediction)) / variance;
}

function outputs(seen: readonly Seen[]): string {
	return list([...new Set(seen.map(({ prediction }) => prediction.output))].sort());
}

/** `y of run1 (45 %), y of run2 (40 %) and 3 more`. */
function places(seen: readonly Seen[], says: (size: number) => string): string {
	const named = seen
		.slice(0, mostNamed)
		.map(({ prediction, size }) => `${prediction.output} of ${prediction.experiment} (${says(size)})`);
	const more = seen.length - named.length;
	return list(more > 0 ? [...named, `${more} more`] : named);
}

function times(size: number): string {
	return `${Number(size.toPrecision(2))} times`;
}
