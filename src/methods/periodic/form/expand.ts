/** Expressions written out as sums of products, so that what belongs to which unknown can be told apart. */
import { type Graph, isWhole, type Node } from "../../../model/graph.ts";

const largestPower = 4n;
const mostTerms = 400;

/** The terms of `node` after multiplying out; factors that are no sums of polynomials stay as they are. */
export function termsOf(graph: Graph, node: Node): Node[] {
	// Shared parts are written out once: a chain of definitions that each use the last twice has 2^n of them as a tree.
	const known = new Map<Node, Node[]>();
	const of = (each: Node): Node[] => {
		const found = known.get(each) ?? expand(each);
		known.set(each, found);
		return found;
	};
	/** The product of sums, or nothing where it has too many terms; those are never made. */
	const multiplied = (factors: readonly Node[]): Node[] | undefined => {
		let products: Node[] = [graph.one];
		for (const factor of factors) {
			const terms = of(factor);
			if (products.length * terms.length > mostTerms) return undefined;
			products = products.flatMap((product) => terms.map((term) => graph.mul(product, term)));
		}
		return products;
	};
	const expand = (each: Node): Node[] => {
		if (each.op === "add") {
			const terms = each.args.flatMap(of);
			return terms.length > mostTerms ? [each] : terms;
		}
		if (each.op === "mul") return multiplied(each.args) ?? [each];
		if (each.op === "pow" && each.args[0].op === "add" && isWhole(each.args[1])) {
			const power = each.args[1].value!.num;
			if (power < 2n || power > largestPower) return [each];
			return multiplied(Array.from({ length: Number(power) }, () => each.args[0])) ?? [each];
		}
		return [each];
	};
	return of(node);
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
