/**
 * The right-hand side with its unknown functions taken out, x' = g(t, x, u, p, F), F_j = f(arguments j), and its
 * derivatives, compiled once. F has to enter linearly: then the derivative by F is free of F.
 */
import { InputError } from "../../errors.ts";
import { type CompiledFunction, compileFunction } from "../../lower/compile-function.ts";
import { Differentiator } from "../../model/derivative.ts";
import type { Node } from "../../model/graph.ts";
import { mapNodes, symbolsOf } from "../../model/walk.ts";
import type { Ivp } from "../../solve/ivp.ts";
import { type InputSignal, PiecewiseInputs } from "../../solve/piecewise-inputs.ts";
import type { KernelSum } from "./field/kernel-sum.ts";
import type { Layout } from "./layout.ts";

export class Dynamics {
	readonly n: number;
	readonly nCalls: number;
	readonly nParams: number;
	readonly inputs: readonly string[];
	/** Free parameters, then conditions: the order of p. */
	readonly paramNames: readonly string[];
	/** (t, x, u, p, out): arguments of all calls. */
	readonly args: CompiledFunction;
	/** (t, x, u, p, F, out). */
	readonly rhs: CompiledFunction;
	/** (t, x, u, p, F, slopes of F by each argument, out): n × n. */
	readonly jacobian: CompiledFunction;
	/** (t, x, u, p, out): n × nCalls. */
	readonly byCall: CompiledFunction;
	/** (t, x, u, p, F, slopes, out): n × nParams. */
	readonly byParam: CompiledFunction;

	constructor(readonly layout: Layout) {
		const { model, calls, params } = layout;
		const { graph, components, rhs } = model;
		this.n = components.length;
		this.nCalls = calls.length;
		this.nParams = params.length;
		this.inputs = model.inputs.map(({ name }) => name);
		this.paramNames = [...params, ...model.conditions.map(({ name }) => name)];
		const index = new Map(calls.map(({ node }, j) => [node, j]));
		const values = calls.map((_, j) => `#${j}`);
		const slopes = calls.flatMap(({ node }, j) => node.args.map((_, a) => `#${j}.${a}`));
		const known = [
			{ name: "t", symbols: ["t"] },
			{ name: "x", symbols: components },
			{ name: "u", symbols: this.inputs },
			{ name: "p", symbols: this.paramNames },
		];
		const withValues = [...known, { name: "f", symbols: values }];
		const withSlopes = [...withValues, { name: "g", symbols: slopes }];
		// Calls become symbols: #j the value, #j.a its derivative by argument a.
		const plain = (nodes: readonly Node[]): Node[] =>
			mapNodes(graph, nodes, (node, args) => {
				if (node.op !== "call") return undefined;
				const j = index.get(graph.call(node.name!, args))!;
				const a = node.partials!.indexOf(1);
				return graph.sym(a < 0 ? `#${j}` : `#${j}.${a}`);
			});
		const d = new Differentiator(graph);
		const plainRhs = plain(rhs);
		const byCall = d.jacobian(plainRhs, values);
		checkLinear(layout, byCall, values);
		this.args = compileFunction(
			calls.flatMap(({ node }) => node.args),
			known,
		);
		this.rhs = compileFunction(plainRhs, withValues);
		this.byCall = compileFunction(byCall, known);
		this.jacobian = compileFunction(plain(d.jacobian(rhs, components)), withSlopes);
		this.byParam = compileFunction(plain(d.jacobian(rhs, params)), withSlopes);
	}
}

/** The dynamics with functions, parameters and inputs put in: what a solver integrates. */
export class BoundDynamics {
	readonly u: PiecewiseInputs;
	readonly args: Float64Array;
	readonly values: Float64Array;
	readonly slopes: Float64Array;
	/** Each call with its own part of `args` and `slopes`. */
	readonly #calls: readonly {
		readonly fn: KernelSum;
		readonly args: Float64Array;
		readonly slopes: Float64Array;
	}[];

	constructor(
		readonly dynamics: Dynamics,
		/** One for each unknown function of the model. */
		readonly functions: readonly KernelSum[],
		readonly p: Float64Array,
		readonly signals: readonly InputSignal[],
	) {
		const { nArgs } = dynamics.layout;
		this.u = new PiecewiseInputs(signals);
		this.args = new Float64Array(nArgs);
		this.values = new Float64Array(dynamics.nCalls);
		this.slopes = new Float64Array(nArgs);
		this.#calls = dynamics.layout.calls.map(({ fn, node, start }) => ({
			fn: functions[fn],
			args: this.args.subarray(start, start + node.args.length),
			slopes: this.slopes.subarray(start, start + node.args.length),
		}));
	}

	/** Arguments of the calls at (t, x), left in `args`. */
	argsAt(t: number, x: Float64Array): void {
		this.dynamics.args(t, x, this.u.at(t), this.p, this.args);
	}

	rhs(t: number, x: Float64Array, out: Float64Array): void {
		this.#evaluate(t, x, false);
		this.dynamics.rhs(t, x, this.u.at(t), this.p, this.values, out);
	}

	jacobian(t: number, x: Float64Array, out: Float64Array): void {
		this.#evaluate(t, x, true);
		this.dynamics.jacobian(t, x, this.u.at(t), this.p, this.values, this.slopes, out);
	}

	byCall(t: number, x: Float64Array, out: Float64Array): void {
		this.dynamics.byCall(t, x, this.u.at(t), this.p, out);
	}

	byParam(t: number, x: Float64Array, out: Float64Array): void {
		this.#evaluate(t, x, true);
		this.dynamics.byParam(t, x, this.u.at(t), this.p, this.values, this.slopes, out);
	}

	ivp(): Ivp {
		return {
			n: this.dynamics.n,
			names: this.dynamics.layout.model.components,
			enter: (tLeft, tRight) => this.u.enter(tLeft, tRight),
			rhs: (t, x, out) => this.rhs(t, x, out),
			jacobian: (t, x, out) => this.jacobian(t, x, out),
		};
	}

	#evaluate(t: number, x: Float64Array, slopes: boolean): void {
		this.argsAt(t, x);
		this.#calls.forEach(({ fn, args, slopes: into }, j) => {
			this.values[j] = fn.value(args);
			if (slopes) fn.gradientInto(into, args);
		});
	}
}

function checkLinear({ calls, model }: Layout, byCall: readonly Node[], values: readonly string[]): void {
	const used = symbolsOf(byCall);
	const j = values.findIndex((name) => used.has(name));
	if (j >= 0)
		throw new InputError(
			`unknown ${calls[j].node.name}`,
			"does not enter its equation linearly",
			`Write the equation so that ${calls[j].node.name} stands as a term or a factor of a term, such as  ${model.components[0]}' = a*${calls[j].node.name}(…) + ….`,
		);
}
