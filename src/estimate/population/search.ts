/**
 * The most likely values of what all records of a population share, as a sequence of phases, each advanced batch by batch:
 *
 *   pooled  records without differences: where to begin
 *   climb   the marginal likelihood from the best of these places
 *   check   the same with twice the steps: where integration error shows, finer steps and on
 *   errors  its curvature, from differences of slopes
 */
import { symbolsOf } from "../../model/walk.ts";
import { log } from "../../num/elementary/number.ts";
import { choleskyInverse } from "../../num/linear/cholesky.ts";
import { squared } from "../../num/whole-power.ts";
import type { Integration } from "../forward/estimation.ts";
import { forwardOf } from "../forward/forward-of.ts";
import { chooseIntegration, finer, negligibleError, refine } from "../forward/integration.ts";
import { Search, type SearchSnapshot } from "../least-squares/search.ts";
import { candidatePoints, chooseStarts } from "../least-squares/starts.ts";
import { costs, type LikelihoodProblem, naturalPoint, weightsAt } from "../observe/likelihood.ts";
import type { Progress } from "../run/progress.ts";
import { toSearch } from "../unknowns/unknowns.ts";
import { Climb, type ClimbSnapshot } from "./climb.ts";
import { factored } from "./factored.ts";
import { type Marginal, MarginalLikelihood } from "./marginal.ts";
import type { PopulationProblem } from "./problem.ts";

export interface PopulationSearchOptions {
	readonly starts: number;
	readonly candidates: number;
	readonly maxEvaluations: number;
	readonly seed: number;
	/** Minus log density of what is known of the shared beforehand, in search coordinates. */
	readonly prior?: (shared: Float64Array) => number;
}

/** Everything needed to go on. */
export interface PopulationCheckpoint {
	readonly phase: Phase;
	readonly integration: Integration;
	readonly pooled: readonly SearchSnapshot[] | null;
	/** Places that are still to be followed; search coordinates of the shared. */
	readonly starts: readonly (readonly number[])[];
	readonly climb: ClimbSnapshot | null;
	/** The best end so far, by the integration that it was found with. */
	readonly best: { readonly integration: Integration; readonly climb: ClimbSnapshot } | null;
	readonly error: number;
	readonly covariance: readonly number[] | null;
	readonly scores: readonly number[];
	readonly iterations: number;
	readonly evaluations: number;
	readonly places: number;
	readonly fraction: number;
}

type Phase = "pooled" | "climb" | "check" | "errors" | "done";

/** Places of the pooled search that are followed. */
const mostPlaces = 3;
/** Costs of pooled optima that differ by no more are both worth following. */
const rivalCost = 0.2;
/** Half the distance over which slopes are compared for the curvature, in standard errors. */
const curvatureShare = 0.25;

export class PopulationSearch {
	phase: Phase = "pooled";
	integration: Integration;
	likelihood: MarginalLikelihood;
	/** Integration error beside the residuals. */
	error = 0;
	/** Covariance of the shared in search coordinates; absent where the curvature is none of a minimum. */
	covariance: Float64Array | undefined;
	/** Of each unit at the end: slopes of its own part. */
	scores: Float64Array = new Float64Array();
	iterations = 0;
	places = 0;
	#pooled: Search | undefined;
	#starts: Float64Array[] = [];
	#climb: Climb | undefined;
	#best: Climb | undefined;
	#fraction = 0;
	/** Evaluations by likelihoods of coarser integration. */
	#earlier = 0;

	constructor(
		readonly problem: PopulationProblem,
		readonly options: PopulationSearchOptions,
	) {
		const given = Float64Array.from(problem.unknowns, ({ start }) => start);
		const integration = chooseIntegration(problem.whole, [given]);
		this.integration = integration.kind === "fixed" ? { ...integration, even: true } : integration;
		this.likelihood = this.#likelihoodAt(this.integration);
	}

	/** Where it ended. */
	get end(): Marginal | undefined {
		return this.#best?.marginal;
	}
	/** Batches of simulations so far, all units counted as one. */
	get evaluations(): number {
		return this.#earlier + this.likelihood.evaluations;
	}
	get outcome(): "converged" | "maxSteps" | "diverged" {
		return this.#best?.outcome ?? "diverged";
	}
	get gradient(): Float64Array {
		return this.#best!.gradient;
	}

