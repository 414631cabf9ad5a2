/**
 * A fit as a sequence of phases, each advanced batch by batch:
 *
 *   screen   many candidates are simulated once, the best and most different become starts
 *   short    if asked for: many starts a few steps down, the better ones further
 *   hop      if asked for: from the optima of starts to better ones beside them
 *   search   all starts go down together
 *   segments where records swing and no start followed them: starts by multiple shooting, and the search again; of many starts round by round
 *   check    the same point, and other optima as good, with twice the steps: where integration error shows, finer
 *            steps and on
 *   profile  intervals and identifiability
 */

import { type Estimation, estimationOf, type Integration } from "../../estimate/forward/estimation.ts";
import type { Forward } from "../../estimate/forward/forward.ts";
import { grossError, negligibleError } from "../../estimate/forward/integration.ts";
import type { Law } from "../../estimate/law/law.ts";
import { type Covariance, covarianceOf } from "../../estimate/least-squares/covariance.ts";
import { type Profile, warmDamping } from "../../estimate/least-squares/profile.ts";
import { Search } from "../../estimate/least-squares/search.ts";
import { informationRows } from "../../estimate/observe/error-rows.ts";
import { type ErrorScale, errorScale } from "../../estimate/observe/error-scale.ts";
import type { FoundErrors } from "../../estimate/observe/found-spreads.ts";
import { costs, type LikelihoodProblem } from "../../estimate/observe/likelihood.ts";
import { noOptimum, type Optimum, optimumAt } from "../../estimate/observe/optimum.ts";
import { type Progress, WorkDone } from "../../estimate/run/progress.ts";
import { refuseStrangers } from "../../estimate/unknowns/strangers.ts";
import { expandCombinations } from "../../model/combination.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { Problem } from "../problem.ts";
import { labelOf, type Seen, shareOf, withinPhase } from "./fit-progress.ts";
import type { FitCheckpoint, Phase, StartOutcome } from "./fit-state.ts";
import { Forwards } from "./forwards.ts";
import { type Absorbed, absorbedError, followRival, integrationErrors } from "./integration-check.ts";
import type { FitOptions } from "./options.ts";
import { Profiling } from "./profiling.ts";
import { Cutting } from "./starts/cutting.ts";
import { Starting } from "./starts/starting.ts";
import { bestStart, rivalStarts } from "./starts/starts-compared.ts";
import { finerIntegration, firstIntegration } from "./steps.ts";

/** Better optima that checks may find, at most, and be followed to. */
const mostRestarts = 8;

export class FitRun {
	readonly estimation: Estimation;
	phase: Phase = "screen";
	integration: Integration;
	/** Priors that count, by unknown; none where least squares or likelihood is asked for. */
	readonly priors: readonly (Law | undefined)[] | undefined;
	readonly forwards: Forwards;
	/** Of the last search that came to one. */
	#optimum: Optimum | undefined;
	readonly starting = new Starting(this);
	search: Search | undefined;
	starts: StartOutcome[] = [];
	/** Integration error beside the residuals, at the steps used; and the shift that finer steps made, in sd. */
	error = 0;
	/** Sum of squares of the integration error, where it is not negligible. */
	unresolved = 0;
	absorbed: Absorbed | undefined;
	/** Undefined for an unknown whose profile was not done when the work for profiles was. */
	profiles: (Profile | undefined)[] | undefined;
	iterations = 0;
	evaluations = 0;
	/** Wall time of search and of profiles, in seconds. */
	readonly seconds = { search: 0, profile: 0 };
	readonly #profiling: Profiling;
	#restarted = 0;
	/** Whether the search under way carries all starts on, with finer steps. */
	#carriesAll = false;
	/** Whether that search is one of many starts, of which the best is to be followed further. */
	#isRough = false;
	/** Records in segments. */
	readonly cutting: Cutting;
	readonly #work = new WorkDone();
	#covariance: { of: Float64Array; is: Covariance } | undefined;

	constructor(
		readonly problem: Problem,
		readonly options: FitOptions,
	) {
		refuseStrangers(problem.model, problem.train, problem.test);
		const { model } = expandCombinations(foldFormulaInputs(problem.model));
		this.estimation = estimationOf(model, problem.train, problem.start, problem.compute, options.priors);
		this.priors = options.priors ? this.estimation.unknowns.map(({ law }) => law) : undefined;
		this.forwards = new Forwards(this.estimation);
		this.integration = firstIntegration(this.estimation, options, problem.seed);
		this.#profiling = new Profiling(this);
		this.cutting = new Cutting(this);
	}

