/** Expressions as polynomials of some of their symbols. */
import { Dependence } from "../dependence.ts";
import type { Graph, Node } from "../graph.ts";
import { isWhole } from "../graph.ts";
import { visitOnce } from "../walk.ts";

/** Longest polynomial that is written out by coefficients. */
const largestDegree = 64;

/**
 * The total degree of `node` as a polynomial of `symbols`, as it is written (terms that would cancel count);
 * `undefined` when it is no polynomial of them. What depends on none of them has degree 0.
 */
export function degreeIn(node: Node, symbols: Iterable<string>): number | undefined {
	const names = new Set(symbols);
	const degrees = new Map<Node, number>();
	visitOnce(
		node,
		(each) => degrees.has(each),
		(each) => {
			const args = each.args.map((arg) => degrees.get(arg)!);
			const free = each.op === "sym" ? !names.has(each.name!) : args.every((degree) => degree === 0);
			degrees.set(each, free ? 0 : ownDegree(each, args));
		},
	);
	const degree = degrees.get(node)!;
	return Number.isFinite(degree) ? degree : undefined;
}

/** Infinite for what is no polynomial. */
function ownDegree(node: Node, args: readonly number[]): number {
	switch (node.op) {
		case "sym":
			return 1;
		case "add":
			return args.reduce((most, degree) => Math.max(most, degree), 0);
		case "mul":
			return args.reduce((sum, degree) => sum + degree, 0);
		case "pow":
			return isWhole(node.args[1]) && node.args[1].value!.num > 0n
				? args[0] * Number(node.args[1].value!.num)
				: Number.POSITIVE_INFINITY;
		default:
			return Number.POSITIVE_INFINITY;
	}
}

/** Coefficients by power, c0 + c1·symbol + c2·symbol² + …; `undefined` when `node` is no such polynomial. */
export function polynomialIn(graph: Graph, node: Node, symbol: string): Node[] | undefined {
	const degree = degreeIn(node, [symbol]);
	if (degree === undefined || degree > largestDegree) return undefined;
	const dependence = new Dependence();
	const found = new Map<Node, Node[]>();
	const of = (each: Node): Node[] => found.get(each) ?? [each];
	visitOnce(
		node,
		(each) => found.has(each) || !dependence.has(each, symbol),
		(each) => {
			const [first, second] = each.args;
			if (each.op === "sym") found.set(each, [graph.zero, graph.one]);
			else if (each.op === "add") found.set(each, sum(graph, each.args.map(of)));
			else if (each.op === "mul")
				found.set(
					each,
					each.args.map(of).reduce((a, b) => times(graph, a, b)),
				);
			else found.set(each, raised(graph, of(first), Number(second.value!.num)));
		},
	);
	const coefficients = [...of(node)];
	while (coefficients.length > 1 && coefficients[coefficients.length - 1] === graph.zero) coefficients.pop();
	return coefficients;
}

function sum(graph: Graph, parts: readonly Node[][]): Node[] {
	const length = parts.reduce((most, part) => Math.max(most, part.length), 0);
	return Array.from({ length }, (_, i) => graph.sum(parts.flatMap((part) => part[i] ?? [])));
}

function times(graph: Graph, a: readonly Node[], b: readonly Node[]): Node[] {
	const terms: Node[][] = Array.from({ length: a.length + b.length - 1 }, () => []);
	a.forEach((p, i) => {
		b.forEach((q, j) => {
			terms[i + j].push(graph.mul(p, q));
		});
	});
	return terms.map((list) => graph.sum(list));
}

function raised(graph: Graph, base: readonly Node[], exponent: number): Node[] {
	let result: Node[] = [graph.one];
	for (let i = 0; i < exponent; i++) result = times(graph, result, base);
	return result;
}
