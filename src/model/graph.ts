/**
 * Expressions as a hash-consed graph. Equal expressions are the same object, so equality is `===`, sharing is free,
 * and anything computed for a node is computed once. Nodes are made by a `Graph` only, which brings them into a
 * canonical form:
 *
 * - a sum is flat, like terms are collected, terms are in canonical order, its constant comes last;
 * - a product is flat, its rational coefficient comes first, whole powers of equal bases are collected;
 * - there is no subtraction, division, negation or square root: they are sums, products and powers.
 *
 * The order never depends on the order of creation: the same text gives the same graph anywhere.
 */
import { InputError } from "../errors.ts";
import * as Q from "./rational.ts";

export const unaryFunctions = [
	"exp",
	"log",
	"sin",
	"cos",
	"tan",
	"asin",
	"acos",
	"atan",
	"sinh",
	"cosh",
	"tanh",
	"abs",
	"sign",
	"floor",
] as const;
export type UnaryFunction = (typeof unaryFunctions)[number];
export type BinaryFunction = "min" | "max";
/** Conditions: they stand only as the first argument of `if`. */
export type Comparison = "lt" | "le";
export type Op =
	| "const"
	| "pi"
	| "sym"
	| "add"
	| "mul"
	| "pow"
	| UnaryFunction
	| BinaryFunction
	| Comparison
	| "if"
	| "call";

export interface Node {
	readonly op: Op;
	readonly args: readonly Node[];
	/** The value of a `const`. */
	readonly value?: Q.Rational;
	/** The name of a `sym` (`x`, `x'`, `t`, a parameter, …) or of the unknown function of a `call`. */
	readonly name?: string;
	/** For a `call`: how often it is differentiated by each of its arguments. */
	readonly partials?: readonly number[];
	/** Number of nodes of the expression written out as a tree (capped): a measure for ordering, not for cost. */
	readonly size: number;
	/** Order of creation in its graph. */
	readonly id: number;
}

const opRank: Record<Op, number> = Object.fromEntries(
	["const", "pi", "sym", "call", "pow", "mul", "add", ...unaryFunctions, "min", "max", "lt", "le", "if"].map(
		(op, rank) => [op, rank],
	),
) as Record<Op, number>;

const oddFunctions = new Set<Op>(["sin", "tan", "sinh", "tanh", "asin", "atan", "sign"]);
const evenFunctions = new Set<Op>(["cos", "cosh", "abs"]);
const atZero: Partial<Record<Op, Q.Rational>> = {
	exp: Q.one,
	sin: Q.zero,
	cos: Q.one,
	tan: Q.zero,
	asin: Q.zero,
	atan: Q.zero,
	sinh: Q.zero,
	cosh: Q.one,
	tanh: Q.zero,
	abs: Q.zero,
	sign: Q.zero,
	floor: Q.zero,
};

/** An expression grew beyond what can be handled: a text that would blow up stops here. */
export class GraphLimitError extends InputError {
	constructor(problem: string, remedy: string) {
		super("expression", problem, remedy);
	}
}

export class Graph {
	readonly #nodes = new Map<string, Node>();
	#work = 0;
	#workLimit = Number.POSITIVE_INFINITY;
	readonly zero = this.const(Q.zero);
	readonly one = this.const(Q.one);
	readonly minusOne = this.const(Q.minusOne);
	readonly half = this.const(Q.half);
	readonly pi = this.#intern("pi", []);
	readonly t = this.sym("t");

	const(value: Q.Rational | number): Node {
		const exact = typeof value === "number" ? Q.rationalFromDouble(value) : value;
		return this.#intern("const", [], { value: exact });
	}
	sym(name: string): Node {
		return this.#intern("sym", [], { name });
	}
	/** An unknown function at `args`, differentiated `partials[i]` times by argument i. */
	call(name: string, args: readonly Node[], partials: readonly number[] = args.map(() => 0)): Node {
		return this.#intern("call", args, { name, partials });
	}

	/** Until the next call, building may touch at most this many nodes and arguments (`Infinity`: no limit). */
	limitWork(amount: number): void {
		this.#workLimit = this.#work + amount;
	}

	add(...terms: readonly Node[]): Node {
		return this.sum(terms);
	}
	mul(...factors: readonly Node[]): Node {
		return this.product(factors);
	}

