/**
 * The best supported sets of terms of a linear problem: greedy from none up, then every change of one or two terms until
 * none is better.
 */
import type { Terms } from "../candidates/terms.ts";
import type { LinearEvidence } from "../evidence/linear-evidence.ts";

/** Of the places of a block that a set has; Infinity where it is more than `most`. */
type SetCost = (places: ArrayLike<number>, count: number, most: number) => number;

export interface Subset {
	readonly active: readonly number[];
	/** Minus twice the log evidence. */
	readonly cost: number;
	readonly values: Float64Array;
}

/** Which changes of two terms at once are tried beside those of one: all, one that goes for one that comes, or none. */
export type Pairs = "all" | "exchanges" | "none";
/** Beyond so many candidates not all pairs. */
const allPairsUpTo = 40;
/** How many of the sets that look best are judged at each step: of single changes, and of changes of two. */
const walkWidth = 3;
const pairWidth = 12;
/** Sets of the terms of one block that are looked at, at most, and how many of them are judged. */
const mostSets = 25_000;
const withinWidth = 6;
/** So far above the best so far nothing more is to be found. */
const hopeless = 20;

export class SubsetSearch {
	readonly #seen = new Map<string, Subset>();

	constructor(
		readonly linear: LinearEvidence,
		/** What may come and go. */
		readonly sets: Terms,
		readonly pairs: Pairs = sets.selectable.length <= allPairsUpTo ? "all" : "exchanges",
		/** Terms that belong together and may stand in the wrong place together. */
		readonly blocks: readonly (readonly number[])[] = [],
	) {}

	judge(terms: readonly number[]): Subset {
		const active = this.sets.unknownsOf(terms);
		const key = active.join();
		let subset = this.#seen.get(key);
		if (!subset) this.#seen.set(key, (subset = { active, ...this.linear.judge(active) }));
		return subset;
	}

