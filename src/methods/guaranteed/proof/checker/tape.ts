/**
 * Expressions of the model as the checker reads them: sums, products, reciprocals and four functions. Everything else is written by these, or not known. Derivatives are further lines of the
 * same tape.
 */
import type { Node } from "../../../../model/graph.ts";
import { topological } from "../../../../model/walk.ts";
import { type Bounds, fraction, unit } from "./bounds.ts";
import { pi } from "./functions.ts";

export type Line =
	| { readonly op: "constant"; readonly value: Bounds }
	| { readonly op: "symbol"; readonly symbol: number }
	| { readonly op: "add" | "multiply"; readonly a: number; readonly b: number }
	/** Of `sin` and `cos` the partner is the other. */
	| { readonly op: "recip" | "exp" | "log"; readonly a: number }
	| { readonly op: "sin" | "cos"; readonly a: number; readonly partner: number };

/** What the checker does not know. */
export class Unknown extends Error {}

export class Tape {
	readonly lines: Line[] = [];
	readonly #known = new Map<Node, number>();
	readonly #slopes = new Map<string, number | undefined>();

	constructor(readonly symbols: readonly string[]) {}

	/** Lines of some expressions. */
	read(nodes: readonly Node[]): number[] {
		for (const node of topological(nodes))
			if (!this.#known.has(node)) this.#known.set(node, this.#line(node));
		return nodes.map((node) => this.#known.get(node)!);
	}

	put(line: Line): number {
		return this.lines.push(line) - 1;
	}

	symbol(symbol: number): number {
		return this.put({ op: "symbol", symbol });
	}

	constant(value: Bounds): number {
		return this.put({ op: "constant", value });
	}

	add(a: number, b: number): number {
		return this.put({ op: "add", a, b });
	}

	multiply(a: number, b: number): number {
		return this.put({ op: "multiply", a, b });
	}

	#line(node: Node): number {
		const args = node.args.map((arg) => this.#known.get(arg)!);
		const [a] = args;
		switch (node.op) {
			case "const":
				return this.constant(fraction(node.value!.num, node.value!.den));
			case "pi":
				return this.constant(pi);
			case "sym": {
				const symbol = this.symbols.indexOf(node.name!);
				if (symbol < 0) throw new Unknown(`the symbol ${node.name}`);
				return this.symbol(symbol);
			}
			case "add":
				return args.reduce((left, right) => this.add(left, right));
			case "mul":
				return args.reduce((left, right) => this.multiply(left, right));
			case "pow":
				return this.#power(a, args[1], node.args[1]);
			case "exp":
			case "log":
				return this.put({ op: node.op, a });
			case "sin":
				return this.#waves(a)[0];
			case "cos":
				return this.#waves(a)[1];
			case "tan": {
				const [sine, cosine] = this.#waves(a);
				return this.multiply(sine, this.put({ op: "recip", a: cosine }));
			}
			case "tanh": {
				// 1 - 2/(1 + exp(2a)): the argument stands there once.
				const grown = this.put({ op: "exp", a: this.#scaled(2, a) });
				const rest = this.put({ op: "recip", a: this.add(grown, this.constant(unit)) });
				return this.add(this.constant(unit), this.#scaled(-2, rest));
			}
			case "sinh":
			case "cosh": {
				const grown = this.put({ op: "exp", a });
				const shrunk = this.put({ op: "exp", a: this.#scaled(-1, a) });
				return this.#scaled(0.5, this.add(grown, node.op === "cosh" ? shrunk : this.#scaled(-1, shrunk)));
			}
			default:
				throw new Unknown(node.op === "if" ? "if(…)" : `the function ${node.op}`);
		}
	}

	#scaled(by: number, a: number): number {
		return this.multiply(this.constant({ lo: by, hi: by }), a);
	}

	#waves(a: number): [number, number] {
		const sine = this.lines.length;
		this.put({ op: "sin", a, partner: sine + 1 });
		this.put({ op: "cos", a, partner: sine });
		return [sine, sine + 1];
	}

	#power(base: number, exponent: number, node: Node): number {
		const { num, den } = node.value ?? { num: 0n, den: 0n };
		if (den !== 1n || num > 64n || num < -64n)
			return this.put({ op: "exp", a: this.multiply(exponent, this.put({ op: "log", a: base })) });
		const n = Number(num < 0n ? -num : num);
		let whole = base;
		for (let i = 1; i < n; i++) whole = this.multiply(whole, base);
		return num < 0n ? this.put({ op: "recip", a: whole }) : whole;
	}

	/** The line of a derivative, where `seeds` has those of the symbols; undefined where it is 0. `direction` tells seeds apart. */
	slope(line: number, direction: string, seeds: (symbol: number) => number | undefined): number | undefined {
		const key = `${line} ${direction}`;
		if (!this.#slopes.has(key)) this.#slopes.set(key, this.#slope(line, direction, seeds));
		return this.#slopes.get(key);
	}

	#slope(at: number, direction: string, seeds: (symbol: number) => number | undefined): number | undefined {
		const line = this.lines[at];
		const of = (a: number): number | undefined => this.slope(a, direction, seeds);
		const times = (a: number | undefined, factor: () => number): number | undefined =>
			a === undefined ? undefined : this.multiply(factor(), a);
		switch (line.op) {
			case "constant":
				return undefined;
			case "symbol":
				return seeds(line.symbol);
			case "add":
				return this.#sum(of(line.a), of(line.b));
			case "multiply":
				return this.#sum(
					times(of(line.a), () => line.b),
					times(of(line.b), () => line.a),
				);
			case "recip":
				return times(of(line.a), () => this.#scaled(-1, this.multiply(at, at)));
			case "exp":
				return times(of(line.a), () => at);
			case "log":
				return times(of(line.a), () => this.put({ op: "recip", a: line.a }));
			case "sin":
				return times(of(line.a), () => line.partner);
			case "cos":
				return times(of(line.a), () => this.#scaled(-1, line.partner));
		}
	}

	#sum(a: number | undefined, b: number | undefined): number | undefined {
		if (a === undefined || b === undefined) return a ?? b;
		return this.add(a, b);
	}
}
