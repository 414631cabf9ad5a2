/**
 * The damped iteration of model inversion ([whiten2014], section 3.1): linearise, take the step of (8) for a ladder of λ,
 * keep the best, and go on with a hundredth of that λ. The first λ is 0.001. A simulation that blows up counts as an
 * infinite sum of squares, so λ rises. Where the paper raises λ until the sum of squares starts to rise again, so do we;
 * a few λ run side by side.
 */
import { squared, tenTo } from "../../../num/whole-power.ts";
import { allFinite } from "../../../solve/stepper.ts";
import { departureOf } from "../forward/departure.ts";
import { designMatrix, residualOf, sumOfSquares, type WeightedProblem } from "../forward/linearisation.ts";
import type { WeightEvaluation } from "../forward/weight-forward.ts";
import type { AsyncSlices } from "../slices.ts";
import { DampedSystem } from "./damped-step.ts";
import { LinearFit } from "./linear-fit.ts";
import { NormalSystem } from "./normal-system.ts";
import { QrSystem, TriangleSystem } from "./qr-system.ts";
import { SegmentedSystem } from "./segmented-system.ts";

export type DescentOutcome = "converged" | "maxSteps" | "diverged";

export interface DescentOptions {
	/** Relative fall of the sum of squares below which it has converged. */
	readonly tolerance: number;
	readonly maxIterations: number;
	/** Fall of the sum of squares that means nothing: three such in a row end it too, or `once` is enough. */
	readonly negligible?: number;
	readonly once?: boolean;
	/**
	 * Sum of squares below which a fit is wanted: one that would not come there even at the pace of its last iteration is given up;
	 * `soon`: also one that would not by far more than its shrinking falls or the linearised problem leave to be gained.
	 */
	readonly wanted?: number;
	readonly soon?: boolean;
	/** Steps through a triangle instead of singular values: the same, sooner. */
	readonly quick?: boolean;
}

export interface DescentState {
	readonly point: readonly number[];
	readonly sse: number;
	readonly lambda: number;
	readonly iterations: number;
	readonly small: number;
	readonly lastFall: number;
	readonly outcome: DescentOutcome | null;
}

const firstLambda = 1e-3;
const leastLambda = 1e-12;
const mostLambda = 1e12;
const polishingSteps = 40;
/** Derivatives and paces change on the way: a fit is given up only where so many times what it could gain is too little. */
const muchMore = 4;
/** λ that are tried side by side. */
const sideBySide = 2;
/** More active unknowns than this: normal equations instead of singular values. */
export const largestSvd = 120;
/** The same for more elements of B than this. */
export const largestMatrix = 1e6;

export interface LinearSystem {
	/** a - a0 for a given λ. */
	step(lambda: number): Float64Array;
	/** How much the sum of squares would fall by the undamped step, were the model linear. */
	readonly promised?: number;
	/** In segments: steps of all starts that go with a step. */
	follow?(step: Float64Array): Float64Array;
}

interface Rung {
	readonly point: Float64Array;
	readonly sse: number;
	readonly lambda: number;
	readonly there: WeightEvaluation;
}

export class Descent {
	point: Float64Array;
	sse = Number.POSITIVE_INFINITY;
	lambda = firstLambda * 100;
	iterations = 0;
	outcome: DescentOutcome | undefined;
	#here: WeightEvaluation | undefined;
	/** The linearised problem there. */
	#linear: { readonly here: WeightEvaluation; readonly system: LinearSystem } | undefined;
	#small = 0;
	#lastFall = 0;

	constructor(
		readonly problem: WeightedProblem,
		/** Unknowns that move; the others stay as they are. */
		readonly active: readonly number[],
		start: Float64Array,
		readonly options: DescentOptions,
	) {
		this.point = problem.forward.complete?.(start) ?? start.slice();
	}

