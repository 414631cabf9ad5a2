/**
 * Starts by multiple shooting, for records that swing and that no start followed: cut into segments of half a turn each, so that
 * nothing can fall out of step, they are fitted with the segments' own beginnings unknown; the gaps between segments are then closed
 * step by step, until the records are whole again. Many points begin, the better half of them goes on.
 *
 * References: Bock 1983 (see estimate/segments); van Domselaar, Hemker, "Nonlinear parameter estimation in initial value problems", 1975.
 */
import type { Estimation, Integration } from "../../../estimate/forward/estimation.ts";
import type { Forward } from "../../../estimate/forward/forward.ts";
import { forwardOf } from "../../../estimate/forward/forward-of.ts";
import { searchBounds, searchReach } from "../../../estimate/least-squares/region.ts";
import { looks } from "../../../estimate/least-squares/still-unknowns.ts";
import { type LikelihoodProblem, naturalPoint } from "../../../estimate/observe/likelihood.ts";
import {
	type CutEstimation,
	canBeCut,
	cutEstimation,
	startsAlong,
} from "../../../estimate/segments/cut-estimation.ts";
import { type ShootingPoint, ShootingProblem } from "../../../estimate/segments/shooting.ts";
import { ShootingDescent } from "../../../estimate/segments/shooting-descent.ts";
import { halfTurn } from "../../../estimate/segments/turns.ts";
import { deviation } from "../../../num/statistics/deviation.ts";
import { squared } from "../../../num/whole-power.ts";

/** Sizes that gaps may have, in the components' deviations, rung by rung: in the end they are closed even where errors grow a million times. */
const gapSizes = [1, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7];
/** Evaluations of a rung. */
const fewEvaluations = 16;
/** A misfit that counts as one, in the outputs' deviations. */
const missedShare = 0.1;
/** Of a component that hardly moves from segment to segment, the share of its size that counts as its deviation. */
const leastVariation = 0.03;
/** Numbers in the derivatives of one point, at most. */
const mostNumbers = 4e6;

export interface SegmentRunsState {
	readonly rung: number;
	readonly evaluations: number;
	readonly points: readonly { readonly z: readonly number[]; readonly starts: readonly number[] }[];
}

export class SegmentRuns {
	evaluations = 0;
	#rung = 0;
	readonly #cut: CutEstimation;
	readonly #forward: Forward;
	#descents: ShootingDescent[] = [];
	#spent = 0;
	/** Where the rung under way began: what a checkpoint keeps. */
	#began: Omit<SegmentRunsState, "points"> & { points: readonly ShootingPoint[] };

	private constructor(
		readonly problem: LikelihoodProblem,
		readonly estimation: Estimation,
		readonly integration: Integration,
		/** Sample times of a segment at first. */
		readonly length: number,
		readonly keep: number,
	) {
		this.#cut = cutEstimation(estimation, length);
		this.#forward = forwardOf(this.#cut.estimation, integration);
		this.#began = { rung: 0, evaluations: 0, points: [] };
	}

	/** Undefined where records do not swing, or are no matter for it. `keep`: how many points are left at the end. */
	static of(
		problem: LikelihoodProblem,
		estimation: Estimation,
		integration: Integration,
		keep: number,
	): SegmentRuns | undefined {
		const length = canBeCut(estimation) ? halfTurn(estimation.observations) : undefined;
		if (length === undefined) return undefined;
		const { grids, nObservations } = estimation.observations;
		const segments = grids.reduce((sum, { times }) => sum + times.length / length, 0);
		const nStarts = segments * estimation.model.components.length;
		if (nObservations * (estimation.unknowns.length + nStarts) > mostNumbers) return undefined;
		return new SegmentRuns(problem, estimation, integration, length, keep);
	}

	get fraction(): number {
		return this.#rung / gapSizes.length;
	}

	get count(): number {
		return this.#descents.length;
	}

	/** From points whose scales and offsets are fitted first, where that needs no simulation. */
	async begin(candidates: readonly Float64Array[]): Promise<void> {
		const points = (await looks(this.problem, candidates)).map(({ z }) => z);
		const whole = forwardOf(this.#cut.states, this.integration);
		const natural = points.map((z) => naturalPoint(this.problem.unknowns, z));
		const seen = await whole.evaluate(natural, false);
		this.#start(points.map((z, k) => ({ z: z.slice(), starts: startsAlong(this.#cut, seen[k]) })));
	}

	/** One evaluation of all; the unknowns that are left when records are whole again, best first. */
	async round(): Promise<Float64Array[] | undefined> {
		const running = this.#descents.filter(({ trial }) => trial !== undefined);
		if (running.length > 0 && this.#spent < fewEvaluations) {
			const problem = running[0].problem;
			const told = await this.#forward.evaluate(
				running.map(({ trial }) => problem.pointOf(trial!)),
				true,
			);
			running.forEach((descent, k) => {
				descent.tell(told[k]);
			});
			this.evaluations += running.length;
			this.#spent++;
			return undefined;
		}
		return this.#climb();
	}

	/** The better half goes on to the next rung. */
	#climb(): Float64Array[] | undefined {
		const sorted = this.#descents
			.filter(({ cost }) => cost < Number.POSITIVE_INFINITY)
			.sort((a, b) => a.cost - b.cost);
		const left = sorted.slice(0, Math.max(this.keep, Math.ceil(sorted.length / 2)));
		const points = left.map(({ point }) => point);
		this.#rung++;
		if (this.#rung >= gapSizes.length || points.length === 0) return points.map(({ z }) => z);
		this.#start(points);
		return undefined;
	}

	#shooting(): ShootingProblem {
		const { model, observations } = this.estimation;
		const missed = model.measures.map((_, index) => {
			const own = observations.groups.filter((group) => group.index === index);
			return missedShare * deviation(own.flatMap(({ observed }) => [...observed])) || 1;
		});
		const { problem } = this;
		return new ShootingProblem(
			this.estimation,
			this.#cut,
			missed,
			searchBounds(problem),
			searchReach(problem),
		);
	}

	#start(points: readonly ShootingPoint[]): void {
		const problem = this.#shooting();
		const size = gapSizes[this.#rung];
		const n = problem.nStates;
		this.#spent = 0;
		this.#began = { rung: this.#rung, evaluations: this.evaluations, points };
		this.#descents = points.map(
			(point) => new ShootingDescent(problem, point, gapWeights(point.starts, n, size)),
		);
	}

	/** The rung under way is begun again: it comes to the same. */
	save(): SegmentRunsState {
		const { rung, evaluations, points } = this.#began;
		return {
			rung,
			evaluations,
			points: points.map(({ z, starts }) => ({ z: [...z], starts: [...starts] })),
		};
	}

	restore({ rung, evaluations, points }: SegmentRunsState): void {
		this.#rung = rung;
		this.evaluations = evaluations;
		this.#start(
			points.map(({ z, starts }) => ({ z: Float64Array.from(z), starts: Float64Array.from(starts) })),
		);
	}
}

function gapWeights(starts: Float64Array, n: number, size: number): Float64Array {
	const weights = new Float64Array(n);
	for (let c = 0; c < n; c++) {
		const own = [...starts].filter((_, i) => i % n === c);
		const rms = Math.sqrt(own.reduce((sum, x) => sum + squared(x), 0) / own.length);
		weights[c] = 1 / (size * (deviation(own) + leastVariation * rms || 1));
	}
	return weights;
}
