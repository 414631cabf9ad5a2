/**
 * One side of one unknown's profile, by distance from the estimate. It goes outward in steps that follow from the rise of
 * the cost itself until the score passes the quantile, then closes in on the place where it does.
 *
 * Each point is the best fit that was found there, so its score is a bound from above: a point below the quantile is
 * certainly inside the interval, whatever lies between it and the estimate. The interval therefore ends beyond the
 * outermost such point.
 */
import { log } from "../../num/elementary/number.ts";
import type { Covariance } from "./covariance.ts";
import { isOpen } from "./null-space.ts";
import type { ProfileTask } from "./profile.ts";

/** Positive unknowns are followed over a factor of a thousand to either side, others over a thousand times their size. */
const far = 1e3;
/** First points, in parts of their reach, which is so many times where a parabola passes the quantile. */
const firstParts = [0.25, 0.5, 0.75, 1];
const firstReach = 4 / 3;
/** An end is found when a score is so near to the quantile, or two points so near to one another, relatively. */
const tolerance = 0.01;
/** A cost is no parabola when a score differs from the parabola's by more than this, relatively. */
const curved = 0.2;
/** Where else a curved ray looks for lower cost, in parts of the distance of the end that was found. */
const beyond = [1.3, 2, 4];
const mostRounds = 40;
/** Distance, in that of an end, up to which a simulation that blew up is next to it. */
const nextTo = 2;

export interface RayPoint {
	/** Distance from the estimate in search coordinates, positive. */
	readonly d: number;
	score: number;
	/** All unknowns at the best fit there. */
	where: Float64Array;
	/** Whether the search there came to its end. A score that it did not end with is only a bound from above. */
	converged: boolean;
	/** Whether it was searched for again because a point further out has a lower score. */
	checked: boolean;
}

export interface Known {
	readonly where: Float64Array;
	/** Of the cost, beside the optimum. */
	readonly rise: number;
}

export class Ray {
	/** By rising distance. */
	readonly points: RayPoint[] = [];
	done = false;
	readonly #reach: number;
	/** What a standard deviation to first order is; the size of the unknown where there is none. */
	readonly #unit: number;
	/** A direction along which the residuals do not change, if the unknown has part in one. */
	readonly #open: Float64Array | undefined;
	readonly #variance: number;
	#rounds = 0;
	/** Whether the cost has shown to be no parabola: then searches start from several places. */
	#curved = false;
	#looked = false;
	#blurred = Number.POSITIVE_INFINITY;
	/** Which side of the bracket the last refinements moved: more than one in a row on one side asks for bisection. */
	#sameSide = 0;

