/** The state before the first sample: components at their initial values, higher derivatives from the equations. */
import type { Value } from "../../../lower/builder.ts";
import type { Node } from "../../../model/graph.ts";
import type { FilterScope } from "./filter-scope.ts";
import { derivativesAlong, inputDerivative } from "./initial-derivatives.ts";

/** Right-hand sides and their derivatives along the solution, as far as each block has coordinates. */
export function startExpressions({ spec }: FilterScope): Node[][] {
	const { model, layout, exactStart } = spec;
	return layout.blocks.map(({ rhs, q, order }) =>
		exactStart ? derivativesAlong(model, rhs, q - order + 1) : [rhs],
	);
}

export function startState(scope: FilterScope, starts: readonly (readonly Node[])[]): void {
	const { b, row, spec, inputs, uniform } = scope;
	const { model, layout, freeInitial } = spec;
	row.load(b, uniform.scale, b.int(0));
	const exact = scope.lowering(new Map());
	const values = new Map<string, Value>();
	for (const [i, name] of model.components.entries()) {
		const knowledge = model.initial[i];
		const free = freeInitial.indexOf(name);
		if (free >= 0) values.set(name, b.load(scope.initial, free));
		else if (knowledge.kind === "exact") values.set(name, exact.lower([knowledge.value])[0]);
		else values.set(name, b.constant(Number.NaN));
	}
	const symbols = new Map<string, () => Value>([["t", () => b.load(uniform.startU, 0)]]);
	for (const [name, value] of values) symbols.set(name, () => value);
	const deepest = Math.max(...starts.map(({ length }) => length));
	for (const [j, name] of inputs.entries())
		for (let order = 0; order < deepest; order++)
			symbols.set(inputDerivative(name, order), () => b.load(uniform.startU, 1 + order * inputs.length + j));
	const lowering = scope.lowering(symbols);
	for (const [k, { from, order, components }] of layout.blocks.entries()) {
		for (const [j, name] of components.entries())
			b.set(scope.mean[from + j], row.scaled(b, values.get(name)!, j));
		for (const [j, value] of lowering.lower(starts[k]).entries())
			b.set(scope.mean[from + order + j], row.scaled(b, value, order + j));
	}
}
