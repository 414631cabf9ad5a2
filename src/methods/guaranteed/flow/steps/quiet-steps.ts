/** Steps between events: as far as no event may happen, or as if nothing happened at one of them. */

import { type GuardBounds, type Guards, nextStatus, type Status } from "../events/guards.ts";
import type { ExperimentFlow } from "../experiment-flow.ts";
import type { FlowFailure } from "../flow.ts";
import type { FlowSet } from "../flow-set.ts";
import type { OnStep } from "./step-pieces.ts";

export interface Piece {
	readonly from: number;
	readonly to: number;
	readonly states: Float64Array;
}

/** Thrown out of a step that is not taken. */
export class Unquiet {
	constructor(
		readonly guard: number,
		readonly piece: Piece,
		readonly bounds: GuardBounds,
	) {}
}

export class QuietSteps {
	readonly #host: ExperimentFlow;
	readonly #guards: Guards;

	constructor(host: ExperimentFlow, guards: Guards) {
		this.#host = host;
		this.#guards = guards;
	}

	/** Steps as far as no event may happen. */
	advance(set: FlowSet, to: number, onStep?: OnStep): { failure?: FlowFailure; unquiet?: Unquiet } {
		let pending: Piece[] = [];
		let conditions = set.conditions!;
		const settled = (): void => {
			set.conditions = conditions;
			for (const { from, to: end, states } of pending) tell(set, from, end, states, onStep);
			pending = [];
		};
		try {
			const failure = this.#host.flow.advance(set, to, (from, end, states) => {
				if (from === set.t) settled();
				const piece = { from, to: end, states };
				conditions = this.#after(set, conditions, piece);
				pending.push(piece);
			});
			settled();
			return failure ? { failure } : {};
		} catch (error) {
			if (!(error instanceof Unquiet)) throw error;
			return { unquiet: error };
		}
	}

	/** Conditions after a piece of a step. */
	#after(set: FlowSet, before: readonly Status[], piece: Piece, isCrossing?: number): Status[] {
		const bounds = this.#guards.over(this.boxOver(set, piece.from, piece.to, piece.states));
		return before.map((status, k) => {
			if (k === isCrossing && bounds[k].slopeLo > 0) return status;
			const next = k === isCrossing ? undefined : nextStatus(status, bounds[k]);
			if (next === undefined) throw new Unquiet(k, piece, bounds[k]);
			return next;
		});
	}

	/** Bounds of all symbols over a while, for bounds of the states. */
	boxOver(set: FlowSet, from: number, to: number, states: Float64Array): Float64Array {
		const box = this.#host.symbolBounds(set, from);
		box.set(states);
		this.#host.clock.setInto(box, from, to);
		return box;
	}

	/** Carries a set on as if nothing happened at a guard, which rises; what other conditions are then. */
	unheeding(
		set: FlowSet,
		guard: number,
		to: number,
	): { readonly pieces: Piece[]; readonly conditions: readonly Status[] } | FlowFailure {
		const pieces: Piece[] = [];
		let conditions = set.conditions!;
		try {
			const failure = this.#host.flow.advance(set, to, (from, end, states) => {
				const piece = { from, to: end, states };
				conditions = this.#after(set, conditions, piece, guard);
				pieces.push(piece);
			});
			if (failure) return failure.isSpent ? failure : this.#host.ending.ofSet(failure, set);
			return { pieces, conditions };
		} catch (error) {
			if (!(error instanceof Unquiet)) throw error;
			const { guard: other, bounds } = error;
			return other === guard
				? this.#guards.failure(
						set.t,
						guard,
						`it is not proved that courses cross what it waits for: ${this.#guards.slopeText(guard, bounds)}`,
					)
				: this.#guards.failure(set.t, guard, `${this.#guards.text(other)} may happen at the same time`);
		}
	}
}

/** Tells bounds of the states, but not of what was told when the set waited. */
export function tell(set: FlowSet, from: number, to: number, states: Float64Array, onStep?: OnStep): void {
	const begin = Math.max(from, set.told ?? from);
	if (!onStep || !(begin < to)) return;
	onStep(begin, to, states);
	set.told = to;
}
