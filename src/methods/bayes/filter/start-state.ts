/** The state before the first sample: components at their initial values, higher derivatives from the equations. */
import type { Value } from "../../../lower/builder.ts";
import { Differentiator } from "../../../model/derivative.ts";
import type { Node } from "../../../model/graph.ts";
import type { Row } from "./covariance.ts";
import type { FilterScope } from "./filter-scope.ts";
import { derivativesAlong, inputDerivative } from "./initial-derivatives.ts";
import type { ForceStep } from "./noise/force-step.ts";

/** Right-hand sides and their derivatives along the solution, as far as each block has coordinates. */
export function startExpressions({ spec }: FilterScope): Node[][] {
	const { model, layout, exactStart } = spec;
	return layout.blocks.map(({ rhs, q, order }) =>
		exactStart ? derivativesAlong(model, rhs, q - order + 1) : [rhs],
	);
}

export function startState(
	scope: FilterScope,
	starts: readonly (readonly Node[])[],
	forces: ForceStep | undefined,
): void {
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
	for (const { name } of layout.forces)
		for (let order = 0; order < deepest; order++)
			symbols.set(inputDerivative(name, order), () => b.constant(0));
	const lowering = scope.lowering(symbols);
	for (const [k, { from, order, components }] of layout.blocks.entries()) {
		for (const [j, name] of components.entries())
			b.set(scope.mean[from + j], row.scaled(b, values.get(name)!, j));
		for (const [j, value] of lowering.lower(starts[k]).entries())
			b.set(scope.mean[from + order + j], row.scaled(b, value, order + j));
	}
	if (!forces) return;
	// What follows from a force at the start moves with it.
	const d = new Differentiator(model.graph);
	const rows = new Map<number, Row<Value>>();
	for (const [k, { from, order }] of layout.blocks.entries())
		for (const [j, value] of starts[k].entries())
			rows.set(
				from + order + j,
				layout.forces.flatMap(({ name, p, from: first }, f) =>
					Array.from({ length: p + 1 }, (_, i) => ({
						i,
						slope: d.jacobian([value], [inputDerivative(name, i)])[0],
					}))
						.filter(({ slope }) => slope !== model.graph.zero)
						.map(({ i, slope }) => {
							const own = b.mul(lowering.lower([slope])[0], forces.ratePower(f, i));
							return { at: first + i, value: row.scaled(b, own, order + j) };
						}),
				),
			);
	const P = scope.noCovariance();
	forces.startMoments(P).transform(rows);
	scope.keepCovariance(P);
}
