/** Expressions of the graph, written in an algebra. What several of them share is written once and given a name. */
import type { Node, UnaryFunction } from "../../model/graph.ts";
import * as Q from "../../model/rational.ts";
import { topological } from "../../model/walk.ts";
import type { Algebra } from "./algebra.ts";

export interface Program<T> {
	/** Shared parts, each before those that use it. */
	readonly shared: readonly { readonly name: string; readonly value: T }[];
	/** Of each root. */
	readonly results: readonly T[];
}

/** Shared expressions below this size are written again wherever they stand. */
const worthAName = 4;

export function writeNodes<T>(
	roots: readonly Node[],
	algebra: Algebra<T>,
	nameOf: (symbol: string) => string,
	fresh: (wanted: string) => string,
): Program<T> {
	const order = topological(roots);
	const uses = new Map<Node, number>();
	for (const node of order) for (const arg of node.args) uses.set(arg, (uses.get(arg) ?? 0) + 1);
	for (const root of roots) uses.set(root, (uses.get(root) ?? 0) + 1);
	const written = new Map<Node, T>();
	const shared: { name: string; value: T }[] = [];
	const named = new Set<Node>();
	const writer = new NodeWriter(algebra, nameOf, written, named);
	for (const node of order) {
		const value = writer.write(node);
		const isCondition = node.op === "lt" || node.op === "le";
		if (uses.get(node)! > 1 && node.size >= worthAName && !isCondition) {
			const name = fresh(`part${shared.length + 1}`);
			shared.push({ name, value });
			written.set(node, algebra.name(name));
			named.add(node);
		} else written.set(node, value);
	}
	return { shared, results: roots.map((root) => written.get(root)!) };
}

class NodeWriter<T> {
	constructor(
		readonly algebra: Algebra<T>,
		readonly nameOf: (symbol: string) => string,
		/** What stands for the arguments. */
		readonly written: ReadonlyMap<Node, T>,
		/** Those that a name stands for. */
		readonly named: ReadonlySet<Node>,
	) {}

	write(node: Node): T {
		const { algebra } = this;
		const args = node.args.map((arg) => this.written.get(arg)!);
		switch (node.op) {
			case "const":
				return this.#number(Q.toDouble(node.value!));
			case "pi":
				return algebra.pi;
			case "sym":
				return algebra.name(this.nameOf(node.name!));
			case "add":
				return algebra.sum(node.args.map((term) => this.#term(term)));
			case "mul": {
				const { negative, value } = this.#product(node);
				return negative ? algebra.negative(value) : value;
			}
			case "pow":
				return this.#product(node).value;
			case "lt":
			case "le":
				return algebra.compare(node.op === "lt" ? "<" : "<=", args[0], args[1]);
			case "if":
				return algebra.choose(args[0], args[1], args[2]);
			default:
				return algebra.call(node.op as UnaryFunction | "min" | "max", args);
		}
	}

	#number(value: number): T {
		const { algebra } = this;
		return value < 0 ? algebra.negative(algebra.number(-value)) : algebra.number(value);
	}

	#term(term: Node): { negative: boolean; value: T } {
		if (term.op === "const") {
			const value = Q.toDouble(term.value!);
			return { negative: value < 0, value: this.algebra.number(Math.abs(value)) };
		}
		// One that has a name stands by it, sign and all.
		const [first] = term.args;
		if (term.op === "mul" && first.op === "const" && first.value!.num < 0n && !this.named.has(term))
			return this.#product(term);
		return { negative: false, value: this.written.get(term)! };
	}

	#product(node: Node): { negative: boolean; value: T } {
		const { algebra } = this;
		const top: T[] = [];
		const bottom: T[] = [];
		let coefficient = 1;
		for (const factor of node.op === "mul" ? node.args : [node]) {
			const exponent = factor.op === "pow" ? factor.args[1] : undefined;
			if (factor.op === "const") coefficient = Q.toDouble(factor.value!);
			else if (factor !== node && this.named.has(factor)) top.push(this.written.get(factor)!);
			else if (exponent?.op === "const") {
				const value = Q.toDouble(exponent.value!);
				const base = this.written.get(factor.args[0])!;
				(value < 0 ? bottom : top).push(this.#power(base, Math.abs(value)));
			} else if (exponent && factor === node)
				top.push(algebra.power(this.written.get(factor.args[0])!, this.written.get(exponent)!));
			else top.push(this.written.get(factor)!);
		}
		const size = Math.abs(coefficient);
		if (size !== 1 || top.length === 0) top.unshift(algebra.number(size));
		const product = (factors: readonly T[]): T =>
			factors.length === 1 ? factors[0] : algebra.product(factors);
		const value = bottom.length === 0 ? product(top) : algebra.quotient(product(top), product(bottom));
		return { negative: coefficient < 0, value };
	}

	#power(base: T, exponent: number): T {
		if (exponent === 1) return base;
		if (exponent === 0.5) return this.algebra.root(base);
		return this.algebra.power(base, this.algebra.number(exponent));
	}
}
