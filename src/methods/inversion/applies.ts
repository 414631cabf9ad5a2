/** Whether a model has a form to be found, and if not why. */
import { beyondLeastSquares } from "../../estimate/observe/spread.ts";
import { drifting, noMeasure, ownNoise, randomInput, verdictOf } from "../../estimate/obstacles.ts";
import type { Model } from "../../model/model.ts";
import { freeParams } from "../../model/structure/free.ts";
import type { Verdict } from "../../model/within-reach.ts";

export function appliesTo(model: Model): Verdict {
	const obstacle =
		noMeasure(model) ??
		beyondLeastSquares(model) ??
		randomFunction(model) ??
		drifting(model) ??
		randomInput(model) ??
		ownNoise(model) ??
		noForm(model);
	return verdictOf(obstacle, () => {
		const found = proposed(model);
		return found.length > 0
			? `Finds which terms of ${found.join(", ")} are there, and their weights.`
			: "Finds which of the parameters are zero; for terms that depend on conditions write  param p(1, c), for unknown functions  unknown f(x) = spline(0, 1, 2).";
	});
}

/** What has several terms. */
function proposed({ params, unknowns }: Model): string[] {
	const combinations = params.filter(({ terms }) => terms !== undefined);
	return [...combinations, ...unknowns].map(({ name }) => name);
}

function randomFunction({ unknowns }: Model): string | undefined {
	const process = unknowns.find(({ kind }) => kind === "process");
	return (
		process &&
		`unknown ${process.name} is a random process: for a finite basis write  unknown ${process.name}(${process.params.join(", ")}) = polynomial(2).`
	);
}

function noForm(model: Model): string | undefined {
	if (proposed(model).length > 0 || freeParams(model).some(({ knowledge }) => knowledge.kind === "none"))
		return undefined;
	return "Nothing has a form to be found: write  param p(1, c)  or  unknown f(x) = spline(0, 1, 2).";
}
