/**
 * Hyperbolic functions as powers of few exponentials: tanh u = 1 - 2/(e^{2u} + 1), cosh u = (e^u + e^{-u})/2. Gates of one
 * neuron often share their argument up to a rational factor (tanh u beside cosh u/2), and then share one exponential.
 * Absolute errors stay at rounding, relative ones near the zeros of tanh and sinh do not: for sums of such terms only.
 */
import type { Graph, Node } from "../../../model/graph.ts";
import * as Q from "../../../model/rational.ts";
import { mapNodes, topological } from "../../../model/walk.ts";

const hyperbolic = new Set(["exp", "tanh", "sinh", "cosh"]);
/** Powers beyond this are not worth it. */
const largestPower = 16n;

export function shareExponentials(graph: Graph, roots: readonly Node[]): Node[] {
	const factors = new Map<Node, Q.Rational[]>();
	for (const node of topological(roots)) {
		if (!hyperbolic.has(node.op)) continue;
		const { factor, rest } = split(graph, node.args[0]);
		const own = node.op === "tanh" ? Q.multiply(factor, Q.rational(2n)) : factor;
		factors.set(rest, [...(factors.get(rest) ?? []), own]);
	}
	const bases = new Map([...factors].map(([rest, all]) => [rest, all.reduce(commonDivisor)]));
	return mapNodes(graph, roots, (node, args) => {
		if (!hyperbolic.has(node.op)) return undefined;
		// Arguments are as they were before: what stands inside an exponential is not rewritten.
		const { factor, rest } = split(graph, node.args[0]);
		const base = bases.get(rest)!;
		const power = (scale: bigint): Node | undefined => {
			const n = Q.multiply(Q.multiply(factor, Q.rational(scale)), Q.rational(base.den, base.num));
			if (n.den !== 1n || n.num > largestPower || n.num < -largestPower) return undefined;
			const [argument] = [graph.mul(graph.const(base), rest)];
			return graph.pow(graph.unary("exp", argument), graph.const(n));
		};
		if (args[0] !== node.args[0]) return undefined;
		const [up, down, twice] = [power(1n), power(-1n), power(2n)];
		switch (node.op) {
			case "exp":
				return up;
			case "tanh":
				return twice && graph.sub(graph.one, graph.div(graph.const(2), graph.add(twice, graph.one)));
			case "cosh":
				return up && down && graph.mul(graph.half, graph.add(up, down));
			default:
				return up && down && graph.mul(graph.half, graph.sub(up, down));
		}
	});
}

/** A rational factor, positive or negative, and the rest of a product. */
function split(graph: Graph, node: Node): { factor: Q.Rational; rest: Node } {
	const terms = node.op === "mul" && node.args[0].op === "const" ? node.args : undefined;
	if (!terms) return { factor: Q.one, rest: node };
	return { factor: terms[0].value!, rest: graph.product(terms.slice(1)) };
}

/** The largest rational of which both are whole multiples. */
function commonDivisor(a: Q.Rational, b: Q.Rational): Q.Rational {
	const den = a.den * b.den;
	let [x, y] = [abs(a.num * b.den), abs(b.num * a.den)];
	while (y !== 0n) [x, y] = [y, x % y];
	return Q.rational(x, den);
}

function abs(n: bigint): bigint {
	return n < 0n ? -n : n;
}
