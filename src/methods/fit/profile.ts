/**
 * Profile likelihood: for each unknown, the best cost that is left when it is held at a value away from its estimate.
 * The signed root of the cost's rise is nearly a straight line in the unknown, so an interval's ends are found by
 * interpolating it at the quantile of the error's law.
 *
 * Reference: Raue et al., "Structural and practical identifiability analysis of partially observed dynamical models by
 * exploiting the profile likelihood", Bioinformatics 25, 2009.
 */
import { log } from "../../num/elementary/number.ts";
import type { MisfitProblem } from "../common/misfit.ts";
import { type Covariance, openShare } from "./covariance.ts";
import { Search, searchBounds } from "./search.ts";

export type Verdict =
	| "identifiable"
	/** The estimate sits on a declared bound, and the data hold it there. */
	| "on its bound"
	| "practically unidentifiable"
	| "structurally unidentifiable";

export interface ProfilePoint {
	/** Value of the unknown in search coordinates. */
	readonly z: number;
	/** Signed root of the rise of the cost over the residual variance: 1 is one standard deviation. */
	readonly score: number;
}

export interface Profile {
	/** Rising in z; the estimate itself has score 0. */
	readonly points: readonly ProfilePoint[];
	/** Ends of the 95 % interval in search coordinates; infinite where the cost does not rise enough. */
	readonly lo: number;
	readonly hi: number;
	readonly verdict: Verdict;
}

export interface ProfileTask {
	readonly problem: MisfitProblem;
	/** The optimum. */
	readonly best: Float64Array;
	readonly cost: number;
	readonly covariance: Covariance;
	/** Variance of the residuals, and the quantile that ends an interval. */
	readonly variance: number;
	readonly quantile: number;
	readonly maxEvaluations: number;
}

/** Offsets in standard deviations; beyond the last they double until the cost has risen enough. */
const offsets = [0.5, 1, 1.5, 2, 2.5, 3];
const doublings = 7;
/** Positive unknowns are followed over a factor of a thousand to either side. */
const farLog = log(1e3);

/** All profiles at once, ray by ray: one ray a side of an unknown, all advancing together. */
export class Profiles {
	readonly #task: ProfileTask;
	readonly #rays: Ray[];
	#search: Search | undefined;
	#fresh: { ray: Ray; z: number }[] = [];
	/** A point that is better than the optimum the profiles started from, if one was met. */
	better: Float64Array | undefined;

	constructor(task: ProfileTask) {
		this.#task = task;
		const { lo, hi } = searchBounds(task.problem);
		this.#rays = [...task.best.keys()].flatMap((unknown) =>
			[-1, 1].map((side) => new Ray(task, unknown, side, side < 0 ? lo[unknown] : hi[unknown])),
		);
	}

	/** Share of the rays that are done. */
	get fraction(): number {
		return this.#rays.filter(({ done }) => done).length / this.#rays.length;
	}

	/** One batch of simulations; false when all profiles are done. */
	async round(): Promise<boolean> {
		if (!this.#search && !this.#begin()) return false;
		if (await this.#search!.round()) return true;
		const { cost, variance } = this.#task;
		this.#search!.machines.forEach((machine, i) => {
			const { ray, z } = this.#fresh[i];
			// Two machines may end a rounding error below the optimum; only a real fall is news.
			if (machine.cost < cost - 1e-3 * variance && !this.better) this.better = machine.best;
			// A search that did not get to its optimum tells nothing of the profile.
			if (machine.outcome === "converged")
				ray.add(z, Math.sqrt((2 * Math.max(machine.cost - cost, 0)) / variance), machine.best);
		});
		for (const ray of new Set(this.#fresh.map((fresh) => fresh.ray))) ray.settle();
		this.#search = undefined;
		return this.#rays.some(({ done }) => !done);
	}

	#begin(): boolean {
		this.#fresh = this.#rays.flatMap((ray) => ray.next().map((z) => ({ ray, z })));
		if (this.#fresh.length === 0) return false;
		this.#search = Search.from(
			this.#task.problem,
			this.#fresh.map(({ ray, z }) => ray.startAt(z)),
			{
				maxEvaluations: this.#task.maxEvaluations,
				fixed: this.#fresh.map(({ ray }) => [ray.unknown]),
			},
		);
		return true;
	}

	results(): Profile[] {
		return [...this.#task.best.keys()].map((unknown) => {
			const [down, up] = this.#rays.filter((ray) => ray.unknown === unknown);
			const points = [
				...down.points.map(({ z, score }) => ({ z, score: -score })).reverse(),
				{ z: this.#task.best[unknown], score: 0 },
				...up.points,
			];
			return {
				points,
				lo: down.end ?? Number.NEGATIVE_INFINITY,
				hi: up.end ?? Number.POSITIVE_INFINITY,
				verdict: verdictOf(down, up),
			};
		});
	}
}

function verdictOf(down: Ray, up: Ray): Verdict {
	const sides = [down, up].filter(({ hasRoom }) => hasRoom);
	if (sides.every(({ flat }) => flat)) return "structurally unidentifiable";
	if (sides.every(({ passed }) => passed)) return sides.length === 2 ? "identifiable" : "on its bound";
	return "practically unidentifiable";
}

