/** A double as the decimal that it is written as: 0.1 is one tenth, not the binary fraction nearest to it. */
import type { Graph, Node } from "./graph.ts";
import { negate, rationalFromDecimal } from "./rational.ts";

export function decimalConstant(graph: Graph, value: number): Node {
	const exact = rationalFromDecimal(String(Math.abs(value)));
	if (!exact) return graph.const(value);
	return graph.const(value < 0 ? negate(exact) : exact);
}
