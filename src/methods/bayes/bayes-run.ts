/**
 * A posterior as a sequence of phases, each advanced piece by piece:
 *
 *   steps     a small cloud finds how short steps must be, where that is not given
 *   sample    every run goes from the prior to the posterior, stage by stage
 *   check     would shorter steps move the posterior that was found? If so, such and again
 *   weigh     draws around the posterior tell the evidence, and how much of it each run found
 *   identify  which directions of the parameters the outputs can tell
 *   train, test  the records simulated with particles of the posterior; a test record's own initial values are found first
 */
import type { Experiment } from "../../data/experiment.ts";
import { withNumbers } from "../../estimate/observe/declared-spreads.ts";
import { type PhaseShares, type Progress, WorkDone } from "../../estimate/run/progress.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { Model } from "../../model/model.ts";
import type { OptionValues } from "../options.ts";
import type { Problem } from "../problem.ts";
import { divergenceHint } from "./answer/divergence.ts";
import { openEverywhere, openToData } from "./answer/identifiability.ts";
import { moments } from "./answer/posterior.ts";
import { isAlone } from "./answer/run-agreement.ts";
import { type SpreadTrouble, spreadTrouble } from "./answer/spread-trouble.ts";
import { swingingOutputs } from "./answer/swings.ts";
import { isToldOf } from "./answer/verdicts.ts";
import {
	checkColumns,
	checkForceOptions,
	checkSolutionOptions,
	checkSpreads,
	checkWhiteNoise,
	refuse,
} from "./checks.ts";
import { isDriven } from "./filter/layout.ts";
import { type FilterSettings, Likelihood } from "./likelihood/likelihood.ts";
import { logPosterior } from "./likelihood/log-posterior.ts";
import { isSmooth, mostSubsteps, typicalInterval, typicalRate } from "./likelihood/step-choice.ts";
import {
	naturalValues,
	type PosteriorUnknown,
	posteriorUnknowns,
	priorSpreads,
} from "./likelihood/unknowns.ts";
import type { bayesOptions } from "./options.ts";
import type { RecordPrediction } from "./predict/predictive.ts";
import { testPrediction, trainPrediction } from "./predict/record-predictions.ts";
import { labelOf } from "./run-label.ts";
import { EvidenceDraws, type EvidenceEstimate } from "./smc/evidence-draws.ts";
import { furthest } from "./smc/furthest.ts";
import { Ibis } from "./smc/ibis.ts";
import { Mixture } from "./smc/mixture.ts";
import type { Moves } from "./smc/moves.ts";
import { evenCloud, type Particles, pooledClouds, type Sampler, shareDone, thinned } from "./smc/pooled.ts";
import { type RunEvidence, runEvidence } from "./smc/run-evidence.ts";
import { restoreSampler, type SamplerSnapshot, samplersOf } from "./smc/samplers.ts";
import { Tempering } from "./smc/tempering.ts";
import {
	choosesSteps,
	firstSettings,
	hasForces,
	type SolverQuestion,
	settingsWith,
} from "./solver-settings.ts";
import { type CutOff, cutOff } from "./steps/cut-off.ts";
import { withHidden } from "./steps/hidden-draws.ts";
import { checkSteps, finerSteps, stepsForRate } from "./steps/step-check.ts";
import { blowsUp, StepPilot } from "./steps/step-pilot.ts";
import { losesToSteps, mayBeStiff, stiffSettings } from "./steps/stiff-choice.ts";

export type BayesOptions = OptionValues<typeof bayesOptions>;
type Phase = "steps" | "sample" | "check" | "weigh" | "identify" | "train" | "test" | "done";

const shares: PhaseShares<Phase> = {
	steps: [0, 0.15],
	sample: [0.15, 0.8],
	check: [0.8, 0.8],
	weigh: [0.8, 0.85],
	identify: [0.85, 0.85],
	train: [0.85, 0.9],
	test: [0.9, 1],
	done: [1, 1],
};
/** Times that a run may begin again with finer steps. */
const mostRestarts = 2;
/** Draws beside the mean at which what is said to be so whatever the values is asked. */
const fewDraws = 4;

