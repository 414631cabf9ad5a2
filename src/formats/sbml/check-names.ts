import { type Formula, replace, visit } from "./formula.ts";
import type { Quantities } from "./quantities.ts";

/** Names that nothing declares, in every formula. */
export function checkNames(quantities: Quantities): void {
	const { model, problems } = quantities;
	const functions = new Map(model.functions.map((each) => [each.id, each]));
	const look = (formula: Formula | undefined, bound: ReadonlySet<string> = new Set()): void => {
		if (!formula) return;
		replace(formula, (part) => {
			const known = (id: string): boolean =>
				bound.has(id) || quantities.all.has(id) || quantities.reactionOf.has(id);
			if (part.kind === "number" && part.span && !Number.isFinite(part.value))
				problems.add(
					part.span,
					`${part.value === Infinity ? "infinity" : "not-a-number"} is nothing to compute with`,
					"Write a finite number.",
				);
			if (part.kind === "name" && !bound.has(part.id) && quantities.beyond(part.id) !== undefined)
				problems.add(
					part.span,
					`"${part.id}" is ${quantities.beyond(part.id)}, which is nothing to compute with`,
					"Give it a finite value.",
				);
			if ((part.kind === "name" || part.kind === "rate") && !known(part.id)) {
				const reaction = model.reactions.some(({ id }) => id === part.id);
				const what = reaction ? `reaction "${part.id}" has no rate` : `unknown id "${part.id}"`;
				problems.add(
					part.span,
					what,
					reaction ? "Give it a kinetic law." : "Declare it as a parameter, species or compartment.",
				);
			} else if (part.kind === "call") {
				const definition = functions.get(part.id);
				if (!definition?.body)
					problems.add(part.span, `unknown function "${part.id}"`, "Declare it as a functionDefinition.");
				else if (definition.params.length !== part.args.length)
					problems.add(
						part.span,
						`"${part.id}" takes ${definition.params.length} arguments, not ${part.args.length}`,
						"",
					);
			}
			return undefined;
		});
	};
	for (const { params, body, span } of model.functions) {
		look(body, new Set(params));
		const twice = params.find((param, i) => params.indexOf(param) < i);
		if (twice !== undefined) problems.add(span, `two arguments are called "${twice}"`, "Rename one.");
		if (body)
			visit(body, (part) => {
				if (part.kind === "rate")
					problems.add(part.span, "rateOf in a function definition", "Give the rate as an argument.");
			});
	}
	for (const [id, formula] of [
		...quantities.assigned,
		...quantities.rates,
		...quantities.initial,
		...quantities.reactionOf,
	])
		if (quantities.beyond(id) === undefined) look(formula);
	for (const { reactants, products } of model.reactions)
		for (const { math } of [...reactants, ...products]) look(math);
	for (const { trigger, delay, priority, assignments } of model.events)
		for (const formula of [trigger, delay, priority, ...assignments.map(({ math }) => math)]) look(formula);
	for (const { id, value, span } of quantities.all.values())
		if (value !== undefined && Math.abs(value) === Infinity && quantities.isState(id))
			problems.add(span, `"${id}" changes, and begins at ${value}`, "Give it a finite value.");
	for (const { species } of quantities.all.values()) {
		const factor = species?.conversionFactor;
		if (species && factor !== undefined && !quantities.all.has(factor))
			problems.add(
				species.span,
				`species "${species.id}" is converted by "${factor}", which is not declared`,
				"Declare it as a parameter.",
			);
		if (species && !quantities.all.get(species.compartment)?.compartment)
			problems.add(
				species.span,
				`species "${species.id}" is in "${species.compartment}", which is no compartment`,
				"Check the id.",
			);
	}
}
