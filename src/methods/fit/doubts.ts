/** What to doubt about a fit, in words: what was seen, why it matters, what to try. */
import { autocorrelation } from "../../num/autocorrelation.ts";
import { exp } from "../../num/elementary/number.ts";
import { fromSearch, toSearch } from "../common/unknowns.ts";
import type { Doubt, Prediction } from "../result.ts";
import { isOpen, robustSd } from "./covariance.ts";
import type { FitRun, StartOutcome } from "./fit-run.ts";
import { negligibleError } from "./integration.ts";

export function doubtsOf(run: FitRun, predictions: readonly Prediction[]): Doubt[] {
	return [
		...poorFit(run, predictions),
		...startsDisagree(run),
		...guessedStarts(run),
		...integrationAbsorbed(run),
		...openParameters(run),
		...onBounds(run),
		...noiseMismatch(run),
		...correlatedResiduals(run),
		...worseOnTest(predictions),
	];
}

/** How much wider errors are that allow for correlated residuals, at most. */
export function robustFactor(run: FitRun): number {
	const robust = robustSdOf(run);
	const { sd } = run.covariance;
	const scale = Math.sqrt(run.variance);
	return robust.reduce((most, value, i) => (sd[i] > 0 ? Math.max(most, value / (sd[i] * scale)) : most), 0);
}

export function robustSdOf(run: FitRun): Float64Array {
	const { residual, jacobian } = run.search!.best;
	const { groups } = run.estimation.observations;
	return robustSd(residual!, jacobian!, groups, run.covariance.matrix, run.estimation.unknowns.length);
}

function poorFit({ problem, estimation }: FitRun, predictions: readonly Prediction[]): Doubt[] {
	/** An output that hardly moves is all noise: if that is as declared, there is nothing left to explain. */
	const isNoise = (prediction: Prediction): boolean =>
		estimation.observations.groups.some(
			({ experiment, measure, noise }) =>
				measure.name === prediction.output &&
				problem.train[experiment].name === prediction.experiment &&
				noise.kind === "known" &&
				rootMeanSquare(prediction) <= 1.5 * noise.sd,
		);
	return predictions
		.filter(({ part }) => part === "train")
		.flatMap((prediction) => {
			const share = unexplained(prediction);
			if (!(share > 0.25) || isNoise(prediction)) return [];
			return doubt(
				`The model leaves ${percent(share)} of ${prediction.output} unexplained`,
				`In ${prediction.experiment} the residuals are ${percent(Math.sqrt(share))} as large as the signal itself. The optimum that was found may be a wrong one, or the equations lack something. Try other starting points (set:), more of them (fit: { starts: 32, candidates: 1000 }), or another model.`,
				true,
			);
		});
}

/** Starts that ended at the answer itself: as good, and at the same place. */
export function agreeingStarts(run: FitRun): StartOutcome[] {
	return asGood(run).filter(({ z }) => samePlace(run, z));
}

/** Starts that ended with the best cost, wherever. */
function asGood({ starts }: FitRun): StartOutcome[] {
	const best = Math.min(...starts.map(({ cost }) => cost));
	return starts.filter(({ cost }) => cost <= best * 1.001 + 1e-12);
}

/** Whether a start ended at the best of the starts, up to what the data leave open. */
function samePlace(run: FitRun, z: readonly number[]): boolean {
	const { covariance } = run;
	const scale = Math.sqrt(run.variance);
	const best = run.starts.reduce((a, b) => (b.cost < a.cost ? b : a)).z;
	return z.every((value, i) => {
		const near = Math.max(0.5 * covariance.sd[i] * scale, 1e-3 * Math.max(Math.abs(best[i]), 1e-9));
		return isOpen(covariance, i) || Math.abs(value - best[i]) <= near;
	});
}

