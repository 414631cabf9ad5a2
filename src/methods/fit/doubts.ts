/** What to doubt about a fit, in words: what was seen, why it matters, what to try. */
import { autocorrelation } from "../../num/autocorrelation.ts";
import { exp } from "../../num/elementary/number.ts";
import type { Doubt, Prediction } from "../result.ts";
import { robustSd } from "./covariance.ts";
import type { FitRun } from "./fit-run.ts";
import { negligibleError } from "./integration.ts";

export function doubtsOf(run: FitRun, predictions: readonly Prediction[]): Doubt[] {
	return [
		...poorFit(predictions),
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

function poorFit(predictions: readonly Prediction[]): Doubt[] {
	return predictions
		.filter(({ part }) => part === "train")
		.flatMap((prediction) => {
			const share = unexplained(prediction);
			if (!(share > 0.25)) return [];
			return doubt(
				`The model leaves ${percent(share)} of ${prediction.output} unexplained`,
				`In ${prediction.experiment} the residuals are ${percent(Math.sqrt(share))} as large as the signal itself. The optimum that was found may be a wrong one, or the equations lack something. Try other starting points (set:), more of them (fit: { starts: 32, candidates: 1000 }), or another model.`,
				true,
			);
		});
}

function startsDisagree({ starts }: FitRun): Doubt[] {
	if (starts.length < 2) return [];
	const best = Math.min(...starts.map(({ cost }) => cost));
	const reached = (cost: number): boolean => cost <= best * 1.001 + 1e-12;
	const count = starts.filter(({ cost }) => reached(cost)).length;
	const doubts: Doubt[] = [];
	if (count === 1)
		doubts.push(
			...doubt(
				`Only one of ${starts.length} starts reached this optimum`,
				"A better one may exist that no start reached. Try more starts: fit: { starts: 32, candidates: 1000 }, or narrower knowledge of the parameters.",
				true,
			),
		);
	if (!reached(starts[0].cost)) {
		const ratio = Math.sqrt(starts[0].cost / best);
		const worse =
			ratio < Number.POSITIVE_INFINITY
				? `ended at another optimum with residuals ${ratio < 1.005 ? "slightly" : `${ratio.toPrecision(3)} times as`} large`
				: "gave no finite simulation";
		doubts.push(
			...doubt(
				"The first starting point did not lead here",
				`The start that was given, or the middle of what the model declares, ${worse}; ${count} of ${starts.length} starts agree on the answer shown.`,
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

function openParameters({ estimation, profiles, covariance }: FitRun): Doubt[] {
	const { unknowns } = estimation;
	const of = (verdict: string): string[] =>
		unknowns.flatMap(({ name }, i) => (profiles?.[i].verdict === verdict ? [name] : []));
	const together = covariance.open.filter(({ share }) => share.every((part) => Math.abs(part) <= 0.99));
	const structural = of("structurally unidentifiable").filter((name) =>
		together.some(({ share }) => Math.abs(share[unknowns.findIndex((u) => u.name === name)]) > 1e-3),
	);
	const practical = of("practically unidentifiable");
	const directions = together.map(({ share: direction }) => {
		const parts = [...direction.keys()].filter((i) => Math.abs(direction[i]) > 0.05);
		return list(parts.map((i) => unknowns[i].name));
	});
	return [
		...(structural.length > 0 || directions.length > 0
			? doubt(
					`${list(structural.length > 0 ? structural : directions)} cannot be found from these outputs`,
					`Moving ${directions.length > 0 ? directions.join("; and ") : list(structural)} together leaves every output as it is: only a combination is determined. Fix one of them in the model, or measure another output. Standard deviations are not given for them.`,
					true,
				)
			: []),
		...(practical.length > 0
			? doubt(
					`The data do not bound ${list(practical)}`,
					"The fit hardly gets worse out to the end of the range that was searched, on one side at least. More or other data, or knowledge of the range, would help.",
					false,
				)
			: []),
	];
}

function onBounds({ estimation, best, covariance }: FitRun): Doubt[] {
	const vanished = estimation.unknowns.flatMap(({ name, scale }, i) =>
		scale === "log" && covariance.open.some(({ share }) => Math.abs(share[i]) > 0.99) ? [name] : [],
	);
	const names = estimation.unknowns.flatMap(({ name, lo, hi, scale }, i) => {
		if (vanished.includes(name)) return [];
		const value = scale === "log" ? exp(best[i]) : best[i];
		const span = Number.isFinite(hi - lo) ? hi - lo : Math.abs(value);
		return Math.min(value - lo, hi - value) <= 1e-9 * span ? [name] : [];
	});
	return [
		...(vanished.length > 0
			? doubt(
					`${list(vanished)} ran off to where it has no effect`,
					"The search followed it towards 0 or infinity, where it can change nothing any more. Either the term is not needed, or this is a wrong optimum: try other starts, or a range in the model.",
					true,
				)
			: []),
		...(names.length > 0
			? doubt(
					`${list(names)} ended on a bound`,
					"The best fit may lie outside the range that the model allows. If the range is not certain, widen it.",
					false,
				)
			: []),
	];
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
	if (ratio < 0.8 && variance < 1 - spread)
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
