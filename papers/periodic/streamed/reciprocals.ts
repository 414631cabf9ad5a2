/**
 * Several divisions as one: 1/a and 1/b are b·r and a·r with r = 1/(a·b). Reciprocals in expressions are replaced by symbols
 * whose values come from one division for all. A product that overflows makes them NaN, for arguments that are absurd.
 *
 * Reference: Montgomery, "Speeding the Pollard and elliptic curve methods of factorization", Math. Comp. 48, 1987, section 10.
 */
import type { Builder, Value } from "../../../src/lower/builder.ts";
import type { Graph, Node } from "../../../src/model/graph.ts";
import { mapNodes, topological } from "../../../src/model/walk.ts";

export interface Gathered {
	readonly roots: readonly Node[];
	/** Symbol of each reciprocal, and what it is the reciprocal of. */
	readonly reciprocals: ReadonlyMap<string, Node>;
}

/** `varies`: whether a denominator changes from node to node; others are divided by once, outside the loop. */
export function gatherReciprocals(
	graph: Graph,
	roots: readonly Node[],
	varies: (node: Node) => boolean,
): Gathered {
	const reciprocals = new Map<string, Node>();
	const names = new Map<Node, string>();
	const isReciprocal = ({ op, args }: Node): boolean =>
		op === "pow" &&
		args[1].op === "const" &&
		args[1].value!.den === 1n &&
		args[1].value!.num < 0n &&
		varies(args[0]);
	for (const node of topological(roots)) {
		if (!isReciprocal(node) || names.has(node.args[0])) continue;
		// One that itself holds a reciprocal has to wait for it: it is divided by on its own.
		if (topological([node.args[0]]).some(isReciprocal)) continue;
		const name = `#reciprocal ${names.size}`;
		names.set(node.args[0], name);
		reciprocals.set(name, node.args[0]);
	}
	if (reciprocals.size < 2) return { roots, reciprocals: new Map() };
	const replaced = mapNodes(graph, roots, (node) => {
		const name = isReciprocal(node) ? names.get(node.args[0]) : undefined;
		if (name === undefined) return undefined;
		const power = node.args[1].value!;
		return graph.pow(graph.sym(name), graph.const({ num: -power.num, den: power.den }));
	});
	return { roots: replaced, reciprocals };
}

/** The reciprocals of all values, by one division. */
export function invertAll(b: Builder, values: readonly Value[]): Value[] {
	const before: Value[] = [];
	values.forEach((value, i) => {
		before.push(i === 0 ? value : b.mul(before[i - 1], value));
	});
	let rest = b.div(b.constant(1), before[before.length - 1]);
	const inverse: Value[] = new Array(values.length);
	for (let i = values.length - 1; i > 0; i--) {
		inverse[i] = b.mul(rest, before[i - 1]);
		rest = b.mul(rest, values[i]);
	}
	inverse[0] = rest;
	return inverse;
}
