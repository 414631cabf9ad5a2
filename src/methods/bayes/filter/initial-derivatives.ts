/**
 * Derivatives of a right-hand side along the solution, as expressions: where the filter starts, all of its coordinates
 * are known exactly. Derivatives of inputs are symbols of their own.
 */
import { Differentiator } from "../../../model/derivative.ts";
import type { Node } from "../../../model/graph.ts";
import type { Model } from "../../../model/model.ts";

/** The symbol of the derivative of number `order` of an input; no name of the language holds a #. */
export function inputDerivative(name: string, order: number): string {
	return order === 0 ? name : `${name}#${order}`;
}

/** f, f', f'', …: `count` expressions, the first being `f` itself. */
export function derivativesAlong(model: Model, f: Node, count: number): Node[] {
	const { graph, components, rhs } = model;
	const inputs = model.inputs.map(({ name }) => name);
	const d = new Differentiator(graph);
	const derivatives = [f];
	for (let k = 1; k < count; k++) {
		const last = derivatives[k - 1];
		const symbols = ["t", ...components];
		const direction = [graph.one, ...rhs];
		for (const name of inputs)
			for (let order = 0; order < k; order++) {
				symbols.push(inputDerivative(name, order));
				direction.push(graph.sym(inputDerivative(name, order + 1)));
			}
		derivatives.push(d.directional(last, symbols, direction));
	}
	return derivatives;
}
