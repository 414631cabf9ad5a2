/** Samples on the scale on which they are compared with the model's values of them. */
import type { Experiment, Series } from "../../data/experiment.ts";
import { InputError } from "../../errors.ts";
import { constantValue } from "../../model/constant.ts";
import type { Node } from "../../model/graph.ts";
import type { Measure } from "../../model/model.ts";
import { sampleLaw } from "../law/declared.ts";

/** One sample; `row` is where it stands in the file. */
export function comparedValue(measure: Measure, experiment: string, value: number, row: number): number {
	const { scale, isCount } = sampleLaw(measure);
	if (isCount && !(Number.isSafeInteger(value) && value >= 0))
		throw new InputError(
			`${experiment}: column of ${measure.name}`,
			`holds ${value} (row ${row}), but a ${measure.family} measurement is a count: 0, 1, 2, …`,
			"Give the counts themselves, not shares or rates of them, or measure with  ~ normal(…).",
		);
	const compared = scale.toCompared(value);
	if (!Number.isFinite(compared))
		throw new InputError(
			`${experiment}: column of ${measure.name}`,
			`holds ${value} (row ${row}), but a ${measure.family} measurement is positive`,
			"Remove such samples, or measure with  ~ normal(…).",
		);
	return compared;
}

/** Between what each sample surely is, as compared; the same twice where it is known. */
export interface Ends {
	readonly lo: Float64Array;
	readonly hi: Float64Array;
}

/** Undefined where all samples are known: none is a limit, and none was rounded. */
export function comparedEnds(measure: Measure, experiment: string, series: Series): Ends | undefined {
	const { values, rows, limits } = series;
	const half = measure.rounded ? constantValue(measure.rounded) / 2 : 0;
	if (!limits && half === 0) return undefined;
	if (measure.kind !== "distribution")
		throw new InputError(
			`${experiment}: column of ${measure.name}`,
			`holds limits like <${values[limits!.findIndex((sign) => sign !== 0)]}, and nothing says how samples scatter about them`,
			`Declare the noise:  measure ${measure.name} ~ normal(…, s).`,
		);
	const { scale, isCount } = sampleLaw(measure);
	const end = (k: number, side: -1 | 1): number => {
		const sign = limits?.[k] ?? 0;
		if (sign === side) return side * Number.POSITIVE_INFINITY;
		if (isCount && sign < 0 && values[k] === 0)
			throw new InputError(
				`${experiment}: column of ${measure.name}`,
				`holds <0 (row ${rows[k]}), and no count is below 0`,
				"Correct the cell.",
			);
		const y = values[k] + (sign === 0 ? side * half : 0);
		// What was rounded to 0 may be any small number.
		if (scale.isLog && side < 0 && !(y > 0) && values[k] >= 0) return Number.NEGATIVE_INFINITY;
		return scale.isLog && sign === 0 && values[k] === 0
			? scale.toCompared(y)
			: comparedValue(measure, experiment, y, rows[k]);
	};
	return {
		lo: Float64Array.from(values, (_, k) => end(k, -1)),
		hi: Float64Array.from(values, (_, k) => end(k, 1)),
	};
}

/** The limit itself, or the middle of what was rounded. */
export function shownValue({ lo, hi }: Ends, k: number): number {
	if (lo[k] === Number.NEGATIVE_INFINITY) return hi[k];
	return hi[k] === Number.POSITIVE_INFINITY ? lo[k] : (lo[k] + hi[k]) / 2;
}

/** What an instrument shows apart from its error, as an expression: x, where log x is what is compared. */
export function measuredValue(measure: Measure): Node {
	const { value } = measure;
	return sampleLaw(measure).scale.isLog && value.op === "log" ? value.args[0] : value;
}

/** Outputs of which some samples are limits, like <0.05. */
export function limitedOutputs(experiments: readonly Experiment[]): Set<string> {
	return new Set(
		experiments.flatMap(({ outputs }) =>
			[...outputs].flatMap(([name, { limits }]) => (limits ? [name] : [])),
		),
	);
}
