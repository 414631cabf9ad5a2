/**
 * Which unknowns come and go together. A term is called by its first unknown; most have no other, but one whose weights differ from
 * record to record has one for each, and is there for all records or for none.
 */
import type { Weight } from "./candidates.ts";

export class Terms {
	/** Those that may be dropped. */
	readonly selectable: readonly number[];
	/** Unknowns that stay: initial values, and what the model knows something of. */
	readonly always: readonly number[];
	/** Whether each term has one unknown. */
	readonly areSingle: boolean;
	readonly #termOf: readonly number[];
	readonly #members: ReadonlyMap<number, readonly number[]>;

	constructor(weights: readonly Pick<Weight, "label" | "selectable">[], nUnknowns: number) {
		const first = new Map<string, number>();
		weights.forEach(({ label }, w) => {
			if (!first.has(label)) first.set(label, w);
		});
		this.#termOf = weights.map(({ label }) => first.get(label)!);
		const members = new Map<number, number[]>();
		this.#termOf.forEach((term, w) => {
			if (weights[w].selectable) members.set(term, [...(members.get(term) ?? []), w]);
		});
		this.#members = members;
		this.selectable = [...members.keys()];
		this.always = [...Array(nUnknowns).keys()].filter((u) => !weights[u]?.selectable);
		this.areSingle = [...members.values()].every(({ length }) => length === 1);
	}

	/** The term that an unknown is of; undefined for one that stays. */
	of(u: number): number | undefined {
		const term = this.#termOf[u];
		return term !== undefined && this.#members.has(term) ? term : undefined;
	}

	membersOf(term: number): readonly number[] {
		return this.#members.get(term)!;
	}

	/** The terms among some unknowns. */
	among(active: readonly number[]): number[] {
		return active.filter((u) => this.of(u) === u);
	}

	/** All unknowns of some terms, and those that stay. */
	unknownsOf(terms: readonly number[]): number[] {
		return [...terms.flatMap((term) => this.membersOf(term)), ...this.always].sort((a, b) => a - b);
	}
}
