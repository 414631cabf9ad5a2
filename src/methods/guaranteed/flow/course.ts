/** How a set goes on along its record: steps between stops, over equations that switch, over events at known times, and over those that courses lead to. */
import { outDown, outUp } from "../constraint/bar.ts";
import { GuardedSteps } from "./events/guarded-steps.ts";
import { Guards } from "./events/guards.ts";
import { Resets } from "./events/resets.ts";
import { type Happening, happenings } from "./events/timed-events.ts";
import type { ExperimentFlow } from "./experiment-flow.ts";
import type { FlowFailure } from "./flow.ts";
import { copyOf, eitherOf, type FlowSet, widenRemainder } from "./flow-set.ts";
import type { FlowSettings } from "./flow-system.ts";
import { Leap } from "./steps/leap.ts";
import { hullOfTubes, type OnStep } from "./steps/step-pieces.ts";

export class Course {
	/** Times that integration steps onto: knots of inputs, and both ends of each switching time. */
	readonly stops: Float64Array;
	readonly #host: ExperimentFlow;
	/** Events, each at a time that is known. */
	readonly #happenings: readonly Happening[];
	/** Where there are events that courses lead to. */
	readonly #guarded: GuardedSteps | undefined;
	readonly #resets: Resets;
	readonly #leap: Leap;

	constructor(host: ExperimentFlow, settings: FlowSettings) {
		const { system, clock, space } = host;
		this.#host = host;
		this.#happenings = happenings(system, clock, clock.switches);
		this.stops = Float64Array.from(
			new Set([
				...clock.knots,
				...[...clock.switches, ...this.#happenings].flatMap(({ lo, hi }) => [lo, hi]),
			]),
		).sort();
		this.#leap = new Leap(system.rhsTape);
		this.#resets = new Resets(system, space);
		const guards = new Guards(system);
		if (guards.events.length > 0)
			this.#guarded = new GuardedSteps(host, guards, this.#resets, this.stops, settings);
	}

	/** A set at the start of the record. */
	begin(set: FlowSet): void {
		this.#guarded?.begin(set);
	}

	/** Carries a set on to an instant, stepping onto knots of inputs and switching times. */
	advance(set: FlowSet, t: number, onStep?: OnStep): FlowFailure | undefined {
		for (const stop of this.stops) {
			if (stop <= set.t) continue;
			if (stop >= t) break;
			const failure = this.#advance(set, stop, onStep);
			if (failure) return failure;
		}
		return this.#advance(set, t, onStep);
	}

	#advance(set: FlowSet, t: number, onStep?: OnStep): FlowFailure | undefined {
		const happening = this.#pending(set);
		// Within the last digits of an event's time the set waits before it: see `at`.
		if (happening) return t < happening.hi ? undefined : this.#happen(set, happening, onStep);
		if (this.#host.clock.isSwitching(set.t, t)) return this.#leapOver(set, t, [], onStep);
		const h = set.h;
		const from = set.t;
		const failure = (this.#guarded ?? this.#host.flow).advance(set, t, onStep);
		// A sliver between two stops says nothing of the steps that follow.
		if (t - from < 1e-6 * h) set.h = h;
		if (!failure || failure.advice) return failure;
		return failure.isSpent ? spent(failure) : this.#host.ending.ofSet(failure, set);
	}

	/** The event that comes next, where a set is right before it. */
	#pending(set: FlowSet): Happening | undefined {
		return this.#happenings.find(({ lo, hi }) => lo <= set.t && set.t < hi);
	}

	/** The set at an instant that it was carried on to: both sides of an event that may have happened by then, or not. Or why there is none. */
	at(set: FlowSet, t: number): FlowSet | FlowFailure {
		if (set.waits !== undefined && set.t < t) return this.#guarded!.at(set, t);
		const happening = this.#pending(set);
		if (!happening || !(happening.lo <= t)) return set;
		const [before, behind] = [copyOf(set), copyOf(set)];
		const failure = this.#leapOver(before, happening.hi, []) ?? this.#happen(behind, happening);
		return failure ?? eitherOf(before, behind);
	}

	/** Over an event: a short while before it, what it sets, a short while after it. */
	#happen(set: FlowSet, { hi, events }: Happening, onStep?: OnStep): FlowFailure | undefined {
		const from = set.t;
		const told: Float64Array[] = [];
		const tell: OnStep = (_, __, states) => told.push(states);
		const before = this.#leapOver(set, hi, [], tell);
		if (before) return before;
		for (const event of events)
			if (!this.#reset(set, event, from, hi))
				return this.#host.ending.ofEvent(
					{ t: from, why: `what event ${event + 1} sets is not defined` },
					set,
				);
		set.t = from;
		const after = this.#leapOver(set, hi, events, tell);
		onStep?.(from, hi, hullOfTubes(told));
		return after;
	}

	/** What an event sets, at some time between two; false where that is not defined for all of the set. */
	#reset(set: FlowSet, event: number, from: number, to: number): boolean {
		const { system, clock, space } = this.#host;
		const models = this.#host.models(set, from);
		const box = this.#host.boundsOf(models);
		clock.setInto(box, from, to);
		for (let k = models.length - system.inputs.length - 1; k < models.length; k++)
			space.constantInto(models[k], box[2 * k], box[2 * k + 1]);
		return this.#resets.apply(set, event, models, box);
	}

	/** Over a very short while in which equations may switch, right after some events. */
	#leapOver(set: FlowSet, t: number, events: readonly number[], onStep?: OnStep): FlowFailure | undefined {
		const { system, clock, ending } = this.#host;
		const box = this.#host.symbolBounds(set, set.t);
		clock.setInto(box, set.t, t);
		const radii = this.#leap.radii(box, t - set.t);
		if (!radii) return ending.ofSet({ t: set.t, why: "the equations have no bound where they switch" }, set);
		const states = Float64Array.from({ length: 2 * system.nStates }, (_, k) =>
			k % 2 === 0 ? outDown(box[k] - radii[k >> 1]) : outUp(box[k] + radii[k >> 1]),
		);
		onStep?.(set.t, t, states);
		widenRemainder(set, radii);
		set.t = t;
		box.set(states);
		return this.#guarded?.settle(set, box, events);
	}
}

/** What to do where the effort is spent. */
export function spent(failure: FlowFailure): FlowFailure {
	return { ...failure, advice: "Give more (guaranteed: { effort: … }), or narrow the sets of the unknowns." };
}
