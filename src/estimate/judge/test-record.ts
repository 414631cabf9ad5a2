/**
 * Do predictions hold on records that nothing was learned from? Every method gives a band; errors in its standard deviations
 * have squares that sum up to χ². Errors of the parameters go on along a path, so that samples count as fewer: independent
 * errors change sign every second time, and as many count as there are changes, twice.
 */
import type { Model } from "../../model/model.ts";
import { chiSquareTail } from "../../num/statistics/incomplete-gamma.ts";
import { normalQuantile975 } from "../../num/statistics/quantile.ts";
import { betaMass } from "../../num/statistics/tail-mass.ts";
import { squared } from "../../num/whole-power.ts";
import { offLimit } from "../predict/residuals.ts";
import type { Doubt, Prediction } from "../result.ts";
import { level, matters, shared } from "./series.ts";
import { doubt, list } from "./words.ts";

/** Twice too narrow a band holds two thirds of what it claims. */
const graveFrom = 2;
/** Records are named up to here, the worst first. */
const mostNamed = 4;

interface Missed {
	readonly prediction: Prediction;
	/** Root mean square of the errors in standard deviations of the band. */
	readonly ratio: number;
}

/** Test predictions whose band does not hold. `quantile`: half width of a band in standard deviations. */
function missedTests(predictions: readonly Prediction[], quantile: number): Missed[] {
	const tests = predictions.filter(({ part }) => part === "test");
	return tests
		.flatMap((prediction) => {
			const errors = errorsOf(prediction, quantile);
			const changes = errors.filter((e, i) => i > 0 && e > 0 !== errors[i - 1] > 0).length;
			const degrees = Math.min(2 * changes + 1, errors.length);
			const square = errors.reduce((sum, e) => sum + squared(e), 0) / errors.length;
			const chance = shared(chiSquareTail(degrees * square, degrees), tests.length);
			return Math.sqrt(square) > matters && chance < level ? [{ prediction, ratio: Math.sqrt(square) }] : [];
		})
		.sort((a, b) => b.ratio - a.ratio);
}

/** Share of the samples in their bands, of those that have one. */
export function coverageOf(predictions: readonly Prediction[]): number {
	const errors = predictions.flatMap((prediction) => errorsOf(prediction, 1));
	return errors.filter((e) => Math.abs(e) <= 1).length / errors.length;
}

/** Chance that, of as many samples, so many or more lie beside a band that holds 95 %: the least of the predictions. */
export function missChance(predictions: readonly Prediction[]): number {
	return predictions.reduce((least, prediction) => {
		const errors = errorsOf(prediction, 1);
		const missed = errors.filter((e) => Math.abs(e) > 1).length;
		return missed === 0 ? least : Math.min(least, betaMass(missed, errors.length - missed + 1, 0.05));
	}, 1);
}

/** In half widths of a band over `quantile`; one without bounds holds everything, and says nothing. */
function errorsOf({ t, y, lo, hi, data }: Prediction, quantile: number): number[] {
	if (!lo || !hi || !data) return [];
	let at = 0;
	return Array.from(data.t).flatMap((time, i) => {
		while (at + 1 < t.length && t[at] < time) at++;
		const off = offLimit(data.y[i] - y[at], data.limits?.[i] ?? 0);
		const half = off > 0 ? hi[at] - y[at] : y[at] - lo[at];
		return half > 0 && half < Number.POSITIVE_INFINITY ? [(off / half) * quantile] : [];
	});
}

/** In words. `remedy`: what the method's model may have to do with it. */
export function testDoubt(
	predictions: readonly Prediction[],
	{
		quantile = normalQuantile975,
		remedy = "",
	}: { readonly quantile?: number; readonly remedy?: string } = {},
): Doubt[] {
	const missed = missedTests(predictions, quantile);
	const [worst] = missed;
	if (!worst) return [];
	const outputs = [...new Set(missed.map(({ prediction }) => prediction.output))];
	const named = missed
		.slice(0, mostNamed)
		.map(({ prediction: { output, experiment }, ratio }) => `${output} of ${experiment} (${times(ratio)})`);
	const more = missed.length - named.length;
	return doubt(
		"worse-on-test",
		`${list(outputs)} ${outputs.length > 1 ? "are" : "is"} predicted ${missed.length > 1 ? "up to " : ""}${times(worst.ratio)} worse on the test than the band says`,
		`${missed.length > 1 ? `Errors beside their bands: ${list(more > 0 ? [...named, `${more} more`] : named)}. ` : ""}The test visits conditions that the training did not, or the model is not the right one.${remedy === "" ? "" : ` ${remedy}`}`,
		worst.ratio > graveFrom,
	).map((each) => ({ ...each, outputs }));
}

/** Of a model whose states begin at values of its own, which a test may not do. `open`: what is put behind a state to leave it open. */
export function ownStart({ components, initial }: Model, open: string): string {
	const fixed = components.filter((_, i) => initial[i].kind === "exact");
	return fixed.length === 0
		? ""
		: `Or the test does not start at the model's own ${list(fixed)}, which hold at the first row of every record: then leave them open,  state ${fixed[0]}${open}.`;
}

function times(ratio: number): string {
	return `${Number(ratio.toPrecision(2))} times`;
}
