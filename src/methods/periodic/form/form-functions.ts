/** The parts of a recognised model as compiled functions, with the derivatives that the representation needs. */
import { type CompiledFunction, compileFunction } from "../../../lower/compile-function.ts";
import { Dependence } from "../../../model/dependence.ts";
import { Differentiator } from "../../../model/derivative.ts";
import type { Node } from "../../../model/graph.ts";
import type { PeriodicForm } from "./form.ts";

/** A pair (α, w), a row of a loop and its w, or the rows of g at a node: values, then derivatives in the order that `by` tells. */
export interface Block {
	/** Number of expressions. */
	readonly count: number;
	/** Unknowns (positions in λ) and hidden states (positions) that they depend on. */
	readonly lambda: readonly number[];
	readonly hidden: readonly number[];
	/** (y, u, q, λ, out): values only. */
	readonly values: CompiledFunction;
	/** (y, u, q, λ, out): values, then for each of `lambda`, each of `hidden`, and y, the derivatives of all expressions. */
	readonly withDerivatives: CompiledFunction;
	readonly length: number;
}

export interface FormFunctions {
	readonly hidden: readonly Block[];
	readonly g: Block;
	/** (y, u, out): for each closure its coefficient and the derivative of it by y; in the order of the hidden states. */
	readonly closureCoefficient: readonly (CompiledFunction | undefined)[];
	/** (y, u, constants, out): n × r regressors, then their derivatives by y. */
	readonly regressors: CompiledFunction;
}

export function formFunctions(form: PeriodicForm): FormFunctions {
	const { graph, output, drives, hidden, lambda, constants, terms } = form;
	const d = new Differentiator(graph);
	const dependence = new Dependence();
	const names = hidden.map(({ component }) => component);
	const args = [
		{ name: "y", symbols: [output] },
		{ name: "u", symbols: drives },
		{ name: "q", symbols: names },
		{ name: "p", symbols: [...lambda, ...constants] },
	];
	const block = (nodes: readonly Node[]): Block => {
		const uses = (symbols: readonly string[]): number[] =>
			symbols.flatMap((name, i) => (nodes.some((node) => dependence.has(node, name)) ? [i] : []));
		const byLambda = uses(lambda);
		const byHidden = uses(names);
		const by = [...byLambda.map((i) => lambda[i]), ...byHidden.map((i) => names[i]), output];
		const derivatives = by.flatMap((symbol) => nodes.map((node) => d.derivative(node, symbol)));
		return {
			count: nodes.length,
			lambda: byLambda,
			hidden: byHidden,
			values: compileFunction(nodes, args),
			withDerivatives: compileFunction([...nodes, ...derivatives], args),
			length: nodes.length * (1 + by.length),
		};
	};
	const regressors =
		terms.length === 0 ? [] : form.chain.flatMap((_, k) => terms.map((term) => term.regressors[k]));
	return {
		hidden: hidden.map(({ alpha, w, closure, loop }) =>
			block([
				...(loop?.row ?? [closure?.of === "alpha" ? closure.rest : alpha]),
				closure?.of === "w" ? closure.rest : w,
			]),
		),
		g: block(form.g),
		closureCoefficient: hidden.map(({ closure }) =>
			closure
				? compileFunction([closure.coefficient, d.derivative(closure.coefficient, output)], args.slice(0, 2))
				: undefined,
		),
		regressors: compileFunction(
			[...regressors, ...regressors.map((node) => d.derivative(node, output))],
			[args[0], args[1], { name: "c", symbols: constants }],
		),
	};
}
