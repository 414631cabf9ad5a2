/** Records that are not periodic, or not enough: what is seen of them, in words. */
import { InputError } from "../../../errors.ts";
import type { HarmonicFit } from "../../../num/harmonic-fit.ts";
import { autocorrelation } from "../../../num/statistics/autocorrelation.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Departure } from "./departures.ts";

/** A departure of this share of the record's range is refused; a smaller one that is seen is doubted. */
const largestShare = 0.01;

export function refuseDeparture(departure: Departure, where: string): void {
	if (!(departure.share > largestShare)) return;
	const { problem, remedy } = departureText(departure);
	throw new InputError(where, problem, remedy);
}

export function departureText({ kind, steady, change, share }: Departure): {
	problem: string;
	remedy: string;
} {
	const percent = (value: number): string => `${Number((100 * Math.abs(value)).toPrecision(2))} %`;
	switch (kind) {
		case "level":
			return steady
				? {
						problem: `drifts by ${Number(change.toPrecision(2))} over the record, ${percent(share)} of its range: it has a trend`,
						remedy:
							"Write  detrend: linear  in the data section if the trend is none of the model's, or choose rows without it.",
					}
				: {
						problem: `has a level that bends by ${Number(Math.abs(change).toPrecision(2))} within the record, ${percent(share)} of its range: it drifts, and not along a line`,
						remedy: "Choose rows without the drift, or take it off before: detrend: linear  would not do.",
					};
		case "amplitude":
			return {
				problem: `has an amplitude that ${steady ? `${change > 0 ? "grows" : "falls"} by ${percent(change)} over` : `changes by ${percent(change)} within`} the record: it is ${steady ? "not yet periodic, or damped" : "modulated"}`,
				remedy: "If it starts with a transient, choose later rows; if it is not periodic, use  method: fit.",
			};
		case "transient":
			return {
				problem: `starts with a transient: up to t = ${Number(change.toPrecision(3))} it is up to ${percent(share)} of its range beside the cycle to which it comes`,
				remedy: `Choose the rows from t = ${Number(change.toPrecision(3))} on.`,
			};
		case "timing":
			return {
				problem: `does not keep time: it ${steady ? "runs ahead or behind" : "is early and late"} by ${percent(change)} of a period within the record: the period changes`,
				remedy: "Choose rows in which it does not, or use  method: fit.",
			};
	}
}

export function refuseNoise(y: Float64Array, series: HarmonicFit, where: string, given: boolean): void {
	const variance = aboutMean(y);
	if (series.rss > 0.5 * variance)
		throw new InputError(
			where,
			`is periodic only in part: ${((100 * series.rss) / variance).toFixed(0)} % of its variance does not repeat with the period`,
			given
				? "The value of  periodic: { period }  may be wrong: leave it out, and the period is looked for."
				: "If it starts with a transient, choose later rows; if it is not periodic, use  method: fit.",
		);
}

/** Of several periods, or strongly modulated: much is left, and it follows from what was before it. */
export function refuseModulated(
	y: Float64Array,
	rest: Float64Array,
	series: HarmonicFit,
	where: string,
): void {
	const share = series.rss / aboutMean(y);
	const [, first] = autocorrelation(rest, 1);
	if (!(share > 0.01 && first > 0.6 && unforeseen(rest) < 0.5 * (1 - first * first))) return;
	throw new InputError(
		where,
		`does not repeat itself: a period of ${Number(((2 * Math.PI) / series.omega).toPrecision(3))} leaves ${(100 * Math.sqrt(share)).toFixed(0)} % of its size, and not as noise. It is modulated, or has several periods`,
		"If it starts with a transient, choose later rows; if it is not periodic, use  method: fit.",
	);
}

/** The share of the variance that the ten samples before do not foretell (Levinson and Durbin). */
function unforeseen(rest: Float64Array): number {
	const r = autocorrelation(rest, 10);
	let share = 1;
	let a = [1];
	for (let m = 1; m < r.length && share > 0; m++) {
		const reflection = -a.reduce((sum, value, i) => sum + value * r[m - i], 0) / share;
		const longer = [...a, 0];
		a = longer.map((value, i) => value + reflection * longer[m - i]);
		share *= 1 - reflection * reflection;
	}
	return Math.max(share, 0);
}

/** Sum of squares about the mean. */
function aboutMean(y: Float64Array): number {
	const mean = y.reduce((a, b) => a + b, 0) / y.length;
	return y.reduce((sum, value) => sum + squared(value - mean), 0);
}
