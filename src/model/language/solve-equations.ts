/**
 * The equations solved for their highest derivatives. Those that depend on one another are solved together, as a
 * linear system; what they need of others is solved before and put in.
 */
import { type Graph, GraphLimitError, type Node } from "../graph.ts";
import { type AffineForm, affineIn } from "../structure/affine.ts";
import { vanishes } from "../structure/identity.ts";
import { solveLinear } from "../structure/linear-solve.ts";
import { strongComponents } from "../structure/strong-components.ts";
import { substitute, symbolsOf } from "../walk.ts";
import type { Orders } from "./orders.ts";
import type { Reporter } from "./reporter.ts";
import { limits } from "./syntax/limits.ts";
import { type EquationSyntax, placeOf } from "./syntax/syntax.ts";

/** Both sides, with all that is exactly known folded in. */
export interface FoldedEquation {
	readonly left: Node;
	readonly right: Node;
	readonly syntax: EquationSyntax;
}

/**
 * Highest derivatives (`x''`) with what they are equal to; `undefined` when something is wrong. Equations that could not be
 * read (undefined) or that determine no state are passed over, so that the others are checked all the same.
 */
export function solveEquations(
	graph: Graph,
	equations: readonly (FoldedEquation | undefined)[],
	{ orderOf, stateOf, highestIn, whole }: Orders,
	varies: (symbol: string) => boolean,
	reporter: Reporter,
): Map<string, Node> | undefined {
	const equationOf = new Map(stateOf.map((state, e) => [state, e]));
	const highest = (state: string): string => state + "'".repeat(orderOf.get(state)!);
	const solved = new Map<string, Node>();
	const blocks = strongComponents(equations.length, (e) =>
		highestIn[e].flatMap((state) => equationOf.get(state) ?? []),
	);
	let right = whole;
	for (const block of blocks) {
		const unknowns = block.flatMap((e) => (stateOf[e] === undefined ? [] : [highest(stateOf[e])]));
		const own = block.flatMap((e) => equations[e] ?? []);
		const answer =
			own.length === block.length && unknowns.length === block.length ? solveBlock(own, unknowns) : undefined;
		right &&= answer !== undefined;
		// Later blocks may use what could not be found: it stands for itself, so that they are checked too.
		answer?.forEach((node, i) => {
			solved.set(unknowns[i], node);
		});
	}
	return right ? solved : undefined;

	function solveBlock(block: readonly FoldedEquation[], unknowns: readonly string[]): Node[] | undefined {
		if (block.length > limits.coupled) {
			const message = `more than ${limits.coupled} equations depend on each other's highest derivatives`;
			reporter.report(
				block[0].syntax.span,
				message,
				"Write them solved, one derivative on the left of each.",
			);
			return undefined;
		}
		try {
			const explicit = explicitRight(block, unknowns);
			if (explicit) return [explicit];
			const forms = block.map((equation) => affineForm(equation, unknowns));
			if (!forms.every((form) => form !== undefined)) return undefined;
			if (block.length === 1) return solveOne(block[0], unknowns[0], forms[0]);
			const zero = graph.zero;
			const answer = solveLinear(
				graph,
				forms.map(({ coefficients }) => unknowns.map((name) => coefficients.get(name) ?? zero)),
				forms.map(({ offset }) => negated(offset)),
				varies,
			);
			if (!answer) {
				const message = `these equations do not determine ${unknowns.join(" and ")}`;
				const remedy =
					"Their highest derivatives stand in them in the same combination. Check the coefficients.";
				reporter.report(block[0].syntax.span, message, remedy);
			}
			return answer;
		} catch (error) {
			if (!(error instanceof GraphLimitError)) throw error;
			reporter.report(block[0].syntax.span, `this equation ${error.problem}`, error.remedy);
			return undefined;
		}
	}

	/** `x' = …` needs no solving. */
	function explicitRight(block: readonly FoldedEquation[], unknowns: readonly string[]): Node | undefined {
		const [{ left, right }] = block;
		if (block.length > 1 || left.op !== "sym" || left.name !== unknowns[0]) return undefined;
		const [answer] = substitute(graph, [right], solved);
		return symbolsOf([answer]).has(unknowns[0]) ? undefined : answer;
	}

	function affineForm(equation: FoldedEquation, unknowns: readonly string[]): AffineForm | undefined {
		const [residual] = substitute(graph, [graph.sub(equation.left, equation.right)], solved);
		const form = affineIn(graph, residual, unknowns);
		if (form) return form;
		const guilty = unknowns.find((name) => !affineIn(graph, residual, [name])) ?? unknowns[0];
		const { syntax } = equation;
		reporter.report(
			placeOf(guilty, [syntax.left, syntax.right]) ?? syntax.span,
			unknowns.length === 1
				? `this equation is not linear in its highest derivative ${guilty}`
				: `an algebraic loop: ${unknowns.join(", ")} depend on one another, and not linearly`,
			unknowns.length === 1
				? `Solve it for ${guilty} by hand:  ${guilty} = …`
				: `Solve these equations for ${unknowns.join(" and ")} by hand.`,
		);
		return undefined;
	}

	function solveOne({ syntax }: FoldedEquation, unknown: string, form: AffineForm): Node[] | undefined {
		const coefficient = form.coefficients.get(unknown) ?? graph.zero;
		if (coefficient === graph.zero || vanishes(coefficient)) {
			reporter.report(
				placeOf(unknown, [syntax.left, syntax.right]) ?? syntax.span,
				`the coefficient of the highest derivative ${unknown} is zero`,
				`Change what makes it zero, or take ${unknown} out of the equation.`,
			);
			return undefined;
		}
		const negative = leadingSign(coefficient) < 0;
		const [top, bottom] = negative
			? [form.offset, negated(coefficient)]
			: [negated(form.offset), coefficient];
		return [graph.div(top, bottom)];
	}

	/** With the sign in the terms of a sum, not in front of it. */
	function negated(node: Node): Node {
		return graph.sum([graph.neg(node)]);
	}
}

function leadingSign(node: Node): number {
	const [first] = node.op === "mul" ? node.args : [node];
	return first.op === "const" && first.value!.num < 0n ? -1 : 1;
}
