/** Expressions and equations as text. */
import type { Node } from "../graph.ts";
import type { Equation } from "../model.ts";
import { type InfixStyle, infix } from "./infix.ts";
import type { Layout } from "./layout.ts";
import { layoutOfNode } from "./node-layout.ts";
import { layoutOfSyntax } from "./syntax-layout.ts";

/** In the model language: read again, it is the same expression (unless it is so large that parts are left out). */
export function printExpression(node: Node): string {
	return infix(layoutOfNode(node, { exact: true }), "language");
}

/** For terminals: `m·x'' + k3·x³`. */
export function toPlain(node: Node): string {
	return infix(layoutOfNode(node, { exact: false }), "plain");
}

export function printEquation(equation: Equation): string {
	return inStyle(equation, "language");
}

export function equationToPlain(equation: Equation): string {
	return inStyle(equation, "plain");
}

/** As the user wrote it where that is known. */
export function equationLayouts(equation: Equation, exact: boolean): { left: Layout; right: Layout } {
	const { left, right, written } = equation;
	return written
		? { left: layoutOfSyntax(written.left), right: layoutOfSyntax(written.right) }
		: { left: layoutOfNode(left, { exact }), right: layoutOfNode(right, { exact }) };
}

function inStyle(equation: Equation, style: InfixStyle): string {
	const { left, right } = equationLayouts(equation, style === "language");
	return `${infix(left, style)} = ${infix(right, style)}`;
}
