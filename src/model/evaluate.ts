/** Numeric values of expressions, node by node. For tests, constants and rare use: loops run lowered code. */
import { InternalError } from "../errors.ts";
import {
	acos,
	asin,
	atan,
	cos,
	cosh,
	exp,
	log,
	pow,
	sin,
	sinh,
	tan,
	tanh,
} from "../num/elementary/number.ts";
import type { Node } from "./graph.ts";
import * as Q from "./rational.ts";
import { topological } from "./walk.ts";

/** The value of an unknown function at `args`, differentiated `partials[i]` times by argument i. */
export type FunctionLookup = (name: string, args: readonly number[], partials: readonly number[]) => number;

export function evaluate(
	node: Node,
	symbol: (name: string) => number,
	unknown: FunctionLookup = (name) => {
		throw new InternalError(`no value for the unknown function ${name}`);
	},
): number {
	const values = new Map<Node, number>();
	for (const each of topological([node])) {
		const args = each.args.map((arg) => values.get(arg)!);
		const value =
			each.op === "sym"
				? symbol(each.name!)
				: each.op === "call"
					? unknown(each.name!, args, each.partials!)
					: applyOperation(each, args);
		values.set(each, value);
	}
	return values.get(node)!;
}

/** The value of a node that is neither a symbol nor a call, from the values of its arguments. */
export function applyOperation(node: Node, args: readonly number[]): number {
	const [a, b, c] = args;
	switch (node.op) {
		case "const":
			return Q.toDouble(node.value!);
		case "pi":
			return Math.PI;
		case "add":
			return args.reduce((sum, arg) => sum + arg, 0);
		case "mul":
			return args.reduce((product, arg) => product * arg, 1);
		case "pow":
			return power(node.args[1], a, b);
		case "exp":
			return exp(a);
		case "log":
			return log(a);
		case "sin":
			return sin(a);
		case "cos":
			return cos(a);
		case "tan":
			return tan(a);
		case "asin":
			return asin(a);
		case "acos":
			return acos(a);
		case "atan":
			return atan(a);
		case "sinh":
			return sinh(a);
		case "cosh":
			return cosh(a);
		case "tanh":
			return tanh(a);
		case "abs":
			return Math.abs(a);
		case "sign":
			return Math.sign(a);
		case "floor":
			return Math.floor(a);
		case "min":
			return Math.min(a, b);
		case "max":
			return Math.max(a, b);
		case "lt":
			return a < b ? 1 : 0;
		case "le":
			return a <= b ? 1 : 0;
		case "if":
			return a !== 0 ? b : c;
		case "sym":
		case "call":
			throw new InternalError(`${node.op} ${node.name} has no value of its own`);
	}
}

/** Reciprocals and square roots are correctly rounded where the general power is not. */
function power(exponentNode: Node, base: number, exponent: number): number {
	if (exponentNode.op === "const") {
		if (exponent === -1) return 1 / base;
		if (exponent === 2) return base * base;
		if (exponent === 0.5) return Math.sqrt(base);
	}
	return pow(base, exponent);
}
