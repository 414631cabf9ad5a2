/** Whether least squares can answer for a model. */
import { list } from "../../estimate/judge/words.ts";
import {
	drifting,
	noMeasure,
	nothingToEstimate,
	ownNoise,
	randomInput,
	unknownsText,
	verdictOf,
} from "../../estimate/obstacles.ts";
import type { Model } from "../../model/model.ts";
import { isPopulation, ownInEachRecord } from "../../model/population.ts";
import type { Verdict } from "../../model/within-reach.ts";

export function appliesTo(model: Model): Verdict {
	const obstacle =
		unknownFunction(model) ??
		eventOutOfReach(model) ??
		noMeasure(model) ??
		drifting(model) ??
		randomInput(model) ??
		ownNoise(model) ??
		mixed(model) ??
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

function eventOutOfReach(model: Model): string | undefined {
	if (model.events.some(({ delay }) => delay && delay !== model.graph.zero))
		return "The model has an event with a delay: fit follows events that happen when their condition comes true, and  odentify simulate  all.";
	return model.events.length > 0 && isPopulation(model)
		? "The model has events, and parameters that differ from record to record: fit takes the one or the other."
		: undefined;
}

function mixed(model: Model): string | undefined {
	const [own] = ownInEachRecord(model);
	return own && isPopulation(model)
		? `param ${own.name} differs from record to record without a law, and others by one: fit takes the one or the other.`
		: undefined;
}
