/**
 * Intervals and identifiability by profiles, as the last phase of a fit: begun at an optimum, given up where that was none or the
 * steps are too coarse, and begun again at the next.
 */
import { operationsPerSecond } from "../../compute/work.ts";
import type { Integration } from "../../estimate/forward/estimation.ts";
import { finer } from "../../estimate/forward/integration.ts";
import { type Profile, Profiles } from "../../estimate/least-squares/profile.ts";
import type { LikelihoodProblem } from "../../estimate/observe/likelihood.ts";
import { errorsOf } from "./errors.ts";
import type { FitRun } from "./fit-run.ts";
import { onlyCut } from "./starts/starts-compared.ts";
import { finerIntegration, smallRecord } from "./steps.ts";

/** Times that integration is made finer for the ends of the profiles. */
const mostSharpened = 2;
/** Unknowns from which on derivatives are dear beside simulations: profiles do without them where they can. */
const manyUnknowns = 12;

export class Profiling {
	sharpened = 0;
	/** Operations of profiles that were begun and given up; and of all simulations, before those under way. */
	givenUp = 0;
	#before = 0;
	#profiles: Profiles | undefined;

	constructor(readonly run: FitRun) {}

	get fraction(): number {
		return this.#profiles?.fraction ?? 0;
	}

	/**
	 * Whether fits beside the optimum would fall out of step with the records, as all starts did that saw them whole: where they end
	 * says nothing of how far an unknown may go.
	 */
	get isOutOfStep(): boolean {
		return this.run.options.profile && onlyCut(this.run);
	}

	/** False where none are asked for, nothing is known of the errors, or they would lead nowhere. */
	begin(): boolean {
		const { run } = this;
		const { noise, variance, variances, quantile, curvature } = errorsOf(run);
		if (!run.options.profile || noise === undefined || this.isOutOfStep) return false;
		const limit = operationsPerSecond * run.options.effort;
		this.#before = run.forwards.operations;
		this.#profiles = new Profiles({
			isSpent: () => this.givenUp + run.forwards.operations - this.#before >= limit,
			problem: run.misfit,
			finer: this.#finerProblem(),
			best: run.best,
			cost: run.search!.best.cost,
			covariance: curvature,
			jacobian: run.estimation.unknowns.length >= manyUnknowns ? run.rows.jacobian : undefined,
			variance,
			variances,
			quantile,
			maxEvaluations: Math.min(run.options.maxEvaluations, 60),
			places: run.starts.filter(({ spurious }) => !spurious).map(({ z }) => Float64Array.from(z)),
		});
		return true;
	}

	/** Whether there is more to do. */
	round(): Promise<boolean> {
		return this.#profiles!.round();
	}

	/** Where a profile walked downhill: the optimum was none. */
	get better(): Float64Array | undefined {
		return this.#profiles!.better;
	}

	/** Finer steps, where the present ones blur the ends of profiles. */
	sharper(): Integration | undefined {
		if (!this.#profiles!.isBlurred || this.sharpened >= mostSharpened) return undefined;
		this.sharpened++;
		const { integration, options } = this.run;
		const sharper = finerIntegration(integration, Number.POSITIVE_INFINITY, options);
		// The adaptive solver would be too slow for so many searches.
		return sharper?.kind === "fixed" ? sharper : undefined;
	}

	/** Others will be begun: what was done counts. */
	giveUp(): void {
		this.givenUp += this.run.forwards.operations - this.#before;
		this.#profiles = undefined;
	}

	async results(): Promise<(Profile | undefined)[]> {
		const { misfit, forwards, estimation } = this.run;
		const profiles = this.#profiles!;
		if (profiles.isBlurred && estimation.observations.nObservations <= smallRecord)
			await profiles.confirm({ ...misfit, forward: forwards.at({ kind: "adaptive" }) });
		return profiles.results();
	}

	/** What profiles are held against: fixed steps that suit the optimum may not suit other places. */
	#finerProblem(): LikelihoodProblem | undefined {
		const { integration, unresolved, misfit, forwards } = this.run;
		// An error that is left at the optimum itself is counted in the size of all errors.
		if (integration.kind === "adaptive" || unresolved > 0) return undefined;
		return { ...misfit, forward: forwards.at(finer(integration)) };
	}
}
