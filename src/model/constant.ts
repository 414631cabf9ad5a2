/** Numeric values of expressions without symbols, such as `log(5e4)`. */
import { applyOperation } from "./evaluate.ts";
import type { Node } from "./graph.ts";
import { visitOnce } from "./walk.ts";

const memo = new WeakMap<Node, number>();

/** The value of a constant expression; NaN when a symbol or an unknown function occurs in it. */
export function constantValue(node: Node): number {
	visitOnce(
		node,
		(each) => memo.has(each),
		(each) => memo.set(each, ownValue(each)),
	);
	return memo.get(node)!;
}

function ownValue(node: Node): number {
	if (node.op === "sym" || node.op === "call") return Number.NaN;
	const args = node.args.map((arg) => memo.get(arg)!);
	// An `if` with one undefined branch is no constant either: a NaN anywhere below is one above.
	return args.some(Number.isNaN) ? Number.NaN : applyOperation(node, args);
}