	get misfit(): LikelihoodProblem {
		const { unknowns, observations } = this.estimation;
		const modeOfSearched = this.options.mode === "logarithm";
		return {
			unknowns,
			observations,
			priors: this.priors,
			modeOfSearched,
			holdsCorners: true,
			forward: this.forward(this.integration),
		};
	}

	/** The model at an integration, planned once. */
	forward(integration: Integration): Forward {
		return this.forwards.at(integration);
	}

	/** The optimum in search coordinates. */
	get best(): Float64Array {
		return this.search!.best.best;
	}
	get optimum(): Optimum {
		return this.#optimum ?? noOptimum(this.misfit);
	}
	get foundErrors(): FoundErrors {
		const { errors, sd, spreads } = this.optimum;
		const { observations } = this.estimation;
		return { observations, errors: errors.map((e, i) => e * sd[i]), spreads, degrees: this.degrees };
	}
	/** Samples beyond the unknowns; negative when there are fewer. */
	get degrees(): number {
		return this.estimation.observations.nObservations - this.estimation.unknowns.length;
	}
	/** Variance of the residuals in units of sd: 1 when they are as large as declared. */
	get residualVariance(): number {
		return this.optimum.squares / Math.max(this.degrees, 1);
	}
	/** How large errors are taken to be. */
	get scale(): ErrorScale {
		const { observations, unknowns } = this.estimation;
		const { sd, squares } = this.optimum;
		return errorScale(observations, sd, unknowns.length, squares, this.unresolved);
	}
	/** Rows at the optimum, and their Jacobian: JᵀJ is the information. */
	get rows(): { readonly residual: Float64Array; readonly jacobian: Float64Array } {
		const { residual, jacobian } = this.search!.best;
		return informationRows(this.estimation.observations, { residual: residual!, jacobian: jacobian! });
	}
	get covariance(): Covariance {
		const jacobian = this.search!.best.jacobian!;
		if (this.#covariance?.of !== jacobian)
			this.#covariance = {
				of: jacobian,
				is: covarianceOf(this.rows.jacobian, this.estimation.unknowns.length),
			};
		return this.#covariance.is;
	}

	async advance(): Promise<Progress> {
		const began = performance.now();
		const phase = this.phase;
		await this.#step();
		this.seconds[phase === "profile" ? "profile" : "search"] += (performance.now() - began) / 1000;
		const seen = this.#seen;
		const fraction = this.#work.inPhase(shareOf(seen), withinPhase(seen));
		const { operations } = this.forwards;
		return { done: this.phase === "done", fraction, label: labelOf(seen), operations };
	}

