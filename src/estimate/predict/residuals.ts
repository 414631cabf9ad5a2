/** What is left between measurement and prediction, and its size. */
import { rootMeanSquare as rootMeanSquareOf } from "../../num/statistics/root-mean-square.ts";
import type { Prediction, Result } from "../result.ts";

export interface Residuals {
	readonly t: Float64Array;
	/** Measured minus predicted; NaN where either is missing. */
	readonly r: Float64Array;
}

/** Residuals at the measured times, or `undefined` when nothing was measured. */
export function residualsOf(prediction: Prediction): Residuals | undefined {
	const { t, y, data } = prediction;
	if (!data || data.t.length === 0) return undefined;
	const r = new Float64Array(data.t.length);
	let i = 0;
	for (let j = 0; j < data.t.length; j++) {
		while (i + 1 < t.length && t[i + 1] <= data.t[j]) i++;
		r[j] = offLimit(data.y[j] - valueAt(t, y, i, data.t[j]), data.limits?.[j] ?? 0);
	}
	return { t: data.t, r };
}

/** A limit that is kept leaves nothing: `<0.05` only where the prediction lies above. */
export function offLimit(off: number, limit: number): number {
	if (limit === 0) return off;
	return limit < 0 ? Math.min(off, 0) : Math.max(off, 0);
}

/** Samples that are limits, by output: how many lie below, and above. Absent where there are none. */
export function limitsByOutput(
	predictions: readonly Prediction[],
	part: "train" | "test",
): Record<string, { readonly below: number; readonly above: number; readonly of: number }> | undefined {
	const counts = new Map<string, { below: number; above: number; of: number }>();
	for (const { output, part: own, data } of predictions) {
		if (own !== part || !data) continue;
		const count = counts.get(output) ?? { below: 0, above: 0, of: 0 };
		counts.set(output, count);
		count.of += data.y.length;
		for (const sign of data.limits ?? []) {
			if (sign < 0) count.below++;
			if (sign > 0) count.above++;
		}
	}
	const limited = [...counts].filter(([, { below, above }]) => below + above > 0);
	return limited.length > 0 ? Object.fromEntries(limited) : undefined;
}

/** Measured times are among the predicted ones; should one be missing, the line between its neighbours stands in. */
function valueAt(t: Float64Array, y: Float64Array, i: number, time: number): number {
	if (t[i] === time) return y[i];
	if (i + 1 >= t.length || !(t[i] <= time)) return Number.NaN;
	const share = (time - t[i]) / (t[i + 1] - t[i]);
	return y[i] + share * (y[i + 1] - y[i]);
}

/** Root mean square of the values that are there. A prediction that ran away counts as infinite, not as missing. */
export function rootMeanSquare(parts: Iterable<Residuals>): number {
	return rootMeanSquareOf(Array.from(parts, ({ r }) => r.filter((each) => !Number.isNaN(each))));
}

/** RMSE of each output over all experiments of one part; empty when nothing was predicted there. */
export function rmseByOutput(
	predictions: readonly Prediction[],
	part: "train" | "test",
): Record<string, number> {
	const byOutput = new Map<string, Residuals[]>();
	for (const prediction of predictions) {
		if (prediction.part !== part) continue;
		const residuals = residualsOf(prediction);
		if (residuals) byOutput.set(prediction.output, [...(byOutput.get(prediction.output) ?? []), residuals]);
	}
	return Object.fromEntries([...byOutput].map(([output, parts]) => [output, rootMeanSquare(parts)]));
}

/** Outputs of which only a part of the samples was predicted, which is what their figures are of; absent where there are none. */
export function partialByOutput(
	predictions: readonly Prediction[],
	part: "train" | "test",
): Record<string, { readonly samples: number; readonly of: number }> | undefined {
	const counts = new Map<string, { samples: number; of: number }>();
	for (const prediction of predictions) {
		const { r } = (prediction.part === part && residualsOf(prediction)) || {};
		if (!r) continue;
		const count = counts.get(prediction.output) ?? { samples: 0, of: 0 };
		counts.set(prediction.output, count);
		for (const [k, y] of prediction.data!.y.entries()) {
			if (Number.isNaN(y)) continue;
			count.of++;
			if (!Number.isNaN(r[k])) count.samples++;
		}
	}
	const partial = [...counts].filter(([, { samples, of }]) => samples < of);
	return partial.length > 0 ? Object.fromEntries(partial) : undefined;
}

/** What summary.json says of both parts: the errors of the mean prediction by output, and what a method adds to them. */
export function partsOf({
	predictions,
	summary,
}: Pick<Result, "predictions" | "summary">): Record<"train" | "test", Record<string, unknown>> {
	const of = (part: "train" | "test"): Record<string, unknown> => {
		const limits = limitsByOutput(predictions, part);
		const partial = partialByOutput(predictions, part);
		return {
			...(summary[part] as Record<string, unknown> | undefined),
			rmse: rmseByOutput(predictions, part),
			...(partial && { partial }),
			...(limits && { limits }),
		};
	};
	return { train: of("train"), test: of("test") };
}
