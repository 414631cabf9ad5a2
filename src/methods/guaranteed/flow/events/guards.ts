/**
 * Conditions of events that wait for states or unknowns. A guard is an expression that is positive where the condition holds; its slope is its derivative along the flow, with every right-hand side that
 * may be. Both are told from bounds of all symbols over a while: whether the condition may become true in it.
 */
import { IntervalEvaluator } from "../../../../lower/interval/evaluate-interval.ts";
import { type Tape, tapeOf } from "../../../../lower/interval/tape.ts";
import { Differentiator } from "../../../../model/derivative.ts";
import type { Node } from "../../../../model/graph.ts";
import type { Model, ModelEvent } from "../../../../model/model.ts";
import { printExpression } from "../../../../model/print/expression.ts";
import { discontinuities } from "../../../../model/structure/discontinuity.ts";
import { symbolsOf } from "../../../../model/walk.ts";
import type { GuaranteedSystem } from "../../system.ts";
import type { FlowFailure } from "../flow.ts";
import { rangeText } from "../range-text.ts";

/** Of all courses of a set: the condition is false, it is true, or (at the edge) on its way out or in, and has had its event. */
export type Status = "false" | "true" | "falling" | "rising";

/** Bounds of a guard and of its slope. */
export interface GuardBounds {
	readonly lo: number;
	readonly hi: number;
	readonly slopeLo: number;
	readonly slopeHi: number;
}

const advice =
	"Narrow the sets of the unknowns, give more  models, or look whether courses only touch what the event waits for.";

/** Conditions on the clock alone have times that are known. */
export function isClockEvent({ trigger }: ModelEvent, { conditions }: Model): boolean {
	const clock = new Set(["t", ...conditions.map(({ name }) => name)]);
	return [...symbolsOf([trigger])].every((name) => clock.has(name));
}

/** What is positive where the condition of an event holds; nothing where it is not one comparison. */
export function guardOf({ graph }: Model, { op, args }: Node): Node | undefined {
	if (op !== "if" || (args[0].op !== "lt" && args[0].op !== "le")) return undefined;
	const [less, more] = args[0].args;
	if (args[1] === graph.one && args[2] === graph.zero) return graph.sub(more, less);
	if (args[1] === graph.zero && args[2] === graph.one) return graph.sub(less, more);
	return undefined;
}

/** Why an event that waits for something cannot be followed, whatever the record is; nothing where it can. */
export function guardObstacle(model: Model, { trigger, delay, initially }: ModelEvent): string | undefined {
	const guard = guardOf(model, trigger);
	if (!guard) return "waits for more than one comparison: guaranteed follows  when x < 1  alone.";
	const input = model.inputs.find(({ name }) => symbolsOf([guard]).has(name));
	if (input) return `waits for input ${input.name}, which may jump: guaranteed follows states and unknowns.`;
	if (discontinuities([guard], model.graph.zero, () => true).some(({ kind }) => kind === "jump"))
		return "waits for an expression that jumps, which guaranteed does not follow.";
	if (delay && delay !== model.graph.zero)
		return "waits for a state or an unknown and has a delay, which guaranteed does not follow.";
	if (!initially)
		return "waits for a state or an unknown and says  initially: false, which guaranteed does not follow.";
	return undefined;
}

export class Guards {
	/** The event of each. */
	readonly events: readonly number[];
	/** Each guard, and by how much time it is off: the step of Newton's method. */
	readonly steps: readonly Tape[];
	readonly #texts: readonly string[];
	readonly #symbols: readonly ReadonlySet<string>[];
	readonly #sets: readonly ReadonlySet<string>[];
	readonly #evaluator: IntervalEvaluator;
	readonly #gradients: readonly IntervalEvaluator[];
	readonly #out: Float64Array;

