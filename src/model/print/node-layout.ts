/**
 * Layout of an expression of the graph, which knows sums, products and powers only: differences, quotients and roots
 * come back, and terms go into the order that people write: highest derivative first, a leading minus last.
 */
import type { Node } from "../graph.ts";
import { isWhole } from "../graph.ts";
import * as Q from "../rational.ts";
import { visitOnce } from "../walk.ts";
import { type Layout, productOf } from "./layout.ts";

/** Deeper or longer expressions are shown in part. */
const mostDepth = 120;
const mostNodes = 20_000;

/** `exact`: reading the text again gives the same graph, not only the same value. */
export function layoutOfNode(node: Node, { exact }: { readonly exact: boolean }): Layout {
	return new NodeLayout(exact).layout(node, 0);
}

class NodeLayout {
	#count = 0;
	readonly #primes = new Map<Node, number>();
	constructor(readonly exact: boolean) {}

	layout(node: Node, depth: number): Layout {
		if (depth > mostDepth || ++this.#count > mostNodes) return { kind: "elided" };
		const inner = (arg: Node): Layout => this.layout(arg, depth + 1);
		switch (node.op) {
			case "const":
				return numberLayout(node.value!);
			case "pi":
				return { kind: "name", name: "pi", primes: 0 };
			case "sym": {
				const name = node.name!.replace(/'+$/, "");
				return { kind: "name", name, primes: node.name!.length - name.length };
			}
			case "add":
				return this.#sum(node, depth);
			case "mul":
			case "pow":
				return this.#product(node, depth);
			case "lt":
			case "le":
				return {
					kind: "comparison",
					sign: node.op === "lt" ? "<" : "<=",
					left: inner(node.args[0]),
					right: inner(node.args[1]),
				};
			case "call":
				return { kind: "call", name: node.name!, args: node.args.map(inner), partials: node.partials };
			default:
				return { kind: "call", name: node.op, args: node.args.map(inner) };
		}
	}

	#sum(node: Node, depth: number): Layout {
		const terms = node.args.map((term) => {
			const layout = this.layout(term, depth + 1);
			const negative = layout.kind === "negative";
			return { negative, value: negative ? layout.value : layout, primes: this.#primesOf(term) };
		});
		terms.sort((a, b) => b.primes - a.primes);
		const positive = terms.findIndex(({ negative }) => !negative);
		if (positive > 0) terms.unshift(...terms.splice(positive, 1));
		return { kind: "sum", terms: terms.map(({ negative, value }) => ({ negative, value })) };
	}

	#product(node: Node, depth: number): Layout {
		const top: Layout[] = [];
		const bottom: Layout[] = [];
		const factors = node.op === "mul" ? node.args : [node];
		let coefficient = Q.one;
		for (const factor of factors) {
			const exponent = factor.op === "pow" ? factor.args[1] : undefined;
			if (factor.op === "const") coefficient = factor.value!;
			else if (exponent?.op === "const" && exponent.value!.num < 0n && (!this.exact || isWhole(exponent)))
				bottom.push(this.#power(factor.args[0], Q.negate(exponent.value!), depth));
			else if (exponent?.op === "const") top.push(this.#power(factor.args[0], exponent.value!, depth));
			else if (exponent)
				top.push({
					kind: "power",
					base: this.layout(factor.args[0], depth + 1),
					exponent: this.layout(exponent, depth + 1),
				});
			else top.push(this.layout(factor, depth + 1));
		}
		const size = coefficient.num < 0n ? Q.negate(coefficient) : coefficient;
		const { above, below } = splitCoefficient(size);
		if (above !== undefined) top.unshift({ kind: "number", text: above });
		if (below !== undefined) bottom.unshift({ kind: "number", text: below });
		const value: Layout =
			bottom.length === 0
				? productOf(top)
				: { kind: "quotient", top: productOf(top), bottom: productOf(bottom) };
		return coefficient.num < 0n ? { kind: "negative", value } : value;
	}

	#power(base: Node, exponent: Q.Rational, depth: number): Layout {
		const value = this.layout(base, depth + 1);
		if (Q.equal(exponent, Q.one)) return value;
		if (Q.equal(exponent, Q.half)) return { kind: "root", value };
		return { kind: "power", base: value, exponent: numberLayout(exponent) };
	}

	/** The highest derivative that stands in a term. */
	#primesOf(root: Node): number {
		visitOnce(
			root,
			(node) => this.#primes.has(node),
			(node) => {
				const own = node.op === "sym" ? /'*$/.exec(node.name!)![0].length : 0;
				this.#primes.set(
					node,
					node.args.reduce((most, arg) => Math.max(most, this.#primes.get(arg)!), own),
				);
			},
		);
		return this.#primes.get(root)!;
	}
}

/** A number as people write it: 0.5, -2, 1/3. */
function numberLayout(value: Q.Rational): Layout {
	if (value.num < 0n) return { kind: "negative", value: numberLayout(Q.negate(value)) };
	const text = Q.toText(value);
	if (!text.includes("/")) return { kind: "number", text };
	const [top, bottom] = text.split("/");
	return { kind: "quotient", top: { kind: "number", text: top }, bottom: { kind: "number", text: bottom } };
}

/** Simple fractions go over and under the line, all others stay decimals: x/2, 3x/4, 0.1x, x/3. */
function splitCoefficient(value: Q.Rational): { above?: string; below?: string } {
	if (Q.equal(value, Q.one)) return {};
	const text = Q.toText(value);
	const simple = value.den <= 12n && value.num <= 99n && value.den % 5n !== 0n;
	if (!text.includes("/") && !(simple && value.den > 1n)) return { above: text };
	return { above: value.num === 1n ? undefined : value.num.toString(), below: value.den.toString() };
}
