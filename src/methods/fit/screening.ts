/** Which starts are worth following: many candidates are simulated once; of many that went a few steps down, the better half goes on. */
import type { Search } from "../../estimate/least-squares/search.ts";
import { candidatePoints, chooseStarts } from "../../estimate/least-squares/starts.ts";
import { costs, type LikelihoodProblem } from "../../estimate/observe/likelihood.ts";

/** Candidates in one unit of work. */
const unit = 256;
/** The adaptive solver is slow, and the user may want to stop. */
const adaptiveUnit = 4;

export class Screening {
	readonly #points: readonly Float64Array[];
	#costs: number[] = [];

	constructor(
		unknowns: LikelihoodProblem["unknowns"],
		{ candidates, starts, short }: { candidates: number; starts: number; short: number },
		seed: number,
	) {
		this.#points = candidatePoints(unknowns, Math.max(candidates, starts, short), seed, short > 0);
	}

	get tried(): number {
		return this.#costs.length;
	}

	/** A share of the candidates; whether there are more. */
	async round(problem: LikelihoodProblem, isAdaptive: boolean): Promise<boolean> {
		const next = this.#points.slice(this.tried, this.tried + (isAdaptive ? adaptiveUnit : unit));
		this.#costs.push(...(await costs(problem, next)));
		return this.tried < this.#points.length;
	}

	/** Not one of them could be simulated. */
	get allFailed(): boolean {
		return this.#costs.every((cost) => cost === Number.POSITIVE_INFINITY);
	}

	/** The best and most different. */
	starts(count: number): Float64Array[] {
		return chooseStarts(this.#points, this.#costs, count).map((k) => this.#points[k]);
	}
}

/**
 * Of starts that went a few steps down: the better half of the places that they reached, but so many at least, without those that
 * do not differ. `isLast`: there are no more to drop.
 */
export function betterHalf(search: Search, least: number): { kept: Search["machines"]; isLast: boolean } {
	const ends = search.machines.map((machine) => search.endOf(machine));
	const distinct = [...new Set(ends)].sort((a, b) => a.cost - b.cost);
	const left = Math.max(least, Math.ceil(distinct.length / 2));
	const chosen = chooseStarts(
		distinct.map(({ best }) => best),
		distinct.map(({ cost }) => cost),
		left,
	);
	return { kept: chosen.map((k) => distinct[k]), isLast: left === least };
}
