/**
 * Levenberg–Marquardt with bounds, as a machine that is told evaluations: `trial` is the point to evaluate next, `tell`
 * takes its residuals and their Jacobian. Who evaluates, and how many machines share one batch, is not its matter.
 *
 * The damped step comes from the singular values of the scaled Jacobian, so directions that the data do not determine
 * are not moved. A variable that sits on its bound and would leave it is held for the step; a step that crosses a bound
 * ends on it. Damping follows Nielsen's rule.
 *
 * Variables that hardly matter take the longest steps, for a share of the residuals that is theirs by chance: where such a step fails,
 * shorter steps of all would come to rest before anything is found. Moves are then weighed by themselves as well: one over the usual
 * length of a variable costs as much as a residual of the usual size. Where it rests, that costs nothing, and so the optimum is the same.
 *
 * References: Nielsen, "Damping parameter in Marquardt's method", IMM-REP-1999-05; Moré, "The Levenberg–Marquardt
 * algorithm: implementation and theory", 1978.
 */
import { svdSmall, type Triangle, triangulate } from "../../num/linear/least-squares.ts";
import { squared, wholePower } from "../../num/whole-power.ts";

/** `stopped`: by its owner. */
export type LeastSquaresOutcome = "converged" | "maxSteps" | "diverged" | "stopped";

export interface LeastSquaresOptions {
	/** Relative fall of the cost, and relative length of a step, below which it has converged. */
	readonly tolerance?: number;
	readonly maxEvaluations?: number;
	/** First damping, relative to the largest squared singular value. */
	readonly damping?: number;
	/** How far each variable may go in one step: further away the linear model says nothing. Default: anywhere. */
	readonly reach?: Float64Array;
	/** How far each variable usually goes: moves beyond that are the first to be blamed where a step fails. Default: nothing is known. */
	readonly lengths?: Float64Array;
}

/** How much moves weigh at most, and below what they do no longer. */
const [mostWeight, leastWeight] = [1e8, 1e-6];

/** Times that a step is shortened when the linear model promises no fall. */
const mostShortenings = 12;
/** Where reaches are known: the least influence of a variable, within its reach, beside the most that one has; below, it is noise. */
const leastInfluence = 1e-8;
/** How far towards a bound a step goes where there are no derivatives on it. */
const shyShare = 0.99;
/** Falls in a row that are small because steps are, not because there is no way down, before it ends all the same. */
const mostSmallFalls = 6;

export interface LeastSquaresSnapshot {
	readonly best: readonly number[];
	readonly trial: readonly number[] | null;
	readonly scale: readonly number[];
	/** null: nothing finite was told yet. */
	readonly cost: number | null;
	readonly lambda: number;
	readonly growth: number;
	readonly predicted: number;
	readonly smallFalls: number;
	readonly isShy: boolean;
	readonly weight?: number;
	readonly evaluations: number;
	readonly iterations: number;
	readonly outcome: LeastSquaresOutcome | null;
}

export class LevenbergMarquardt {
	/** The point to evaluate next; undefined when done. */
	trial: Float64Array | undefined;
	/** Best point so far, and what was told of it. */
	best: Float64Array;
	cost = Number.POSITIVE_INFINITY;
	residual: Float64Array | undefined;
	jacobian: Float64Array | undefined;
	outcome: LeastSquaresOutcome | undefined;
	evaluations = 0;
	iterations = 0;
	/** Whether a point that it was to go on from was no better after all: it ended where it had come to rest before. */
	cameBack = false;

	readonly #lo: Float64Array;
	readonly #hi: Float64Array;
	readonly #fixed: ReadonlySet<number>;
	readonly #tolerance: number;
	readonly #maxEvaluations: number;
	readonly #damping: number;
	readonly #reach: Float64Array | undefined;
	readonly #lengths: Float64Array | undefined;
	/** What moves weigh, beside residuals; 0: nothing. */
	#weight = 0;
	#lambda: number;
	#growth = 2;
	/** Largest column norms seen: the scale of each variable (Moré). */
	#scale: Float64Array;
	#predicted = 0;
	#smallFalls = 0;
	#unit: number | undefined;
	/** Whether there was a place on a bound that has no derivatives: steps then end short of bounds. */
	#isShy = false;
	/** R and Qᵀr of the Jacobian and the residuals at the best point: all that steps need of them. */
	#triangle: Triangle | undefined;

