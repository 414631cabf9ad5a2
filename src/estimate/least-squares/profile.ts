/**
 * Profile likelihood: for each unknown, the best cost that is left when it is held at a value away from its estimate.
 * The signed root of the cost's rise is nearly a straight line in the unknown, so an interval's ends are found by
 * following it to the quantile of the error's law.
 *
 * Reference: Raue et al., "Structural and practical identifiability analysis of partially observed dynamical models by
 * exploiting the profile likelihood", Bioinformatics 25, 2009.
 */

import type { Verdict } from "../judge/identifiability.ts";
import { costs, type LikelihoodProblem } from "../observe/likelihood.ts";
import type { Covariance } from "./covariance.ts";
import { lookedAt } from "./profile-look.ts";
import { type Known, Ray } from "./profile-ray.ts";
import { searchBounds } from "./region.ts";
import { Search } from "./search.ts";

export interface ProfilePoint {
	/** Value of the unknown in search coordinates. */
	readonly z: number;
	/** Signed root of the rise of the cost over the variance of errors: 1 is one standard deviation. */
	readonly score: number;
}

export interface ProfileSide {
	/** Distance in search coordinates that the interval is known to reach at least. */
	readonly reach: number;
	/** Whether the cost rises enough there. */
	readonly passed: boolean;
}

export interface Profile {
	/** Rising in z; the estimate itself has score 0. */
	readonly points: readonly ProfilePoint[];
	/** Ends of the 95 % interval in search coordinates; where the cost does not rise enough: the declared bound, or infinite. */
	readonly lo: number;
	readonly hi: number;
	/** Below and above the estimate. */
	readonly sides: readonly [ProfileSide, ProfileSide];
	readonly verdict: Verdict;
}

export interface ProfileTask {
	readonly problem: LikelihoodProblem;
	/** The same with a finer integration, where that is worth a look. */
	readonly finer: LikelihoodProblem | undefined;
	/** The optimum. */
	readonly best: Float64Array;
	readonly cost: number;
	readonly covariance: Covariance;
	/** The Jacobian at the optimum, where derivatives are so dear that fits are looked for without them first. */
	readonly jacobian?: Float64Array;
	/** Variance of the residuals, and the quantile that ends an interval. */
	readonly variance: number;
	/** The same by unknown, where priors make its error another one than that of the samples alone. */
	readonly variances?: Float64Array;
	readonly quantile: number;
	readonly maxEvaluations: number;
	/** Whether all the work that profiles may take has been done. */
	isSpent(): boolean;
	/** Other places where the cost is low: fits at held values may start from them. */
	readonly places: readonly Float64Array[];
}

/** A fall of the cost below the optimum, in variances, that is news: it moves estimates by a tenth of their error. */
const realFall = 5e-3;
/** Change of a score by finer integration, in quantiles, that does not matter. */
const scoreTolerance = 0.1;
/** Fits with a higher score than this, in quantiles, are no places to search from. */
const farOutside = 2;
/** Searches start near their end: little damping, so that they do not creep along a valley and stop in it. */
export const warmDamping = 1e-8;

/** A value at which an unknown is held, and where the search for the others starts. */
interface Held {
	readonly ray: Ray;
	readonly d: number;
	readonly start: Float64Array;
	readonly again: boolean;
}

/** Where such a search ended. */
interface HeldEnd extends Held {
	readonly where: Float64Array;
	readonly cost: number;
	readonly isEnd: boolean;
}

/** All profiles at once: one ray a side of an unknown, all advancing together. */
export class Profiles {
	readonly #task: ProfileTask;
	readonly #rays: Ray[];
	/** Fits at held values that are not far from the optimum, of all rays. */
	readonly #known: Known[];
	#search: Search | undefined;
	#fresh: Held[] = [];
	/** A point that is better than the optimum the profiles started from, if one was met. */
	better: Float64Array | undefined;
	/** Whether integration error decided somewhere how large a score is. */
	isBlurred = false;