	async advance(): Promise<Progress> {
		switch (this.phase) {
			case "pooled":
				await this.#pool();
				break;
			case "climb":
				await this.#climbOn();
				break;
			case "check":
				await this.#check();
				break;
			case "errors":
				await this.#errors();
				break;
		}
		const goal = { pooled: 0.2, climb: 0.75, check: 0.8, errors: 1, done: 1 }[this.phase];
		this.#fraction =
			this.phase === "done" ? 1 : Math.max(this.#fraction, this.#fraction + 0.15 * (goal - this.#fraction));
		return { done: this.phase === "done", fraction: this.#fraction, label: this.#label() };
	}

	#label(): string {
		const value = this.#climb?.value ?? Number.POSITIVE_INFINITY;
		const best = value < Number.POSITIVE_INFINITY ? `, log-likelihood ${(-value).toFixed(2)}` : "";
		return this.phase === "pooled" ? "all records as one" : `${this.problem.units.length} records${best}`;
	}

	/** Unknowns that say nothing without differences: etas, and the spreads of the population. */
	get #still(): number[] {
		const { unknowns, nShared, population } = this.problem;
		const spreads = population.flatMap(({ spread }) => (spread.op === "sym" ? [spread.name!] : []));
		return unknowns.flatMap(({ name }, i) => (i >= nShared || spreads.includes(name) ? [i] : []));
	}

	#pooledSearch(starts: readonly Float64Array[]): Search {
		const { unknowns, whole, priors } = this.problem;
		const forward = forwardOf(whole, this.integration);
		const likelihood: LikelihoodProblem = { unknowns, observations: whole.observations, priors, forward };
		const fixed = starts.map(() => this.#still);
		const { machines } = Search.from(likelihood, starts, {
			maxEvaluations: this.options.maxEvaluations,
			fixed,
		});
		return new Search(machines, likelihood, true);
	}