export class BayesRun {
	/** What is computed with; the problem's own is what the user wrote. */
	model: Model;
	readonly unknowns: readonly PosteriorUnknown[];
	/** Standard deviation of the prior in sampled coordinates. */
	readonly priorSd: Float64Array;
	phase: Phase;
	settings: FilterSettings;
	likelihood: Likelihood;
	samplers: Sampler[] = [];
	/** Fastest rate of the model at the posterior, times the step. */
	rateStep = 0;
	/** What steps half as long would add to the log evidence. */
	stepShift: number | undefined;
	/** How far ever shorter steps would move estimates, at most, in their own standard deviations. */
	stepEffect = 0;
	/** Steps a sample that would do, where it is known that those that were taken do not. */
	enoughSteps: number | undefined;
	/** Share of the prior for which the model blows up, however short the steps; undefined where the solver's own loss counts. */
	blowsUp: number | undefined;
	/** Unknowns whose posterior ends only where the solver does. */
	cutOff: readonly CutOff[] = [];
	/** What the particles of the prior that blew up have in common. */
	hint = "";
	/** Where particles were lost because a spread is not positive. */
	spread: SpreadTrouble | undefined;
	/** The record grew while the run went on. */
	wasOpen = false;
	/** Directions of the unknowns along which no output moves. */
	open: readonly Float64Array[] = [];
	/** Outputs that turn more often than they are sampled. */
	swinging: readonly string[] = [];
	train: RecordPrediction | undefined;
	test: RecordPrediction | undefined;
	#restarts = 0;
	#isExplained = false;
	#pilot: StepPilot | undefined;
	/** Fewer steps, of a cheaper likelihood near the wanted one. */
	#rough: number | undefined;
	#draws: EvidenceDraws | undefined;
	#estimate: EvidenceEstimate | undefined;
	readonly #work = new WorkDone();

	constructor(
		public problem: Problem,
		readonly options: BayesOptions,
		/** Other moves than ours, to hold them beside ours. */
		readonly moves?: Moves,
	) {
		refuse(problem);
		checkForceOptions(problem.model, options);
		checkSolutionOptions(problem, options);
		const model = foldFormulaInputs(problem.model);
		checkSpreads(model);
		checkWhiteNoise(model);
		for (const experiment of [...problem.train, ...problem.test]) checkColumns(model, experiment);
		this.model = modelOf(problem);
		this.unknowns = posteriorUnknowns(
			this.model,
			problem.train.map(({ name }) => name),
			problem.prior,
		);
		this.priorSd = priorSpreads(this.unknowns);
		this.settings = firstSettings(this.#question);
		this.likelihood = this.#likelihood();
		this.phase = this.#choosesSteps ? "steps" : "sample";
		if (this.phase === "sample") this.samplers = this.#newSamplers();
	}

	get #question(): SolverQuestion {
		const { model, unknowns, options, problem } = this;
		return { model, unknowns, options, train: problem.train };
	}

	/** Whether the steps are found here, so that the error of the integration does not matter. */
	get #choosesSteps(): boolean {
		return choosesSteps(this.#question);
	}

	/** Equally weighted particles of all runs, each run by its evidence: sampled coordinates in columns. */
	pooled(): Particles {
		return pooledClouds(this.furthest, this.evidence.masses, this.unknowns.length);
	}

	/** At most `most` of them, evenly taken. */
	thinned(most: number): Particles {
		return thinned(this.pooled(), most);
	}

	/** Runs that have come furthest: what is shown is of them. */
	get furthest(): Sampler[] {
		return furthest(this.samplers);
	}