/** One side of one unknown's profile. */
class Ray {
	readonly points: { z: number; score: number }[] = [];
	done = false;
	/** End of the interval: where the score passes the quantile, or the declared bound if it is reached before. */
	end: number | undefined;
	/** Whether the cost rises enough. */
	passed = false;
	/** How far the ray goes at most. */
	readonly bound: number;
	readonly #declaredBound: number;
	readonly #unit: number;
	/** A direction along which the residuals do not change, if the unknown has part in one. */
	readonly #open: Float64Array | undefined;
	readonly #quantile: number;
	#last: Float64Array;
	#asked = 0;

	constructor(
		readonly task: ProfileTask,
		readonly unknown: number,
		readonly side: number,
		bound: number,
	) {
		const { covariance, variance, best, problem } = task;
		const isLog = problem.unknowns[unknown].scale === "log";
		const far = best[unknown] + side * (isLog ? farLog : Number.POSITIVE_INFINITY);
		this.bound = side < 0 ? Math.max(bound, far) : Math.min(bound, far);
		this.#declaredBound = bound;
		const sd = covariance.sd[unknown] * Math.sqrt(variance);
		this.#open = openStep(covariance, unknown);
		// Along an open direction the standard deviation says nothing: go by the size of the unknown itself.
		const part = this.#open ? 0.05 : 0.5;
		const size = isLog ? part : (Math.max(Math.abs(best[unknown]), 1e-3) * part) / 2;
		this.#unit = this.#open || !(sd > 0) ? size : Math.min(sd, 1e6 * size);
		this.#quantile = task.quantile;
		this.#last = best;
	}

	/** Values of the unknown to try next. */
	next(): number[] {
		if (this.done) return [];
		const steps = this.#asked === 0 ? offsets : [offsets[offsets.length - 1] * 2 ** this.#asked];
		this.#asked++;
		const from = this.task.best[this.unknown];
		const values = steps.map((step) => this.#within(from + this.side * step * this.#unit));
		const fresh = values.filter(
			(z, i) => z !== from && values.indexOf(z) === i && !this.points.some((p) => p.z === z),
		);
		if (fresh.length === 0) this.#finish();
		return fresh;
	}

	/** The others follow along the open direction or the covariance, or start where the last point ended. */
	startAt(z: number): Float64Array {
		const { best, covariance } = this.task;
		const n = best.length;
		const start = this.#asked > 1 ? this.#last.slice() : best.slice();
		const variance = covariance.matrix[this.unknown * n + this.unknown];
		const delta = z - start[this.unknown];
		if (this.#open) for (let i = 0; i < n; i++) start[i] += this.#open[i] * delta;
		else if (variance > 0 && this.#asked <= 1)
			for (let i = 0; i < n; i++) start[i] += (covariance.matrix[i * n + this.unknown] / variance) * delta;
		start[this.unknown] = z;
		return start;
	}

	add(z: number, score: number, where: Float64Array): void {
		this.points.push({ z, score });
		this.points.sort((a, b) => this.side * (a.z - b.z));
		if (this.points[this.points.length - 1].z === z) this.#last = where;
	}

	/** Decides, once all points of a round are there, whether the ray goes on. */
	settle(): void {
		const outermost = this.points[this.points.length - 1];
		const passed = this.points.some((point) => point.score >= this.#quantile);
		// Flat along an open direction: the others make up for it exactly, and will go on to do so.
		const open = this.#open !== undefined && this.flat;
		if (passed || open || outermost?.z === this.bound || this.#asked > doublings) this.#finish();
	}

	/** Whether the cost did not rise at all. */
	get flat(): boolean {
		return this.points.length > 0 && this.points.every(({ score }) => score < 1e-3 * this.#quantile);
	}

	/** False when the estimate sits on the bound of this side. */
	get hasRoom(): boolean {
		return this.task.best[this.unknown] !== this.#declaredBound;
	}

	#within(z: number): number {
		return this.side < 0 ? Math.max(z, this.bound) : Math.min(z, this.bound);
	}

	#finish(): void {
		this.done = true;
		const at = this.points.findIndex(({ score }) => score >= this.#quantile);
		if (at < 0) {
			const reached = this.points[this.points.length - 1]?.z ?? this.task.best[this.unknown];
			if (reached === this.#declaredBound) this.end = reached;
			return;
		}
		this.passed = true;
		const inner = at === 0 ? { z: this.task.best[this.unknown], score: 0 } : this.points[at - 1];
		const outer = this.points[at];
		const share = (this.#quantile - inner.score) / (outer.score - inner.score);
		this.end = inner.z + share * (outer.z - inner.z);
	}
}

/** How the others move when the unknown moves by 1 and nothing is to change; undefined where the data hold it. */
function openStep({ open }: Covariance, unknown: number): Float64Array | undefined {
	const own = open.reduce((sum, { share }) => sum + share[unknown] ** 2, 0);
	if (!(own > openShare ** 2)) return undefined;
	const step = open[0].step.map((_, i) =>
		open.reduce((sum, direction) => sum + direction.share[unknown] * direction.step[i], 0),
	);
	return step.map((value) => value / step[unknown]);
}
