/** Whether a model has a form to be found, and if not why. */
import { beyondLeastSquares } from "../../estimate/observe/spread.ts";
import type { Model } from "../../model/model.ts";
import { freeParams } from "../../model/structure/free.ts";

export function appliesTo(model: Model): { applies: boolean; why: string } {
	const no = (why: string) => ({ applies: false, why });
	if (model.measures.length === 0)
		return no(`Nothing is measured: write  measure y ~ normal(${model.components[0] ?? "x"}, 0.1).`);
	const noise = beyondLeastSquares(model);
	if (noise) return no(noise);
	const process = model.unknowns.find(({ kind }) => kind === "process");
	if (process)
		return no(
			`unknown ${process.name} is a random process: for a finite basis write  unknown ${process.name}(${process.params.join(", ")}) = polynomial(2).`,
		);
	const drifting = model.params.find(({ rate }) => rate !== undefined);
	if (drifting)
		return no(
			`param ${drifting.name} drifts: take the declaration of ${drifting.name}' out to hold it constant.`,
		);
	const random = model.inputs.find(({ knowledge }) => knowledge.kind === "distribution");
	if (random)
		return no(
			`input ${random.name} is a random process: bayes finds it. Elsewhere write  input ${random.name}  and take it from the data.`,
		);
	const combinations = model.params.filter(({ terms }) => terms !== undefined).map(({ name }) => name);
	const found = [...combinations, ...model.unknowns.map(({ name }) => name)];
	if (found.length > 0)
		return { applies: true, why: `Finds which terms of ${found.join(", ")} are there, and their weights.` };
	if (freeParams(model).some(({ knowledge }) => knowledge.kind === "none"))
		return {
			applies: true,
			why: "Finds which of the parameters are zero; for terms that depend on conditions write  param p(1, c), for unknown functions  unknown f(x) = spline(0, 1, 2).",
		};
	return no("Nothing has a form to be found: write  param p(1, c)  or  unknown f(x) = spline(0, 1, 2).");
}