	/** What they know of the evidence: densities of compared values. */
	get evidence(): RunEvidence {
		const ladders = this.furthest.map((sampler) => ({
			logEvidence: sampler.logEvidence,
			stages: sampler instanceof Ibis ? sampler.rejuvenations.length : sampler.stages.length,
			n: sampler.n,
		}));
		return runEvidence(ladders, this.#estimate);
	}

	/** Posterior means and deviations by weighted draws around what all runs found, and how many draws they are worth. */
	get drawn(): Pick<EvidenceEstimate, "means" | "sds" | "effective"> | undefined {
		return this.#estimate;
	}

	/** As a density of the samples themselves. */
	get logEvidence(): number {
		return this.evidence.logEvidence + this.likelihood.logJacobian;
	}

	/** Of each of them by itself. */
	get logEvidences(): Map<Sampler, number> {
		const { each } = this.evidence;
		return new Map(this.furthest.map((sampler, r) => [sampler, each[r] + this.likelihood.logJacobian]));
	}

	/** The training records, grown: only for runs that are open. */
	extend(train: readonly Experiment[]): void {
		this.problem = { ...this.problem, train };
		this.model = modelOf(this.problem);
		this.likelihood = this.#likelihood();
		for (const sampler of this.samplers) if (sampler instanceof Ibis) sampler.extend(this.likelihood);
	}

	async advance(): Promise<Progress> {
		await this.#step();
		return { done: this.phase === "done", fraction: this.#progress(), label: labelOf(this) };
	}

	async #step(): Promise<void> {
		switch (this.phase) {
			case "steps":
				return this.#findSteps();
			case "sample":
				return this.#sample();
			case "check":
				return this.#check();
			case "weigh":
				return this.#weigh();
			case "identify":
				return this.#identify();
			case "train":
				this.train ??= trainPrediction(this);
				await this.train.advance();
				if (this.train.done) this.phase = this.problem.test.length > 0 ? "test" : "done";
				return;
			case "test":
				if (!this.test) {
					this.test = await testPrediction(this);
					return;
				}
				await this.test.advance();
				if (this.test.done) this.phase = "done";
		}
	}

	async #findSteps(): Promise<void> {
		// The same draws whatever the seed: another seed is to give another cloud of the same posterior.
		if (!this.#pilot) {
			if (mayBeStiff(this.likelihood) && (await losesToSteps(this.likelihood))) this.#becomeStiff();
			this.#pilot = new StepPilot(this.likelihood, isSmooth(this.model), mostSubsteps, 0);
		}
		await this.#pilot.advance();
		const { chosen } = this.#pilot;
		if (!chosen) return;
		if (chosen.substeps === undefined && mayBeStiff(this.likelihood) && isSmooth(this.model)) {
			this.#becomeStiff();
			return;
		}
		this.#begin(chosen.substeps, chosen.rough);
	}

