/** Whether a model is in the class of the method, in a sentence: what would be found how, or what keeps it out. */
import { list } from "../../estimate/judge/words.ts";
import { expandCombinations } from "../../model/combination.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { Model } from "../../model/model.ts";
import { toPlain } from "../../model/print/expression.ts";
import { freeInitials, freeParams } from "../../model/structure/free.ts";
import type { PeriodicForm } from "./form/form.ts";
import { recognize } from "./form/recognize.ts";
import { outputParts } from "./outputs/parts.ts";

export function appliesTo(model: Model): { applies: boolean; why: string } {
	const drifting = model.params.filter(({ rate }) => rate !== undefined).map(({ name }) => name);
	const plain = expandCombinations(foldFormulaInputs(model)).model;
	const several = model.measures.length > 1 && drifting.length === 0;
	const found = several ? outputParts(plain) : recognize(plain);
	if ("problem" in found) {
		const { subject, problem, remedy } = found;
		return { applies: false, why: `${subject} ${problem}. ${remedy}` };
	}
	const forms = Array.isArray(found) ? found.map(({ form }) => form) : [found];
	if (forms.every(({ lambda, recovered, hidden }) => lambda.length + recovered.size + hidden.length === 0))
		return {
			applies: false,
			why: "The model leaves nothing to estimate: no parameter is unknown. Write  param k  for what is not known.",
		};
	if (freeParams(model).length + freeInitials(model).length === 0)
		return {
			applies: false,
			why: "Every parameter and initial value is exactly known: there is nothing to estimate.",
		};
	if (drifting.length > 1)
		return { applies: false, why: `${list(drifting)} drift, and periodic follows one parameter.` };
	const follows = drifting.map((name) => ` ${name} is followed as it drifts, over many periods.`);
	const together = several ? " All of it is then fitted to all outputs at once." : "";
	return { applies: true, why: `${forms.map(describe).join(" ")}${follows.join("")}${together}` };
}

function describe({ output, chain, hidden, lambda, recovered, terms }: PeriodicForm): string {
	const own = chain.slice(1).map(({ component }) => component);
	const parts = [`From a periodic record of ${output}:`];
	const closures = hidden.flatMap(({ closure }) => (closure ? [closure.param] : []));
	const searched = [
		...lambda,
		...hidden.flatMap(({ component, closure }) =>
			closure ? [`${closure.scale ? `${closure.scale}·` : ""}${component}(0)`] : [],
		),
	];
	const closed = [
		...(recovered.size > 0 ? [`${list([...recovered.keys()])} in closed form`] : []),
		...(closures.length > 0 ? [`${list(closures)} from the closure of the period`] : []),
		...(searched.length > 0 ? [`${list(searched)} by a search`] : []),
	];
	if (closed.length > 0) parts.push(`${list(closed)};`);
	const states = [...own, ...hidden.map(({ component }) => component)];
	parts.push(states.length > 0 ? `hidden ${list(states)} by integrals.` : "no state is hidden.");
	for (const { component, closure } of hidden)
		if (closure?.scale)
			parts.push(
				`The scale of ${component} is open: ${closure.scale} alone cannot be found, ${closure.scale}·${component} can.`,
			);
	const composite = terms.filter(({ name }) => name.startsWith("θ"));
	if (composite.length > 0)
		parts.push(`(${composite.map(({ name, value }) => `${name} = ${toPlain(value)}`).join(", ")})`);
	return parts.join(" ");
}
