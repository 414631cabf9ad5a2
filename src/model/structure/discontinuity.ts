/** Where a model is not smooth: integrators and filters need to know. */
import type { Node } from "../graph.ts";
import { topological } from "../walk.ts";

export interface Discontinuity {
	/** A jump of the value, or a kink: a jump of the derivative. */
	readonly kind: "jump" | "kink";
	readonly op: "sign" | "abs" | "min" | "max" | "if";
	readonly node: Node;
	/** Zero where it happens. */
	readonly switches: { readonly left: Node; readonly right: Node };
}

/** All of them below `roots` that depend on a symbol for which `varies` holds. An `if` may jump, so it counts as a jump. */
export function discontinuities(
	roots: readonly Node[],
	zero: Node,
	varies: (symbol: string) => boolean,
): Discontinuity[] {
	const varying = new Map<Node, boolean>();
	const found: Discontinuity[] = [];
	for (const node of topological(roots)) {
		const own = node.op === "sym" ? varies(node.name!) : node.args.some((arg) => varying.get(arg));
		varying.set(node, own);
		if (!own) continue;
		const [a, b] = node.args;
		if (node.op === "sign" || node.op === "abs")
			found.push({
				kind: node.op === "sign" ? "jump" : "kink",
				op: node.op,
				node,
				switches: { left: a, right: zero },
			});
		else if (node.op === "min" || node.op === "max")
			found.push({ kind: "kink", op: node.op, node, switches: { left: a, right: b } });
		else if (node.op === "if" && varying.get(a))
			found.push({ kind: "jump", op: "if", node, switches: { left: a.args[0], right: a.args[1] } });
	}
	return found;
}
