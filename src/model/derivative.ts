/**
 * Symbolic derivatives. A kink (abs, sign, min, max, if) is differentiated on either side of it; at the kink itself
 * the derivative is that of the branch that is taken, and sign has derivative 0.
 */
import { Dependence } from "./dependence.ts";
import type { Graph, Node } from "./graph.ts";
import { visitOnce } from "./walk.ts";

/** d node / d symbol, where a symbol is known by its name. Memoised: one `Differentiator` serves many calls. */
export class Differentiator {
	readonly #memo = new Map<string, Map<Node, Node>>();
	readonly #dependence = new Dependence();
	constructor(readonly graph: Graph) {}

	derivative(node: Node, symbol: string): Node {
		let memo = this.#memo.get(symbol);
		if (!memo) this.#memo.set(symbol, (memo = new Map()));
		const known = (each: Node) => this.#known(each, symbol, memo);
		visitOnce(
			node,
			(each) => known(each) !== undefined,
			(each) =>
				memo.set(
					each,
					this.#rule(each, symbol, (arg) => known(arg)!),
				),
		);
		return known(node)!;
	}

	/** Row-major Jacobian: nodes.length × symbols.length. */
	jacobian(nodes: readonly Node[], symbols: readonly string[]): Node[] {
		return nodes.flatMap((node) => symbols.map((symbol) => this.derivative(node, symbol)));
	}

	/** The derivative of `node` along a direction: Σ ∂node/∂symbol · direction. */
	directional(node: Node, symbols: readonly string[], direction: readonly Node[]): Node {
		const g = this.graph;
		return g.sum(symbols.map((symbol, i) => g.mul(this.derivative(node, symbol), direction[i])));
	}

	/** What needs no work: zero where the symbol does not occur, or a result from before. */
	#known(node: Node, symbol: string, memo: Map<Node, Node>): Node | undefined {
		return this.#dependence.has(node, symbol) ? memo.get(node) : this.graph.zero;
	}

	#rule(node: Node, symbol: string, d: (arg: Node) => Node): Node {
		const g = this.graph;
		const [a, b, c] = node.args;
		const chain = (outer: () => Node): Node => {
			const inner = d(a);
			return inner === g.zero ? g.zero : g.mul(outer(), inner);
		};
		switch (node.op) {
			case "const":
			case "pi":
				return g.zero;
			case "sym":
				return node.name === symbol ? g.one : g.zero;
			case "add":
				return g.sum(node.args.map(d));
			case "mul":
				return g.sum(
					node.args.map((arg, i) => {
						const inner = d(arg);
						return inner === g.zero ? inner : g.product(node.args.with(i, inner));
					}),
				);
			case "pow":
				return this.#power(node, d);
			case "exp":
				return chain(() => node);
			case "log":
				return chain(() => g.pow(a, g.minusOne));
			case "sin":
				return chain(() => g.unary("cos", a));
			case "cos":
				return chain(() => g.neg(g.unary("sin", a)));
			case "tan":
				return chain(() => g.add(g.one, g.mul(node, node)));
			case "asin":
				return chain(() => g.pow(this.#oneMinusSquare(a), g.neg(g.half)));
			case "acos":
				return chain(() => g.neg(g.pow(this.#oneMinusSquare(a), g.neg(g.half))));
			case "atan":
				return chain(() => g.pow(g.add(g.one, g.mul(a, a)), g.minusOne));
			case "sinh":
				return chain(() => g.unary("cosh", a));
			case "cosh":
				return chain(() => g.unary("sinh", a));
			case "tanh":
				// Not 1 - tanh(a)²: where that is small it is all rounding, and a solver takes rounding for a rough field.
				return chain(() => g.pow(g.unary("cosh", a), g.const(-2)));
			case "abs":
				return chain(() => g.unary("sign", a));
			case "sign":
			case "floor":
			case "lt":
			case "le":
				return g.zero;
			case "min":
				return g.if(g.compare("lt", a, b), d(a), d(b));
			case "max":
				return g.if(g.compare("lt", b, a), d(a), d(b));
			case "if":
				return g.if(a, d(b), d(c));
			case "call":
				return g.sum(
					node.args.map((arg, i) => {
						const partials = node.partials!.map((count, j) => (i === j ? count + 1 : count));
						return g.mul(g.call(node.name!, node.args, partials), d(arg));
					}),
				);
		}
	}

	#power(node: Node, d: (arg: Node) => Node): Node {
		const g = this.graph;
		const [base, exponent] = node.args;
		const dBase = d(base);
		const byBase = dBase === g.zero ? g.zero : g.mul(exponent, g.pow(base, g.sub(exponent, g.one)), dBase);
		if (exponent.op === "const") return byBase;
		const dExponent = d(exponent);
		return dExponent === g.zero ? byBase : g.add(byBase, g.mul(this.#powerLog(node, base), dExponent));
	}

	/** base^exponent · log(base), which is 0 at a base of 0: x^n must have a derivative by n where x starts at 0. */
	#powerLog(node: Node, base: Node): Node {
		const g = this.graph;
		const product = g.mul(node, g.unary("log", base));
		const positive = base.op === "exp" || base.op === "cosh" || base.op === "pi";
		return positive ? product : g.if(g.compare("le", base, g.zero), g.zero, product);
	}

	#oneMinusSquare(a: Node): Node {
		return this.graph.sub(this.graph.one, this.graph.mul(a, a));
	}
}