	sum(terms: readonly Node[]): Node {
		const sum = new Map<Node, Q.Rational>();
		let constant = Q.zero;
		const collect = (node: Node, scale: Q.Rational): void => {
			this.#spend(1);
			if (node.op === "const") constant = bounded(Q.add(constant, Q.multiply(node.value!, scale)));
			else if (node.op === "add" && isUnit(scale)) for (const term of node.args) collect(term, scale);
			else {
				const { coefficient, rest } = this.#splitCoefficient(node);
				const total = Q.multiply(coefficient, scale);
				if (rest.op === "add" && isUnit(total)) {
					for (const term of rest.args) collect(term, total);
					return;
				}
				sum.set(rest, bounded(Q.add(sum.get(rest) ?? Q.zero, total)));
			}
		};
		for (const term of terms) collect(term, Q.one);
		const kept = [...sum].filter(([, coefficient]) => coefficient.num !== 0n);
		const args = kept
			.sort(([a], [b]) => compareNodes(a, b))
			.map(([rest, coefficient]) => this.#scale(coefficient, rest));
		if (constant.num !== 0n) args.push(this.const(constant));
		if (args.length === 0) return this.zero;
		if (args.length === 1) return args[0];
		// 3(a + b) - 2(a + b) leaves the sum a + b as a term: it is opened, so that a sum is always flat.
		if (kept.some(([rest, coefficient]) => rest.op === "add" && isUnit(coefficient))) return this.sum(args);
		return this.#intern("add", args);
	}

	product(factors: readonly Node[]): Node {
		let coefficient = Q.one;
		const powers = new Map<Node, Q.Rational>();
		const collect = (node: Node): void => {
			this.#spend(1);
			if (node.op === "const") coefficient = bounded(Q.multiply(coefficient, node.value!));
			else if (node.op === "mul") node.args.forEach(collect);
			else {
				const whole = node.op === "pow" && isWhole(node.args[1]);
				const base = whole ? node.args[0] : node;
				const exponent = whole ? node.args[1].value! : Q.one;
				powers.set(base, bounded(Q.add(powers.get(base) ?? Q.zero, exponent)));
			}
		};
		factors.forEach(collect);
		if (coefficient.num === 0n) return this.zero;
		const args: Node[] = [];
		let again = false;
		for (const [base, exponent] of [...powers].sort(([a], [b]) => compareNodes(a, b))) {
			const factor = this.pow(base, this.const(exponent));
			if (factor.op === "const" || factor.op === "mul") again = true;
			if (factor !== this.one) args.push(factor);
		}
		if (again) return this.product([this.const(coefficient), ...args]);
		if (args.length === 0) return this.const(coefficient);
		if (Q.equal(coefficient, Q.one)) return args.length === 1 ? args[0] : this.#intern("mul", args);
		return this.#intern("mul", [this.const(coefficient), ...args]);
	}

	pow(base: Node, exponent: Node): Node {
		if (exponent === this.zero) return this.one;
		if (exponent === this.one || base === this.one) return base;
		if (base.op === "const" && exponent.op === "const") {
			const folded = powerOfConstants(base.value!, exponent.value!);
			if (folded) return this.const(folded);
		}
		if (isWhole(exponent)) {
			const n = exponent.value!.num;
			// (a^p)^n is a^(p·n) for whole p, and for any p where a is a positive number.
			if (base.op === "pow" && (isWhole(base.args[1]) || isPositivePower(base)))
				return this.pow(base.args[0], this.const(bounded(Q.multiply(base.args[1].value!, exponent.value!))));
			if (base.op === "abs" && n % 2n === 0n) return this.pow(base.args[0], exponent);
			// 1/(a·b) is 1/a · 1/b: lowering gathers all reciprocals of a product into one division.
			if (base.op === "mul" && n === -1n)
				return this.product(base.args.map((arg) => this.pow(arg, exponent)));
		}
		return this.#intern("pow", [base, exponent]);
	}

	neg(a: Node): Node {
		return this.mul(this.minusOne, a);
	}
	sub(a: Node, b: Node): Node {
		return this.add(a, this.neg(b));
	}
	div(a: Node, b: Node): Node {
		return this.mul(a, this.pow(b, this.minusOne));
	}
	sqrt(a: Node): Node {
		return this.pow(a, this.half);
	}

	unary(op: UnaryFunction, a: Node): Node {
		if (a === this.zero && atZero[op]) return this.const(atZero[op]);
		if (a === this.one && (op === "log" || op === "acos")) return this.zero;
		if (op === "log" && a.op === "exp") return a.args[0];
		if (a.op === "const") {
			const sign = a.value!.num < 0n ? -1n : 1n;
			if (op === "abs") return this.const(Q.rational(a.value!.num * sign, a.value!.den));
			if (op === "sign") return this.const(Q.rational(sign));
			if (op === "floor") return this.const(Q.floor(a.value!));
		}
		if (this.#splitCoefficient(a).coefficient.num < 0n || (a.op === "const" && a.value!.num < 0n)) {
			if (oddFunctions.has(op)) return this.neg(this.unary(op, this.neg(a)));
			if (evenFunctions.has(op)) return this.unary(op, this.neg(a));
		}
		if (op === "abs" && a.op === "abs") return a;
		return this.#intern(op, [a]);
	}

	binary(op: BinaryFunction, a: Node, b: Node): Node {
		if (a === b) return a;
		if (a.op === "const" && b.op === "const")
			return Q.compare(a.value!, b.value!) < 0 === (op === "min") ? a : b;
		return this.#intern(op, compareNodes(a, b) < 0 ? [a, b] : [b, a]);
	}

	/** `lt`: a < b; `le`: a <= b. Constant comparisons give 1 or 0. */
	compare(op: Comparison, a: Node, b: Node): Node {
		if (a.op === "const" && b.op === "const") {
			const order = Q.compare(a.value!, b.value!);
			return order < 0 || (op === "le" && order === 0) ? this.one : this.zero;
		}
		return this.#intern(op, [a, b]);
	}

	if(condition: Node, yes: Node, no: Node): Node {
		if (yes === no || condition === this.one) return yes;
		if (condition === this.zero) return no;
		return this.#intern("if", [condition, yes, no]);
	}

	/** The same operation on other arguments, brought into canonical form again. */
	rebuild(node: Node, args: readonly Node[]): Node {
		switch (node.op) {
			case "const":
			case "pi":
			case "sym":
				return this.#intern(node.op, [], node);
			case "add":
				return this.sum(args);
			case "mul":
				return this.product(args);
			case "pow":
				return this.pow(args[0], args[1]);
			case "min":
			case "max":
				return this.binary(node.op, args[0], args[1]);
			case "lt":
			case "le":
				return this.compare(node.op, args[0], args[1]);
			case "if":
				return this.if(args[0], args[1], args[2]);
			case "call":
				return this.call(node.name!, args, node.partials);
			default:
				return this.unary(node.op, args[0]);
		}
	}

	#splitCoefficient(node: Node): { coefficient: Q.Rational; rest: Node } {
		if (node.op !== "mul" || node.args[0].op !== "const") return { coefficient: Q.one, rest: node };
		const others = node.args.slice(1);
		return {
			coefficient: node.args[0].value!,
			rest: others.length === 1 ? others[0] : this.#intern("mul", others),
		};
	}

