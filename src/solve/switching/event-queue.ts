/**
 * Events on the way of a solution: which conditions have become true, what waits for its time, and what happens at an instant.
 * Order and meaning are those of SBML Level 3 (4.11.6): events that are due at one instant happen one by one, the highest priority
 * first, and each may trigger or cancel others. Of several with one priority, one is drawn.
 */
import { InputError } from "../../errors.ts";
import type { Argument } from "../../lower/compile-function.ts";
import { type CompiledFunction, compileFunction } from "../../lower/compile-function.ts";
import type { Graph, Node } from "../../model/graph.ts";
import { type Stream, stream } from "../../num/random.ts";
import { alongInputs } from "../along-inputs.ts";
import { brief } from "../failure.ts";
import type { EventFollower } from "../ivp.ts";

export interface EventDescription {
	/** How it is called in messages. */
	readonly label: string;
	/** 1 where the condition holds, else 0. */
	readonly trigger: Node;
	readonly delay?: Node;
	readonly priority?: Node;
	readonly persistent: boolean;
	readonly initially: boolean;
	readonly late: boolean;
	readonly assignments: readonly { readonly target: string; readonly value: Node }[];
}

interface Waiting {
	readonly event: number;
	readonly due: number;
	/** Absent when they are to be those of the instant at which it is due. */
	readonly values?: Float64Array;
	readonly derivatives?: Float64Array;
}

/** More than this at one instant never end. */
const mostAtOnce = 10_000;

/** The expressions of events, compiled once. */
export class EventFunctions {
	readonly triggers: CompiledFunction;
	/** Delay, priority and assigned values of each event, one after another. */
	readonly details: CompiledFunction;
	readonly offsets: readonly number[];
	readonly nDetails: number;
	readonly targets: readonly (readonly number[])[];
	private slopes: CompiledFunction | undefined;

	constructor(
		private readonly graph: Graph,
		readonly events: readonly EventDescription[],
		private readonly states: readonly string[],
		private readonly args: readonly Argument[],
	) {
		this.triggers = compileFunction(
			events.map(({ trigger }) => trigger),
			args,
		);
		const rows = events.map(({ delay, priority, assignments }) => [
			delay ?? graph.zero,
			priority ?? graph.zero,
			...assignments.map(({ value }) => value),
		]);
		let next = 0;
		this.offsets = rows.map((row) => {
			next += row.length;
			return next - row.length;
		});
		this.nDetails = next;
		this.details = compileFunction(rows.flat(), args);
		this.targets = events.map(({ assignments }) => assignments.map(({ target }) => states.indexOf(target)));
	}

	/** Of all values that are set, one after another: the derivatives by t (along the inputs), by each state, by each of `params`. */
	derivatives(inputs: readonly string[], params: readonly string[]): CompiledFunction {
		if (this.slopes) return this.slopes;
		const along = alongInputs(this.graph, inputs);
		const rows = this.events
			.flatMap(({ assignments }) => assignments.map(({ value }) => value))
			.flatMap((value) => along.row(value, [...this.states, ...params]));
		this.slopes = compileFunction(rows, [...this.args, along.slopes]);
		return this.slopes;
	}
}

export class EventQueue {
	/** Whether the condition of each event held when last looked at. */
	private readonly held: boolean[];
	private waiting: Waiting[] = [];
	private readonly now: Float64Array;
	private readonly details: Float64Array;
	private readonly order: Stream;
	private nDrawn = 0;

	constructor(
		private readonly functions: EventFunctions,
		private readonly inputsAt: (t: number) => Float64Array,
		private readonly p: Float64Array,
		seed: number,
	) {
		this.order = stream(seed, "order of events");
		this.held = functions.events.map(({ initially }) => initially);
		this.now = new Float64Array(functions.events.length);
		this.details = new Float64Array(functions.nDetails);
	}

	get next(): number {
		return this.waiting.reduce((least, { due }) => Math.min(least, due), Infinity);
	}

	/** Lets happen what is due at (t, x). True when something did. */
	happen(t: number, x: Float64Array, follower?: EventFollower): boolean {
		for (let count = 0; ; count++) {
			this.look(t, x, follower);
			const first = this.firstDue(t, x);
			if (!first) return count > 0;
			this.waiting = this.waiting.filter((each) => each !== first);
			if (count >= mostAtOnce)
				throw new InputError(
					this.functions.events[first.event].label,
					`happens without end at t = ${brief(t)}`,
					"What it sets makes a condition true again at once. Set something that makes it false.",
				);
			const values = first.values ?? this.valuesOf(first.event, t, x);
			const targets = this.functions.targets[first.event];
			follower?.set(targets, first.derivatives ?? follower.derivativesOf(first.event, t, x));
			targets.forEach((target, i) => {
				x[target] = values[i];
			});
		}
	}

	/** Notes which conditions have become true or false since the last look. */
	private look(t: number, x: Float64Array, follower: EventFollower | undefined): void {
		const { events, triggers } = this.functions;
		triggers(t, x, this.inputsAt(t), this.p, this.now);
		events.forEach(({ persistent, late, label }, e) => {
			const holds = this.now[e] !== 0;
			if (holds && !this.held[e]) {
				const values = this.valuesOf(e, t, x);
				const delay = this.details[this.functions.offsets[e]];
				if (!(delay >= 0))
					throw new InputError(
						label,
						`has a delay of ${brief(delay)} at t = ${brief(t)}`,
						"A delay is 0 or more.",
					);
				const derivatives = late ? undefined : follower?.derivativesOf(e, t, x);
				this.waiting.push({ event: e, due: t + delay, ...(late ? {} : { values, derivatives }) });
			} else if (!holds && this.held[e] && !persistent)
				this.waiting = this.waiting.filter(({ event }) => event !== e);
			this.held[e] = holds;
		});
	}

	private valuesOf(event: number, t: number, x: Float64Array): Float64Array {
		const { details, offsets, targets } = this.functions;
		details(t, x, this.inputsAt(t), this.p, this.details);
		const from = offsets[event] + 2;
		return this.details.slice(from, from + targets[event].length);
	}

	private firstDue(t: number, x: Float64Array): Waiting | undefined {
		const due = this.waiting.filter((each) => each.due <= t);
		if (due.length < 2) return due[0];
		const { events, details, offsets } = this.functions;
		details(t, x, this.inputsAt(t), this.p, this.details);
		const rank = ({ event }: Waiting): number =>
			events[event].priority ? this.details[offsets[event] + 1] : -Infinity;
		const highest = due.reduce((best, each) => Math.max(best, rank(each)), -Infinity);
		const first = due.filter((each) => rank(each) === highest);
		// Without priorities nothing is said of the order, and it is that in which they became true.
		if (first.length < 2 || highest === -Infinity) return first[0] ?? due[0];
		return first[this.order.below(first.length, this.nDrawn++)];
	}
}
