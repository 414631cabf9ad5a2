/** Does an answer explain the data at all? What it leaves beside their variance; noise as declared is nothing to explain. */
import { squared } from "../../num/whole-power.ts";
import { residualsOf, rootMeanSquare } from "../predict/residuals.ts";
import type { Doubt, Prediction } from "../result.ts";
import type { ResidualSeries } from "./series.ts";
import { isTooLarge } from "./size.ts";
import { doubt, listSome, percent } from "./words.ts";

/** Share of the variance that may be left. */
const mostLeft = 0.25;
/** So many places are named, the worst first. */
const mostNamed = 4;

/** `series`: residuals in units of their spread, of the same records. `advice`: what to try. */
export function poorFitDoubt(
	predictions: readonly Prediction[],
	series: readonly ResidualSeries[],
	advice: string,
): Doubt[] {
	/** An output that hardly moves is all noise: if that is as declared, there is nothing left to explain. */
	const isNoise = ({ experiment, output }: Prediction): boolean =>
		series.some(
			(each) =>
				each.experiment === experiment &&
				each.output === output &&
				each.noise !== "found" &&
				!isTooLarge(
					each.residual.reduce((sum, r) => sum + r * r, 0),
					each.residual.length,
				),
		);
	const poor = predictions
		.filter(({ part, data }) => part === "train" && data)
		.map((prediction) => ({ prediction, left: unexplained(prediction) }))
		.filter(({ prediction, left }) => left > mostLeft && !isNoise(prediction))
		.sort((a, b) => b.left - a.left);
	const [worst] = poor;
	if (!worst) return [];
	const outputs = [...new Set(poor.map(({ prediction }) => prediction.output))];
	const places = poor.map(
		({ prediction: { output, experiment }, left }) =>
			`${output} of ${experiment} (${left < 1 ? percent(left) : `${Number(left.toPrecision(2))} times`})`,
	);
	return doubt(
		"poor-fit",
		worst.left < 1
			? `The model leaves ${poor.length > 1 ? "up to " : ""}${percent(worst.left)} of the variance of ${listSome(outputs)} unexplained`
			: `The model fits ${listSome(outputs)} worse than a constant at the mean would`,
		`Mean square of the residuals over the variance of the samples: ${listSome(places, mostNamed)}. ${advice}`,
		true,
	).map((each) => ({ ...each, outputs }));
}

/** Mean square of the residuals over the variance of the samples. */
function unexplained(prediction: Prediction): number {
	const { y } = prediction.data!;
	const mean = y.reduce((a, b) => a + b, 0) / y.length;
	const variance = y.reduce((a, b) => a + squared(b - mean), 0) / y.length;
	return squared(rootMeanSquare([residualsOf(prediction)!])) / variance;
}
