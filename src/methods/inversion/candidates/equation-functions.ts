/** The right-hand sides along given states, and their derivatives by the parameters, of which most are zero. */
import { type CompiledFunction, compileFunction } from "../../../lower/compile-function.ts";
import { Differentiator } from "../../../model/derivative.ts";
import type { Setting } from "../forward/weight-forward.ts";

export class EquationFunctions {
	/** Component and parameter of each derivative that is not zero. */
	readonly entries: readonly { readonly component: number; readonly inner: number }[];
	readonly nStates: number;
	readonly rhs: CompiledFunction;
	readonly byParams: CompiledFunction;

	constructor({ candidates, kernels }: Setting) {
		const { model, inner } = candidates;
		const { graph, components } = model;
		this.nStates = components.length;
		const d = new Differentiator(graph);
		const entries = components.flatMap((_, component) =>
			inner.map((name, k) => ({ component, inner: k, node: d.derivative(model.rhs[component], name) })),
		);
		const nonzero = entries.filter(({ node }) => node !== graph.zero);
		this.entries = nonzero.map(({ component, inner: k }) => ({ component, inner: k }));
		const args = [
			{ name: "t", symbols: ["t"] },
			{ name: "x", symbols: components },
			{ name: "u", symbols: kernels.inputs },
			{ name: "p", symbols: kernels.initial.params },
		];
		this.rhs = compileFunction(model.rhs, args);
		this.byParams = compileFunction(
			nonzero.map(({ node }) => node),
			args,
		);
	}
}
