/**
 * Rounds of multiple shooting, for records that swing and have many optima: the first ones begin at random; each later one at the best ends so far,
 * shaken, and at some points more. With the records in segments a search comes over what divides neighbouring optima of whole records.
 */
import { searchBounds, searchReach } from "../../../estimate/least-squares/region.ts";
import { candidatePoints, nearOne } from "../../../estimate/least-squares/starts.ts";
import { costUnit, type LikelihoodProblem } from "../../../estimate/observe/likelihood.ts";
import { exp, log } from "../../../num/elementary/number.ts";
import { stream } from "../../../num/random.ts";
import type { StartOutcome } from "../fit-state.ts";

/** Shakes as shares of a reach, which is a decade on a logarithmic scale: the least and the most. */
const shake = { least: 0.05, most: 0.25 };
/** Shaken points of each end. */
const shaken = 3;
/** Of the best ends, how many are followed further beside those of the next round, if they had not come to rest. */
const mostContinued = 4;
/** Rounds that begin at random: ends of whole records, good for their place, would push such points out. */
const randomRounds = 3;
/** Points that a round begins with, for each that is left of it. */
const pointsForOne = 6;
/** Rounds without a better best, after which no more are made; and how many there are at most. */
const patience = 8;
const mostRounds = 30;
/** What counts as better and as different, beside the cost's own unit. */
const leastDifference = 1e-3;

export interface CutRoundsState {
	readonly count: number;
	readonly idle: number;
	/** The least cost that there was before the round under way; none before the first. */
	readonly before: number | null;
}

export class CutRounds {
	/** How many were begun. */
	count = 0;
	#idle = 0;
	#before = Number.POSITIVE_INFINITY;

	constructor(readonly seed: number) {}

	/** Share of the rounds that was begun. */
	get fraction(): number {
		return this.count / mostRounds;
	}

	/** Whether another round is worth it, as starts have ended. */
	goesOn(problem: LikelihoodProblem, starts: readonly StartOutcome[]): boolean {
		const best = starts.reduce((least, { cost }) => Math.min(least, cost), Number.POSITIVE_INFINITY);
		const isBetter = !(best > this.#before - leastDifference * costUnit(problem, best));
		this.#idle = this.count <= randomRounds || isBetter ? 0 : this.#idle + 1;
		this.#before = best;
		return this.#idle < patience && this.count < mostRounds;
	}

	/** Where the next round begins; `keep`: how many points are left of it. */
	points(problem: LikelihoodProblem, starts: readonly StartOutcome[], keep: number): Float64Array[] {
		const { unknowns } = problem;
		const round = this.count++;
		const count = round < randomRounds ? pointsForOne * keep : keep;
		const drawn = nearOne(unknowns, candidatePoints(unknowns, count + 1, this.seed + round, true)).slice(1);
		if (round < randomRounds) return drawn;
		const best = distinct(problem, starts).slice(0, keep);
		return [...best.flatMap((z, k) => this.#shaken(problem, z, `${round} ${k}`)), ...drawn];
	}

	/** Ends of earlier rounds that had not come to rest and are good enough to go on, out of all starts. */
	unfinished(starts: readonly StartOutcome[]): StartOutcome[] {
		return [...starts]
			.sort((a, b) => a.cost - b.cost)
			.slice(0, mostContinued)
			.filter(({ outcome }) => outcome === "maxSteps");
	}

	#shaken(problem: LikelihoodProblem, z: Float64Array, name: string): Float64Array[] {
		const random = stream(this.seed, `fit shake ${name}`);
		const { lo, hi } = searchBounds(problem);
		const reach = searchReach(problem);
		return Array.from({ length: shaken }, (_, k) => {
			const first = k * (z.length + 1);
			const size = shake.least * exp(random.uniform(first) * log(shake.most / shake.least));
			return z.map((value, j) => {
				const far = reach[j] < Number.POSITIVE_INFINITY ? reach[j] : Math.abs(value);
				return Math.min(Math.max(value + size * far * random.normal(first + 1 + j), lo[j]), hi[j]);
			});
		});
	}

	save(): CutRoundsState {
		const before = this.#before < Number.POSITIVE_INFINITY ? this.#before : null;
		return { count: this.count, idle: this.#idle, before };
	}

	restore({ count, idle, before }: CutRoundsState): void {
		this.count = count;
		this.#idle = idle;
		this.#before = before ?? Number.POSITIVE_INFINITY;
	}
}

/** Ends with costs of their own, the best first. */
function distinct(problem: LikelihoodProblem, starts: readonly StartOutcome[]): Float64Array[] {
	const sorted = [...starts]
		.filter(({ cost, spurious }) => cost < Number.POSITIVE_INFINITY && !spurious)
		.sort((a, b) => a.cost - b.cost);
	let last = Number.NEGATIVE_INFINITY;
	return sorted.flatMap(({ z, cost }) => {
		if (cost - last <= leastDifference * costUnit(problem, cost)) return [];
		last = cost;
		return [Float64Array.from(z)];
	});
}
