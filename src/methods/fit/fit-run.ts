/**
 * A fit as a sequence of phases, each advanced batch by batch:
 *
 *   screen   many candidates are simulated once, the best and most different become starts
 *   search   all starts go down together
 *   check    the same point, and other optima as good, with twice the steps: where integration error shows, finer
 *            steps and on
 *   profile  intervals and identifiability
 */

import { operationsPerSecond } from "../../compute/work.ts";
import { type Estimation, estimationOf, type Integration } from "../../estimate/forward/estimation.ts";
import type { Forward } from "../../estimate/forward/forward.ts";
import { forwardOf } from "../../estimate/forward/forward-of.ts";
import { mostTimes, upTo } from "../../estimate/forward/horizon.ts";
import {
	chooseIntegration,
	finer,
	grossError,
	looseAdaptive,
	negligibleError,
	refine,
} from "../../estimate/forward/integration.ts";
import type { Law } from "../../estimate/law/law.ts";
import { type Covariance, covarianceOf } from "../../estimate/least-squares/covariance.ts";
import { type Profile, Profiles, warmDamping } from "../../estimate/least-squares/profile.ts";
import { Search } from "../../estimate/least-squares/search.ts";
import { candidatePoints, chooseStarts } from "../../estimate/least-squares/starts.ts";
import { type Look, looks } from "../../estimate/least-squares/still-unknowns.ts";
import { CommonSpreads } from "../../estimate/observe/common-spreads.ts";
import { type ErrorScale, errorScale } from "../../estimate/observe/error-scale.ts";
import { type Goodness, goodnessOf } from "../../estimate/observe/goodness.ts";
import {
	costKind,
	costs,
	type LikelihoodProblem,
	naturalPoint,
	weightsAt,
} from "../../estimate/observe/likelihood.ts";
import { isPlain, normalScores, numbers } from "../../estimate/observe/sample-terms.ts";
import { type PhaseShares, type Progress, WorkDone } from "../../estimate/run/progress.ts";
import { expandCombinations } from "../../model/combination.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { OptionValues } from "../options.ts";
import type { Problem } from "../problem.ts";
import type { FitCheckpoint, Phase, StartOutcome } from "./fit-state.ts";
import { type Absorbed, absorbedError, followRival, integrationErrors } from "./integration-check.ts";
import type { fitOptions } from "./options.ts";
import { ShortRuns } from "./short-runs.ts";
import { bestStart, rivalStarts } from "./starts-compared.ts";

export type FitOptions = OptionValues<typeof fitOptions>;

const phaseShare: PhaseShares<Phase> = {
	screen: [0, 0.05],
	short: [0.05, 0.3],
	search: [0.05, 0.55],
	check: [0.55, 0.65],
	profile: [0.65, 1],
	done: [1, 1],
};

/** Times of a record from which on it may be shown to short runs piece by piece. */
const fewestTimes = 8;
/** Better optima that checks may find, at most, and be followed to. */
const mostRestarts = 8;
/** Times that integration is made finer for the ends of the profiles. */
const mostSharpened = 2;
/** Unknowns from which on derivatives are dear beside simulations: profiles do without them where they can. */
const manyUnknowns = 12;
/** Samples up to which the adaptive solver, which is slow, has the last word on them. */
const smallRecord = 300;

export class FitRun {
	readonly estimation: Estimation;
	phase: Phase = "screen";
	integration: Integration;
	/** Priors that count, by unknown; none where least squares or likelihood is asked for. */
	readonly priors: readonly (Law | undefined)[] | undefined;
	/** What each sample's row is divided by at the optimum, and the sum of squares there, each as its law counts it. */
	sd: Float64Array;
	squares = 0;
	/** Each sample's error over its row's divisor. */
	errors = new Float64Array();
	goodness: Goodness | undefined;
	/** While starts are followed a few steps. */
	short: ShortRuns | undefined;
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
	readonly #forwards = new Map<string, Forward>();
	#profiling: Profiles | undefined;
	/** The candidates so far. */
	#screened: Look[] = [];
	readonly #parts = new Map<number, Estimation>();
	#restarted = 0;
	#sharpened = 0;
	/** Operations of profiles that were begun and given up; and of all simulations, before those under way. */
	#profiled = 0;
	#beforeProfiles = 0;
	/** Whether the search under way carries all starts on, with finer steps. */
	#carriesAll = false;
	/** Whether that search is one of many starts, of which the best is to be followed further. */
	#isRough = false;
	readonly #work = new WorkDone();
	#covariance: { of: Float64Array; is: Covariance } | undefined;

