/** Whether least squares can answer for a model. */
import { list } from "../../estimate/judge/words.ts";
import {
	drifting,
	noMeasure,
	nothingToEstimate,
	randomInput,
	unknownsText,
	verdictOf,
} from "../../estimate/obstacles.ts";
import type { Model } from "../../model/model.ts";
import type { Verdict } from "../../model/within-reach.ts";

export function appliesTo(model: Model): Verdict {
	const obstacle =
		unknownFunction(model) ??
		noMeasure(model) ??
		drifting(model) ??
		randomInput(model) ??
		nothingToEstimate(model);
	return verdictOf(obstacle, () => {
		const combinations = model.params.flatMap(({ name, terms }) => (terms === undefined ? [] : [name]));
		const weights =
			combinations.length > 0
				? ` All weights of ${list(combinations)} are estimated; which of them are zero is for inversion to find.`
				: "";
		return `Estimates ${unknownsText(model)} by least squares.${weights}`;
	});
}

function unknownFunction({ unknowns }: Model): string | undefined {
	const process = unknowns.find(({ kind }) => kind === "process");
	if (process)
		return `unknown ${process.name} is a random process: kriging learns it; fit estimates numbers only.`;
	const [basis] = unknowns;
	return basis && `unknown ${basis.name} is a function of a finite basis: inversion finds its weights.`;
}
