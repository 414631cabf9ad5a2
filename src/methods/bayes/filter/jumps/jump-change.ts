/** By how much an expression changes where its inputs jump, as an expression: what does not jump drops out of it. */
import type { Graph, Node } from "../../../../model/graph.ts";
import { substitute, symbolsOf } from "../../../../model/walk.ts";

/** Symbols of an input after the jump, and of its rise; its own name is the value before. No name of the language holds a #. */
export const afterSymbol = (name: string): string => `${name}#after`;
export const riseSymbol = (name: string): string => `${name}#rise`;

/** `node` after the jump less `node` before it. */
export function jumpChange(graph: Graph, node: Node, inputs: readonly string[]): Node {
	const after = new Map(inputs.map((name) => [name, graph.sym(afterSymbol(name))]));
	const jumps = (one: Node): boolean => {
		const symbols = symbolsOf([one]);
		return inputs.some((name) => symbols.has(name));
	};
	const change = (one: Node): Node => {
		if (!jumps(one)) return graph.zero;
		if (one.op === "sym") return graph.sym(riseSymbol(one.name!));
		if (one.op === "add") return graph.sum(one.args.map(change));
		const moving = one.op === "mul" ? one.args.filter(jumps) : [];
		if (moving.length === 1)
			return graph.product(one.args.map((factor) => (factor === moving[0] ? change(factor) : factor)));
		return graph.sub(substitute(graph, [one], after)[0], one);
	};
	return change(node);
}
