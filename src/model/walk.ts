/** Walks over expressions: each shared node is visited once. */
import type { Graph, Node } from "./graph.ts";

/**
 * Calls `visit` for each node below and including `root` that is not `done`, arguments before the nodes that use
 * them; `visit` must make its node done. The stack is its own: expressions may be deeper than the call stack.
 */
export function visitOnce(root: Node, done: (node: Node) => boolean, visit: (node: Node) => void): void {
	if (done(root)) return;
	const stack: { readonly node: Node; next: number }[] = [{ node: root, next: 0 }];
	while (stack.length > 0) {
		const top = stack[stack.length - 1];
		const { args } = top.node;
		while (top.next < args.length && done(args[top.next])) top.next++;
		if (top.next < args.length) stack.push({ node: args[top.next], next: 0 });
		else {
			visit(top.node);
			stack.pop();
		}
	}
}

/** All nodes below and including `roots`, arguments before the nodes that use them. */
export function topological(roots: readonly Node[]): Node[] {
	const seen = new Set<Node>();
	for (const root of roots)
		visitOnce(
			root,
			(node) => seen.has(node),
			(node) => seen.add(node),
		);
	return [...seen];
}

/** Names of all symbols in `roots`. */
export function symbolsOf(roots: readonly Node[]): Set<string> {
	return new Set(
		topological(roots)
			.filter((node) => node.op === "sym")
			.map((node) => node.name!),
	);
}

/** `roots` with symbols replaced by expressions. */
export function substitute(
	graph: Graph,
	roots: readonly Node[],
	replacement: ReadonlyMap<string, Node>,
): Node[] {
	return mapNodes(graph, roots, (node) => (node.op === "sym" ? replacement.get(node.name!) : undefined));
}

/** Rebuilds `roots` bottom up; where `change` returns a node, that stands for the old one. */
export function mapNodes(
	graph: Graph,
	roots: readonly Node[],
	change: (node: Node, args: readonly Node[]) => Node | undefined,
): Node[] {
	const mapped = new Map<Node, Node>();
	for (const node of topological(roots)) {
		const args = node.args.map((arg) => mapped.get(arg)!);
		mapped.set(node, change(node, args) ?? graph.rebuild(node, args));
	}
	return roots.map((root) => mapped.get(root)!);
}
