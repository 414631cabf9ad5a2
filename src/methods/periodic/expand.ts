/** Expressions written out as sums of products, so that what belongs to which unknown can be told apart. */
import { type Graph, isWhole, type Node } from "../../model/graph.ts";

const largestPower = 4n;
const mostTerms = 400;

/** The terms of `node` after multiplying out; factors that are no sums of polynomials stay as they are. */
export function termsOf(graph: Graph, node: Node): Node[] {
	if (node.op === "add")
		return limited(
			node.args.flatMap((arg) => termsOf(graph, arg)),
			node,
		);
	if (node.op === "mul") {
		let products: Node[] = [graph.one];
		for (const arg of node.args) {
			const terms = termsOf(graph, arg);
			if (products.length * terms.length > mostTerms) return [node];
			products = products.flatMap((product) => terms.map((term) => graph.mul(product, term)));
		}
		return products;
	}
	if (node.op === "pow" && node.args[0].op === "add" && isWhole(node.args[1])) {
		const power = node.args[1].value!.num;
		if (power < 2n || power > largestPower) return [node];
		let products: Node[] = [graph.one];
		const terms = termsOf(graph, node.args[0]);
		for (let k = 0n; k < power; k++)
			products = products.flatMap((product) => terms.map((term) => graph.mul(product, term)));
		return limited(products, node);
	}
	return [node];
}

function limited(terms: Node[], whole: Node): Node[] {
	return terms.length > mostTerms ? [whole] : terms;
}

/** A product split into the factors that hold one of `names`, and the others. */
export function splitFactors(
	graph: Graph,
	term: Node,
	holds: (factor: Node) => boolean,
): { held: Node; rest: Node } {
	const factors = term.op === "mul" ? term.args : [term];
	return {
		held: graph.product(factors.filter(holds)),
		rest: graph.product(factors.filter((factor) => !holds(factor))),
	};
}