	/** The best set that can be reached from given ones by changes that each make it better. */
	best(starts: readonly (readonly number[])[]): Subset {
		return starts
			.map((start) =>
				this.#descend(
					start.filter((u) => this.sets.selectable.includes(u)),
					this.pairs,
				),
			)
			.reduce((a, b) => (b.cost < a.cost ? b : a));
	}

	/** Sets in which the bumps of one spline have gone to another, each with the single changes that make it better. */
	swaps(terms: readonly number[]): Subset[] {
		return this.blocks.flatMap((from) =>
			this.blocks
				.filter((to) => to !== from && from.some((u) => terms.includes(u)))
				.map((to) => this.#descend([...new Set([...terms.filter((u) => !from.includes(u)), ...to])], "none")),
		);
	}

	/**
	 * In each block all sets of few terms, the other blocks as they are: candidates that are nearly alike, as all powers of a state
	 * that hardly moves, lead a search by single changes to sets from which several terms would have to go at once.
	 */
	within(here: Subset, blocks: readonly (readonly number[])[]): Subset {
		let best = here;
		for (const block of blocks) {
			const stays = this.#terms(best).filter((u) => !block.includes(u));
			const found = this.#few(block, stays, withinWidth).map((own) => this.judge([...stays, ...own]));
			const top = least([best, ...found]);
			if (top.cost < best.cost - 1e-9) best = this.#descend(this.#terms(top), "none");
		}
		return best;
	}

	/**
	 * The same with nothing taken as it is: each block in turn is searched beside all terms of the others, then these beside what it found. Where functions
	 * move one another's states, a wrong set in one calls for a wrong set in the other, and both would have to change at once.
	 */
	withOthersOpen(here: Subset, blocks: readonly (readonly number[])[]): Subset {
		if (blocks.length < 2) return here;
		const inBlocks = new Set(blocks.flat());
		const alone = this.#terms(here).filter((u) => !inBlocks.has(u));
		const found = blocks.flatMap((first) => {
			const later = blocks.filter((block) => block !== first);
			let sets = this.#few(first, [...alone, ...later.flat()], withinWidth).map((own) => [...alone, ...own]);
			later.forEach((block, k) => {
				const open = later.slice(k + 1).flat();
				sets = sets.flatMap((set) => this.#few(block, [...set, ...open], 1).map((own) => [...set, ...own]));
			});
			return sets.map((set) => this.judge(set));
		});
		const top = least([here, ...found]);
		return top === here ? here : this.#descend(this.#terms(top), "none");
	}

	/** The sets of a block that cost least beside others. */
	#few(block: readonly number[], others: readonly number[], count: number): number[][] {
		const cost = this.#costWithin(block, others);
		return cost
			? fewOf(block.length, cost)
					.slice(0, count)
					.map((places) => places.map((k) => block[k]))
			: [];
	}

	/** What a set of the terms of a block costs more than none of them, with others that stay. */
	#costWithin(block: readonly number[], others: readonly number[]): SetCost | undefined {
		const { sets, linear } = this;
		const unknowns = block.flatMap((term) => sets.membersOf(term));
		const cost = linear.lookWithin(sets.unknownsOf(others), unknowns);
		if (!cost || unknowns.length === block.length) return cost;
		const members = block.map((term) => sets.membersOf(term).map((u) => unknowns.indexOf(u)));
		const all = new Int32Array(unknowns.length);
		return (places, count, most) => {
			let n = 0;
			for (let i = 0; i < count; i++) for (const place of members[places[i]]) all[n++] = place;
			return cost(all, n, most);
		};
	}

	/** The best sets seen so far, best first. */
	ranking(count: number): Subset[] {
		return [...this.#seen.values()].sort((a, b) => a.cost - b.cost).slice(0, count);
	}

	/** What is left of all terms when single changes no longer make it better. */
	downward(): number[] {
		return this.#terms(this.#descend(this.sets.selectable, "none"));
	}

	/** Puts terms in one by one, always the one that gains most; the best set on the way. */
	upward(): number[] {
		let here = this.judge([]);
		let best = here;
		for (;;) {
			const near = this.#near(here, "none", walkWidth, (isIn) => !isIn);
			if (near.length === 0) break;
			here = least(near);
			if (here.cost < best.cost) best = here;
			else if (here.cost > best.cost + hopeless) break;
		}
		return this.#terms(best);
	}

	#terms({ active }: Subset): number[] {
		return this.sets.among(active);
	}

	#descend(start: readonly number[], pairs: Pairs): Subset {
		let here = this.judge(start);
		for (;;) {
			// With nothing to select there is nothing near.
			const top = least([here, ...this.#near(here, pairs, pairs === "none" ? walkWidth : pairWidth)]);
			if (!(top.cost < here.cost - 1e-9)) return here;
			here = top;
		}
	}

	/** Sets that differ in one term, or in two as `pairs` says: those that look best, judged. */
	#near(
		here: Subset,
		pairs: Pairs,
		count: number,
		mayFlip: (isIn: boolean) => boolean = () => true,
	): Subset[] {
		const { linear, sets } = this;
		const prior = linear.priorAround(here.active, here.values);
		const isIn = new Uint8Array(prior.length);
		for (const u of here.active) isIn[u] = 1;
		const flips = sets.selectable.filter((u) => mayFlip(isIn[u] === 1));
		const flip = (term: number): void => {
			for (const u of sets.membersOf(term)) isIn[u] ^= 1;
		};
		const looks: { cost: number; a: number; b: number }[] = [];
		const active: number[] = [];
		const look = (a: number, b: number): void => {
			active.length = 0;
			for (let u = 0; u < isIn.length; u++) if (isIn[u] === 1) active.push(u);
			looks.push({ cost: linear.look(active, prior), a, b });
		};
		for (const [i, a] of flips.entries()) {
			flip(a);
			look(a, -1);
			if (pairs !== "none")
				for (let j = i + 1; j < flips.length; j++) {
					// The first is flipped already: alike now means that one goes and one comes.
					if (pairs === "exchanges" && isIn[a] !== isIn[flips[j]]) continue;
					flip(flips[j]);
					look(a, flips[j]);
					flip(flips[j]);
				}
			flip(a);
		}
		return looks
			.sort((x, y) => x.cost - y.cost)
			.slice(0, count)
			.map(({ a, b }) => {
				const changed = isIn.slice();
				changed[a] ^= 1;
				if (b >= 0) changed[b] ^= 1;
				return this.judge(sets.selectable.filter((u) => changed[u] === 1));
			});
	}
}

function least(subsets: readonly Subset[]): Subset {
	return subsets.reduce((a, b) => (b.cost < a.cost ? b : a));
}

/** Places of the sets of few, of n, that cost least: of as many sizes as there are not too many sets. */
function fewOf(n: number, cost: SetCost): number[][] {
	const best: { places: number[]; cost: number }[] = [];
	const places = new Int32Array(n);
	const grow = (count: number, from: number, most: number): void => {
		const last = best.length < withinWidth ? Number.POSITIVE_INFINITY : best[best.length - 1].cost;
		const value = cost(places, count, last);
		if (value < last) {
			best.push({ places: [...places.subarray(0, count)], cost: value });
			best.sort((a, b) => a.cost - b.cost);
			best.length = Math.min(best.length, withinWidth);
		}
		if (count < most)
			for (let k = from; k < n; k++) {
				places[count] = k;
				grow(count + 1, k + 1, most);
			}
	};
	grow(0, 0, largestSize(n));
	return best.map((each) => each.places);
}

function largestSize(n: number): number {
	let sets = 1;
	for (let size = 1, all = 1; size <= n; size++) {
		sets *= (n - size + 1) / size;
		all += sets;
		if (all > mostSets) return size - 1;
	}
	return n;
}
