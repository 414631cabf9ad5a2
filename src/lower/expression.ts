/**
 * Graph expressions as straight-line code. The graph has no subtraction, division or square root; they come back here:
 * terms with negative coefficients are subtracted, the reciprocals of a product become one division, half powers are
 * square roots and small whole powers repeated multiplication.
 *
 * Symbols may have ranks (a parameter is set once, the time once a step, a state once a stage). Sums and products are
 * folded rank by rank, lowest first, so that what depends on low ranks only can be computed once, outside the loop,
 * and shared: in (k/m)·x the division is done once a run.
 */
import { InternalError } from "../errors.ts";
import type { Node } from "../model/graph.ts";
import * as Q from "../model/rational.ts";
import { topological } from "../model/walk.ts";
import { squared } from "../num/whole-power.ts";
import type { Builder, Value } from "./builder.ts";

/** A value, or its negative: signs are carried along until they are needed or cancel. */
interface Signed {
	readonly value: Value;
	readonly negative: boolean;
}
/** What a sum or product collects of one rank. */
interface Part {
	readonly up: Value[];
	readonly down: Value[];
}

const largestRepeated = 64n;

/** Values of symbols, each made once, when it is first asked for; `known` are there already. */
export function madeOnce(
	known: ReadonlyMap<string, Value>,
	symbols: ReadonlyMap<string, () => Value>,
): (name: string) => Value {
	const values = new Map(known);
	return (name) => {
		let value = values.get(name);
		if (!value) values.set(name, (value = symbols.get(name)!()));
		return value;
	};
}

export class ExpressionLowering {
	readonly #known = new Map<Node, Signed>();
	readonly #ranks = new Map<Node, number>();

	constructor(
		readonly builder: Builder,
		readonly symbol: (name: string) => Value,
		readonly rank: (name: string) => number = () => 0,
	) {}

	lower(roots: readonly Node[]): Value[] {
		for (const node of topological(roots)) this.#visit(node);
		return roots.map((root) => this.#plain(root));
	}

	/** Computes here and now what of `roots` depends on symbols up to `rank` only. */
	hoist(roots: readonly Node[], rank: number): void {
		for (const node of topological(roots))
			if (node.args.length > 0) {
				if (this.#rankOf(node) <= rank) this.#visit(node);
				else if (node.op === "add") this.#sum(node, rank);
				else if (node.op === "mul" || node.op === "pow") this.#product(node, rank);
			}
	}

	/** Conditions have no value of their own: the `if` that uses them lowers them. */
	#visit(node: Node): void {
		if (node.op !== "lt" && node.op !== "le") this.#of(node);
	}

	/** A node that was not met yet is lowered here: what is hoisted passes over leaves, which the loop may need alone. */
	#of(node: Node): Signed {
		let known = this.#known.get(node);
		if (!known) this.#known.set(node, (known = this.#signed(node)));
		return known;
	}