	/** From the prior again, with steps that fast rates do not make blow up. */
	#becomeStiff(): void {
		this.settings = stiffSettings(this.settings, this.model);
		this.likelihood = this.#likelihood();
		this.#pilot = undefined;
		this.samplers = [];
		this.phase = "steps";
	}

	/** Sampling with so many steps a sample; undefined: with the most that are taken, and an error that is modelled. */
	#begin(substeps: number | undefined, rough?: number): void {
		const { stiff } = this.settings;
		this.settings =
			substeps === undefined && !stiff
				? { ...settingsWith(this.#question, "simulated"), substeps: mostSubsteps }
				: { ...this.settings, substeps: substeps ?? mostSubsteps };
		this.#rough = substeps === undefined ? undefined : rough;
		this.likelihood = this.#likelihood();
		this.samplers = this.#newSamplers();
		this.phase = "sample";
	}

	/** The cloud that finds how short steps must be. */
	get pilot(): Tempering | undefined {
		return this.#pilot?.tempering;
	}

	async #sample(): Promise<void> {
		const sampler = this.samplers.find(
			(one) => one.outcome === "running" && !(one instanceof Ibis && one.isWaiting),
		);
		if (sampler) {
			const first = sampler instanceof Tempering && !sampler.cloud;
			await sampler.advance();
			if (first && sampler.diverged > 0 && this.hint === "")
				this.hint = divergenceHint(this.unknowns, sampler.cloud!);
			if (sampler.diverged > 0 || sampler.outcome === "diverged") await this.#explainLosses();
			return;
		}
		if (this.samplers.some(({ outcome }) => outcome === "running")) return;
		this.phase = this.samplers.every(({ outcome }) => outcome === "diverged") ? "done" : "check";
	}

	async #explainLosses(): Promise<void> {
		if (this.#isExplained) return;
		this.#isExplained = true;
		this.spread = await spreadTrouble(this.likelihood);
	}

	/** Finer steps where they would move the posterior that was found, or where it is faster than the prior let expect. */
	async #check(): Promise<void> {
		const draws = this.thinned(64);
		const { z, n, nHidden, odds } = this.#choosesSteps
			? await withHidden(this.likelihood, draws)
			: { ...draws, nHidden: 0, odds: 0 };
		const theta = naturalValues(this.unknowns, z, n);
		const rate = typicalRate(this.model, this.unknowns, this.problem.train, theta, n);
		this.rateStep = (rate * typicalInterval(this.problem.train)) / this.settings.substeps;
		const smooth = isSmooth(this.model);
		const seen = { theta: naturalValues(this.unknowns, draws.z, draws.n), n: draws.n };
		const { shift, effect, enough } = await checkSteps(this.likelihood, seen, odds, smooth);
		this.stepShift = shift;
		// A force stands for what shorter steps would change: they move it, not the answer.
		if (!hasForces(this)) [this.stepEffect, this.enoughSteps] = [effect, enough];
		if (this.#choosesSteps && this.samplers.some(({ diverged }) => diverged > 0))
			await this.#explainBlowUps(draws);
		const mayRefine = !this.wasOpen && this.options.substeps === "auto" && this.#restarts < mostRestarts;
		const isSimulated = this.#choosesSteps && this.settings.diffusion === "off";
		const finer = !mayRefine
			? undefined
			: isSimulated
				? await finerSteps(this.likelihood, { theta, n }, this.stepEffect, nHidden > 0, smooth)
				: stepsForRate(rate, this.rateStep, this.problem.train);
		if (mayRefine && this.cutOff.length > 0 && mayBeStiff(this.likelihood)) {
			this.#restarts++;
			this.cutOff = [];
			return this.#becomeStiff();
		}
		if (finer !== undefined) {
			this.#restarts++;
			return this.#begin(finer);
		}
		if (this.#mayAddRuns && isAlone(this)) {
			this.samplers = this.#newSamplers(2 * this.options.runs, this.samplers);
			this.phase = "sample";
			return;
		}
		this.phase = "weigh";
	}

	/** As many runs again, once. */
	get #mayAddRuns(): boolean {
		const { runs } = this.options;
		return (
			!this.wasOpen && this.samplers.length === runs && this.samplers.every((one) => one instanceof Tempering)
		);
	}

	/** Whether the model blows up by itself, and where only the solver does. */
	async #explainBlowUps(draws: Particles): Promise<void> {
		this.blowsUp = await blowsUp(this.likelihood);
		this.cutOff = await cutOff(this.likelihood, this.problem.train, draws);
	}

	/** One round of draws around what the runs found. A run that was stopped on the way has found nothing yet. */
	async #weigh(): Promise<void> {
		const d = this.unknowns.length;
		const { furthest } = this;
		const reached = furthest.every(({ outcome }) => outcome === "converged");
		if (reached && d > 0) {
			this.#draws ??= new EvidenceDraws(
				furthest.map((sampler) => Mixture.fit(evenCloud(sampler, d), sampler.n, d, this.likelihood)),
				(z, n) => logPosterior(this.likelihood, z, n),
				furthest[0].n,
				this.problem.seed,
			);
			await this.#draws.advance();
			if (!this.#draws.done) return;
			this.#estimate = this.#draws.estimate();
		}
		this.phase = "identify";
	}

	async #identify(): Promise<void> {
		this.phase = "train";
		// Outputs of a model that nothing drives say nothing of what can be told with a force.
		if (isDriven(this.likelihood.layout) || this.unknowns.length === 0) return;
		const { z, n } = this.pooled();
		const each = this.unknowns.map((_, i) => moments(z.subarray(i * n, (i + 1) * n)));
		const mean = Float64Array.from(each, (one) => one.mean);
		const draws = this.thinned(fewDraws);
		const drawn = Array.from({ length: draws.n }, (_, k) => mean.map((_, i) => draws.z[i * draws.n + k]));
		const open = await openEverywhere(this.likelihood, [mean, ...drawn], this.priorSd);
		this.open = openToData(open, (i) => isToldOf(each[i].sd, this.priorSd[i]));
		// Slower than a turn in one and a half samples: not worth a look.
		if (!(this.rateStep * this.settings.substeps > 2)) return;
		const one = this.thinned(1).z;
		this.swinging = await swingingOutputs(this.likelihood, naturalValues(this.unknowns, one, 1));
	}

	#likelihood(): Likelihood {
		const { model, unknowns, problem, settings } = this;
		return new Likelihood(model, unknowns, problem.train, settings, problem.compute);
	}

	/** `begun`: the first of them. */
	#newSamplers(count = this.options.runs, begun: readonly Sampler[] = []): Sampler[] {
		const needs = { seed: this.problem.seed, moves: this.moves, rough: this.#rough };
		return samplersOf(this.likelihood, this.options, needs, count, begun);
	}

	#progress(): number {
		const sampled =
			this.samplers.reduce((sum, one) => sum + shareDone(one), 0) / Math.max(1, this.samplers.length);
		const within = {
			steps: this.pilot && shareDone(this.pilot),
			sample: sampled,
			train: this.train?.fraction,
			test: this.test?.fraction,
		};
		return this.#work.inPhase(shares[this.phase], within[this.phase as keyof typeof within] ?? 0);
	}

	save(): BayesCheckpoint {
		const { q, form, diffusion, substeps, stiff } = this.settings;
		return {
			sampling: this.phase === "sample",
			solver: { q, form: form ?? "covariance", diffusion, substeps, ...(stiff && { stiff }) },
			...(this.#rough === undefined ? {} : { rough: this.#rough }),
			restarts: this.#restarts,
			hint: this.hint,
			...(this.spread ? { spread: this.spread } : {}),
			samplers: this.samplers.map((sampler) => sampler.save()),
		};
	}

	restore(saved: BayesCheckpoint): void {
		// Steps that were not yet chosen are chosen anew: that draws nothing else.
		if (saved.samplers.length === 0) return;
		this.settings = { ...this.settings, ...saved.solver };
		this.#rough = saved.rough;
		this.likelihood = this.#likelihood();
		this.samplers = this.#newSamplers(saved.samplers.length);
		this.#restarts = saved.restarts;
		this.hint = saved.hint;
		this.spread = saved.spread;
		for (const [r, snapshot] of saved.samplers.entries()) restoreSampler(this.samplers[r], snapshot);
		// What comes after sampling is done again: it takes little time and draws nothing new.
		this.phase = saved.sampling
			? "sample"
			: this.samplers.every(({ outcome }) => outcome === "diverged")
				? "done"
				: "check";
	}
}

/** A column that holds one number is that number, so that both give the same bits. */
function modelOf({ model, train, test }: Problem): Model {
	return withNumbers(foldFormulaInputs(model), [...train, ...test]);
}

export interface BayesCheckpoint {
	readonly sampling: boolean;
	readonly solver: Pick<Required<FilterSettings>, "q" | "form" | "diffusion" | "substeps"> &
		Pick<FilterSettings, "stiff">;
	readonly rough?: number;
	readonly restarts: number;
	readonly hint: string;
	readonly spread?: SpreadTrouble;
	readonly samplers: readonly SamplerSnapshot[];
}