	constructor(
		readonly task: ProfileTask,
		readonly unknown: number,
		readonly side: number,
		/** As declared; infinite where nothing is. */
		readonly bound: number,
	) {
		const { covariance, variances, best, problem } = task;
		const isLog = problem.unknowns[unknown].scale === "log";
		this.#variance = variances?.[unknown] ?? task.variance;
		const sd = covariance.sd[unknown] * Math.sqrt(this.#variance);
		this.#open = openStep(covariance, unknown);
		// Along an open direction the standard deviation says nothing: go by the size of the unknown itself.
		const size = isLog ? 1 : Math.max(Math.abs(best[unknown]), 1e-3);
		const step = this.#open ? 0.025 * size : 0.25 * size;
		this.#unit = this.#open || !(sd > 0) ? step : Math.min(sd, 1e6 * step);
		const room = side * (bound - best[unknown]);
		this.#reach = Math.min(room, isLog ? log(far) : far * Math.max(this.#unit, size));
	}

	/** What a rise of the cost is in standard deviations of this unknown. */
	score(rise: number): number {
		return Math.sqrt((2 * Math.max(rise, 0)) / this.#variance);
	}

	/** False when the estimate sits on the bound of this side. */
	get hasRoom(): boolean {
		return this.#reach > 0;
	}

	/** Whether the cost did not rise at all. */
	get flat(): boolean {
		return this.points.length > 0 && this.points.every(({ score }) => score < 1e-3 * this.task.quantile);
	}

	/** Whether the cost rises enough, and that is certain. */
	get passed(): boolean {
		const outer = this.#outer;
		return outer?.converged === true && outer.d < this.#blurred;
	}

	/** End of the interval in search coordinates. */
	get end(): number {
		return this.passed ? this.at(this.#crossing()) : this.bound;
	}

	/** How far the interval is known to reach. */
	get known(): number {
		return this.passed ? this.#crossing() : (this.#inner?.d ?? 0);
	}

	get #inside(): number {
		return this.points.findLastIndex(({ score }) => score < this.task.quantile);
	}
	/** The outermost point inside; undefined for the estimate. */
	get #inner(): RayPoint | undefined {
		return this.points[this.#inside];
	}
	/** The next one out, which is outside. */
	get #outer(): RayPoint | undefined {
		return this.points[this.#inside + 1];
	}

	/** Distances to try next, each with the places to search from; none when the ray is done. */
	next(known: readonly Known[]): { d: number; again: boolean; starts: Float64Array[] }[] {
		if (this.done) return [];
		const tries = this.#rounds++ < mostRounds ? this.#tries() : [];
		if (tries.length === 0) this.done = true;
		return tries.map((d) => ({
			d,
			again: this.points.some((point) => point.d === d),
			starts: this.#starts(d, known),
		}));
	}

	/** `again`: the search went on from where the last one there had ended. */
	add(d: number, score: number, where: Float64Array, converged: boolean, again = false): void {
		const there = this.points.find((point) => point.d === d);
		const { quantile } = this.task;
		if (!there) {
			const outer = this.#outer;
			const inner = this.#inner;
			this.points.push({ d, score, where, converged, checked: false });
			this.points.sort((a, b) => a.d - b.d);
			if (outer && outer === this.#outer) this.#sameSide = Math.max(this.#sameSide, 0) + 1;
			else if (outer && inner === this.#inner) this.#sameSide = Math.min(this.#sameSide, 0) - 1;
			if (score < 3 * quantile && !(Math.abs((score * this.#unit) / d - 1) < curved)) this.#curved = true;
		} else {
			if (score < there.score * (1 - curved)) this.#curved = true;
			if (again && score > there.score * (1 - tolerance)) there.converged = true;
			if (!(score < there.score)) return;
			Object.assign(there, { score, where, converged: converged || there.converged });
		}
		if (!converged && !again) this.#curved = true;
	}

	/** Integration error decided the score of a fit there: nothing is certain from there on. */
	blur(d: number): void {
		this.#blurred = Math.min(this.#blurred, d);
	}

	/** Whether integration error decided how far the interval reaches, and nothing finer has said since that it does. */
	get isBlurred(): boolean {
		return this.#blurred < Number.POSITIVE_INFINITY;
	}

	/** Where a simulation blew up next to the end of the interval, if one did. */
	lostBeyond(): Float64Array[] {
		if (!this.passed) return [];
		const lost = this.points.find(({ score }) => score === Number.POSITIVE_INFINITY);
		return lost && lost.d <= nextTo * this.known ? [lost.where] : [];
	}

	/** Where to search just outside the end once more: from either side of it. */
	edgeStarts(): Float64Array[] {
		const outer = this.#outer;
		if (!outer?.converged) return [];
		const within = (this.#inner?.where ?? this.task.best).slice();
		within[this.unknown] = this.at(outer.d);
		return [outer.where, within];
	}

	/** Whether the end is certain after all. */
	confirm(stands: boolean): void {
		this.#blurred = stands ? Number.POSITIVE_INFINITY : 0;
	}

	/** Fits that were found on the way elsewhere: one that lies inside and beyond the end moves the end. */
	learn(known: readonly Known[]): void {
		if (this.points.length === 0 || (this.#open && this.flat)) return;
		const from = this.task.best[this.unknown];
		for (const { where, rise } of known) {
			const score = this.score(rise);
			const d = this.side * (where[this.unknown] - from);
			if (!(score < (1 - tolerance) * this.task.quantile) || !(d > (1 + tolerance) * this.known)) continue;
			if (!this.#outer || d > this.#reach) continue;
			this.#curved = true;
			this.#looked = false;
			this.done = false;
			this.add(d, score, where, false);
		}
	}

	/** The unknown at a distance. */
	at(d: number): number {
		return d === this.side * (this.bound - this.task.best[this.unknown])
			? this.bound
			: this.task.best[this.unknown] + this.side * d;
	}

	#tries(): number[] {
		const { quantile } = this.task;
		if (!(this.#reach > 0)) return [];
		if (this.points.length === 0) {
			const reach = Math.min(firstReach * quantile * this.#unit, this.#reach);
			return firstParts.map((part) => part * reach);
		}
		// Flat along an open direction: the others make up for it exactly, and will go on to do so.
		if (this.#open && this.flat) return [];
		const humps = this.#curved ? this.#humps() : [];
		if (humps.length > 0) return humps;
		const outer = this.#outer;
		if (!outer) {
			const last = this.points[this.points.length - 1];
			return last.d >= this.#reach ? [] : [this.#further(last)];
		}
		// A search that was cut short says nothing yet.
		if (!outer.converged && outer.score < Number.POSITIVE_INFINITY) return [outer.d];
		if (!this.#isClose(outer)) return [this.#between(outer)];
		if (!this.#curved || this.#looked) return [];
		this.#looked = true;
		const looks = [outer.d, ...beyond.map((times) => Math.min(times * outer.d, this.#reach))];
		return [...new Set(looks)];
	}

	/** Points above one further out: as a rule their searches ended in a worse optimum. */
	#humps(): number[] {
		const humps = this.points.filter(
			({ score, checked }, i) =>
				!checked && this.points.slice(i + 1).some((point) => point.score < 0.95 * score),
		);
		for (const point of humps) point.checked = true;
		return humps.map(({ d }) => d);
	}

	#isClose(outer: RayPoint): boolean {
		const { quantile } = this.task;
		const inner = this.#inner;
		const near = (score: number): boolean => Math.abs(score / quantile - 1) <= tolerance;
		if (inner && near(inner.score)) return true;
		if (outer.converged && near(outer.score)) return true;
		return outer.d - (inner?.d ?? 0) <= tolerance * outer.d;
	}

	/** Outward to where the score would pass the quantile, if it went on as it did last. */
	#further(last: RayPoint): number {
		const before = this.points[this.points.length - 2] ?? { d: 0, score: 0 };
		const slope = (last.score - before.score) / (last.d - before.d);
		const step = slope > 0 ? (1.05 * this.task.quantile - last.score) / slope : Number.POSITIVE_INFINITY;
		return Math.min(Math.max(last.d + step, 1.25 * last.d), 4 * last.d, this.#reach);
	}

	/** Between the last point inside and the first outside: the score is nearly a straight line, or halved if it is not. */
	#between(outer: RayPoint): number {
		const inner = this.#inner ?? { d: 0, score: 0 };
		const gap = outer.d - inner.d;
		const { quantile } = this.task;
		if (!(outer.score < 10 * quantile))
			return inner.d > 0.1 * outer.d ? inner.d + gap / 2 : inner.d + gap / 10;
		const share = (quantile - inner.score) / (outer.score - inner.score);
		const halve = Math.abs(this.#sameSide) >= 2 && this.#sameSide % 2 === 0;
		return inner.d + gap * (halve ? 0.5 : Math.min(Math.max(share, 0.1), 0.9));
	}

	#crossing(): number {
		const inner = this.#inner ?? { d: 0, score: 0 };
		const outer = this.#outer!;
		// Out of rounds before the end was found: it lies before the first point outside.
		if (!this.#isClose(outer)) return outer.d;
		return inner.d + ((this.task.quantile - inner.score) / (outer.score - inner.score)) * (outer.d - inner.d);
	}

	/** Places to search from: along the covariance at first, then as the neighbours go, and from all that is known near. */
	#starts(d: number, known: readonly Known[]): Float64Array[] {
		const z = this.at(d);
		const held = (where: Float64Array): Float64Array => {
			const start = where.slice();
			start[this.unknown] = z;
			return start;
		};
		const estimate = { d: 0, where: this.task.best };
		const here = this.points.find((point) => point.d === d);
		const below = this.points.filter((point) => point.d < d && point.score < Number.POSITIVE_INFINITY);
		const inner =
			below.findLast(({ score }) => score < this.task.quantile) ?? below[below.length - 1] ?? estimate;
		const outer = this.points.find((point) => point.d > d && point.score < Number.POSITIVE_INFINITY);
		const starts: Float64Array[] = [];
		if (here) starts.push(here.where);
		else if (this.points.length === 0) starts.push(held(this.#tangent(d)));
		else {
			const other = outer ?? (below.length > 1 ? below[below.length - 2] : estimate);
			starts.push(held(onLine(inner, other, d)));
		}
		if (!this.#curved) return starts;
		starts.push(held(inner.where));
		if (outer) starts.push(held(outer.where));
		const own = new Set(this.points.map(({ where }) => where));
		const nearest = nearestOf(
			known.filter(({ where }) => !own.has(where)),
			this.unknown,
			z,
		);
		if (nearest) starts.push(held(nearest.where));
		return starts;
	}

	/** The others along the open direction, or as the covariance has them. */
	#tangent(d: number): Float64Array {
		const { best, covariance } = this.task;
		const n = best.length;
		const delta = this.side * d;
		if (this.#open) return best.map((value, i) => value + this.#open![i] * delta);
		const own = covariance.matrix[this.unknown * n + this.unknown];
		if (!(own > 0)) return best.slice();
		return best.map((value, i) => value + (covariance.matrix[i * n + this.unknown] / own) * delta);
	}
}

/** The point at a distance on the line through two. */
function onLine(
	a: { readonly d: number; readonly where: Float64Array },
	b: { readonly d: number; readonly where: Float64Array },
	d: number,
): Float64Array {
	if (a.d === b.d) return a.where.slice();
	const share = (d - a.d) / (b.d - a.d);
	return a.where.map((value, i) => value + share * (b.where[i] - value));
}

function nearestOf(known: readonly Known[], unknown: number, z: number): Known | undefined {
	let nearest: Known | undefined;
	for (const each of known)
		if (!nearest || Math.abs(each.where[unknown] - z) < Math.abs(nearest.where[unknown] - z)) nearest = each;
	return nearest;
}

/** How the others move when the unknown moves by 1 and nothing is to change; undefined where the data hold it. */
function openStep({ open, norms }: Covariance, unknown: number): Float64Array | undefined {
	if (!isOpen(open, unknown)) return undefined;
	const step = norms.map(
		(norm, i) => open.reduce((sum, direction) => sum + direction[unknown] * direction[i], 0) / norm,
	);
	return step.map((value) => value / step[unknown]);
}
