/**
 * A fit as a sequence of phases, each advanced batch by batch:
 *
 *   screen   many candidates are simulated once, the best and most different become starts
 *   search   all starts go down together
 *   reweigh  spreads that the model leaves open are taken from the residuals, and the best start goes on
 *   check    the same point with twice the steps: where integration error shows, finer steps and on
 *   profile  intervals and identifiability
 */

import { expandCombinations } from "../../model/combination.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { Forward } from "../common/forward.ts";
import { costs, type MisfitProblem, naturalPoint } from "../common/misfit.ts";
import type { Progress } from "../method.ts";
import type { OptionValues } from "../options.ts";
import type { Problem } from "../problem.ts";
import { type Covariance, covarianceOf } from "./covariance.ts";
import { type Estimation, estimationOf, forwardOf, type Integration } from "./estimation.ts";
import { chooseIntegration, integrationError, negligibleError, refine } from "./integration.ts";
import type { fitOptions } from "./options.ts";
import { type Profile, Profiles } from "./profile.ts";
import { Search, type SearchSnapshot } from "./search.ts";
import { candidatePoints, chooseStarts } from "./starts.ts";
import { firstWeights, fittedWeights, weightsMatter } from "./weights.ts";

export type FitOptions = OptionValues<typeof fitOptions>;
type Phase = "screen" | "search" | "reweigh" | "check" | "profile" | "done";

/** What became of one start. */
export interface StartOutcome {
	/** Where it ended, in search coordinates. */
	readonly z: readonly number[];
	readonly cost: number;
	readonly outcome: string;
	readonly iterations: number;
}

const phaseShare: Record<Phase, readonly [number, number]> = {
	screen: [0, 0.05],
	search: [0.05, 0.5],
	reweigh: [0.5, 0.55],
	check: [0.55, 0.65],
	profile: [0.65, 1],
	done: [1, 1],
};

export class FitRun {
	readonly estimation: Estimation;
	phase: Phase = "screen";
	integration: Integration;
	sd: Float64Array;
	search: Search | undefined;
	starts: StartOutcome[] = [];
	/** Integration error beside the residuals, at the steps used; and the shift that finer steps made, in sd. */
	error = 0;
	absorbed: { substeps: number; finer: string; shift: Float64Array } | undefined;
	profiles: Profile[] | undefined;
	iterations = 0;
	evaluations = 0;
	/** Wall time of search and of profiles, in seconds. */
	readonly seconds = { search: 0, profile: 0 };
	readonly #forwards = new Map<string, Forward>();
	#profiling: Profiles | undefined;
	/** Costs of the candidates so far. */
	#screened: number[] = [];
	#reweighed = 0;
	#restarted = 0;
	#fraction = 0;

	constructor(
		readonly problem: Problem,
		readonly options: FitOptions,
	) {
		const { model } = expandCombinations(foldFormulaInputs(problem.model));
		this.estimation = estimationOf(model, problem.train, problem.start, problem.compute);
		this.sd = firstWeights(this.estimation.observations);
		this.integration = this.#firstIntegration();
	}

	get misfit(): MisfitProblem {
		const { unknowns, observations } = this.estimation;
		return { unknowns, observations, sd: this.sd, forward: this.#forward(this.integration) };
	}

	#forward(integration: Integration): Forward {
		const key = JSON.stringify(integration);
		const forward = this.#forwards.get(key) ?? forwardOf(this.estimation, integration);
		this.#forwards.set(key, forward);
		return forward;
	}

	/** The optimum in search coordinates. */
	get best(): Float64Array {
		return this.search!.best.best;
	}
	get degrees(): number {
		return Math.max(this.estimation.observations.nObservations - this.estimation.unknowns.length, 1);
	}
	/** Variance of the residuals in units of sd: 1 when they are as large as declared. */
	get variance(): number {
		return (2 * this.search!.best.cost) / this.degrees;
	}
	get covariance(): Covariance {
		const { nObservations } = this.estimation.observations;
		return covarianceOf(this.search!.best.jacobian!, nObservations, this.estimation.unknowns.length);
	}

	async advance(): Promise<Progress> {
		const began = performance.now();
		const phase = this.phase;
		await this.#step();
		this.seconds[phase === "profile" ? "profile" : "search"] += (performance.now() - began) / 1000;
		return { done: this.phase === "done", fraction: this.#progress(), label: this.#label() };
	}

	async #step(): Promise<void> {
		switch (this.phase) {
			case "screen":
				return this.#screen();
			case "search":
				return this.#searchRound();
			case "reweigh":
				return this.#reweigh();
			case "check":
				return this.#check();
			case "profile":
				return this.#profileRound();
		}
	}