	constructor(
		readonly problem: Problem,
		readonly options: FitOptions,
	) {
		const { model } = expandCombinations(foldFormulaInputs(problem.model));
		this.estimation = estimationOf(model, problem.train, problem.start, problem.compute, options.priors);
		this.priors = options.priors ? this.estimation.unknowns.map(({ law }) => law) : undefined;
		this.sd = new Float64Array(this.estimation.observations.nObservations).fill(1);
		this.integration = this.#firstIntegration();
	}

	get misfit(): LikelihoodProblem {
		const { unknowns, observations } = this.estimation;
		const modeOfSearched = this.options.mode === "logarithm";
		return {
			unknowns,
			observations,
			priors: this.priors,
			modeOfSearched,
			forward: this.forward(this.integration),
		};
	}

	/** The model at an integration, planned once. */
	forward(integration: Integration): Forward {
		const key = JSON.stringify(integration);
		const forward = this.#forwards.get(key) ?? forwardOf(this.estimation, integration);
		this.#forwards.set(key, forward);
		return forward;
	}

	/** Of all simulations so far. */
	get #operations(): number {
		return [...this.#forwards.values()].reduce((sum, { operations }) => sum + operations, 0);
	}

	/** The optimum in search coordinates. */
	get best(): Float64Array {
		return this.search!.best.best;
	}
	/** Samples beyond the unknowns; negative when there are fewer. */
	get degrees(): number {
		return this.estimation.observations.nObservations - this.estimation.unknowns.length;
	}
	/** Variance of the residuals in units of sd: 1 when they are as large as declared. */
	get residualVariance(): number {
		return this.squares / Math.max(this.degrees, 1);
	}
	/** How large errors are taken to be. */
	get scale(): ErrorScale {
		const { observations, unknowns } = this.estimation;
		return errorScale(observations, this.sd, unknowns.length, this.squares, this.unresolved);
	}
	get covariance(): Covariance {
		const jacobian = this.search!.best.jacobian!;
		if (this.#covariance?.of !== jacobian)
			this.#covariance = {
				of: jacobian,
				is: covarianceOf(jacobian, this.estimation.unknowns.length),
			};
		return this.#covariance.is;
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
			case "short":
				return this.#shortRound();
			case "search":
				return this.#searchRound();
			case "check":
				return this.#check();
			case "profile":
				return this.#profileRound();
		}
	}

	/** A share of the candidates; the last share chooses the starts. */
	async #screen(): Promise<void> {
		const { candidates, starts, short, maxEvaluations } = this.options;
		const { unknowns } = this.estimation;
		const count = Math.max(candidates, starts, short);
		const candidatesOf = candidatePoints(unknowns, count, this.problem.seed, short > 0);
		const next = candidatesOf.slice(this.#screened.length, this.#screened.length + this.#unit());
		this.#screened.push(...(await this.#looks(next)));
		if (this.#screened.length < candidatesOf.length) return;
		if (this.#screened.every(({ cost }) => cost === Number.POSITIVE_INFINITY) && this.#coarserFails()) {
			this.#screened = [];
			return;
		}
		const isShort = short > starts;
		const seen = this.#screened.map(({ z }) => z);
		const seenCosts = this.#screened.map(({ cost }) => cost);
		const chosen = chooseStarts(seen, seenCosts, isShort ? short : starts);
		const points = chosen.map((k) => seen[k]);
		if (isShort) {
			this.short = this.#shortRuns();
			this.short.begin(points);
		} else this.#begin(points, maxEvaluations);
		this.phase = isShort ? "short" : "search";
	}

	async #looks(points: readonly Float64Array[]): Promise<Look[]> {
		if (this.options.short > 0) return looks(this.misfit, points);
		const values = await costs(this.misfit, points);
		return points.map((z, i) => ({ z, cost: values[i] }));
	}

	async #shortRound(): Promise<void> {
		const starts = await this.short!.round();
		if (!starts) return;
		this.evaluations += this.short!.evaluations;
		this.short = undefined;
		this.#begin(starts, this.options.maxEvaluations);
		this.phase = "search";
	}

	#shortRuns(): ShortRuns {
		const { estimation } = this;
		const problem = (share: number): LikelihoodProblem => {
			if (share >= 1) return this.misfit;
			const part = this.#parts.get(share) ?? upTo(estimation, share);
			this.#parts.set(share, part);
			const forward = this.#forwards.get(String(share)) ?? forwardOf(part, this.integration);
			this.#forwards.set(String(share), forward);
			return { ...this.misfit, observations: part.observations, forward };
		};
		return new ShortRuns(problem, this.options, mostTimes(estimation) >= fewestTimes);
	}

	/** Candidates in one unit of work: the adaptive solver is slow, and the user may want to stop. */
	#unit(): number {
		return this.integration.kind === "adaptive" ? 4 : 256;
	}

	async #searchRound(): Promise<void> {
		if (await this.search!.round()) return;
		this.#count();
		if (this.starts.length === 0 || this.#carriesAll)
			this.starts = this.search!.machines.map((machine, i) => ({
				z: [...this.search!.endOf(machine).best],
				cost: this.search!.endOf(machine).cost,
				outcome: machine.outcome!,
				iterations: (this.starts[i]?.iterations ?? 0) + machine.iterations,
			}));
		this.#carriesAll = false;
		if (this.search!.best.cost === Number.POSITIVE_INFINITY) {
			this.phase = "done";
			return;
		}
		// Many were followed roughly, and loosely: now the best to its end.
		if (this.#isRough) {
			await this.#compareFinely();
			return this.#goOnFrom(Float64Array.from(bestStart(this).z));
		}
		await this.#settle();
		this.phase = "check";
	}

	/** Searches go where a loose solver errs to their favour: their ends are compared by a finer one, if it comes through. */
	async #compareFinely(): Promise<void> {
		const finest = this.integration.kind === "adaptive" && refine(this.integration, 0);
		if (!finest) return;
		const problem = { ...this.misfit, forward: this.forward(finest) };
		const fine = await costs(
			problem,
			this.starts.map(({ z }) => Float64Array.from(z)),
		);
		if (!fine.some((cost) => cost < Number.POSITIVE_INFINITY)) return;
		this.integration = finest;
		this.starts = this.starts.map((start, i) => ({ ...start, cost: fine[i] }));
	}

	/** The spreads at the optimum, and how large the errors are beside them. */
	async #settle(): Promise<void> {
		const { unknowns, observations } = this.estimation;
		const [fitted] = await this.misfit.forward.evaluate([naturalPoint(unknowns, this.best)], false);
		this.sd = weightsAt(this.misfit, fitted);
		this.squares = 0;
		this.errors = new Float64Array(this.sd.length);
		for (const group of observations.groups) {
			const { law, from, to } = group;
			if (!isPlain(group) || law.isCount) {
				const own = normalScores(
					group,
					fitted.value.subarray(from, to),
					this.sd.subarray(from, to),
					`${group.measure.name} ${group.experiment}`,
				);
				this.errors.set(own, from);
				for (const e of own) this.squares += e * e;
				continue;
			}
			for (let i = from; i < to; i++) {
				const e = (observations.values[i] - fitted.value[i]) / this.sd[i];
				this.errors[i] = e;
				this.squares += law.weight(numbers, e * e) * e * e;
			}
		}
		const { keys } = CommonSpreads.of(observations, unknowns.length);
		this.goodness = goodnessOf(observations, fitted.value, this.spreads, unknowns.length + keys.length);
	}

	/** The spread of each sample that fits best: of scaled squares, rows are divided by it but for a common factor. */
	get spreads(): Float64Array {
		if (costKind(this.misfit) !== "scaledSquares") return this.sd;
		const factor = Math.sqrt(this.squares / this.sd.length);
		return this.sd.map((value) => value * factor);
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
			const better = this.#refined(own.share);
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
		this.#beginProfiles();
	}

	/** The next finer integration, if the options allow one. */
	#refined(error: number): Integration | undefined {
		if (this.integration.kind === "fixed" && this.options.substeps !== "auto") return undefined;
		const refined = refine(this.integration, error);
		return this.options.integrator === "fixed" && refined?.kind === "adaptive" ? undefined : refined;
	}

	/** From the best alone; from all ends where integration error may have decided which is the best. */
	#goOnFiner(integration: Integration, all: boolean): void {
		this.integration = integration;
		if (!all || this.starts.length < 2) return this.#goOnFrom(this.best);
		const first = bestStart(this);
		this.#carriesAll = true;
		this.#begin(
			this.starts.map((start) => (start === first ? this.best.slice() : Float64Array.from(start.z))),
			this.options.maxEvaluations,
		);
		this.phase = "search";
	}

	#mark(start: StartOutcome, news: Partial<StartOutcome>): void {
		this.starts = this.starts.map((each) => (each === start ? { ...each, ...news } : each));
	}

	#beginProfiles(): void {
		const { noise, variance, quantile } = this.scale;
		if (!this.options.profile || noise === undefined) {
			this.phase = "done";
			return;
		}
		const limit = operationsPerSecond * this.options.effort;
		this.#beforeProfiles = this.#operations;
		this.#profiling = new Profiles({
			isSpent: () => this.#profiled + this.#operations - this.#beforeProfiles >= limit,
			problem: this.misfit,
			finer: this.#finerProblem(),
			best: this.best,
			cost: this.search!.best.cost,
			covariance: this.covariance,
			jacobian: this.estimation.unknowns.length >= manyUnknowns ? this.search!.best.jacobian : undefined,
			variance,
			quantile,
			maxEvaluations: Math.min(this.options.maxEvaluations, 60),
			places: this.starts.filter(({ spurious }) => !spurious).map(({ z }) => Float64Array.from(z)),
		});
		this.phase = "profile";
	}

	/** What profiles are held against: fixed steps that suit the optimum may not suit other places. */
	#finerProblem(): LikelihoodProblem | undefined {
		const { integration } = this;
		// An error that is left at the optimum itself is counted in the size of all errors.
		if (integration.kind === "adaptive" || this.unresolved > 0) return undefined;
		return { ...this.misfit, forward: this.forward(finer(integration)) };
	}

	async #profileRound(): Promise<void> {
		const more = await this.#profiling!.round();
		const { better } = this.#profiling!;
		if (better && this.#restarted < mostRestarts) {
			// A profile walked downhill: the optimum was none. Go on from there.
			this.#restarted++;
			this.#giveUpProfiles();
			this.#begin([better], this.options.maxEvaluations, warmDamping);
			this.phase = "search";
			return;
		}
		if (this.#profiling!.isBlurred && this.#sharpened < mostSharpened) {
			this.#sharpened++;
			const sharper = this.#refined(Number.POSITIVE_INFINITY);
			// The adaptive solver would be too slow for so many searches.
			if (sharper?.kind === "fixed") {
				this.#giveUpProfiles();
				return this.#goOnFiner(sharper, false);
			}
		}
		if (more) return;
		if (this.#profiling!.isBlurred && this.estimation.observations.nObservations <= smallRecord)
			await this.#profiling!.confirm({ ...this.misfit, forward: this.forward({ kind: "adaptive" }) });
		this.profiles = this.#profiling!.results();
		this.phase = "done";
	}

	/** Others will be begun: what was done counts. */
	#giveUpProfiles(): void {
		this.#profiled += this.#operations - this.#beforeProfiles;
		this.#profiling = undefined;
	}

	#goOnFrom(z: Float64Array): void {
		this.#begin([z], this.options.maxEvaluations);
		this.phase = "search";
	}

	#begin(
		starts: readonly Float64Array[],
		maxEvaluations: number,
		damping?: number,
		isMany = starts.length > 1,
	): void {
		const careful = this.options.short > 0;
		this.#isRough = careful && isMany;
		this.search = Search.from(this.misfit, starts, {
			maxEvaluations,
			damping,
			careful,
			rough: this.#isRough,
		});
	}

	#count(): void {
		this.iterations += this.search!.best.iterations;
		this.evaluations += this.search!.machines.reduce((sum, { evaluations }) => sum + evaluations, 0);
	}

	#firstIntegration(): Integration {
		const { substeps, integrator } = this.options;
		const hasRest = this.estimation.experiments.some(({ rest }) => rest);
		if (integrator === "adaptive" || hasRest) return looseAdaptive;
		if (substeps !== "auto") return { kind: "fixed", substeps };
		const { unknowns } = this.estimation;
		const points = candidatePoints(unknowns, 9, this.problem.seed).map((z) => naturalPoint(unknowns, z));
		const chosen = chooseIntegration(this.estimation, points);
		return integrator === "fixed" && chosen.kind === "adaptive" ? { kind: "fixed", substeps: 256 } : chosen;
	}

	/** Every candidate blew up: finer steps, then the adaptive solver; false when there is nothing left to try. */
	#coarserFails(): boolean {
		if (this.integration.kind === "adaptive") return false;
		const refined = this.#refined(Number.POSITIVE_INFINITY);
		if (!refined) return false;
		this.integration = refined;
		return true;
	}

	#progress(): number {
		const current = this.short ?? this.search;
		const within =
			current && (this.phase === "search" || this.phase === "short")
				? 1 - current.running.length / current.machines.length
				: this.phase === "profile"
					? (this.#profiling?.fraction ?? 0)
					: 0;
		return this.#work.inPhase(phaseShare[this.phase], within);
	}

	#label(): string {
		const done = this.search ? this.search.machines.length - this.search.running.length : 0;
		switch (this.phase) {
			case "screen":
				return `${this.#screened.length} candidates tried`;
			case "short":
				return `${this.short!.machines.length} starts followed a few steps`;
			case "search":
				return `${done} of ${this.search!.machines.length} starts at their optimum`;
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
			search: this.search?.snapshot() ?? null,
			starts: this.starts,
			error: this.error,
			unresolved: this.unresolved,
			carriesAll: this.#carriesAll,
			isRough: this.#isRough,
			absorbed: this.absorbed ? { ...this.absorbed, shift: [...this.absorbed.shift] } : null,
			iterations: this.iterations,
			evaluations: this.evaluations,
			short: this.short?.save() ?? null,
			restarted: this.#restarted,
			sharpened: this.#sharpened,
			profiled: this.#profiled,
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
		this.#sharpened = saved.sharpened;
		this.#profiled = saved.profiled;
		this.phase = saved.phase;
		if (saved.short) {
			this.short = this.#shortRuns();
			await this.short.restore(saved.short);
		}
		if (saved.search) {
			this.#begin(
				saved.search.map(({ best }) => Float64Array.from(best)),
				this.options.maxEvaluations,
				undefined,
				saved.isRough,
			);
			await this.search!.restore(saved.search);
			if (this.search!.best.told) await this.#settle();
		}
		if (saved.phase === "profile" || (saved.phase === "done" && this.search?.best.told))
			this.#beginProfiles();
	}
}