	#signed(node: Node): Signed {
		const b = this.builder;
		const plain = (value: Value): Signed => ({ value, negative: false });
		switch (node.op) {
			case "const": {
				const x = Q.toDouble(node.value!);
				return { value: b.constant(Math.abs(x)), negative: x < 0 };
			}
			case "pi":
				return plain(b.constant(Math.PI));
			case "sym":
				return plain(this.symbol(node.name!));
			case "add":
				return this.#sum(node, Number.POSITIVE_INFINITY)!;
			case "mul":
			case "pow":
				return this.#product(node, Number.POSITIVE_INFINITY)!;
			case "abs":
				return plain(b.abs(this.#of(node.args[0]).value));
			case "sign":
				return plain(sign(b, this.#plain(node.args[0])));
			case "floor":
				return plain(floor(b, this.#plain(node.args[0])));
			case "min":
				return plain(smaller(b, this.#plain(node.args[0]), this.#plain(node.args[1]), false));
			case "max":
				return plain(smaller(b, this.#plain(node.args[0]), this.#plain(node.args[1]), true));
			case "if": {
				const [condition, yes, no] = node.args;
				return plain(b.select(this.#condition(condition), this.#plain(yes), this.#plain(no)));
			}
			case "lt":
			case "le":
				throw new InternalError("a condition is no number", node.op);
			case "call":
				throw new InternalError(`the unknown function ${node.name} cannot be lowered to code`, node.name);
			default:
				return plain(b.call(node.op, this.#plain(node.args[0])));
		}
	}

	#plain(node: Node): Value {
		const { value, negative } = this.#of(node);
		return negative ? this.builder.neg(value) : value;
	}

	#condition(node: Node): Value {
		if (node.op !== "lt" && node.op !== "le") throw new InternalError("not a condition", node.op);
		return this.builder[node.op](this.#plain(node.args[0]), this.#plain(node.args[1]));
	}

	/** The sum of the terms up to `rank`; `undefined` when there are none. */
	#sum(node: Node, rank: number): Signed | undefined {
		const b = this.builder;
		const parts = new Ranked();
		for (const term of node.args) {
			if (this.#rankOf(term) > rank) continue;
			const { value, negative } = this.#of(term);
			parts.at(this.#rankOf(term))[negative ? "down" : "up"].push(value);
		}
		let total: Signed | undefined;
		for (const { up, down } of parts.inOrder()) {
			if (total) (total.negative ? down : up).unshift(total.value);
			const plus = tree(up, (p, q) => b.add(p, q));
			const minus = tree(down, (p, q) => b.add(p, q));
			if (plus && minus) total = { value: b.sub(plus, minus), negative: false };
			else total = { value: (plus ?? minus)!, negative: !plus };
		}
		return total;
	}

	/** The product of the factors up to `rank`; `undefined` when there are none. */
	#product(node: Node, rank: number): Signed | undefined {
		const b = this.builder;
		const parts = new Ranked();
		let negative = false;
		for (const factor of node.op === "mul" ? node.args : [node]) {
			if (this.#rankOf(factor) > rank) continue;
			negative = this.#factor(factor, parts.at(this.#rankOf(factor))) !== negative;
		}
		let total: Value | undefined;
		for (const { up, down } of parts.inOrder()) {
			if (total) up.unshift(total);
			const over = tree(up, (p, q) => b.mul(p, q));
			const under = tree(down, (p, q) => b.mul(p, q));
			total = under ? b.div(over ?? b.constant(1), under) : (over ?? b.constant(1));
		}
		return total && { value: total, negative };
	}

	/** Puts a factor's numerators and denominators into `part`; says whether it is negative. */
	#factor(factor: Node, part: Part): boolean {
		const b = this.builder;
		if (factor.op !== "pow") {
			const { value, negative } = this.#of(factor);
			if (factor.op !== "const" || squared(Q.toDouble(factor.value!)) !== 1) part.up.push(value);
			return negative;
		}
		const [base, exponent] = factor.args;
		const halves = exponent.op === "const" ? halfSteps(exponent.value!) : undefined;
		if (halves === undefined) {
			part.up.push(b.call("pow", this.#plain(base), this.#plain(exponent)));
			return false;
		}
		const size = halves < 0n ? -halves : halves;
		const side = halves < 0n ? part.down : part.up;
		if (size % 2n === 1n) {
			const value = this.#plain(base);
			if (size > 1n) side.push(power(b, value, size / 2n));
			side.push(b.sqrt(value));
			return false;
		}
		const { value, negative } = this.#of(base);
		side.push(power(b, value, size / 2n));
		return negative && size % 4n === 2n;
	}

	#rankOf(node: Node): number {
		let rank = this.#ranks.get(node);
		if (rank === undefined) {
			rank = node.op === "sym" ? this.rank(node.name!) : 0;
			for (const arg of node.args) rank = Math.max(rank, this.#rankOf(arg));
			this.#ranks.set(node, rank);
		}
		return rank;
	}
}

class Ranked {
	readonly #parts = new Map<number, Part>();
	at(rank: number): Part {
		let part = this.#parts.get(rank);
		if (!part) this.#parts.set(rank, (part = { up: [], down: [] }));
		return part;
	}
	inOrder(): Part[] {
		return [...this.#parts]
			.sort(([a], [b]) => a - b)
			.map(([, part]) => part)
			.filter(({ up, down }) => up.length + down.length > 0);
	}
}

/** Twice an exponent that is a small multiple of 1/2, else `undefined`. */
function halfSteps(exponent: Q.Rational): bigint | undefined {
	if (exponent.den > 2n) return undefined;
	const halves = exponent.num * (2n / exponent.den);
	return halves <= 2n * largestRepeated && halves >= -2n * largestRepeated ? halves : undefined;
}

function power(b: Builder, x: Value, n: bigint): Value {
	if (n === 1n) return x;
	if (n % 2n === 1n) return b.mul(power(b, x, n - 1n), x);
	const root = power(b, x, n / 2n);
	return b.mul(root, root);
}

/** Folds neighbours in pairs: a short chain of operations, and a fixed order. */
function tree(values: readonly Value[], fold: (a: Value, b: Value) => Value): Value | undefined {
	let level = values;
	while (level.length > 1) {
		const next: Value[] = [];
		for (let i = 0; i + 1 < level.length; i += 2) next.push(fold(level[i], level[i + 1]));
		if (level.length % 2 === 1) next.push(level[level.length - 1]);
		level = next;
	}
	return level[0];
}

/** 1, -1, or x itself where it is zero or not a number. */
function sign(b: Builder, x: Value): Value {
	const zero = b.constant(0);
	return b.select(b.lt(zero, x), b.constant(1), b.select(b.lt(x, zero), b.constant(-1), x));
}

/** The largest whole number up to x, by operations that every backend rounds alike; beyond 2^52 every double is whole. */
function floor(b: Builder, x: Value): Value {
	const large = b.constant(2 ** 52);
	const size = b.abs(x);
	const nearest = b.copysign(b.sub(b.add(size, large), large), x);
	const down = b.select(b.lt(x, nearest), b.sub(nearest, b.constant(1)), nearest);
	return b.select(b.lt(size, large), down, x);
}

/** min(x, y), or max: the derivative's choice where they are equal (y), and never a number where one is NaN. */
function smaller(b: Builder, x: Value, y: Value, larger: boolean): Value {
	const strict = larger ? b.lt(y, x) : b.lt(x, y);
	const weak = larger ? b.le(x, y) : b.le(y, x);
	return b.select(strict, x, b.select(weak, y, b.add(x, y)));
}