	constructor(
		start: Float64Array,
		bounds: { lo: Float64Array; hi: Float64Array },
		options: LeastSquaresOptions = {},
		fixed: ReadonlySet<number> = new Set(),
	) {
		this.#lo = bounds.lo;
		this.#hi = bounds.hi;
		this.#fixed = fixed;
		this.#tolerance = options.tolerance ?? 1e-10;
		this.#maxEvaluations = options.maxEvaluations ?? 200;
		this.#damping = options.damping ?? 1e-3;
		this.#lambda = this.#damping;
		this.#reach = options.reach;
		this.#lengths = options.lengths;
		this.#scale = new Float64Array(start.length);
		this.best = start.map((value, i) => Math.min(Math.max(value, this.#lo[i]), this.#hi[i]));
		this.trial = this.best.slice();
	}

	get n(): number {
		return this.best.length;
	}

	/** All but what was told: plain JSON. */
	snapshot(): LeastSquaresSnapshot {
		return {
			best: [...this.best],
			trial: this.trial ? [...this.trial] : null,
			scale: [...this.#scale],
			cost: this.told ? this.cost : null,
			lambda: this.#lambda,
			growth: this.#growth,
			predicted: this.#predicted,
			smallFalls: this.#smallFalls,
			isShy: this.#isShy,
			...(this.#weight > 0 && { weight: this.#weight }),
			evaluations: this.evaluations,
			iterations: this.iterations,
			outcome: this.outcome ?? null,
		};
	}

	/** Goes on from a snapshot; residuals and Jacobian at its best point must be evaluated and given again. */
	restore(snapshot: LeastSquaresSnapshot, residual?: Float64Array, jacobian?: Float64Array): void {
		this.best = Float64Array.from(snapshot.best);
		this.trial = snapshot.trial ? Float64Array.from(snapshot.trial) : undefined;
		this.#scale = Float64Array.from(snapshot.scale);
		this.cost = snapshot.cost ?? Number.POSITIVE_INFINITY;
		this.#lambda = snapshot.lambda;
		this.#growth = snapshot.growth;
		this.#predicted = snapshot.predicted;
		this.#smallFalls = snapshot.smallFalls;
		this.#isShy = snapshot.isShy;
		this.#weight = snapshot.weight ?? 0;
		this.evaluations = snapshot.evaluations;
		this.iterations = snapshot.iterations;
		this.outcome = snapshot.outcome ?? undefined;
		this.residual = residual;
		this.jacobian = jacobian;
		this.#triangle = undefined;
	}

	/** The trial is no better, and nothing else is known of it. */
	reject(): void {
		this.tell(
			this.residual ?? new Float64Array(),
			this.jacobian ?? new Float64Array(),
			Number.POSITIVE_INFINITY,
			this.#unit,
		);
	}

	/** Goes on from a point that is known to be better than the best, where it had come to rest. */
	goOn(from: Float64Array): void {
		this.outcome = undefined;
		this.trial = from;
		this.#lambda = this.#damping;
		this.#growth = 2;
		this.#smallFalls = 0;
		this.#weight = 0;
		this.#scale = new Float64Array(this.n);
		// No step promised it: where it is no better after all, this is the end as before.
		this.#predicted = 0;
	}

	/** Whether it has made all the evaluations that it may. */
	get isSpent(): boolean {
		return this.evaluations >= this.#maxEvaluations;
	}

	/** Share of them that is made, 1 at the end. */
	get fraction(): number {
		return this.trial ? Math.min(this.evaluations / this.#maxEvaluations, 1) : 1;
	}

	/** Whether a point with a finite cost is known. */
	get told(): boolean {
		return this.cost < Number.POSITIVE_INFINITY;
	}

	/**
	 * Residuals (m) and Jacobian (m × n) at `trial`; anything not finite counts as an infinite cost. The cost is half the sum
	 * of squares, unless it is told: then Jᵀr is its gradient and JᵀJ stands for its curvature, and a fall is small beside
	 * `unit`.
	 */
	tell(
		residual: Float64Array,
		jacobian: Float64Array,
		cost = sumOfSquares(residual) / 2,
		unit?: number,
	): void {
		if (!this.trial) return;
		this.evaluations++;
		this.#unit = unit;
		// What is not finite in the Jacobian is not finite in its triangle either.
		const triangle = cost < this.cost ? triangulate(jacobian, residual, residual.length, this.n) : undefined;
		if (triangle && allFinite(triangle.r)) this.#accept(residual, jacobian, cost, triangle);
		else if (this.residual === undefined) return this.#finish("diverged");
		else if (triangle && !this.#isShy && this.#meetsBound(this.trial)) {
			this.#isShy = true;
			this.#propose();
		} else this.#reject();
		if (this.trial && this.isSpent) this.#finish("maxSteps");
	}

	/** Whether a trial is on a bound that the best point is not on. */
	#meetsBound(trial: Float64Array): boolean {
		return trial.some((value, j) => value !== this.best[j] && (value <= this.#lo[j] || value >= this.#hi[j]));
	}

	#accept(residual: Float64Array, jacobian: Float64Array, cost: number, triangle: Triangle): void {
		const fall = this.cost - cost;
		const first = this.residual === undefined;
		const ratio = first ? 1 : fall / this.#predicted;
		const length = stepLength(this.trial!, this.best);
		this.best = this.trial!;
		this.residual = residual;
		this.jacobian = jacobian;
		this.cost = cost;
		this.#triangle = triangle;
		if (!first) {
			this.iterations++;
			this.#lambda = Math.max(this.#lambda * Math.max(1 / 3, 1 - wholePower(2 * ratio - 1, 3)), 1e-16);
			this.#growth = 2;
			this.#weight = this.#weight > leastWeight ? this.#weight / 10 : 0;
			const unit = this.#unit ?? cost;
			const small = fall <= this.#tolerance * unit && this.#predicted <= this.#tolerance * unit;
			this.#smallFalls = small ? this.#smallFalls + 1 : 0;
			const isEnd =
				small && (this.#smallFalls >= mostSmallFalls || this.#promised() <= this.#tolerance * unit);
			if (unit === 0 || isEnd || length <= this.#tolerance * 1e-2) return this.#finish("converged");
		}
		this.#propose();
	}

	#reject(): void {
		this.cameBack = this.#predicted === 0;
		// No fall where the model of the cost promises none: rounding decides, this is the optimum.
		if (this.#predicted <= 1e-15 * (this.#unit ?? this.cost) || stepLength(this.trial!, this.best) <= 1e-13)
			return this.#finish("converged");
		if (this.#weight < mostWeight && this.#wentFar()) this.#weight = Math.max(1, 10 * this.#weight);
		else {
			this.#lambda *= this.#growth;
			this.#growth *= 2;
		}
		this.#propose();
	}

	/** Whether the trial moved some variable further than is usual. */
	#wentFar(): boolean {
		const lengths = this.#lengths;
		return lengths?.some((length, j) => Math.abs(this.trial![j] - this.best[j]) > length) ?? false;
	}

	#propose(): void {
		this.#triangle ??= triangulate(this.jacobian!, this.residual!, this.residual!.length, this.n);
		const free = this.#freeVariables();
		if (free.length === 0) return this.#finish("converged");
		this.#rescale(free);
		for (let tries = 0; tries < mostShortenings; tries++) {
			const trial = this.#trialOf(free);
			if (!allFinite(trial)) return this.#finish("diverged");
			this.#predicted = this.#modelFall(trial);
			if (this.#predicted > 0) {
				this.trial = trial;
				return;
			}
			// What ends on a bound may cost more than the others gain: a shorter step goes downhill, unless this is the bottom.
			this.#lambda = Math.max(10 * this.#lambda, 1e-3);
		}
		this.#finish("converged");
	}

	#rescale(free: readonly number[]): void {
		for (const j of free) this.#scale[j] = Math.max(this.#scale[j], this.#columnNorm(j));
		const reach = this.#reach;
		if (!reach) return;
		let most = 0;
		for (const j of free)
			if (reach[j] < Number.POSITIVE_INFINITY) most = Math.max(most, this.#scale[j] * reach[j]);
		for (const j of free) this.#scale[j] = Math.max(this.#scale[j], (leastInfluence * most) / reach[j]);
	}

	/** What the model of the cost promises of a step that earlier failures have not shortened. */
	#promised(): number {
		if (this.#lambda <= this.#damping) return this.#predicted;
		const free = this.#freeVariables();
		if (free.length === 0) return 0;
		this.#rescale(free);
		const lambda = this.#lambda;
		this.#lambda = this.#damping;
		const fall = this.#modelFall(this.#trialOf(free));
		this.#lambda = lambda;
		return fall;
	}

	#trialOf(variables: readonly number[]): Float64Array {
		let free = variables;
		const trial = this.best.slice();
		// A step that crosses bounds, or goes out of reach, puts those variables there; the others then take the step that suits best.
		const { lo, hi } = this.#within();
		for (;;) {
			const step = this.#dampedStep(free, trial);
			const crossing = new Set(
				free.filter((j, k) => !(this.best[j] + step[k] > lo[j] && this.best[j] + step[k] < hi[j])),
			);
			free.forEach((j, k) => {
				trial[j] = Math.min(Math.max(this.best[j] + step[k], lo[j]), hi[j]);
			});
			free = free.filter((j) => !crossing.has(j));
			if (crossing.size === 0 || free.length === 0) return trial;
			for (const j of free) trial[j] = this.best[j];
		}
	}

	/** Where the next step may go. */
	#within(): { readonly lo: Float64Array; readonly hi: Float64Array } {
		const reach = this.#reach;
		if (!reach && !this.#isShy) return { lo: this.#lo, hi: this.#hi };
		const share = this.#isShy ? shyShare : 1;
		const end = (bound: number, j: number, away: number): number => {
			const far = this.best[j] + away * (reach?.[j] ?? Number.POSITIVE_INFINITY);
			const near =
				Math.abs(bound) < Number.POSITIVE_INFINITY ? this.best[j] + share * (bound - this.best[j]) : bound;
			return away < 0 ? Math.max(near, far) : Math.min(near, far);
		};
		return {
			lo: this.#lo.map((bound, j) => end(bound, j, -1)),
			hi: this.#hi.map((bound, j) => end(bound, j, 1)),
		};
	}

	/** The damped step of the `free` variables, when the others have moved from the best point to `moved`. */
	#dampedStep(free: readonly number[], moved: Float64Array): Float64Array {
		const { n } = this;
		const k = free.length;
		const { r } = this.#triangle!;
		const weights = this.#weights(free);
		const scales = free.map((j, i) => Math.max(this.#scale[j], weights?.[i] ?? 0) || 1);
		const rows = weights ? n + k : n;
		const reduced = new Float64Array(rows * k);
		for (let i = 0; i < n; i++)
			for (let j = 0; j < k; j++) reduced[i * k + j] = r[i * n + free[j]] / scales[j];
		const right = new Float64Array(rows);
		right.set(this.#linearised(moved));
		weights?.forEach((weight, j) => {
			reduced[(n + j) * k + j] = weight / scales[j];
		});
		const small = triangulate(reduced, right, rows, k);
		const { us, s, v } = svdSmall(small.r, k);
		const damping = this.#lambda * s[0] * s[0];
		const step = new Float64Array(k);
		for (let l = 0; l < k; l++) {
			let projection = 0;
			for (let i = 0; i < k; i++) projection += us[i * k + l] * small.qtb[i];
			const weight = s[l] > 0 ? -projection / (s[l] * s[l] + damping) : 0;
			for (let j = 0; j < k; j++) step[j] += (v[j * k + l] * weight) / scales[j];
		}
		return step;
	}

	/** What a unit of each of these variables costs by itself, as a residual; undefined where it costs nothing. */
	#weights(variables: readonly number[]): number[] | undefined {
		if (this.#weight === 0 || !this.#lengths) return undefined;
		const size = Math.sqrt((this.#weight * sumOfSquares(this.residual!)) / this.residual!.length);
		return variables.map((j) => size / this.#lengths![j]);
	}

	/** Qᵀ(r + J (x - best)), in the range of J. */
	#linearised(x: Float64Array): Float64Array {
		const { n } = this;
		const { r, qtb } = this.#triangle!;
		return qtb.map((value, i) => {
			let sum = value;
			for (let j = i; j < n; j++) sum += r[i * n + j] * (x[j] - this.best[j]);
			return sum;
		});
	}

	/** Fall of the linearised cost from the best point to `trial`. */
	#modelFall(trial: Float64Array): number {
		const { qtb } = this.#triangle!;
		const after = this.#linearised(trial);
		let fall = 0;
		for (let i = 0; i < qtb.length; i++) fall += (qtb[i] - after[i]) * (qtb[i] + after[i]);
		return fall / 2;
	}

	#columnNorm(j: number): number {
		const { n } = this;
		let sum = 0;
		for (let i = 0; i <= j; i++) sum += squared(this.#triangle!.r[i * n + j]);
		return Math.sqrt(sum);
	}

	/** Variables that are not fixed and do not press against a bound. */
	#freeVariables(): number[] {
		const { n } = this;
		const { r, qtb } = this.#triangle!;
		return [...this.best.keys()].filter((j) => {
			if (this.#fixed.has(j)) return false;
			let gradient = 0;
			for (let i = 0; i <= j; i++) gradient += r[i * n + j] * qtb[i];
			const leavesBelow = this.best[j] <= this.#lo[j] && gradient > 0;
			const leavesAbove = this.best[j] >= this.#hi[j] && gradient < 0;
			return !leavesBelow && !leavesAbove;
		});
	}

	stop(): void {
		if (this.trial) this.#finish("stopped");
	}

	#finish(outcome: LeastSquaresOutcome): void {
		this.outcome = outcome;
		this.trial = undefined;
	}
}

/** Largest relative change of a variable. */
function stepLength(a: Float64Array, b: Float64Array): number {
	let length = 0;
	for (let i = 0; i < a.length; i++)
		length = Math.max(length, Math.abs(a[i] - b[i]) / Math.max(Math.abs(a[i]), Math.abs(b[i]), 1e-8));
	return length;
}

function allFinite(values: Float64Array): boolean {
	for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
	return true;
}

function sumOfSquares(values: Float64Array): number {
	let sum = 0;
	for (let i = 0; i < values.length; i++) sum += values[i] * values[i];
	return sum;
}