	async #beginPooled(): Promise<Search> {
		const { unknowns, nShared } = this.problem;
		const { candidates, starts, seed } = this.options;
		const points = candidatePoints(unknowns, Math.max(candidates, starts), seed);
		for (const point of points)
			for (const i of this.#still) point[i] = i >= nShared ? 0 : toSearch(unknowns[i], unknowns[i].start);
		const chosen = chooseStarts(points, await costs(this.#pooledSearch([]).problem, points), starts);
		return this.#pooledSearch(chosen.map((k) => points[k]));
	}

	/** What is the same without differences. */
	async #pool(): Promise<void> {
		const { whole, nShared } = this.problem;
		if (!this.#pooled) {
			this.#pooled = await this.#beginPooled();
			return;
		}
		if (await this.#pooled.round()) return;
		const pooled = this.#pooled;
		const ends = [...new Set(pooled.machines.map((machine) => pooled.endOf(machine)))].sort(
			(a, b) => a.cost - b.cost,
		);
		const [first] = ends;
		if (!(first.cost < Number.POSITIVE_INFINITY)) {
			this.phase = "done";
			return;
		}
		const slack = rivalCost * whole.observations.nObservations;
		const different: Float64Array[] = [];
		for (const { best, cost } of ends) {
			const isNew = different.every((other) =>
				other.some((z, i) => Math.abs(z - best[i]) > 0.05 * Math.max(1, Math.abs(z))),
			);
			if (isNew && cost <= first.cost + slack && different.length < mostPlaces) different.push(best);
		}
		this.#starts = different.flatMap((z) => this.#withErrors(z.slice(0, nShared)));
		this.places = this.#starts.length;
		this.phase = "climb";
	}

	/**
	 * A place, and where an error has several parts the same with these as they are declared: without differences between records
	 * one part takes the blame for them all, and the others vanish to where no slope leads back.
	 */
	#withErrors(shared: Float64Array): Float64Array[] {
		const { unknowns, nShared, model } = this.problem;
		const names = unknowns.slice(0, nShared).map(({ name }) => name);
		const elsewhere = symbolsOf([...model.rhs, ...model.measures.map(({ value }) => value)]);
		const parts = new Set(
			model.measures.flatMap(({ spread }) => {
				const inside = spread ? symbolsOf([spread]) : new Set<string>();
				const own = names.filter((name) => inside.has(name) && !elsewhere.has(name));
				return own.length > 1 ? own : [];
			}),
		);
		const meant = shared.map((z, i) =>
			parts.has(unknowns[i].name) ? toSearch(unknowns[i], unknowns[i].start) : z,
		);
		return meant.every((z, i) => z === shared[i]) ? [shared] : [shared, meant];
	}

	async #climbOn(): Promise<void> {
		this.#climb ??= new Climb(this.likelihood, this.#starts.shift()!, this.#best?.marginal);
		if (await this.#climb.step()) return;
		this.iterations += this.#climb.iterations;
		if (!this.#best || this.#climb.value < this.#best.value || this.#best.likelihood !== this.likelihood)
			this.#best = this.#climb;
		this.#climb = undefined;
		if (this.#starts.length > 0) return;
		this.phase = this.#best.value < Number.POSITIVE_INFINITY ? "check" : "done";
	}

	/** Integration error beside the residuals of all units, each at its own eta. */
	async #check(): Promise<void> {
		const { unknowns, units } = this.problem;
		let [difference, residuals, count] = [0, 0, 0];
		for (const [u, { estimation }] of units.entries()) {
			const likelihood = this.likelihood.likelihood(u);
			const point = naturalPoint(unknowns, this.end!.modes[u].z);
			const [coarse] = await likelihood.forward.evaluate([point], false);
			const [fine] = await forwardOf(estimation, finer(this.integration)).evaluate([point], false);
			const sd = weightsAt(likelihood, coarse);
			const { values } = estimation.observations;
			for (let i = 0; i < values.length; i++) {
				difference += squared((coarse.value[i] - fine.value[i]) / sd[i]);
				residuals += squared((values[i] - coarse.value[i]) / sd[i]);
				count++;
			}
		}
		this.error = Math.sqrt(difference / Math.max(residuals, 1e-20 * count));
		const better = this.error <= negligibleError ? undefined : refine(this.integration, this.error);
		if (!better) {
			this.phase = "errors";
			return;
		}
		this.integration = better;
		this.#earlier = this.evaluations;
		this.likelihood = this.#likelihoodAt(better);
		this.#starts = [this.end!.shared];
		this.phase = "climb";
	}

	async #errors(): Promise<void> {
		const { end, likelihood, problem } = this;
		const p = problem.nShared;
		const [own] = await likelihood.slopes([end!]);
		this.scores = own.scores;
		const factor = factored(this.#best!.hessian, p);
		const rough = factor && choleskyInverse(factor, p);
		const h = Float64Array.from({ length: p }, (_, k) =>
			Math.min(Math.max(curvatureShare * Math.sqrt(rough?.[k * p + k] ?? 1), 1e-4), 0.25),
		);
		const matrix = new Float64Array(p * p);
		for (let k = 0; k < p; k++) {
			const points = [1, -1].map((sign) => {
				const z = end!.shared.slice();
				z[k] += sign * h[k];
				return z;
			});
			const [up, down] = await likelihood.slopes(await likelihood.at(points, end));
			for (let j = 0; j < p; j++) {
				const value = (up.gradient[j] - down.gradient[j]) / (2 * h[k]) / 2;
				matrix[k * p + j] += value;
				matrix[j * p + k] += value;
			}
		}
		const curvature = factored(matrix, p);
		this.covariance = curvature && choleskyInverse(curvature, p);
		this.phase = "done";
	}

	#likelihoodAt(integration: Integration): MarginalLikelihood {
		return new MarginalLikelihood(this.problem, integration, this.options.prior);
	}

	save(): PopulationCheckpoint {
		const best = this.#best;
		return {
			phase: this.phase,
			integration: this.integration,
			pooled: this.phase === "pooled" ? (this.#pooled?.snapshot() ?? null) : null,
			starts: this.#starts.map((each) => [...each]),
			climb: this.#climb?.snapshot() ?? null,
			best: best?.marginal ? { integration: best.likelihood.integration, climb: best.snapshot() } : null,
			error: this.error,
			covariance: this.covariance ? [...this.covariance] : null,
			scores: [...this.scores],
			iterations: this.iterations,
			evaluations: this.evaluations,
			places: this.places,
			fraction: this.#fraction,
		};
	}

	/** Goes on where it was saved, to the same bits. */
	async restore(saved: PopulationCheckpoint): Promise<void> {
		this.phase = saved.phase;
		this.integration = saved.integration;
		this.likelihood = this.#likelihoodAt(saved.integration);
		if (saved.pooled) {
			this.#pooled = this.#pooledSearch(saved.pooled.map(({ best }) => Float64Array.from(best)));
			await this.#pooled.restore(saved.pooled);
		}
		this.#starts = saved.starts.map((each) => Float64Array.from(each));
		if (saved.climb) this.#climb = await Climb.from(this.likelihood, saved.climb);
		if (saved.best) {
			const { integration, climb } = saved.best;
			const isSame = JSON.stringify(integration) === JSON.stringify(saved.integration);
			this.#best = await Climb.from(isSame ? this.likelihood : this.#likelihoodAt(integration), climb);
		}
		this.error = saved.error;
		this.covariance = saved.covariance ? Float64Array.from(saved.covariance) : undefined;
		this.scores = Float64Array.from(saved.scores);
		this.iterations = saved.iterations;
		this.#earlier = saved.evaluations;
		this.places = saved.places;
		this.#fraction = saved.fraction;
	}

	/** AIC and its like, of the marginal likelihood. */
	get goodness(): { logLikelihood: number; aic: number; bic: number } {
		const { nShared, whole } = this.problem;
		const logLikelihood = -(this.end!.value - (this.options.prior?.(this.end!.shared) ?? 0));
		return {
			logLikelihood,
			aic: 2 * nShared - 2 * logLikelihood,
			bic: nShared * log(whole.observations.nObservations) - 2 * logLikelihood,
		};
	}
}