	/** A share of the candidates; the last share chooses the starts. */
	async #screen(): Promise<void> {
		const { candidates, starts, maxEvaluations } = this.options;
		const { unknowns } = this.estimation;
		const points = candidatePoints(unknowns, Math.max(candidates, starts), this.problem.seed);
		const next = points.slice(this.#screened.length, this.#screened.length + this.#unit());
		this.#screened.push(...(await costs(this.misfit, next)));
		if (this.#screened.length < points.length) return;
		if (this.#screened.every((cost) => cost === Number.POSITIVE_INFINITY) && this.#coarserFails()) {
			this.#screened = [];
			return;
		}
		const chosen = chooseStarts(points, this.#screened, starts);
		this.#begin(
			chosen.map((k) => points[k]),
			maxEvaluations,
		);
		this.phase = "search";
	}

	/** Candidates in one unit of work: the adaptive solver is slow, and the user may want to stop. */
	#unit(): number {
		return this.integration.kind === "adaptive" ? 4 : 256;
	}

	async #searchRound(): Promise<void> {
		if (await this.search!.round()) return;
		this.#count();
		if (this.starts.length === 0)
			this.starts = this.search!.machines.map((machine) => ({
				z: [...this.search!.endOf(machine).best],
				cost: this.search!.endOf(machine).cost,
				outcome: machine.outcome!,
				iterations: machine.iterations,
			}));
		if (this.search!.best.cost === Number.POSITIVE_INFINITY) this.phase = "done";
		else
			this.phase = this.#reweighed < 4 && weightsMatter(this.estimation.observations) ? "reweigh" : "check";
	}

	async #reweigh(): Promise<void> {
		const { best } = this;
		const { forward } = this.misfit;
		const [fitted] = await forward.evaluate([naturalPoint(this.estimation.unknowns, best)], false);
		const sd = fittedWeights(this.estimation.observations, fitted);
		const change = sd.reduce((most, value, i) => Math.max(most, Math.abs(value / this.sd[i] - 1)), 0);
		this.sd = sd;
		this.#reweighed = change < 0.01 ? 4 : this.#reweighed + 1;
		this.#goOnFrom(best);
	}

	/** The finer check: is integration error in the answer? */
	async #check(): Promise<void> {
		if (this.integration.kind === "adaptive") return this.#beginProfiles();
		const { substeps } = this.integration;
		const { observations, unknowns } = this.estimation;
		const point = naturalPoint(unknowns, this.best);
		const [[coarse], [fine]] = await Promise.all(
			[substeps, 2 * substeps].map((steps) =>
				this.#forward({ kind: "fixed", substeps: steps }).evaluate([point], false),
			),
		);
		const error = integrationError(observations, this.sd, coarse, fine, Math.sqrt(this.variance));
		if (this.absorbed === undefined) this.error = error;
		if (error <= negligibleError) return this.#beginProfiles();
		if (this.options.substeps === "auto") {
			this.integration = refine(substeps, error);
			this.#goOnFrom(this.best);
		} else await this.#measureAbsorbed(substeps, error);
	}

	/** Steps were given and are too coarse: how far does the answer move with finer ones? */
	async #measureAbsorbed(substeps: number, error: number): Promise<void> {
		const given = this.best.slice();
		const { sd } = this.covariance;
		const kept = { search: this.search, integration: this.integration };
		this.integration = refine(substeps, error);
		const search = Search.from(this.misfit, [given], { maxEvaluations: this.options.maxEvaluations });
		while (await search.round());
		const scale = Math.sqrt(this.variance);
		this.absorbed = {
			substeps,
			finer: this.misfit.forward.says,
			shift: search.best.best.map((z, i) => Math.abs(z - given[i]) / (sd[i] * scale || 1)),
		};
		Object.assign(this, kept);
		this.#beginProfiles();
	}

	#beginProfiles(): void {
		if (!this.options.profile) {
			this.phase = "done";
			return;
		}
		this.#profiling = new Profiles({
			problem: this.misfit,
			best: this.best,
			cost: this.search!.best.cost,
			covariance: this.covariance,
			variance: this.variance,
			degrees: this.degrees,
			maxEvaluations: Math.min(this.options.maxEvaluations, 60),
		});
		this.phase = "profile";
	}

	async #profileRound(): Promise<void> {
		if (await this.#profiling!.round()) return;
		const { better } = this.#profiling!;
		if (better && this.#restarted < 3) {
			// A profile walked downhill: the optimum was none. Go on from there.
			this.#restarted++;
			return this.#goOnFrom(better);
		}
		this.profiles = this.#profiling!.results();
		this.phase = "done";
	}

	#goOnFrom(z: Float64Array): void {
		this.#begin([z], this.options.maxEvaluations);
		this.phase = "search";
	}

	#begin(starts: readonly Float64Array[], maxEvaluations: number): void {
		this.search = Search.from(this.misfit, starts, { maxEvaluations });
	}

	#count(): void {
		this.iterations += this.search!.best.iterations;
		this.evaluations += this.search!.machines.reduce((sum, { evaluations }) => sum + evaluations, 0);
	}

	#firstIntegration(): Integration {
		const { substeps, integrator } = this.options;
		if (integrator === "adaptive") return { kind: "adaptive" };
		if (substeps !== "auto") return { kind: "fixed", substeps };
		const { unknowns } = this.estimation;
		const points = candidatePoints(unknowns, 9, this.problem.seed).map((z) => naturalPoint(unknowns, z));
		const chosen = chooseIntegration(this.estimation, points);
		return integrator === "fixed" && chosen.kind === "adaptive" ? { kind: "fixed", substeps: 256 } : chosen;
	}

	/** Every candidate blew up: finer steps, then the adaptive solver; false when there is nothing left to try. */
	#coarserFails(): boolean {
		if (this.options.substeps !== "auto" || this.integration.kind === "adaptive") return false;
		this.integration = refine(this.integration.substeps, Number.POSITIVE_INFINITY);
		return true;
	}

	#progress(): number {
		const [from, to] = phaseShare[this.phase];
		const within =
			this.phase === "search" && this.search
				? 1 - this.search.running.length / this.search.machines.length
				: this.phase === "profile"
					? (this.#profiling?.fraction ?? 0)
					: 0;
		this.#fraction = Math.max(this.#fraction, from + (to - from) * within);
		return this.#fraction;
	}

	#label(): string {
		const done = this.search ? this.search.machines.length - this.search.running.length : 0;
		switch (this.phase) {
			case "screen":
				return `${this.#screened.length} candidates tried`;
			case "search":
				return `${done} of ${this.search!.machines.length} starts at their optimum`;
			case "reweigh":
				return "weighing outputs by their residuals";
			case "check":
				return "checking the integration with finer steps";
			case "profile":
				return `profiles ${Math.round(100 * (this.#profiling?.fraction ?? 0))} %`;
			case "done":
				return `${this.search?.best.outcome ?? "diverged"}, ${this.iterations} iterations`;
		}
	}

	/** Everything needed to go on: profiles, if begun, are begun again. */
	save(): FitCheckpoint {
		return {
			phase: this.phase,
			integration: this.integration,
			sd: [...this.sd],
			search: this.search?.snapshot() ?? null,
			starts: this.starts.map((start) => ({
				...start,
				cost: Number.isFinite(start.cost) ? start.cost : null,
			})),
			error: this.error,
			absorbed: this.absorbed ? { ...this.absorbed, shift: [...this.absorbed.shift] } : null,
			iterations: this.iterations,
			evaluations: this.evaluations,
			reweighed: this.#reweighed,
			restarted: this.#restarted,
		};
	}

	async restore(saved: FitCheckpoint): Promise<void> {
		this.integration = saved.integration;
		this.sd = Float64Array.from(saved.sd);
		this.starts = saved.starts.map((start) => ({ ...start, cost: start.cost ?? Number.POSITIVE_INFINITY }));
		this.error = saved.error;
		this.absorbed = saved.absorbed
			? { ...saved.absorbed, shift: Float64Array.from(saved.absorbed.shift) }
			: undefined;
		this.iterations = saved.iterations;
		this.evaluations = saved.evaluations;
		this.#reweighed = saved.reweighed;
		this.#restarted = saved.restarted;
		this.phase = saved.phase;
		if (saved.search) {
			this.#begin(
				saved.search.map(({ best }) => Float64Array.from(best)),
				this.options.maxEvaluations,
			);
			await this.search!.restore(saved.search);
		}
		if (saved.phase === "profile" || (saved.phase === "done" && this.search?.best.told))
			this.#beginProfiles();
	}
}

export interface FitCheckpoint {
	readonly phase: Phase;
	readonly integration: Integration;
	readonly sd: readonly number[];
	readonly search: readonly SearchSnapshot[] | null;
	readonly starts: readonly {
		z: readonly number[];
		cost: number | null;
		outcome: string;
		iterations: number;
	}[];
	readonly error: number;
	readonly absorbed: { substeps: number; finer: string; shift: readonly number[] } | null;
	readonly iterations: number;
	readonly evaluations: number;
	readonly reweighed: number;
	readonly restarted: number;
}
