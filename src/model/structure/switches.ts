/**
 * Conditions of expressions taken out, so that each side is smooth: every comparison and every floor that varies becomes a
 * symbol of its own, whose value is held while a solution stays on one side.
 */
import type { Graph, Node } from "../graph.ts";
import { mapNodes, topological } from "../walk.ts";

export interface Switch {
	/** Its value: 1 or 0 for a comparison, a whole number for a floor. */
	readonly value: Node;
	/** Crosses 0 (a comparison) or a whole number (a floor) where the value changes. */
	readonly crossing: Node;
}

/** All below `roots` that depend on a symbol for which `varies` holds, each once. */
export function switchesIn(
	graph: Graph,
	roots: readonly Node[],
	varies: (symbol: string) => boolean,
): ReadonlyMap<Node, Switch> {
	const varying = new Set<Node>();
	const found = new Map<Node, Switch>();
	for (const node of topological(roots)) {
		const own = node.op === "sym" ? varies(node.name!) : node.args.some((arg) => varying.has(arg));
		if (!own) continue;
		varying.add(node);
		const [a, b] = node.args;
		if (node.op === "lt" || node.op === "le")
			found.set(node, { value: graph.if(node, graph.one, graph.zero), crossing: graph.sub(a, b) });
		else if (node.op === "floor") found.set(node, { value: node, crossing: a });
	}
	return found;
}

/** `roots` with each switch replaced by the symbol that stands for its value. */
export function withSwitchesHeld(
	graph: Graph,
	roots: readonly Node[],
	symbols: ReadonlyMap<Node, string>,
): Node[] {
	return mapNodes(graph, roots, (node) => {
		const name = symbols.get(node);
		if (name === undefined) return undefined;
		return node.op === "floor" ? graph.sym(name) : graph.compare("lt", graph.half, graph.sym(name));
	});
}
