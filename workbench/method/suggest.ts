/** Which method to take first: the one that the model's declarations were made for. */
import type { Applicability, ModelDescription } from "../../src/model/index.ts";

export interface Suggestion {
	readonly method: string;
	readonly why: string;
}

export function suggestion(
	verdicts: readonly Applicability[],
	description: ModelDescription | undefined,
): Suggestion | undefined {
	if (!description) return undefined;
	const applies = (method: string): boolean =>
		verdicts.some((each) => each.method === method && each.applies);
	const { parameters, measurements, unknownFunctions } = description;
	const some = (kind: string): boolean => parameters.some((each) => each.kind === kind);
	const choices: [boolean, string, string][] = [
		[
			unknownFunctions.some(({ kind }) => kind === "process"),
			"kriging",
			"a function of the model is unknown",
		],
		[
			unknownFunctions.length > 0 || parameters.some(({ terms }) => terms !== undefined),
			"inversion",
			"the model proposes terms to choose from",
		],
		[
			measurements.some(({ kind }) => kind === "set") && some("set"),
			"guaranteed",
			"errors and parameters are declared as sets",
		],
		[
			some("distribution") && measurements.every(({ kind }) => kind === "distribution"),
			"bayes",
			"everything unknown has a distribution",
		],
		[
			measurements.every(({ kind }) => kind === "exact"),
			"periodic",
			"one state is seen without declared noise",
		],
		[true, "fit", "it asks for the least"],
	];
	const found = choices.find(([fits, method]) => fits && applies(method));
	return found && { method: found[1], why: found[2] };
}
