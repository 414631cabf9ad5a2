/** The figures that every report has: measured and predicted, what is left between them, and whether that is noise. */
import type { Figure, Mark } from "../estimate/figure.ts";
import { independenceWords } from "../estimate/judge/independence.ts";
import { type Residuals, residualsOf, rootMeanSquare } from "../estimate/predict/residuals.ts";
import { spectrumOf } from "../estimate/predict/spectrum.ts";
import type { Doubt, Prediction } from "../estimate/result.ts";
import { autocorrelation } from "../num/statistics/autocorrelation.ts";
import { normalQuantile975 } from "../num/statistics/quantile.ts";
import { formatRms } from "./format.ts";

/** Figures of one output in one experiment. Those with a `group` in common zoom together. */
export interface FigureGroup {
	readonly group: string;
	readonly title: string;
	readonly figures: readonly Figure[];
}

/** Up to so many samples each is drawn as a point. */
const pointsUpTo = 2000;
/** Up to so many they are drawn above the line; more of them lie below, and stand out on either side of it. */
const aboveUpTo = 400;
/** Lags of an autocorrelation. */
const maxLags = 50;

export function standardFigures(predictions: readonly Prediction[], doubts: readonly Doubt[]): FigureGroup[] {
	const several = new Set(predictions.map(({ experiment }) => experiment)).size > 1;
	return predictions.map((prediction, index) => {
		const { experiment, output, part } = prediction;
		const where = several ? `, ${experiment}` : "";
		const title = `${output}${where} (${part === "train" ? "training" : "test"})`;
		const residuals = residualsOf(prediction);
		const figures = [predictionFigure(prediction, title)];
		if (residuals) figures.push(residualFigure(residuals, prediction, title));
		if (residuals && residuals.r.length >= 8) {
			const judged = prediction.judged ? { t: residuals.t, r: prediction.judged } : residuals;
			const what = prediction.judged ? `${title}, what is new in each sample` : title;
			figures.push(autocorrelationFigure(judged, output, what, independenceWords(prediction, doubts)));
		}
		const spectrum = residuals && spectrumFigure(residuals, prediction, title);
		if (spectrum) figures.push(spectrum);
		return { group: `g${index}`, title, figures };
	});
}

/** As `y [mm]`. */
function withUnit(name: string, unit: string | undefined): string {
	return unit === undefined ? name : `${name} [${unit}]`;
}

function predictionFigure(prediction: Prediction, title: string): Figure {
	const { t, y, lo, hi, data, output, part, units } = prediction;
	const marks: Mark[] = [];
	if (lo && hi) marks.push({ type: "band", x: t, lo, hi, role: "band" });
	const predicted: Mark = { type: "line", x: t, y, role: "model", label: "predicted" };
	if (data) {
		const n = data.t.length;
		const type = n <= pointsUpTo ? "points" : "line";
		const measured: Mark = { type, x: data.t, y: data.y, role: "data", label: "measured" };
		marks.push(...(n <= aboveUpTo ? [predicted, measured] : [measured, predicted]));
		marks.push(...limitMarks(data));
	} else marks.push(predicted);
	const unseen = part === "test" ? " The estimate never saw these samples." : "";
	return {
		name: `prediction-${output}-${part}`,
		title: `${title}: measured and predicted`,
		caption: `${lo ? "Measured samples, the prediction, and its band." : "Measured samples and the prediction."}${unseen}`,
		xLabel: withUnit("t", units?.t),
		yLabel: withUnit(output, units?.y),
		marks,
		section: "fit",
		zoom: true,
	};
}

/** Arrows at samples that are limits, to where they may lie. */
function limitMarks({ t, y, limits }: NonNullable<Prediction["data"]>): Mark[] {
	if (!limits) return [];
	const places = Array.from(limits.keys()).filter((i) => limits[i] !== 0);
	return [
		{
			type: "words",
			x: places.map((i) => t[i]),
			y: places.map((i) => y[i]),
			words: places.map((i) => (limits[i] < 0 ? "↓" : "↑")),
			role: "data",
		},
	];
}

function residualFigure(residuals: Residuals, { output, part, units }: Prediction, title: string): Figure {
	const type = residuals.t.length <= pointsUpTo ? "points" : "line";
	return {
		name: `residuals-${output}-${part}`,
		title: `${title}: what is left`,
		caption: `Measured minus predicted; root mean square ${formatRms(rootMeanSquare([residuals]))}. A good model leaves noise without a pattern.`,
		xLabel: withUnit("t", units?.t),
		yLabel: withUnit(`${output} measured − predicted`, units?.y),
		marks: [
			{ type: "rule", axis: "y", at: 0, role: "guide" },
			{ type, x: residuals.t, y: residuals.r, role: "accent" },
		],
		section: "fit",
		zoom: true,
	};
}

function autocorrelationFigure({ r }: Residuals, output: string, title: string, said: string): Figure {
	const correlation = autocorrelation(r, Math.min(maxLags, Math.floor(r.length / 4)));
	const lags = Float64Array.from({ length: correlation.length - 1 }, (_, i) => i + 1);
	const limit = normalQuantile975 / Math.sqrt(r.length);
	return {
		name: `autocorrelation-${output}`,
		title: `${title}: autocorrelation of the residuals`,
		caption: `Independent noise leaves the band at one lag in twenty. ${said}`,
		xLabel: "lag [samples]",
		yLabel: "autocorrelation",
		marks: [
			{ type: "rule", axis: "y", at: limit, role: "guide", label: "95 %" },
			{ type: "rule", axis: "y", at: -limit, role: "guide" },
			{ type: "bars", x: lags, y: correlation.slice(1), role: "accent" },
		],
		section: "fit",
		small: true,
	};
}

/** Which frequencies the model misses: independent noise has all of them alike. */
function spectrumFigure({ t, r }: Residuals, prediction: Prediction, title: string): Figure | undefined {
	const spectrum = spectrumOf(r);
	if (!spectrum) return undefined;
	const step = evenStep(t);
	const { frequency, power, stretches } = spectrum;
	// About two standard deviations of a mean of so many periodograms.
	const chance = 2 / Math.sqrt(Math.max(1, stretches));
	const unit = prediction.units?.t;
	return {
		name: `spectrum-${prediction.output}`,
		title: `${title}: spectrum of the residuals`,
		caption:
			"Share of each frequency beside that of independent noise, which is 1 throughout, below the rule by chance. A peak is a swing that the model misses.",
		xLabel: step === undefined ? "cycles per sample" : `cycles per ${unit ?? "unit of t"}`,
		yLabel: "power",
		marks: [
			{ type: "rule", axis: "y", at: 1, role: "guide" },
			{ type: "rule", axis: "y", at: 1 + chance, role: "guide", label: "chance" },
			{
				type: "line",
				x: step === undefined ? frequency : frequency.map((cycles) => cycles / step),
				y: power,
				role: "accent",
			},
		],
		section: "fit",
		small: true,
	};
}

/** The step between samples, where it is the same throughout. */
function evenStep(t: Float64Array): number | undefined {
	const step = (t[t.length - 1] - t[0]) / (t.length - 1);
	for (let i = 1; i < t.length; i++) if (!(Math.abs(t[i] - t[i - 1] - step) <= 0.01 * step)) return undefined;
	return step;
}
