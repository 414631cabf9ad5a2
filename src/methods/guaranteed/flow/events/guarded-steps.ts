/** Steps of sets whose courses may lead to events: none is taken in which an event may happen, but by a crossing. */

import type { ExperimentFlow } from "../experiment-flow.ts";
import { type FlowFailure, isFailure } from "../flow.ts";
import { copyOf, eitherOf, type FlowSet } from "../flow-set.ts";
import type { FlowSettings } from "../flow-system.ts";
import { type Piece, QuietSteps, tell, type Unquiet } from "../steps/quiet-steps.ts";
import { hullOfTubes, type OnStep } from "../steps/step-pieces.ts";
import { Crossing, type Crossings, type Slab } from "./crossing.ts";
import { firstStatus, type Guards, nextStatus, ownStatus, resetStatus, type Status } from "./guards.ts";
import type { Resets } from "./resets.ts";

/** How often a set goes nearer to a guard before that is given up. */
const mostTries = 24;
/** How often the while of a crossing is made longer. */
const mostRounds = 12;

/** A crossing with its courses before it. */
interface Crossed extends Slab {
	readonly pieces: readonly Piece[];
}

export class GuardedSteps {
	readonly #host: ExperimentFlow;
	readonly #guards: Guards;
	readonly #stops: Float64Array;
	readonly #quiet: QuietSteps;
	readonly #crossing: Crossing;

	constructor(
		host: ExperimentFlow,
		guards: Guards,
		resets: Resets,
		stops: Float64Array,
		settings: FlowSettings,
	) {
		this.#host = host;
		this.#guards = guards;
		this.#stops = stops;
		this.#quiet = new QuietSteps(host, guards);
		this.#crossing = new Crossing(host, resets, guards, settings);
	}

	/** What is known of conditions at the start; where some courses are past one and others are not, that is found out by the first step. */
	begin(set: FlowSet): void {
		const found = this.#guards.over(this.#host.symbolBounds(set, set.t)).map(firstStatus);
		const unclear = found.indexOf(undefined);
		if (unclear < 0) set.conditions = found as Status[];
		else set.unclear = unclear;
	}

	/** Carries a set on between stops; where its courses cross a guard before and behind `to`, it waits. */
	advance(set: FlowSet, to: number, onStep?: OnStep): FlowFailure | undefined {
		const unclear = this.#unclear(set);
		if (unclear) return unclear;
		let tries = 0;
		let until = to;
		/** Where it stands before, why, and whose guard it is. */
		let blocked = set.t;
		let why: FlowFailure | undefined;
		let guard = 0;
		while (set.t < to) {
			const { failure, unquiet } = this.#quiet.advance(set, until, onStep);
			// What stood in the way of the crossing says more than that steps to it became too small.
			if (failure) return failure.isSpent || !why ? failure : this.#ended(set, guard, why);
			until = to;
			if (!unquiet) continue;
			const crossed = this.#cross(set, unquiet, to, onStep);
			if (crossed === "waits") return undefined;
			if (crossed !== "done" && crossed.isSpent) return crossed;
			if (crossed === "done") {
				why = undefined;
				continue;
			}
			const { piece } = unquiet;
			guard = unquiet.guard;
			if (set.t >= blocked) [tries, blocked, why] = [0, piece.to, undefined];
			tries++;
			why ??= crossed;
			// Nearer to where it may happen, or by a shorter step.
			until =
				piece.from > set.t ? piece.from - (piece.from - set.t) / 4 : piece.from + (piece.to - piece.from) / 8;
			if (tries > mostTries || !(until > set.t)) return this.#ended(set, guard, why);
		}
		return undefined;
	}

	/** The set at an instant before which it waits: courses that have crossed, and those that have not. */
	at(set: FlowSet, t: number): FlowSet | FlowFailure {
		const before = copyOf(set);
		const slab = this.#slab(set, set.waits!);
		if (isFailure(slab)) return slab;
		const when = this.#crossing.when(set, slab);
		if (isFailure(when)) return this.#guards.failure(set.t, slab.guard, when.why);
		const failure = this.#host.flow.advance(before, t);
		if (failure) return failure;
		const behind = this.#behind(set, slab, when, t);
		return isFailure(behind) ? behind : eitherOf(before, behind.set);
	}