	constructor(task: ProfileTask) {
		this.#task = task;
		const { lo, hi } = searchBounds(task.problem);
		this.#known = task.places.map((where) => ({ where, rise: Number.POSITIVE_INFINITY }));
		this.#rays = [...task.best.keys()].flatMap((unknown) =>
			[-1, 1].map((side) => new Ray(task, unknown, side, side < 0 ? lo[unknown] : hi[unknown])),
		);
	}

	/** Share of the rays that are done. */
	get fraction(): number {
		return this.#rays.filter(({ done }) => done).length / this.#rays.length;
	}

	/** One batch of simulations; false when all profiles are done, or the work that they may take. */
	async round(): Promise<boolean> {
		if (this.#task.isSpent()) return false;
		if (await this.#goesOn()) return true;
		await this.#lookAtLost();
		return false;
	}

	/**
	 * Where fits just beyond an end blew up and finer integration does not, its own limit may have turned them back before: fits on this
	 * side of it agree with the finer ones, and are not the best there.
	 */
	async #lookAtLost(): Promise<void> {
		const { best, finer } = this.#task;
		const lost = this.#rays.flatMap((ray) => ray.lostBeyond());
		if (!finer || lost.length === 0) return;
		const found = await costs(finer, [best, ...lost]);
		this.isBlurred ||= found.slice(1).some(Number.isFinite);
	}

	async #goesOn(): Promise<boolean> {
		if (!this.#search) {
			const tries = this.#tries();
			if (tries.length === 0) return false;
			const ends = await this.#looked(tries);
			await this.#take(ends);
			const found = new Set(ends.map(({ start }) => start));
			this.#begin(tries.filter(({ start }) => !found.has(start)));
			return this.#search !== undefined || this.#learn();
		}
		const more = await this.#search.round();
		const { best } = this.#search;
		this.#notice(best.best, best.cost);
		if (more) return true;
		await this.#take(
			this.#search.machines.map((machine, i) => ({
				...this.#fresh[i],
				where: machine.best,
				cost: machine.cost,
				// Steps that were damped to the end may be short for that reason alone.
				isEnd: machine.outcome === "converged" && machine.snapshot().lambda < 10 * warmDamping,
			})),
		);
		this.#search = undefined;
		return this.#learn();
	}

	/** Two machines may end a rounding error below the optimum; only a real fall is news, and no search need end to tell it. */
	#notice(where: Float64Array, cost: number): void {
		const { variance, variances = [variance] } = this.#task;
		if (cost < this.#task.cost - realFall * Math.min(variance, ...variances)) this.better = where;
	}

	/** Those that are found without derivatives. */
	async #looked(tries: readonly Held[]): Promise<HeldEnd[]> {
		const held = tries.map(({ ray, start }) => ({ unknown: ray.unknown, start }));
		const fits = await lookedAt(this.#task, held);
		return tries.flatMap((each, i) => {
			const fit = fits[i];
			if (fit) this.#notice(fit.where, fit.cost);
			return fit ? [{ ...each, ...fit, isEnd: true }] : [];
		});
	}

	async #take(ends: readonly HeldEnd[]): Promise<void> {
		const { cost } = this.#task;
		const blurred = await this.#blurred(ends);
		for (const end of ends) {
			const { ray, d, again, where } = end;
			const isBlurred = blurred.has(end);
			const rise = isBlurred ? Number.POSITIVE_INFINITY : end.cost - cost;
			ray.add(d, ray.score(rise), where, end.isEnd && !isBlurred, again);
			if (isBlurred) ray.blur(d);
			if (this.#rays.some((each) => each.score(rise) < farOutside * each.task.quantile))
				this.#known.push({ where, rise });
		}
		this.isBlurred ||= blurred.size > 0;
	}

	/** Whether some ray goes on. */
	#learn(): boolean {
		for (const ray of this.#rays) ray.learn(this.#known);
		return this.#rays.some(({ done }) => !done);
	}

	/** Fits that finer integration does not confirm: far from the estimate a model may need finer steps than at it. */
	async #blurred(ends: readonly HeldEnd[]): Promise<Set<HeldEnd>> {
		const { best, cost, quantile, finer } = this.#task;
		if (!finer || ends.length === 0) return new Set();
		// How far outside a point lies does not matter.
		const relevant = (score: number): number => Math.min(score, 1.5 * quantile);
		const near = ends.filter((end) => end.ray.score(end.cost - cost) < 1.5 * quantile);
		const [lowest, ...found] = await costs(finer, [best, ...near.map(({ where }) => where)]);
		return new Set(
			near.filter((end, i) => {
				const { ray } = end;
				const change = relevant(ray.score(found[i] - lowest)) - relevant(ray.score(end.cost - cost));
				return !(Math.abs(change) <= scoreTolerance * quantile);
			}),
		);
	}

	/**
	 * Searches once more just outside each end, with an integration that suits all places: only ends that stand are kept. Where
	 * there is no work left to do so, those that are blurred are none.
	 */
	async confirm(exact: LikelihoodProblem): Promise<void> {
		const { best, quantile, maxEvaluations } = this.#task;
		const tries = this.#rays.flatMap((ray) => ray.edgeStarts().map((start) => ({ ray, start })));
		const search = Search.from(
			exact,
			tries.map(({ start }) => start),
			{ maxEvaluations, fixed: tries.map(({ ray }) => [ray.unknown]), damping: warmDamping },
		);
		while (!this.#task.isSpent() && (await search.round()));
		if (search.running.length > 0) return;
		const [lowest] = await costs(exact, [best]);
		for (const ray of new Set(tries.map((each) => each.ray))) {
			const found = search.machines.filter((_, i) => tries[i].ray === ray).map(({ cost }) => cost);
			ray.confirm(ray.score(Math.min(...found) - lowest) > (1 - scoreTolerance / 2) * quantile);
		}
	}

	#tries(): Held[] {
		return this.#rays.flatMap((ray) =>
			ray
				.next(this.#known)
				.flatMap(({ d, again, starts }) =>
					starts.map((start, i) => ({ ray, d, start, again: again && i === 0 })),
				),
		);
	}

	#begin(tries: Held[]): void {
		this.#fresh = tries;
		if (tries.length === 0) return;
		this.#search = Search.from(
			this.#task.problem,
			tries.map(({ start }) => start),
			{
				maxEvaluations: this.#task.maxEvaluations,
				fixed: tries.map(({ ray }) => [ray.unknown]),
				damping: warmDamping,
			},
		);
	}

	/** By unknown; undefined where the work was spent before both sides were done. */
	results(): (Profile | undefined)[] {
		const isKnown = ({ done, isBlurred }: Ray): boolean => done && !(isBlurred && this.#task.isSpent());
		return [...this.#task.best.keys()].map((unknown) => {
			const [down, up] = this.#rays.filter((ray) => ray.unknown === unknown);
			if (!isKnown(down) || !isKnown(up)) return undefined;
			const points = [
				...down.points.map(({ d, score }) => ({ z: down.at(d), score: -score })).reverse(),
				{ z: this.#task.best[unknown], score: 0 },
				...up.points.map(({ d, score }) => ({ z: up.at(d), score })),
			];
			return {
				points,
				lo: down.end,
				hi: up.end,
				sides: [sideOf(down), sideOf(up)],
				verdict: verdictOf(down, up),
			};
		});
	}
}

function sideOf({ known, passed }: Ray): ProfileSide {
	return { reach: known, passed };
}

function verdictOf(down: Ray, up: Ray): Verdict {
	const sides = [down, up].filter(({ hasRoom }) => hasRoom);
	if (sides.every(({ flat }) => flat)) return "structurally unidentifiable";
	if (sides.every(({ passed }) => passed)) return sides.length === 2 ? "identifiable" : "on its bound";
	return "practically unidentifiable";
}
