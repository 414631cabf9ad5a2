/** The switches of a system: its right-hand side with the sides held, and what tells on which side a point lies. */
import { type Argument, type CompiledFunction, compileFunction } from "../lower/compile-function.ts";
import { Differentiator } from "../model/derivative.ts";
import type { Node } from "../model/graph.ts";
import { type Switch, switchesIn, withSwitchesHeld } from "../model/structure/switches.ts";
import { EventFunctions, EventQueue } from "./event-queue.ts";
import { ModelSwitching } from "./model-switching.ts";
import type { PiecewiseInputs } from "./piecewise-inputs.ts";
import type { SystemDescription } from "./system-functions.ts";
import { TimedSwitches } from "./timed-switches.ts";

export class SwitchFunctions {
	/** The description with a parameter more for each switch of the right-hand side, which holds its side. */
	readonly held: SystemDescription;
	readonly nHeld: number;
	private readonly switches: readonly Switch[];
	private readonly timed: TimedSwitches;
	private readonly args: readonly Argument[];
	private values: CompiledFunction | undefined;
	private crossings: CompiledFunction | undefined;
	private events: EventFunctions | undefined;

	constructor(private readonly description: SystemDescription) {
		const { graph, rhs, params, inputs = [], sensitiveTo = params, events = [] } = description;
		const varying = new Set(["t", ...description.states, ...inputs]);
		const varies = (name: string): boolean => varying.has(name);
		const own = switchesIn(graph, rhs, varies);
		const triggers = events.map(({ trigger }) => trigger);
		const further = [...switchesIn(graph, triggers, varies)].filter(([node]) => !own.has(node));
		// No name of a model has a hash in it.
		const symbols = new Map([...own.keys()].map((node, i) => [node, `side#${i}`]));
		this.nHeld = own.size;
		this.switches = [...own.values(), ...further.map(([, each]) => each)];
		this.timed = new TimedSwitches(this.switches, params);
		this.held = {
			...description,
			rhs: own.size === 0 ? rhs : withSwitchesHeld(graph, rhs, symbols),
			params: [...params, ...symbols.values()],
			sensitiveTo,
		};
		this.args = [
			{ name: "t", symbols: ["t"] },
			{ name: "x", symbols: description.states },
			{ name: "u", symbols: inputs },
			{ name: "p", symbols: this.held.params },
		];
	}

	get isEmpty(): boolean {
		return this.switches.length === 0 && !this.description.events?.length;
	}

	/** Of one solution; `p` are its parameters, with room for the sides behind them. */
	switching(p: Float64Array, u: PiecewiseInputs, withEvents: boolean): ModelSwitching {
		const { graph, events = [], states } = this.description;
		this.values ??= compileFunction(
			this.switches.map(({ value }) => value),
			this.args,
		);
		const inputsAt = (t: number): Float64Array => u.at(t);
		if (withEvents && events.length > 0) this.events ??= new EventFunctions(graph, events, states, this.args);
		const queue = withEvents && this.events ? new EventQueue(this.events, inputsAt, p) : undefined;
		const knots = (t0: number, t1: number): readonly number[] => this.timed.knots(p, t0, t1);
		return new ModelSwitching(this.switches.length, this.values, inputsAt, p, this.nHeld, knots, queue);
	}

	/** The derivatives of what crosses, switch by switch: by t (along the inputs), by each state, by each parameter that sensitivities are by. */
	get gradients(): CompiledFunction {
		if (this.crossings) return this.crossings;
		const { graph, states, inputs = [] } = this.description;
		const differentiator = new Differentiator(graph);
		const slopes = inputs.map((_, i) => `slope#${i}`);
		const rates = [graph.one, ...slopes.map((name) => graph.sym(name))];
		const symbols = ["t", ...inputs];
		const outputs = this.switches
			.slice(0, this.nHeld)
			.flatMap(({ crossing }): Node[] => [
				differentiator.directional(crossing, symbols, rates),
				...states.map((name) => differentiator.derivative(crossing, name)),
				...this.held.sensitiveTo!.map((name) => differentiator.derivative(crossing, name)),
			]);
		this.crossings = compileFunction(outputs, [...this.args, { name: "slopes", symbols: slopes }]);
		return this.crossings;
	}
}
