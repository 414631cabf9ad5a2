/** Samples on the scale on which they are compared with the model's values of them. */
import { InputError } from "../../errors.ts";
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

/** What an instrument shows apart from its error, as an expression: x, where log x is what is compared. */
export function measuredValue(measure: Measure): Node {
	const { value } = measure;
	return sampleLaw(measure).scale.isLog && value.op === "log" ? value.args[0] : value;
}