	constructor({ model, states, rhs, symbols }: GuaranteedSystem) {
		const { graph, events } = model;
		this.events = events.flatMap((event, k) => (isClockEvent(event, model) ? [] : [k]));
		const nodes = this.events.map((k) => guardOf(model, events[k].trigger)!);
		const differentiator = new Differentiator(graph);
		const slopes = nodes.map((node) =>
			graph.add(
				differentiator.derivative(node, "t"),
				...states.map((name, i) => graph.mul(differentiator.derivative(node, name), rhs[i])),
			),
		);
		this.steps = nodes.map((node, i) =>
			tapeOf([node, graph.neg(graph.div(node, slopes[i]))], symbols, { smooth: true }),
		);
		this.#texts = nodes.map(printExpression);
		this.#symbols = nodes.map((node) => symbolsOf([node]));
		this.#sets = events.map(({ assignments }) => new Set(assignments.map(({ target }) => target)));
		this.#evaluator = new IntervalEvaluator(
			tapeOf(
				nodes.flatMap((node, i) => [node, slopes[i]]),
				symbols,
			),
			true,
		);
		this.#gradients = nodes.map((node) => {
			const byState = states.map((name) => differentiator.derivative(node, name));
			return new IntervalEvaluator(tapeOf(byState, symbols), true);
		});
		this.#out = new Float64Array(4 * nodes.length);
	}

	/** Bounds of the derivatives of a guard by each state, stride 2, for symbols in a box; nothing where they are not defined. */
	gradient(k: number, box: Float64Array, nStates: number): Float64Array | undefined {
		const out = new Float64Array(2 * nStates);
		return this.#gradients[k].evaluate(box, out) ? out : undefined;
	}

	/** Bounds of all guards for symbols in a box, at any time that is the same but for its last digits. */
	over(box: Float64Array): GuardBounds[] {
		const out = this.#out;
		const isSound = this.#evaluator.evaluate(box, out);
		const last = Math.max(Math.abs(box[box.length - 2]), Math.abs(box[box.length - 1]));
		return this.events.map((_, k) => {
			const [lo, hi, slopeLo, slopeHi] = out.subarray(4 * k, 4 * k + 4);
			const open = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };
			if (!isSound || !Number.isFinite(slopeHi - slopeLo))
				return { ...open, slopeLo: open.lo, slopeHi: open.hi };
			const off = Math.max(Math.abs(slopeLo), Math.abs(slopeHi)) * last * 2 ** -46;
			return { lo: lo - off, hi: hi + off, slopeLo, slopeHi };
		});
	}

	/** Whether an event sets something that a guard is made of. */
	isTouched(k: number, event: number): boolean {
		return [...this.#sets[event]].some((name) => this.#symbols[k].has(name));
	}

	/** The event of a guard and what it waits for, in words. */
	text(k: number): string {
		return `event ${this.events[k] + 1} (when ${this.#texts[k]} > 0)`;
	}

	/** Why a set cannot be carried on from a time. */
	failure(t: number, k: number, why: string): FlowFailure {
		return { t, why: `${this.text(k)}: ${why}`, advice };
	}

	slopeText(k: number, { slopeLo, slopeHi }: GuardBounds): string {
		return `the slope of ${this.#texts[k]} along the courses is in ${rangeText(slopeLo, slopeHi)}`;
	}
}

/** The status at the start of a record, where conditions count as true before; nothing where some courses are about to have their event and others are past it. */
export function firstStatus({ lo, hi, slopeHi }: GuardBounds): Status | undefined {
	if (hi < 0) return "false";
	if (lo > 0) return "true";
	return slopeHi < 0 ? "falling" : undefined;
}

/** The status after a while in which guards move continuously; nothing where the event may happen in it. */
export function nextStatus(before: Status, { lo, hi, slopeLo, slopeHi }: GuardBounds): Status | undefined {
	if (hi < 0) return "false";
	if (lo > 0) return before === "false" ? undefined : "true";
	if (slopeHi < 0) return before === "false" ? "false" : "falling";
	return slopeLo > 0 && (before === "true" || before === "rising") ? before : undefined;
}

/** The status after another event has set what the guard is made of; nothing where that may set off its own. */
export function resetStatus(before: Status, { lo, hi }: GuardBounds): Status | undefined {
	if (hi < 0) return "false";
	return lo > 0 && (before === "true" || before === "rising") ? "true" : undefined;
}

/** The status after its own event, over the rest of the while in which that happens, and at its end; nothing where it may happen again. */
export function ownStatus(over: GuardBounds, end: GuardBounds, isTouched: boolean): Status | undefined {
	if (over.hi < 0) return "false";
	if (over.lo > 0) return "true";
	if (over.slopeHi < 0) return end.hi < 0 ? "false" : "falling";
	if (over.slopeLo > 0 && !isTouched) return end.lo > 0 ? "true" : "rising";
	return undefined;
}