	#unclear(set: FlowSet): FlowFailure | undefined {
		if (set.unclear === undefined) return undefined;
		const why = "it may happen at the very start of the record, or not";
		return this.#ended(set, set.unclear, this.#guards.failure(set.t, set.unclear, why));
	}

	/** A failure at a guard: smaller sets of the unknowns that it depends on may get over it. */
	#ended(set: FlowSet, guard: number, why: FlowFailure): FlowFailure {
		this.#crossing.addShares(this.#host.flow.decides, set, guard);
		return why;
	}

	/** What conditions are after a while whose states are known, in which events may have set some of them; why that cannot be told, if so. */
	settle(set: FlowSet, box: Float64Array, events: readonly number[]): FlowFailure | undefined {
		const failure = this.#unclear(set);
		if (failure) return failure;
		const bounds = this.#guards.over(box);
		const next = set.conditions!.map((before, k) =>
			events.some((event) => this.#guards.isTouched(k, event))
				? resetStatus(before, bounds[k])
				: nextStatus(before, bounds[k]),
		);
		const unclear = next.indexOf(undefined);
		if (unclear >= 0)
			return this.#guards.failure(
				set.t,
				unclear,
				"it may happen at the very time of another event or of a switch",
			);
		set.conditions = next as Status[];
		return undefined;
	}

	/** Over the event of a guard; or the set waits, as that may happen behind `to`; or why neither can be proved. */
	#cross(
		set: FlowSet,
		{ guard, bounds }: Unquiet,
		to: number,
		onStep?: OnStep,
	): "done" | "waits" | FlowFailure {
		if (set.conditions![guard] !== "false")
			return this.#guards.failure(
				set.t,
				guard,
				`it may happen again: ${this.#guards.slopeText(guard, bounds)}`,
			);
		const slab = this.#slab(set, guard);
		if (isFailure(slab)) return slab;
		const when = this.#crossing.when(set, slab);
		if (isFailure(when)) return this.#guards.failure(set.t, guard, when.why);
		if (to + (when.last - when.first) / 16 < when.first) return this.#before(set, guard, to, onStep);
		const until = Math.min(slab.to, to);
		const behind = this.#behind(set, slab, when, until);
		if (isFailure(behind)) return behind;
		for (const { from, to: end, states } of slab.pieces)
			tell(set, from, Math.min(end, until), hullOfTubes([states, behind.tube]), onStep);
		if (until < when.last) {
			set.waits = guard;
			return "waits";
		}
		const { P, C, R, B, t } = behind.set;
		Object.assign(set, { P, C, R, B, t, conditions: behind.conditions, isStiff: false, isJumping: false });
		delete set.waits;
		return "done";
	}

	/** To a time before which no course crosses. */
	#before(set: FlowSet, guard: number, to: number, onStep?: OnStep): "done" | FlowFailure {
		const there = copyOf(set);
		const before = this.#quiet.unheeding(there, guard, to);
		if (isFailure(before)) return before;
		for (const { from, to: end, states } of before.pieces) tell(set, from, end, states, onStep);
		Object.assign(set, there, { conditions: before.conditions, told: set.told });
		return "done";
	}

	/** The courses of a set until all have crossed a guard, as if nothing happened there. */
	#slab(set: FlowSet, guard: number): Crossed | FlowFailure {
		const { clock, system } = this.#host;
		const last = system.inputs.length > 0 && clock.to > set.t ? clock.to : Number.POSITIVE_INFINITY;
		const limit = this.#stops.find((stop) => stop > set.t) ?? last;
		const before = copyOf(set);
		const pieces: Piece[] = [];
		let here = this.#guards.over(this.#host.symbolBounds(set, set.t))[guard];
		for (let round = 0; round < mostRounds; round++) {
			const middle = here.slopeLo / 2 + here.slopeHi / 2;
			const rest = middle > 0 && here.lo < 0 ? (-1.5 * here.lo) / middle : 0;
			const to = Math.min(limit, before.t + Math.max(rest, (before.t - set.t) / 4));
			if (!(to > before.t)) break;
			const found = this.#quiet.unheeding(before, guard, to);
			if (isFailure(found)) return found;
			before.conditions = found.conditions;
			pieces.push(...found.pieces);
			here = this.#guards.over(this.#host.symbolBounds(before, to))[guard];
			if (here.lo > 0) {
				const slopes = pieces.map(
					({ from, to: end, states }) =>
						this.#guards.over(this.#quiet.boxOver(set, from, end, states))[guard].slopeLo,
				);
				const tube = hullOfTubes(pieces.map(({ states }) => states));
				return {
					guard,
					to,
					pieces,
					box: this.#quiet.boxOver(set, set.t, to, tube),
					slope: Math.min(...slopes),
				};
			}
			if (to === limit)
				return this.#guards.failure(
					set.t,
					guard,
					`it may happen before or behind t = ${limit}, where something else changes`,
				);
		}
		return this.#guards.failure(
			set.t,
			guard,
			`it is not proved that courses cross what it waits for: ${this.#guards.slopeText(guard, here)}`,
		);
	}

	/** A set behind its crossings, with what conditions are there. */
	#behind(set: FlowSet, slab: Crossed, when: Crossings, to: number) {
		const found = this.#crossing.behind(set, slab, when, to);
		if (isFailure(found)) return found.isSpent ? found : this.#guards.failure(set.t, slab.guard, found.why);
		const event = this.#guards.events[slab.guard];
		const behind = this.#quiet.boxOver(set, set.t, slab.to, found.tube);
		const over = this.#guards.over(behind);
		const before = this.#guards.over(slab.box);
		const last = this.#guards.over(this.#host.symbolBounds(found.set, to));
		// Each course has its event at a time of its own: others are what they are over all of the while.
		const conditions = set.conditions!.map((status, k) => {
			const isTouched = this.#guards.isTouched(k, event);
			if (k === slab.guard) return ownStatus(over[k], last[k], isTouched);
			const reached = nextStatus(status, before[k]);
			return reached && (isTouched ? resetStatus(reached, over[k]) : nextStatus(reached, over[k]));
		});
		const unclear = conditions.indexOf(undefined);
		if (unclear < 0) return { ...found, conditions: conditions as Status[] };
		return this.#guards.failure(
			set.t,
			unclear,
			unclear === slab.guard
				? `some courses may have it again before all have had it: ${this.#guards.slopeText(unclear, over[unclear])}`
				: `${this.#guards.text(slab.guard)} may set it off`,
		);
	}
}
