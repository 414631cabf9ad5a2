/** Samples on the scale on which they are compared with the model's values of them. */
import { InputError } from "../../errors.ts";
import type { Node } from "../../model/graph.ts";
import type { Measure } from "../../model/model.ts";
import { noiseLaw } from "../law/declared.ts";

/** One sample; `row` is where it stands in the file. */
export function comparedValue(measure: Measure, experiment: string, value: number, row: number): number {
	const compared = noiseLaw(measure).scale.toCompared(value);
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
	return noiseLaw(measure).scale.isLog && value.op === "log" ? value.args[0] : value;
}
