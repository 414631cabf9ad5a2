/**
 * Does an answer explain the data at all? What it leaves beside their variance. Noise is nothing to explain: residuals as large as
 * declared, or, where their size is found, independent ones.
 */
import { squared } from "../../num/whole-power.ts";
import { residualsOf, rootMeanSquare } from "../predict/residuals.ts";
import type { Prediction, Remark } from "../result.ts";
import { dependences } from "./independence.ts";
import type { ResidualSeries } from "./series.ts";
import { isTooLarge } from "./size.ts";
import { doubt, listSome, note, percent } from "./words.ts";

/** Share of the variance that may be left. */
const mostLeft = 0.25;
/** So many places are named, the worst first. */
const mostNamed = 4;

/** `series`: residuals in units of their spread, of the same records. `advice`: what to try. */
export function poorFitDoubt(
	predictions: readonly Prediction[],
	series: readonly ResidualSeries[],
	nUnknowns: number,
	advice: string,
): Remark[] {
	const seriesOf = ({ experiment, output }: Prediction): ResidualSeries | undefined =>
		series.find((each) => each.experiment === experiment && each.output === output);
	/** An output that hardly moves is all noise: if that is as declared, there is nothing left to explain. */
	const isNoise = (prediction: Prediction): boolean => {
		const own = seriesOf(prediction);
		return (
			own !== undefined &&
			own.noise !== "found" &&
			!isTooLarge(
				own.residual.reduce((sum, r) => sum + r * r, 0),
				own.residual.length,
			)
		);
	};
	const poor = predictions
		.filter(({ part, data }) => part === "train" && data)
		.map((prediction) => ({ prediction, left: unexplained(prediction) }))
		.filter(({ prediction, left }) => left > mostLeft && !isNoise(prediction))
		.sort((a, b) => b.left - a.left);
	if (poor.length === 0) return [];
	const dependent = new Set(dependences(series, nUnknowns).map(({ output }) => output));
	/** Residuals of a size that is found, with nothing in them but noise as far as can be seen. */
	const looksLikeNoise = (prediction: Prediction): boolean =>
		seriesOf(prediction)?.noise === "found" && !dependent.has(prediction.output);
	const structured = poor.filter(({ prediction }) => !looksLikeNoise(prediction));
	if (structured.length > 0) return said(structured, advice, (...words) => doubt(...words, true));
	return said(poor, "What is left is independent from sample to sample, as noise is.", note);
}

interface Poor {
	readonly prediction: Prediction;
	/** Share of the variance. */
	readonly left: number;
}

/** In words; the worst is the first. */
function said(
	poor: readonly Poor[],
	advice: string,
	as: (code: string, title: string, text: string) => Remark[],
): Remark[] {
	const [worst] = poor;
	const outputs = [...new Set(poor.map(({ prediction }) => prediction.output))];
	const places = poor.map(
		({ prediction: { output, experiment }, left }) =>
			`${output} of ${experiment} (${left < 1 ? percent(left) : `${Number(left.toPrecision(2))} times`})`,
	);
	return as(
		"poor-fit",
		worst.left < 1
			? `The model leaves ${poor.length > 1 ? "up to " : ""}${percent(worst.left)} of the variance of ${listSome(outputs)} unexplained`
			: `The model fits ${listSome(outputs)} worse than a constant at the mean would`,
		`Mean square of the residuals over the variance of the samples: ${listSome(places, mostNamed)}. ${advice}`,
	).map((each) => ({ ...each, outputs }));
}

/** Mean square of the residuals over the variance of the samples. */
function unexplained(prediction: Prediction): number {
	const { y } = prediction.data!;
	const mean = y.reduce((a, b) => a + b, 0) / y.length;
	const variance = y.reduce((a, b) => a + squared(b - mean), 0) / y.length;
	return squared(rootMeanSquare([residualsOf(prediction)!])) / variance;
}