	async #step(): Promise<void> {
		switch (this.phase) {
			case "screen":
			case "short":
			case "hop":
				return this.#startingRound();
			case "search":
				return this.#searchRound();
			case "segments":
				return this.#segmentRound();
			case "check":
				return this.#check();
			case "profile":
				return this.#profileRound();
		}
	}

	async #startingRound(): Promise<void> {
		const starts = await this.starting.round();
		this.phase = starts ? "search" : this.starting.phase;
		if (!starts) return;
		this.evaluations += this.starting.evaluations;
		this.#begin(starts);
	}

	async #searchRound(): Promise<void> {
		if (await this.search!.round()) return;
		this.#count();
		const adds = this.cutting.addsStarts;
		this.cutting.addsStarts = false;
		if (adds || this.starts.length === 0 || this.#carriesAll) this.#noteEnds(adds);
		this.#carriesAll = false;
		if (this.search!.best.cost === Number.POSITIVE_INFINITY && !adds) {
			this.phase = "done";
			return;
		}
		// Many were followed roughly, and loosely: now the best to its end.
		if (this.#isRough) {
			await this.#judgeEnds();
			this.#optimum = await optimumAt(this.misfit, Float64Array.from(bestStart(this).z));
			if (await this.cutting.again()) this.phase = "segments";
			else await this.#followBest();
			return;
		}
		this.#optimum = await optimumAt(this.misfit, this.best);
		this.phase = "check";
	}

	/** Where all starts have come to. */
	get ends(): Float64Array[] {
		const first = bestStart(this);
		return this.starts.map((start) => (start === first ? this.best.slice() : Float64Array.from(start.z)));
	}

	/** What comes of cut records is followed beside the starts that there were. */
	async #segmentRound(): Promise<void> {
		const { cutting } = this;
		const found = await cutting.round();
		if (!found) return;
		const adds = cutting.addsStarts;
		// Nothing is left of a round.
		if (adds && found.length === 0) return this.#followBest();
		this.phase = "search";
		this.#carriesAll = !adds;
		const beside = adds ? cutting.takeUnfinished() : [];
		const starts = adds ? [...found, ...beside] : [...this.ends, ...found];
		this.#begin(starts, undefined, adds || undefined);
	}

	/** Of many that were followed loosely the best goes on, by a finer solver if it comes through. */
	async #followBest(): Promise<void> {
		this.cutting.addsStarts = false;
		const z = Float64Array.from(bestStart(this).z);
		const finer = this.#finer;
		if (finer && (await this.#costsBy(finer, [z]))[0] < Number.POSITIVE_INFINITY) this.integration = finer;
		this.#goOnFrom(z);
	}

	/** Where the starts of the search came to; those beside the ones that there were are of cut records. `adds`: all are beside them. */
	#noteEnds(adds: boolean): void {
		const before = adds ? [] : this.starts;
		const ends = this.search!.machines.map((machine, i) => {
			const { best, cost } = this.search!.endOf(machine);
			const isCut = i < before.length ? before[i].cut : this.starts.length > 0;
			return {
				z: [...best],
				cost,
				outcome: machine.outcome!,
				iterations: (before[i]?.iterations ?? 0) + machine.iterations,
				...(isCut && { cut: true }),
			};
		});
		this.starts = adds ? [...this.starts, ...ends] : ends;
	}

	/** Searches go where a loose solver errs to their favour, most of all in step with what swings: their ends are judged by a finer one, if it comes through. */
	async #judgeEnds(): Promise<void> {
		const finer = this.#finer;
		if (!finer) return;
		const count = this.starts.length - this.search!.machines.length;
		const [before, ends] = [this.starts.slice(0, count), this.starts.slice(count)];
		const fine = await this.#costsBy(
			finer,
			ends.map(({ z }) => Float64Array.from(z)),
		);
		if (count === 0 && !fine.some((cost) => cost < Number.POSITIVE_INFINITY)) return;
		this.starts = [...before, ...ends.map((end, i) => ({ ...end, cost: fine[i] }))];
	}

	/** Finer than what searches of many starts take, where they take the adaptive solver. */
	get #finer(): Integration | undefined {
		return this.integration.kind === "adaptive"
			? finerIntegration(this.integration, 0, this.options)
			: undefined;
	}

	#costsBy(integration: Integration, points: readonly Float64Array[]): Promise<number[]> {
		return costs({ ...this.misfit, forward: this.forward(integration) }, points);
	}

	/** The finer check: is integration error in the answer, or did it make another one? */
	async #check(): Promise<void> {
		const rivals = rivalStarts(this).filter(({ checked }) => !checked);
		const points = [this.best, ...rivals.map(({ z }) => Float64Array.from(z))];
		const [own, ...others] = await integrationErrors(this, this.integration, points);
		this.error = own.share;
		this.unresolved = 0;
		this.absorbed = undefined;
		if (!(own.share <= negligibleError)) {
			const better = finerIntegration(this.integration, own.share, this.options);
			if (better) return this.#goOnFiner(better, own.share > grossError);
			const sound = rivals.find((_, i) => others[i].share <= negligibleError);
			if (own.share > grossError && sound) {
				// Only the steps that were given make the best one as good as it looks.
				this.#mark(bestStart(this), { spurious: true });
				return this.#goOnFrom(Float64Array.from(sound.z));
			}
			this.absorbed = await absorbedError(this, own.share);
			this.unresolved = own.squares || 0;
		}
		for (const [i, rival] of rivals.entries()) {
			const { news, better } = await followRival(this, rival, others[i].share);
			if (better && this.#restarted < mostRestarts) {
				this.#restarted++;
				return this.#goOnFrom(better);
			}
			this.#mark(rival, news);
		}
		if (!this.cutting.isDone && (await this.cutting.begin())) {
			this.phase = "segments";
			return;
		}
		this.#beginProfiles();
	}

	/** From the best alone; from all ends where integration error may have decided which is the best. */
	#goOnFiner(integration: Integration, all: boolean): void {
		this.integration = integration;
		// What was in step with coarse steps may not be with these.
		this.cutting.isDone = false;
		if (!all || this.starts.length < 2) return this.#goOnFrom(this.best);
		this.#carriesAll = true;
		this.#begin(this.ends);
		this.phase = "search";
	}

	#mark(start: StartOutcome, news: Partial<StartOutcome>): void {
		this.starts = this.starts.map((each) => (each === start ? { ...each, ...news } : each));
	}

	#beginProfiles(): void {
		this.phase = this.#profiling.begin() ? "profile" : "done";
		if (this.phase === "done" && this.#profiling.isOutOfStep)
			this.profiles = this.estimation.unknowns.map(() => undefined);
	}

	async #profileRound(): Promise<void> {
		const profiling = this.#profiling;
		const more = await profiling.round();
		const { better } = profiling;
		if (better && this.#restarted < mostRestarts) {
			// A profile walked downhill: the optimum was none. Go on from there.
			this.#restarted++;
			profiling.giveUp();
			this.#begin([better], warmDamping);
			this.phase = "search";
			return;
		}
		const sharper = profiling.sharper();
		if (sharper) {
			profiling.giveUp();
			return this.#goOnFiner(sharper, false);
		}
		if (more) return;
		this.profiles = await profiling.results();
		this.phase = "done";
	}

	#goOnFrom(z: Float64Array): void {
		this.#begin([z]);
		this.phase = "search";
	}

	#begin(starts: readonly Float64Array[], damping?: number, isMany = starts.length > 1): void {
		const careful = this.options.short > 0;
		this.#isRough = careful && isMany;
		this.search = Search.from(this.misfit, starts, {
			maxEvaluations: this.#isRough ? this.cutting.evaluations : this.options.maxEvaluations,
			damping,
			careful,
			rough: this.#isRough,
			brief: this.#isRough && this.cutting.isBrief,
		});
	}

	#count(): void {
		this.iterations += this.search!.best.iterations;
		this.evaluations += this.search!.machines.reduce((sum, { evaluations }) => sum + evaluations, 0);
	}

	get #seen(): Seen {
		const { phase, search, iterations } = this;
		const { segments, grown, fraction: cut } = this.cutting;
		const { tried, screened, short } = this.starting;
		const follows = this.options.short > 0 ? (this.#isRough ? "many" : "best") : undefined;
		const hops = this.starting.hops ?? this.cutting.hops;
		const { fraction: profiled } = this.#profiling;
		return {
			phase,
			tried,
			screened,
			short: short ?? grown,
			hops,
			search,
			follows,
			segments,
			cut,
			profiled,
			iterations,
		};
	}

	/** Everything needed to go on: profiles, if begun, are begun again. */
	save(): FitCheckpoint {
		return {
			phase: this.phase,
			integration: this.integration,
			search: this.search?.snapshot() ?? null,
			starts: this.starts,
			error: this.error,
			unresolved: this.unresolved,
			carriesAll: this.#carriesAll,
			isRough: this.#isRough,
			absorbed: this.absorbed ? { ...this.absorbed, shift: [...this.absorbed.shift] } : null,
			iterations: this.iterations,
			evaluations: this.evaluations,
			starting: this.starting.save(),
			...this.cutting.save(),
			restarted: this.#restarted,
			sharpened: this.#profiling.sharpened,
			profiled: this.#profiling.givenUp,
		};
	}

	async restore(saved: FitCheckpoint): Promise<void> {
		this.integration = saved.integration;
		this.starts = [...saved.starts];
		this.error = saved.error;
		this.unresolved = saved.unresolved;
		this.#carriesAll = saved.carriesAll;
		this.absorbed = saved.absorbed
			? { ...saved.absorbed, shift: Float64Array.from(saved.absorbed.shift) }
			: undefined;
		this.iterations = saved.iterations;
		this.evaluations = saved.evaluations;
		this.#restarted = saved.restarted;
		this.#profiling.sharpened = saved.sharpened;
		this.#profiling.givenUp = saved.profiled;
		this.phase = saved.phase;
		await this.starting.restore(saved.starting);
		await this.cutting.restore(saved);
		if (saved.search) {
			this.#begin(
				saved.search.map(({ best }) => Float64Array.from(best)),
				undefined,
				saved.isRough,
			);
			await this.search!.restore(saved.search);
			if (this.search!.best.told) this.#optimum = await optimumAt(this.misfit, this.best);
		}
		if (saved.phase === "profile" || (saved.phase === "done" && this.search?.best.told))
			this.#beginProfiles();
	}
}
