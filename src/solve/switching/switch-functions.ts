/** The switches of a system: its right-hand side with the sides held, and what tells on which side a point lies. */
import { type Argument, type CompiledFunction, compileFunction } from "../../lower/compile-function.ts";
import { type Switch, switchesIn, withSwitchesHeld } from "../../model/structure/switches.ts";
import { alongInputs } from "../along-inputs.ts";
import type { PiecewiseInputs } from "../piecewise-inputs.ts";
import type { SystemDescription } from "../system-functions.ts";
import { EventFunctions, EventQueue } from "./event-queue.ts";
import { ModelSwitching } from "./model-switching.ts";
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
	switching(p: Float64Array, u: PiecewiseInputs): ModelSwitching {
		const { seed = 0 } = this.description;
		this.values ??= compileFunction(
			this.switches.map(({ value }) => value),
			this.args,
		);
		const inputsAt = (t: number): Float64Array => u.at(t);
		const events = this.eventFunctions();
		const queue = events && new EventQueue(events, inputsAt, p, seed);
		const knots = (t0: number, t1: number): readonly number[] => this.timed.knots(p, t0, t1);
		return new ModelSwitching(this.switches.length, this.values, inputsAt, p, this.nHeld, knots, queue);
	}

	/** The derivatives of what crosses, switch by switch: by t (along the inputs), by each state, by each parameter that sensitivities are by. */
	get gradients(): CompiledFunction {
		if (this.crossings) return this.crossings;
		const { graph, states, inputs = [] } = this.description;
		const along = alongInputs(graph, inputs);
		const rows = this.switches.flatMap(({ crossing }) =>
			along.row(crossing, [...states, ...this.held.sensitiveTo!]),
		);
		this.crossings = compileFunction(rows, [...this.args, along.slopes]);
		return this.crossings;
	}

	/** How many switches there are: of the right-hand side, then of events. */
	get count(): number {
		return this.switches.length;
	}

	/** Of the values that events set, as `gradients` of what crosses; the first row of each event. */
	get assigned(): { readonly derivatives: CompiledFunction; readonly first: readonly number[] } | undefined {
		const events = this.eventFunctions();
		if (!events) return undefined;
		let next = 0;
		const first = events.targets.map(({ length }) => {
			next += length;
			return next - length;
		});
		const { inputs = [] } = this.description;
		return { derivatives: events.derivatives(inputs, this.held.sensitiveTo!), first: [...first, next] };
	}

	private eventFunctions(): EventFunctions | undefined {
		const { graph, events = [], states } = this.description;
		if (events.length > 0) this.events ??= new EventFunctions(graph, events, states, this.args);
		return this.events;
	}
}
