/**
 * Where equations are not defined, not smooth, or jump: divisors that may be 0, arguments of logarithms and roots that may not be positive, of
 * arcs that may leave (-1, 1), of tangents at a pole, conditions that may or may not hold. They are found in the graph, so that a message can name
 * them in the words of the model.
 */
import type { Bounds } from "../../../interval/arithmetic.ts";
import { mid } from "../../../interval/measure.ts";
import { IntervalEvaluator } from "../../../lower/interval/evaluate-interval.ts";
import { tapeOf } from "../../../lower/interval/tape.ts";
import type { Graph, Node } from "../../../model/graph.ts";
import { printExpression } from "../../../model/print/expression.ts";
import { symbolsOf, topological } from "../../../model/walk.ts";
import { rangeText } from "./range-text.ts";

type HazardKind = "divisor" | "log" | "power" | "arc" | "tan" | "jump";

interface Hazard {
	readonly kind: HazardKind;
	/** What has to stay where it is defined; the difference of both sides of a condition. */
	readonly node: Node;
	readonly text: string;
	/** What is computed with it: `x'`, or an output. */
	readonly owner: string;
}

/** A hazard that a box of all symbols does not avoid, and the bounds of its expression there. */
export interface Hit {
	readonly hazard: Hazard;
	readonly index: number;
	readonly lo: number;
	readonly hi: number;
}

interface Named {
	readonly name: string;
	readonly node: Node;
}

export class Hazards {
	readonly #hazards: readonly Hazard[];
	readonly #arguments: IntervalEvaluator;
	readonly #bounds: Float64Array;
	readonly #symbols: readonly string[];

	/** Jumps where one of `passed` is 0 are no hazard; without it, none is. */
	constructor(
		graph: Graph,
		expressions: readonly Named[],
		symbols: readonly string[],
		passed?: ReadonlySet<Node>,
	) {
		this.#symbols = symbols;
		this.#hazards = hazardsOf(graph, expressions).filter(
			({ kind, node }) => kind !== "jump" || (passed !== undefined && !passed.has(node)),
		);
		const nodes = this.#hazards.map(({ node }) => node);
		this.#arguments = new IntervalEvaluator(tapeOf(nodes, symbols), true);
		this.#bounds = new Float64Array(2 * nodes.length);
	}

	/** The innermost that a box does not avoid. */
	hit(box: Bounds): Hit | undefined {
		if (this.#hazards.length === 0) return undefined;
		this.#arguments.evaluate(box, this.#bounds);
		for (const [k, hazard] of this.#hazards.entries()) {
			const lo = this.#bounds[2 * k];
			const hi = this.#bounds[2 * k + 1];
			if (!avoids[hazard.kind](lo, hi)) return { hazard, index: k, lo, hi };
		}
		return undefined;
	}

	/** The expression of a hazard for symbols in a box, about. */
	value({ index }: Hit, box: Bounds): number {
		this.#arguments.evaluate(box, this.#bounds);
		return mid(this.#bounds[2 * index], this.#bounds[2 * index + 1]);
	}

	/** In the user's words, with the bounds of the symbols that it is made of. */
	text({ hazard, lo, hi }: Hit, box: Bounds): string {
		const { kind, text, owner, node } = hazard;
		const own = [...symbolsOf([node])].filter((name) => name !== "t" && name !== text).slice(0, 3);
		const parts = own.map((name) => {
			const k = this.#symbols.indexOf(name);
			return `${name} in ${rangeText(box[2 * k], box[2 * k + 1])}`;
		});
		const given = parts.length > 0 ? ` with ${parts.join(", ")}` : "";
		return `${owner} ${sentences[kind](text, `${rangeText(lo, hi)}${given}`)}`;
	}
}

const avoids: Record<HazardKind, (lo: number, hi: number) => boolean> = {
	divisor: (lo, hi) => lo > 0 || hi < 0,
	log: (lo) => lo > 0,
	power: (lo) => lo > 0,
	arc: (lo, hi) => lo > -1 && hi < 1,
	// For a message: how exact the poles are does not matter.
	tan: (lo, hi) => Math.floor(lo / Math.PI - 0.5) === Math.floor(hi / Math.PI - 0.5),
	jump: (lo, hi) => lo > 0 || hi < 0,
};

const sentences: Record<HazardKind, (text: string, range: string) => string> = {
	divisor: (text, range) => `has a division by ${text}, in ${range}, which holds 0`,
	log: (text, range) => `has the logarithm of ${text}, in ${range}, which is not all positive`,
	power: (text, range) => `has a root or power of ${text}, in ${range}, which is not all positive`,
	arc: (text, range) =>
		`has the arc sine or cosine of ${text}, in ${range}, which is not all between -1 and 1`,
	tan: (text, range) => `has the tangent of ${text}, in ${range}, where there is a pole`,
	jump: (text, range) => `jumps where ${text} changes its sign, and that is in ${range}`,
};

function hazardsOf(graph: Graph, expressions: readonly Named[]): Hazard[] {
	const seen = new Set<Node>();
	return expressions.flatMap(({ name: owner, node: root }) =>
		topological([root]).flatMap((node): Hazard[] => {
			const kind = kindOf(node);
			if (!kind || seen.has(node)) return [];
			seen.add(node);
			const [first] = node.args;
			const argument = node.op === "if" ? graph.sub(first.args[0], first.args[1]) : first;
			return [{ kind, node: argument, text: shortened(printExpression(argument)), owner }];
		}),
	);
}

function kindOf({ op, args }: Node): HazardKind | undefined {
	if (op === "log" || op === "tan") return op;
	if (op === "asin" || op === "acos") return "arc";
	if (op === "sign" || (op === "if" && (args[0].op === "lt" || args[0].op === "le"))) return "jump";
	if (op !== "pow") return undefined;
	const exponent = args[1].value;
	if (exponent?.den !== 1n) return "power";
	return exponent.num < 0n ? "divisor" : undefined;
}

function shortened(text: string): string {
	return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
