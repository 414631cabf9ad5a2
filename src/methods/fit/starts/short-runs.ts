/**
 * Many starts, each a few steps down; of those that come far and differ some go on, for more steps, and so on, until as
 * many are left as shall be followed to their optimum.
 *
 * Half of them, or all, see the first quarter of each record at first, and more of it from stage to stage. What swings has an optimum wherever
 * some of its turns fall on some of the measured ones, and a flat one in between: from a short piece the way to the right
 * turn is open, and what follows a short piece well is near to what follows a longer one.
 */

import type { LevenbergMarquardt } from "../../../estimate/least-squares/levenberg-marquardt.ts";
import { Search, type SearchSnapshot } from "../../../estimate/least-squares/search.ts";
import { chooseStarts } from "../../../estimate/least-squares/starts.ts";
import { type Look, looks } from "../../../estimate/least-squares/still-unknowns.ts";
import type { LikelihoodProblem } from "../../../estimate/observe/likelihood.ts";
import { exp, log } from "../../../num/elementary/number.ts";
import { wholePower } from "../../../num/whole-power.ts";

/** Evaluations of the first stage. */
const fewEvaluations = 12;
const fewestStages = 3;
/** Of each record, what those see at first that see more from stage to stage. */
const firstShare = 1 / 4;

interface Pool {
	readonly grows: boolean;
	readonly search: Search;
}

export interface ShortRunsState {
	readonly stage: number;
	readonly evaluations: number;
	readonly pools: readonly { readonly grows: boolean; readonly search: readonly SearchSnapshot[] }[];
}

export class ShortRuns {
	/** What the searches of earlier stages took. */
	evaluations = 0;
	#stage = 0;
	#pools: readonly Pool[] = [];
	readonly #stages: number;

	constructor(
		/** The problem with this share of each record. */
		readonly problem: (share: number) => LikelihoodProblem,
		readonly counts: { readonly short: number; readonly starts: number },
		/** Which of them see the records piece by piece. */
		readonly growing: "none" | "half" | "all",
	) {
		this.#stages = Math.max(fewestStages, Math.ceil(log(counts.short / counts.starts) / Math.LN2));
	}

	get machines(): readonly LevenbergMarquardt[] {
		return this.#pools.flatMap(({ search }) => search.machines);
	}

	get running(): readonly LevenbergMarquardt[] {
		return this.#pools.flatMap(({ search }) => search.running);
	}

	/** Those that see all of the records. */
	get whole(): Search | undefined {
		return this.#pools.find(({ grows }) => !grows)?.search;
	}

	/** Share of the evaluations of all stages. */
	get fraction(): number {
		const { short } = this.counts;
		const planned = Array.from(
			{ length: this.#stages },
			(_, stage) => (stage === 0 ? short : this.#leftAt(stage)) * mostAt(stage),
		);
		const within =
			this.#pools.reduce((sum, { search }) => sum + search.fraction, 0) / Math.max(this.#pools.length, 1);
		const all = planned.reduce((sum, own) => sum + own, 0);
		return (
			planned.reduce((sum, own, k) => sum + own * (k < this.#stage ? 1 : k === this.#stage ? within : 0), 0) /
			all
		);
	}

	begin(points: readonly Float64Array[]): void {
		const grows = (i: number): boolean => this.growing === "all" || (this.growing === "half" && i % 2 === 1);
		this.#pools = [
			{ grows: false, points: points.filter((_, i) => !grows(i)) },
			{ grows: true, points: points.filter((_, i) => grows(i)) },
		].flatMap(({ grows: isGrown, points: own }) => (own.length > 0 ? [this.#pool(isGrown, own)] : []));
	}

	/** One round of all searches; the starts that are left, best first, when the last stage is over. */
	async round(): Promise<Float64Array[] | undefined> {
		let isOn = false;
		for (const { search } of this.#pools)
			if (search.running.length > 0) isOn = (await search.round()) || isOn;
		if (isOn) return undefined;
		this.evaluations += this.machines.reduce((sum, { evaluations }) => sum + evaluations, 0);
		this.#stage++;
		const all: Look[] = [];
		const pools: Pool[] = [];
		for (const { grows, search } of this.#pools) {
			const ends = new Set(search.machines.map((machine) => search.endOf(machine)));
			const points = [...ends].filter(({ told }) => told).map(({ best }) => best);
			const seen = await looks(this.problem(this.#share(grows)), points);
			all.push(...seen);
			if (seen.length > 0)
				pools.push(this.#pool(grows, chosen(seen, this.#leftAt(this.#stage) / this.#pools.length)));
		}
		if (this.#stage === this.#stages || pools.length === 0) return chosen(all, this.counts.starts);
		this.#pools = pools;
		return undefined;
	}

	/** How many go on to a stage. */
	#leftAt(stage: number): number {
		const { short, starts } = this.counts;
		return starts * exp((1 - stage / this.#stages) * log(short / starts));
	}

	#share(grows: boolean): number {
		const whole = this.#stages - 1;
		return grows && this.#stage < whole ? exp((1 - this.#stage / whole) * log(firstShare)) : 1;
	}

	#pool(grows: boolean, points: readonly Float64Array[]): Pool {
		const maxEvaluations = mostAt(this.#stage);
		const options = { maxEvaluations, careful: true, rough: true, brief: this.growing === "all" };
		return { grows, search: Search.from(this.problem(this.#share(grows)), points, options) };
	}

	save(): ShortRunsState {
		return {
			stage: this.#stage,
			evaluations: this.evaluations,
			pools: this.#pools.map(({ grows, search }) => ({ grows, search: search.snapshot() })),
		};
	}

	async restore({ stage, evaluations, pools }: ShortRunsState): Promise<void> {
		this.#stage = stage;
		this.evaluations = evaluations;
		this.#pools = pools.map(({ grows, search }) =>
			this.#pool(
				grows,
				search.map(({ best }) => Float64Array.from(best)),
			),
		);
		for (const [i, { search }] of this.#pools.entries()) await search.restore(pools[i].search);
	}
}

/** Evaluations of each, in a stage. */
function mostAt(stage: number): number {
	return fewEvaluations * wholePower(2, Math.max(stage - 1, 0));
}

/** The cheapest that differ, the best first. */
function chosen(seen: readonly Look[], count: number): Float64Array[] {
	const sorted = [...seen].sort((a, b) => a.cost - b.cost);
	const points = sorted.map(({ z }) => z);
	const costs = sorted.map(({ cost }) => cost);
	return chooseStarts(points, costs, Math.ceil(count)).map((k) => points[k]);
}
