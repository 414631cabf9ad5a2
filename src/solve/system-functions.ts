/**
 * A model's right-hand side and its exact derivatives as compiled functions, each made when first asked for.
 *
 * All take (t, x, u, p, ..., out): time, states, inputs, parameters. Derivatives along time take the inputs' slopes too,
 * those along a direction of the states take the direction.
 */
import { type CompiledFunction, compileFunction } from "../lower/compile-function.ts";
import { Differentiator } from "../model/derivative.ts";
import type { Graph, Node } from "../model/graph.ts";
import type { EventDescription } from "./switching/event-queue.ts";

export interface SystemDescription {
	readonly graph: Graph;
	/** State components and their derivatives by time, in the same order. */
	readonly states: readonly string[];
	readonly rhs: readonly Node[];
	/** Symbols that keep one value over a solution: parameters and conditions. */
	readonly params: readonly string[];
	/** Symbols whose value is a signal over time. */
	readonly inputs?: readonly string[];
	/** The parameters that sensitivities are by, in this order. Default: all. */
	readonly sensitiveTo?: readonly string[];
	/** What states are counted as, where doses were taken out of them (model/doses.ts): tolerances are relative to these. */
	readonly lifted?: readonly Node[] | undefined;
	/** What happens on the way. Sensitivities follow those without a delay. */
	readonly events?: readonly EventDescription[];
	/** Draws the order of events of one priority that are due at once. Default: 0. */
	readonly seed?: number;
}

export class SystemFunctions {
	private readonly differentiator: Differentiator;
	private readonly made = new Map<string, CompiledFunction>();
	private readonly inputs: readonly string[];
	private readonly sensitiveTo: readonly string[];
	/** No name of a model has a hash in it. */
	private readonly slopes: readonly string[];
	private readonly direction: readonly string[];

	constructor(private readonly description: SystemDescription) {
		const { graph, states, params, inputs = [], sensitiveTo = params } = description;
		this.differentiator = new Differentiator(graph);
		this.inputs = inputs;
		this.sensitiveTo = sensitiveTo;
		this.slopes = inputs.map((_, i) => `slope#${i}`);
		this.direction = states.map((_, i) => `direction#${i}`);
	}

	/** f, n values. */
	get rhs(): CompiledFunction {
		return this.compile("rhs", () => this.description.rhs);
	}

	/** What x has to be for states that count as 0, when it is taken at 0; n values. */
	get origin(): CompiledFunction {
		const { graph, states, lifted = [] } = this.description;
		return this.compile("origin", () => lifted.map((node, i) => graph.sub(graph.sym(states[i]), node)));
	}

	/** df/dx, n x n. */
	get jacobian(): CompiledFunction {
		return this.compile("jacobian", () => this.byStates());
	}

	/** df/dp, n x nParams. */
	get paramJacobian(): CompiledFunction {
		return this.compile("paramJacobian", () => this.byParams());
	}

	/** f, then df/dx, then df/dp. */
	get all(): CompiledFunction {
		return this.compile("all", () => [...this.description.rhs, ...this.byStates(), ...this.byParams()]);
	}

	/** df/dt along the inputs. (…, slopes, out) */
	get timeDerivative(): CompiledFunction {
		return this.compile("timeDerivative", () => this.alongTime(this.description.rhs), "slopes", this.slopes);
	}

	/** The derivatives along time of df/dx, then of df/dp. (…, slopes, out) */
	get timeDerivativeOfJacobians(): CompiledFunction {
		const outputs = () => this.alongTime([...this.byStates(), ...this.byParams()]);
		return this.compile("timeDerivativeOfJacobians", outputs, "slopes", this.slopes);
	}

	/** The derivatives along a direction of the states of df/dx, then of df/dp. (…, direction, out) */
	get curvature(): CompiledFunction {
		const { graph, states } = this.description;
		const direction = this.direction.map((name) => graph.sym(name));
		const outputs = () =>
			[...this.byStates(), ...this.byParams()].map((node) =>
				this.differentiator.directional(node, states, direction),
			);
		return this.compile("curvature", outputs, "direction", this.direction);
	}

	private byStates(): Node[] {
		return this.differentiator.jacobian(this.description.rhs, this.description.states);
	}

	private byParams(): Node[] {
		return this.differentiator.jacobian(this.description.rhs, this.sensitiveTo);
	}

	private alongTime(nodes: readonly Node[]): Node[] {
		const { graph } = this.description;
		const symbols = ["t", ...this.inputs];
		const rates = [graph.one, ...this.slopes.map((name) => graph.sym(name))];
		return nodes.map((node) => this.differentiator.directional(node, symbols, rates));
	}

	private compile(
		key: string,
		outputs: () => readonly Node[],
		further = "",
		symbols: readonly string[] = [],
	): CompiledFunction {
		const known = this.made.get(key);
		if (known) return known;
		const { states, params } = this.description;
		const args = [
			{ name: "t", symbols: ["t"] },
			{ name: "x", symbols: states },
			{ name: "u", symbols: this.inputs },
			{ name: "p", symbols: params },
			...(further ? [{ name: further, symbols }] : []),
		];
		const made = compileFunction(outputs(), args);
		this.made.set(key, made);
		return made;
	}
}