	/** coefficient · rest, where rest carries no coefficient of its own. */
	#scale(coefficient: Q.Rational, rest: Node): Node {
		if (Q.equal(coefficient, Q.one)) return rest;
		const factors = rest.op === "mul" ? rest.args : [rest];
		return this.#intern("mul", [this.const(coefficient), ...factors]);
	}

	#spend(amount: number): void {
		this.#work += amount;
		if (this.#work > this.#workLimit)
			throw new GraphLimitError(
				"grows beyond what can be handled when it is written out",
				"Split the model, or write it with fewer nested definitions.",
			);
	}

	#intern(
		op: Op,
		args: readonly Node[],
		leaf: { value?: Q.Rational; name?: string; partials?: readonly number[] } = {},
	): Node {
		const own = leaf.value ? `${leaf.value.num}/${leaf.value.den}` : (leaf.name ?? "");
		const key = `${op}:${own}:${leaf.partials ?? ""}:${args.map((arg) => arg.id).join()}`;
		let node = this.#nodes.get(key);
		if (!node) {
			this.#spend(args.length + 1);
			const size = Math.min(
				args.reduce((sum, arg) => sum + arg.size, 1),
				1e15,
			);
			node = Object.freeze({ op, args, ...leaf, size, id: this.#nodes.size });
			this.#nodes.set(key, node);
		}
		return node;
	}
}

/** Whether a node is a constant whole number. */
export function isWhole(node: Node): boolean {
	return node.op === "const" && Q.isInteger(node.value!);
}

/** The canonical order of expressions of one graph: constants, symbols by name, then by operation, size and arguments. */
export function compareNodes(a: Node, b: Node): number {
	let [left, right] = [a, b];
	// Different nodes differ in themselves or in an argument, and equal ones are the same object: one path leads down.
	while (left !== right) {
		if (left.op !== right.op) return opRank[left.op] - opRank[right.op];
		if (left.value) return Q.compare(left.value, right.value!);
		if (left.name !== right.name) return left.name! < right.name! ? -1 : 1;
		if (left.size !== right.size) return left.size - right.size;
		if (left.args.length !== right.args.length) return left.args.length - right.args.length;
		const differs = left.args.findIndex((arg, i) => arg !== right.args[i]);
		if (differs < 0) return comparePartials(left, right);
		[left, right] = [left.args[differs], right.args[differs]];
	}
	return 0;
}

function comparePartials(a: Node, b: Node): number {
	const differs = a.partials?.findIndex((count, i) => count !== b.partials![i]) ?? -1;
	return differs < 0 ? 0 : a.partials![differs] - b.partials![differs];
}

function isUnit(a: Q.Rational): boolean {
	return a.den === 1n && (a.num === 1n || a.num === -1n);
}

function isPositivePower(node: Node): boolean {
	const [base, exponent] = node.args;
	return base.op === "const" && base.value!.num > 0n && exponent.op === "const";
}

/** Whole powers, half powers where the root is rational, and powers of zero. */
function powerOfConstants(base: Q.Rational, exponent: Q.Rational): Q.Rational | undefined {
	if (Q.isInteger(exponent)) return Q.power(base, exponent.num);
	if (base.num === 0n) return exponent.num > 0n ? Q.zero : undefined;
	if (exponent.den !== 2n) return undefined;
	const root = Q.squareRoot(base);
	return root && Q.power(root, exponent.num);
}

/** Constants are kept exactly; one that needs thousands of digits for it is no number of a model. */
function bounded(a: Q.Rational): Q.Rational {
	if (!Q.fits(a))
		throw new GraphLimitError(
			"holds a constant with too many digits to be kept exactly",
			"Use numbers of ordinary size.",
		);
	return a;
}
