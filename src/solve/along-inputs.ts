/** Derivatives of expressions by time along the inputs, and by symbols, as rows for a compiled function. */
import type { Argument } from "../lower/compile-function.ts";
import { Differentiator } from "../model/derivative.ts";
import type { Graph, Node } from "../model/graph.ts";

export interface AlongInputs {
	/** The further argument of the function: slopes of the inputs. */
	readonly slopes: Argument;
	/** By t, then by each symbol. */
	row(value: Node, symbols: readonly string[]): Node[];
}

export function alongInputs(graph: Graph, inputs: readonly string[]): AlongInputs {
	const differentiator = new Differentiator(graph);
	// No name of a model has a hash in it.
	const slopes = inputs.map((_, i) => `slope#${i}`);
	const rates = [graph.one, ...slopes.map((name) => graph.sym(name))];
	return {
		slopes: { name: "slopes", symbols: slopes },
		row: (value, symbols) => [
			differentiator.directional(value, ["t", ...inputs], rates),
			...symbols.map((name) => differentiator.derivative(value, name)),
		],
	};
}
