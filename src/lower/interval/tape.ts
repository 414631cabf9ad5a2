/**
 * An expression graph as a tape: one instruction a slot, arguments before their use. The same tape is read in interval
 * arithmetic, as time series of polynomials, and in Taylor models. It is interpreted, so it runs where nothing may be
 * generated. Numbers of the text are exact fractions and are read outward.
 */
import { fromRational, pi } from "../../interval/exact.ts";
import type { Interval } from "../../interval/interval.ts";
import type { Node } from "../../model/graph.ts";
import * as Q from "../../model/rational.ts";
import { topological } from "../../model/walk.ts";

export type TapeOp =
	| "const"
	| "sym"
	| "add"
	| "mul"
	/** `value`·a */
	| "scale"
	/** a^n, n >= 2 */
	| "powInt"
	| "recip"
	/** a^value for a positive a */
	| "pow"
	| "exp"
	| "log"
	| "sin"
	| "cos"
	/** b holds the derivative of the function at a, for time series. */
	| "atan"
	| "asin"
	| "tan"
	| "sinh"
	| "cosh"
	| "tanh"
	| "acos"
	| "abs"
	| "sign"
	| "min"
	| "max"
	/** a < b (or a <= b, where n is 1), then c, else d */
	| "if";

export interface Instruction {
	readonly op: TapeOp;
	readonly a: number;
	readonly b: number;
	readonly c: number;
	readonly d: number;
	/** Whole exponent, position of a symbol, or kind of comparison or logarithm. */
	readonly n: number;
	readonly value: Interval;
}

export interface Tape {
	readonly symbols: readonly string[];
	readonly instructions: readonly Instruction[];
	/** Slots of the expressions asked for. */
	readonly outputs: readonly number[];
}

/** Kind of a logarithm that no one wrote, and of the exponential of its product, whose b is the base: at whole exponents negative bases have powers as well. */
export const ofPower = 1;

const nothing: Interval = { lo: 0, hi: 0 };
const oneInterval: Interval = { lo: 1, hi: 1 };

export interface TapeOptions {
	/** Give arcs the slot of their slope, which series in time need, and write acos by asin. */
	readonly smooth: boolean;
}

/** The tape of `nodes`, whose symbols all are in `symbols`. */
export function tapeOf(
	nodes: readonly Node[],
	symbols: readonly string[],
	{ smooth }: TapeOptions = { smooth: false },
): Tape {
	const instructions: Instruction[] = [];
	const slotOf = new Map<Node, number>();
	const put = (op: TapeOp, a = 0, b = 0, rest: Partial<Instruction> = {}): number =>
		instructions.push({ op, a, b, c: 0, d: 0, n: 0, value: nothing, ...rest }) - 1;
	const constant = (value: Interval): number => put("const", 0, 0, { value });
	const scale = (value: Interval, a: number): number => put("scale", a, 0, { value });

	const power = (base: number, exponent: Node): number => {
		if (exponent.op !== "const") {
			const logarithm = put("log", base, 0, { n: ofPower });
			return put("exp", put("mul", slotOf.get(exponent)!, logarithm), base, { n: ofPower });
		}
		const { num, den } = exponent.value!;
		if (den === 1n && num > -1000n && num < 1000n) {
			const n = Number(num < 0n ? -num : num);
			const whole = n === 1 ? base : put("powInt", base, 0, { n });
			return num < 0n ? put("recip", whole) : whole;
		}
		return put("pow", base, 0, { value: fromRational(exponent.value!) });
	};
	const unary = (op: string, a: number): number => {
		if (op === "floor") throw new RangeError("floor has no enclosure.");
		switch (smooth ? op : "") {
			case "atan":
				return put("atan", a, put("recip", put("add", put("powInt", a, 0, { n: 2 }), constant(oneInterval))));
			case "asin":
			case "acos": {
				const square = scale({ lo: -1, hi: -1 }, put("powInt", a, 0, { n: 2 }));
				const slope = put("pow", put("add", square, constant(oneInterval)), 0, {
					value: { lo: -0.5, hi: -0.5 },
				});
				const arc = put("asin", a, slope);
				if (op === "asin") return arc;
				return put("add", constant({ lo: pi.lo / 2, hi: pi.hi / 2 }), scale({ lo: -1, hi: -1 }, arc));
			}
			default:
				return put(op as TapeOp, a);
		}
	};
	const slot = (node: Node): number => {
		const args = node.args.map((arg) => slotOf.get(arg)!);
		switch (node.op) {
			case "const":
				return constant(fromRational(node.value!));
			case "pi":
				return constant(pi);
			case "sym": {
				const n = symbols.indexOf(node.name!);
				if (n < 0) throw new RangeError(`The symbol ${node.name} has no value on this tape.`);
				return put("sym", 0, 0, { n });
			}
			case "add":
				return args.reduce((sum, arg) => put("add", sum, arg));
			case "mul": {
				const [first, ...rest] = node.args;
				if (first.op !== "const") return args.reduce((product, arg) => put("mul", product, arg));
				const product = rest.map((arg) => slotOf.get(arg)!).reduce((left, arg) => put("mul", left, arg));
				return Q.equal(first.value!, Q.one) ? product : scale(fromRational(first.value!), product);
			}
			case "pow":
				return power(args[0], node.args[1]);
			case "min":
			case "max":
				return put(node.op, args[0], args[1]);
			case "lt":
			case "le":
				return -1;
			case "if": {
				const [a, b] = node.args[0].args.map((arg) => slotOf.get(arg)!);
				return put("if", a, b, { c: args[1], d: args[2], n: node.args[0].op === "le" ? 1 : 0 });
			}
			case "call":
				throw new RangeError(`The function ${node.name} is unknown and has no enclosure.`);
			default:
				return unary(node.op, args[0]);
		}
	};
	for (const node of topological(nodes)) slotOf.set(node, slot(node));
	return { symbols, instructions, outputs: nodes.map((node) => slotOf.get(node)!) };
}