function startsDisagree(run: FitRun): Doubt[] {
	const { starts, estimation } = run;
	if (starts.length < 2) return [];
	const best = Math.min(...starts.map(({ cost }) => cost));
	const agree = agreeingStarts(run);
	const elsewhere = asGood(run).filter((start) => !agree.includes(start));
	const doubts: Doubt[] = [];
	if (elsewhere.length > 0) {
		const point = estimation.unknowns.map(
			(unknown, i) => `${unknown.name} = ${Number(fromSearch(unknown, elsewhere[0].z[i]).toPrecision(4))}`,
		);
		doubts.push(
			...doubt(
				"Another optimum is as good",
				`${agree.length} of ${starts.length} starts ended at the answer shown, and ${elsewhere.length} at ${point.join(", ")}, which fits as well. The data cannot tell them apart: restrict a parameter in the model, like  param k in [0, 10].`,
				true,
			),
		);
	} else if (agree.length === 1)
		doubts.push(
			...doubt(
				`Only one of ${starts.length} starts reached this optimum`,
				"A better one may exist that no start reached. Try more starts: fit: { starts: 32, candidates: 1000 }, or narrower knowledge of the parameters.",
				true,
			),
		);
	if (!asGood(run).includes(starts[0])) {
		const ratio = Math.sqrt(starts[0].cost / best);
		const worse =
			ratio < Number.POSITIVE_INFINITY
				? `ended at another optimum with residuals ${ratio < 1.005 ? "slightly larger" : `${ratio.toPrecision(3)} times as large`}`
				: "gave no finite simulation";
		doubts.push(
			...doubt(
				"The first starting point did not lead here",
				`The start that was given, or the middle of what the model declares, ${worse}; ${agree.length} of ${starts.length} starts agree on the answer shown.`,
				false,
			),
		);
	}
	return doubts;
}

function guessedStarts({ estimation, starts }: FitRun): Doubt[] {
	const guessed = estimation.unknowns.filter(({ informed }) => !informed).map(({ name }) => name);
	if (guessed.length === 0 || starts.length < 1) return [];
	return doubt(
		`Nothing was known of ${list(guessed)}`,
		"Starting points were drawn around 1. If that is far from the truth, give a start under  set:  or a range in the model, like  param k in [0, 10].",
		false,
	);
}

function integrationAbsorbed({ absorbed, error, estimation }: FitRun): Doubt[] {
	if (!absorbed) return [];
	const moved = estimation.unknowns
		.map(({ name }, i) => ({ name, shift: absorbed.shift[i] }))
		.sort((a, b) => b.shift - a.shift);
	const [first] = moved;
	return doubt(
		`${absorbed.substeps} integration step${absorbed.substeps === 1 ? "" : "s"} a sample ${absorbed.substeps === 1 ? "is" : "are"} too few`,
		`The integration error is ${percent(error)} of the residuals (${percent(negligibleError)} would be negligible), and the parameters have absorbed it: with ${absorbed.finer}, ${first.name} moves by ${first.shift.toPrecision(2)} standard deviations. Leave  substeps  at auto, or raise it.`,
		first.shift > 1 || error > 0.5,
	);
}

function openParameters(run: FitRun): Doubt[] {
	const { estimation, profiles, covariance } = run;
	const { unknowns } = estimation;
	const alone = unknowns.flatMap((_, i) =>
		covariance.open.some(({ share }) => Math.abs(share[i]) > 0.99) ? [i] : [],
	);
	const ranOff = alone.filter((i) => unknowns[i].scale === "log" && farFromStarts(run, i));
	const idle = alone.filter((i) => !ranOff.includes(i));
	const together = [...unknowns.keys()].filter((i) => isOpen(covariance, i) && !alone.includes(i));
	const practical = [...unknowns.keys()].filter(
		(i) => profiles?.[i].verdict === "practically unidentifiable",
	);
	const named = (indices: readonly number[]): string => list(indices.map((i) => unknowns[i].name));
	return [
		...(together.length > 0
			? doubt(
					`${named(together)} cannot be found from these outputs`,
					`Moving ${named(together)} together leaves every output as it is: only a combination is determined. Fix one of them in the model, or measure another output. Standard deviations are not given for them.`,
					true,
				)
			: []),
		...(idle.length > 0
			? doubt(
					`${named(idle)} has no effect on any output`,
					"Whatever its value, the prediction is the same, so nothing can be said of it. Remove it from the model, or measure something that it acts on.",
					true,
				)
			: []),
		...(ranOff.length > 0
			? doubt(
					`${named(ranOff)} ran off to where it has no effect`,
					"The search followed it towards 0 or infinity, where it can change nothing any more. Either the term is not needed, or this is a wrong optimum: try other starts, or a range in the model.",
					true,
				)
			: []),
		...(practical.length > 0
			? doubt(
					`The data do not bound ${named(practical)}`,
					"The fit hardly gets worse out to the end of the range that was searched, on one side at least. More or other data, or knowledge of the range, would help.",
					false,
				)
			: []),
	];
}

