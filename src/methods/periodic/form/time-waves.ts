/** How time enters equations: only inside sines and cosines of known frequency do they repeat. */
import { Dependence } from "../../../model/dependence.ts";
import type { Graph, Node } from "../../../model/graph.ts";
import { toPlain } from "../../../model/print/expression.ts";
import { affineIn } from "../../../model/structure/affine.ts";
import { mapNodes, topological } from "../../../model/walk.ts";
import type { Refusal } from "./form.ts";

/** The frequencies (radians per time) as expressions of `constants`, or why there are none. */
export function timeWaves(
	graph: Graph,
	rhs: readonly Node[],
	constants: ReadonlySet<string>,
): { readonly frequencies: readonly Node[] } | Refusal {
	const dependence = new Dependence();
	const frequencies = new Set<Node>();
	let open: { wave: Node; frequency: Node } | undefined;
	for (const node of topological(rhs)) {
		if ((node.op !== "sin" && node.op !== "cos") || !dependence.has(node, "t")) continue;
		const frequency = affineIn(graph, node.args[0], ["t"])?.coefficients.get("t");
		if (!frequency) continue;
		if (dependence.symbols(frequency).every((name) => constants.has(name))) frequencies.add(frequency);
		else open ??= { wave: node, frequency };
	}
	if (open)
		return {
			subject: "time t",
			problem: `drives the model with a frequency that is not known (${toPlain(open.wave)}), and periodic needs the period of what drives`,
			remedy: `Give ${toPlain(open.frequency)} a value, or use  method: fit, which can look for it.`,
		};
	const waves = new Set<Node>();
	for (const node of topological(rhs)) {
		if (node.op !== "sin" && node.op !== "cos") continue;
		const frequency = affineIn(graph, node.args[0], ["t"])?.coefficients.get("t");
		if (frequency && frequencies.has(frequency)) waves.add(node);
	}
	// What is left beside the waves must not hold t.
	const still = mapNodes(graph, rhs, (node) => (waves.has(node) ? graph.one : undefined));
	const left = still.findIndex((node) => dependence.has(node, "t"));
	if (left < 0) return { frequencies: [...frequencies] };
	return {
		subject: "time t",
		problem: `drives the model otherwise than through sines and cosines of it (${toPlain(rhs[left])}), so that nothing repeats`,
		remedy: "Use  method: fit, which simulates the model and knows no such limit.",
	};
}