	/** The model at the present point, with sensitivities. */
	async evaluation(): Promise<WeightEvaluation> {
		if (!this.#here) {
			[this.#here] = await this.problem.forward.evaluate([this.point], true, this.active);
			this.sse = sumOfSquares(this.problem, this.#here);
		}
		return this.#here;
	}

	/** The same, some experiments at a time, for models that take long. */
	async *evaluating(): AsyncSlices<void> {
		if (this.#here) return;
		const [here] = yield* this.problem.forward.evaluating([this.point], true, this.active);
		this.#here = here;
		this.sse = sumOfSquares(this.problem, here);
	}

	/** One iteration; false when done. */
	async iterate(): Promise<boolean> {
		if (this.outcome) return false;
		const here = await this.evaluation();
		if (!(this.sse < Number.POSITIVE_INFINITY) || !allFinite(here.inner!)) return this.#finish("diverged");
		if (this.active.length === 0 && !this.problem.segmented) return this.#finish("converged");
		const system = this.#system(here);
		// Where no step promises anything that counts, this is the minimum.
		if (system.promised !== undefined && system.promised < (this.options.negligible ?? 0))
			return this.#finish("converged");
		const found = await this.#ladder(system, Math.max(this.lambda / 100, leastLambda));
		if (!found) return this.#finish("converged");
		const fall = this.sse - found.sse;
		const gain = this.#gainBeyond(system, here, found);
		this.iterations++;
		this.point = found.point;
		this.lambda = found.lambda;
		this.sse = found.sse;
		this.#here = undefined;
		this.#small = fall > (this.options.negligible ?? 0) ? 0 : this.#small + 1;
		if (
			gain < (this.options.negligible ?? 0) ||
			!(fall > this.options.tolerance * found.sse) ||
			this.#small >= (this.options.once ? 1 : 3)
		)
			return this.#finish("converged");
		const left = this.options.maxIterations - this.iterations;
		const ahead = Math.min(gain, this.#fallsAhead(fall));
		const most = this.options.soon ? Math.min(fall * left, muchMore * ahead) : fall * left;
		if (!(left > 0) || this.sse - most > (this.options.wanted ?? Number.POSITIVE_INFINITY))
			return this.#finish("maxSteps");
		return true;
	}

	async run(): Promise<this> {
		while (await this.iterate());
		return this;
	}

	/**
	 * To the last digits: near the minimum the sum of squares no longer tells which of two points is better, but undamped
	 * steps still shrink. Goes on while they do.
	 */
	async polish(): Promise<this> {
		let last = Number.POSITIVE_INFINITY;
		for (let k = 0; k < polishingSteps && this.active.length > 0; k++) {
			const here = await this.evaluation();
			const system = this.#system(here);
			const step = system.step(leastLambda);
			const length = Math.sqrt(step.reduce((sum, value) => sum + value * value, 0));
			if (!(length < 0.9 * last)) break;
			const point = this.#moved(system, step);
			const [there] = await this.problem.forward.evaluate([point], true, this.active);
			const sse = sumOfSquares(this.problem, there);
			if (!(sse <= this.sse * (1 + 1e-10))) break;
			last = length;
			this.point = point;
			this.sse = sse;
			this.#here = there;
		}
		return this;
	}

	/** All falls to come, if they go on shrinking as the last one did; ∞ where it did not. */
	#fallsAhead(fall: number): number {
		const ratio = fall / this.#lastFall;
		this.#lastFall = fall;
		return ratio < 1 ? (fall * ratio) / (1 - ratio) : Number.POSITIVE_INFINITY;
	}

	/**
	 * What another iteration could gain, at most, as far as the derivatives stay as they are: what the linearised problem leaves at a
	 * point, and how far the simulation departs from it there.
	 */
	#gainBeyond({ promised }: LinearSystem, here: WeightEvaluation, { point, there }: Rung): number {
		const { negligible, wanted } = this.options;
		if (promised === undefined || (!negligible && wanted === undefined)) return Number.POSITIVE_INFINITY;
		const { squares, linear } = departureOf(this.problem, here, this.point, there, point);
		const left = Math.max(linear - (this.sse - promised), 0);
		return squared(Math.sqrt(left) + Math.sqrt(squares));
	}

	/** The best point of a ladder of rising λ; undefined when none is lower than here. */
	async #ladder(system: LinearSystem, first: number): Promise<Rung | undefined> {
		let best: Rung | undefined;
		const rungs = this.active.length > largestSvd ? 1 : sideBySide;
		for (let lambda = first; lambda <= mostLambda; lambda *= tenTo(rungs)) {
			const lambdas = Array.from({ length: rungs }, (_, k) => lambda * tenTo(k));
			const points = lambdas.map((each) => this.#moved(system, system.step(each)));
			const evaluations = await this.problem.forward.evaluate(points, false);
			for (const [k, evaluation] of evaluations.entries()) {
				const sse = sumOfSquares(this.problem, evaluation);
				if (sse < (best?.sse ?? this.sse))
					best = { point: points[k], sse, lambda: lambdas[k], there: evaluation };
				else if (best) return best;
			}
			// Steps so small that rounding decides: this is the minimum.
			if (
				!best &&
				points[rungs - 1].every((value, i) => Math.abs(value - this.point[i]) <= 1e-14 * Math.abs(value))
			)
				return undefined;
		}
		return best;
	}

	/** The linearised problem at the present point. */
	#system(here: WeightEvaluation): LinearSystem {
		if (this.#linear?.here !== here) this.#linear = { here, system: this.#systemAt(here) };
		return this.#linear.system;
	}

	/** The same, for fits of fewer unknowns; undefined where there is no triangle. */
	async linear(): Promise<LinearFit | undefined> {
		const here = await this.evaluation();
		const system = this.#system(here);
		return system instanceof TriangleSystem
			? new LinearFit(this.problem, here, this.point, this.active, system)
			: undefined;
	}

	#systemAt(here: WeightEvaluation): LinearSystem {
		const { problem, active } = this;
		if (problem.segmented) return new SegmentedSystem(problem, here, active);
		const residual = residualOf(problem, here);
		if (active.length > largestSvd || residual.length * active.length > largestMatrix)
			return new NormalSystem(problem, here, active);
		const Kind = this.options.quick ? QrSystem : DampedSystem;
		return new Kind(designMatrix(problem, here, active), residual, residual.length, active.length);
	}

	#moved(system: LinearSystem, step: Float64Array): Float64Array {
		const point = this.point.slice();
		this.active.forEach((u, k) => {
			point[u] += step[k];
		});
		const starts = system.follow?.(step);
		if (starts)
			for (let k = 0, at = point.length - starts.length; k < starts.length; k++, at++) point[at] += starts[k];
		return point;
	}

	#finish(outcome: DescentOutcome): false {
		this.outcome = outcome;
		return false;
	}

	snapshot(): DescentState {
		const { point, sse, lambda, iterations, outcome } = this;
		return {
			point: [...point],
			sse,
			lambda,
			iterations,
			small: this.#small,
			lastFall: this.#lastFall,
			outcome: outcome ?? null,
		};
	}

	restore(state: DescentState): void {
		this.point = Float64Array.from(state.point);
		this.sse = state.sse;
		this.lambda = state.lambda;
		this.iterations = state.iterations;
		this.#small = state.small;
		this.#lastFall = state.lastFall;
		this.outcome = state.outcome ?? undefined;
		this.#here = undefined;
	}
}