/** Whether an unknown on a logarithmic scale left the range of its start by a factor of 20 or more. */
function farFromStarts({ best, estimation }: FitRun, i: number): boolean {
	return Math.abs(best[i] - toSearch(estimation.unknowns[i], estimation.unknowns[i].start)) > 3;
}

function onBounds({ estimation, best }: FitRun): Doubt[] {
	const names = estimation.unknowns.flatMap(({ name, lo, hi, scale }, i) => {
		const value = scale === "log" ? exp(best[i]) : best[i];
		const span = Number.isFinite(hi - lo) ? hi - lo : Number.POSITIVE_INFINITY;
		return Math.min(value - lo, hi - value) <= 1e-9 * span && Number.isFinite(span) ? [name] : [];
	});
	if (names.length === 0) return [];
	return doubt(
		`${list(names)} ended on a bound`,
		"The best fit may lie outside the range that the model allows. If the range is not certain, widen it.",
		false,
	);
}

function noiseMismatch({ estimation, variance, degrees }: FitRun): Doubt[] {
	if (!estimation.observations.groups.some(({ noise }) => noise.kind === "known")) return [];
	const ratio = Math.sqrt(variance);
	const spread = 5 * Math.sqrt(2 / degrees);
	if (ratio > 1.25 && variance > 1 + spread)
		return doubt(
			`The residuals are ${ratio.toPrecision(3)} times the declared noise`,
			"The model misses something, or the noise is larger than declared. Standard deviations and intervals here use the residuals as they are.",
			ratio > 2,
		);
	if (ratio < 0.8 && variance < 1 / (1 + spread))
		return doubt(
			`The residuals are only ${ratio.toPrecision(2)} times the declared noise`,
			"The declared spread is larger than what the data show. Standard deviations and intervals here use the residuals as they are.",
			false,
		);
	return [];
}

function correlatedResiduals(run: FitRun): Doubt[] {
	const { residual } = run.search!.best;
	const factor = robustFactor(run);
	if (!(factor > 1.3)) return [];
	const correlated = run.estimation.observations.groups.flatMap(({ from, to, measure }) => {
		const rho = autocorrelation(residual!.subarray(from, to), 1)[1] ?? 0;
		return Math.abs(rho) > 4 / Math.sqrt(to - from) ? [{ name: measure.name, rho }] : [];
	});
	if (correlated.length === 0) return [];
	const [first] = correlated.sort((a, b) => Math.abs(b.rho) - Math.abs(a.rho));
	return doubt(
		"The residuals are not independent",
		`Neighbouring residuals of ${first.name} have a correlation of ${first.rho.toFixed(2)}: something systematic is left. Intervals that allow for it are up to ${factor.toPrecision(2)} times wider than those shown.`,
		false,
	);
}

function worseOnTest(predictions: readonly Prediction[]): Doubt[] {
	return predictions
		.filter(({ part }) => part === "test")
		.flatMap((test) => {
			const train = predictions.filter(({ part, output }) => part === "train" && output === test.output);
			const ratio = rootMeanSquare(test) / Math.max(...train.map(rootMeanSquare));
			if (!(ratio > 2)) return [];
			return doubt(
				`${test.output} is predicted ${ratio.toPrecision(2)} times worse on the test record`,
				"The model fits the training record better than it predicts: the test visits conditions that the training did not, or the model is not the right one.",
				false,
			);
		});
}

/** Root mean square of data minus prediction. */
export function rootMeanSquare({ t, y, data }: Prediction): number {
	if (!data) return Number.NaN;
	let sum = 0;
	let at = 0;
	for (let i = 0; i < data.t.length; i++) {
		while (t[at] < data.t[i]) at++;
		sum += (data.y[i] - y[at]) ** 2;
	}
	return Math.sqrt(sum / data.t.length);
}

function unexplained(prediction: Prediction): number {
	const { data } = prediction;
	if (!data) return Number.NaN;
	const mean = data.y.reduce((a, b) => a + b, 0) / data.y.length;
	const variance = data.y.reduce((a, b) => a + (b - mean) ** 2, 0) / data.y.length;
	return rootMeanSquare(prediction) ** 2 / variance;
}

function doubt(title: string, text: string, grave: boolean): Doubt[] {
	return [{ title, text, grave }];
}

function percent(share: number): string {
	return `${Number((100 * share).toPrecision(2))} %`;
}

function list(names: readonly string[]): string {
	return names.length < 2
		? (names[0] ?? "")
		: `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}
