/** Which starts are worth following: many candidates are simulated once. */
import { candidatePoints, chooseStarts } from "../../../estimate/least-squares/starts.ts";
import { type Look, looks } from "../../../estimate/least-squares/still-unknowns.ts";
import { costs, type LikelihoodProblem } from "../../../estimate/observe/likelihood.ts";

/** Candidates in one unit of work. */
const unit = 256;
/** The adaptive solver is slow, and the user may want to stop. */
const adaptiveUnit = 4;

export class Screening {
	readonly #points: readonly Float64Array[];
	readonly #isCareful: boolean;
	readonly #seen: Look[] = [];

	constructor(
		unknowns: LikelihoodProblem["unknowns"],
		{ candidates, starts, short }: { candidates: number; starts: number; short: number },
		seed: number,
	) {
		this.#points = candidatePoints(unknowns, Math.max(candidates, starts, short), seed, short > 0);
		this.#isCareful = short > 0;
	}

	get tried(): number {
		return this.#seen.length;
	}

	/** Share of the candidates that was. */
	get fraction(): number {
		return this.tried / this.#points.length;
	}

	/** A share of the candidates; whether there are more. */
	async round(problem: LikelihoodProblem, isAdaptive: boolean): Promise<boolean> {
		const next = this.#points.slice(this.tried, this.tried + (isAdaptive ? adaptiveUnit : unit));
		if (this.#isCareful) this.#seen.push(...(await looks(problem, next)));
		else this.#seen.push(...(await costs(problem, next)).map((cost, i) => ({ z: next[i], cost })));
		return this.tried < this.#points.length;
	}

	/** Those that could not be simulated. */
	get lost(): Float64Array[] {
		return this.#seen.filter(({ cost }) => cost === Number.POSITIVE_INFINITY).map(({ z }) => z);
	}

	/** The best and most different. */
	starts(count: number): Float64Array[] {
		const points = this.#seen.map(({ z }) => z);
		return chooseStarts(
			points,
			this.#seen.map(({ cost }) => cost),
			count,
		).map((k) => points[k]);
	}
}
