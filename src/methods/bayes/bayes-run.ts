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
import { stepsForError } from "../../estimate/forward/integration.ts";
import { type PhaseShares, type Progress, WorkDone } from "../../estimate/run/progress.ts";
import { foldFormulaInputs } from "../../model/formula-inputs.ts";
import type { Model } from "../../model/model.ts";
import { log } from "../../num/elementary/number.ts";
import { logSumExp, normalisedWeights } from "../../num/log-weights.ts";
import { stream } from "../../num/random.ts";
import { systematicResample } from "../../num/resampling.ts";
import { squared } from "../../num/whole-power.ts";
import type { OptionValues } from "../options.ts";
import type { Problem } from "../problem.ts";
import { divergenceHint } from "./answer/divergence.ts";
import { openDirections } from "./answer/identifiability.ts";
import { type SpreadTrouble, spreadTrouble } from "./answer/spread-trouble.ts";
import { swingingOutputs } from "./answer/swings.ts";
import { checkColumns, checkForceOptions, checkSolutionOptions, checkSpreads, refuse } from "./checks.ts";
import { latentForces } from "./filter/latent-force.ts";
import { type FilterSettings, Likelihood } from "./likelihood/likelihood.ts";
import { beyondFilter } from "./likelihood/solution-terms.ts";
import {
	chooseForm,
	chooseOrder,
	coarseStep,
	isSmooth,
	mostSubsteps,
	stepsFor,
	typicalInterval,
	typicalRate,
} from "./likelihood/step-choice.ts";
import {
	drawPriors,
	logPriors,
	naturalValues,
	type PosteriorUnknown,
	posteriorUnknowns,
} from "./likelihood/unknowns.ts";
import type { bayesOptions } from "./options.ts";
import type { RecordPrediction } from "./predict/predictive.ts";
import { testPrediction, trainPrediction } from "./predict/record-predictions.ts";
import { labelOf } from "./run-label.ts";
import { EvidenceDraws, type EvidenceEstimate } from "./smc/evidence-draws.ts";
import { Ibis, type IbisSnapshot } from "./smc/ibis.ts";
import { Mixture } from "./smc/mixture.ts";
import type { Moves } from "./smc/moves.ts";
import { type RunEvidence, runEvidence } from "./smc/run-evidence.ts";
import { Tempering, type TemperingSnapshot } from "./smc/tempering.ts";
import { type Draws, orderOf, spreadOfChange, wholeEffect } from "./steps/step-effect.ts";
import { blowsUp, fewestSteps, negligibleEffect, StepPilot } from "./steps/step-pilot.ts";

export type BayesOptions = OptionValues<typeof bayesOptions>;
type Phase = "steps" | "sample" | "check" | "weigh" | "identify" | "train" | "test" | "done";
export type Sampler = Tempering | Ibis;

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
/** Steps so many times as long make a likelihood so cheap that the way over it pays. */
const worthBridge = 4;

export class BayesRun {
	readonly model: Model;
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
	/** Steps of a cheaper likelihood near the wanted one. */
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
		this.model = foldFormulaInputs(problem.model);
		checkSpreads(this.model);
		for (const experiment of [...problem.train, ...problem.test]) checkColumns(this.model, experiment);
		this.unknowns = posteriorUnknowns(
			this.model,
			problem.train.map(({ name }) => name),
		);
		this.priorSd = this.#priorSpread();
		this.settings = this.#firstSettings();
		this.likelihood = this.#likelihood();
		this.phase = this.#choosesSteps ? "steps" : "sample";
		if (this.phase === "sample") this.samplers = this.#newSamplers();
	}

	/** Whether the steps are found here, so that the error of the integration does not matter. */
	get #choosesSteps(): boolean {
		const { substeps, integrationError, linearisation, equationEvidence } = this.options;
		return (
			substeps === "auto" &&
			integrationError === "auto" &&
			linearisation === "ekf0" &&
			!equationEvidence &&
			!this.#hasForces &&
			this.unknowns.length > 0
		);
	}

	/** Equally weighted particles of all runs, each run by its evidence: sampled coordinates in columns. */
	pooled(): { z: Float64Array; n: number } {
		const { alive } = this;
		const d = this.unknowns.length;
		const n = alive.reduce((sum, { cloud }) => sum + cloud!.n, 0);
		const { masses } = this.evidence;
		const logWeights = alive.flatMap((sampler, r) => {
			const { cloud } = sampler;
			const within = sampler instanceof Ibis ? normalisedWeights(sampler.logWeights) : undefined;
			return Array.from({ length: cloud!.n }, (_, b) => log(masses[r] * (within ? within[b] : 1 / cloud!.n)));
		});
		const places = alive.flatMap(({ cloud }) =>
			Array.from({ length: cloud!.n }, (_, b) => ({ cloud: cloud!, b })),
		);
		const parents = systematicResample(normalisedWeights(logWeights), 0.5);
		const z = new Float64Array(d * n);
		for (let k = 0; k < n; k++) {
			const { cloud, b } = places[parents[k]];
			for (let i = 0; i < d; i++) z[i * n + k] = cloud.z[i * cloud.n + b];
		}
		return { z, n };
	}

	/** At most `most` of them, evenly taken. */
	thinned(most: number): { z: Float64Array; n: number } {
		const { z, n } = this.pooled();
		if (n <= most) return { z, n };
		const out = new Float64Array(this.unknowns.length * most);
		for (let i = 0; i < this.unknowns.length; i++)
			for (let k = 0; k < most; k++) out[i * most + k] = z[i * n + Math.floor(((k + 0.5) * n) / most)];
		return { z: out, n: most };
	}

	/** Runs that have a cloud. */
	get alive(): Sampler[] {
		return this.samplers.filter(({ outcome, cloud }) => outcome !== "diverged" && cloud);
	}

	/** What is known of the evidence so far: densities of compared values. */
	get evidence(): RunEvidence {
		const ladders = this.alive.map((sampler) => ({
			logEvidence: sampler.logEvidence,
			stages: sampler instanceof Ibis ? sampler.rejuvenations.length : sampler.stages.length,
			n: sampler.n,
		}));
		return runEvidence(ladders, this.#estimate);
	}

	/** Posterior means by weighted draws around what all runs found, and how many draws they are worth. */
	get drawn(): Pick<EvidenceEstimate, "means" | "effective"> | undefined {
		return this.#estimate;
	}

	/** As a density of the samples themselves. */
	get logEvidence(): number {
		return this.evidence.logEvidence + this.likelihood.logJacobian;
	}

	/** Of one run by itself. */
	evidenceOf(sampler: Sampler): number {
		const r = this.alive.indexOf(sampler);
		return r < 0 ? Number.NEGATIVE_INFINITY : this.evidence.each[r] + this.likelihood.logJacobian;
	}

	/** The training records, grown: only for runs that are open. */
	extend(train: readonly Experiment[]): void {
		this.problem = { ...this.problem, train };
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
		this.#pilot ??= new StepPilot(this.likelihood, isSmooth(this.model), mostSubsteps, 0);
		await this.#pilot.advance();
		const { chosen } = this.#pilot;
		if (chosen) this.#begin(chosen.substeps, chosen.rough);
	}

	/** Sampling with so many steps a sample; undefined: with the most that are taken, and an error that is modelled. */
	#begin(substeps: number | undefined, rough?: number): void {
		this.settings =
			substeps === undefined
				? { ...this.#settings("simulated"), substeps: mostSubsteps }
				: { ...this.settings, substeps };
		this.#rough =
			rough !== undefined && substeps !== undefined && worthBridge * rough <= substeps ? rough : undefined;
		this.likelihood = this.#likelihood();
		this.samplers = this.#newSamplers();
		this.phase = "sample";
	}

	/** How far the pilot is on its way. */
	get pilotLambda(): number {
		return this.#pilot?.lambda ?? 0;
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
		const { z, n, nHidden } = await this.#withHidden(this.thinned(64));
		const theta = naturalValues(this.unknowns, z, n);
		const rate = typicalRate(this.model, this.unknowns, this.problem.train, theta, n);
		this.rateStep = (rate * typicalInterval(this.problem.train)) / this.settings.substeps;
		await this.#stepEffect({ theta, n });
		if (this.#choosesSteps && this.samplers.some(({ diverged }) => diverged > 0))
			this.blowsUp = await blowsUp(this.likelihood);
		const mayRefine = !this.wasOpen && this.options.substeps === "auto" && this.#restarts < mostRestarts;
		const finer = mayRefine ? await this.#finerSteps({ theta, n }, rate, nHidden > 0) : undefined;
		if (finer !== undefined) {
			this.#restarts++;
			return this.#begin(finer);
		}
		this.phase = "weigh";
	}

	/**
	 * Draws of the posterior, and beside them those that only shorter steps would have among them: steps that are too long for
	 * part of a ridge cut it off, and what is left looks as if it were all.
	 */
	async #withHidden(draws: {
		z: Float64Array;
		n: number;
	}): Promise<{ z: Float64Array; n: number; nHidden: number }> {
		if (!this.#choosesSteps || this.#hasForces || this.unknowns.length === 0) return { ...draws, nHidden: 0 };
		const { z, n } = draws;
		const d = this.unknowns.length;
		const beyond = stretched(z, n, d);
		const finer = this.#likelihood({ ...this.settings, substeps: 2 * this.settings.substeps });
		const [inside, coarse, fine] = [
			await this.#logTarget(z, n),
			await this.#logTarget(beyond, n),
			await this.#logTarget(beyond, n, finer),
		];
		const least = Math.min(...inside.filter(Number.isFinite));
		const hidden = Array.from(fine.keys()).filter((b) => fine[b] >= least && !(coarse[b] >= least));
		const all = new Float64Array(d * (n + hidden.length));
		for (let i = 0; i < d; i++) {
			all.set(z.subarray(i * n, (i + 1) * n), i * (n + hidden.length));
			hidden.forEach((b, k) => {
				all[i * (n + hidden.length) + n + k] = beyond[i * n + b];
			});
		}
		return { z: all, n: n + hidden.length, nHidden: hidden.length };
	}

	/** Steps to begin again with. `hides`: part of the posterior was cut off, and more of it may lie behind what was seen. */
	async #finerSteps(draws: Draws, rate: number, hides: boolean): Promise<number | undefined> {
		if (this.#choosesSteps && this.settings.diffusion === "off") {
			if (!(this.stepEffect > 2 * negligibleEffect)) return undefined;
			const { substeps } = await fewestSteps(this.likelihood, draws, isSmooth(this.model), mostSubsteps);
			const half = hides ? 2 * this.settings.substeps : 0;
			const wanted = Math.max(substeps ?? half, half);
			return wanted > this.settings.substeps && wanted <= mostSubsteps ? wanted : undefined;
		}
		const wanted = stepsFor(rate, this.problem.train);
		return this.rateStep > coarseStep && wanted <= mostSubsteps ? wanted : undefined;
	}

	/** What steps half as long do to the likelihood, over the posterior. */
	async #stepEffect({ theta, n }: Draws): Promise<void> {
		const { likelihood, settings } = this;
		const finer = this.#likelihood({ ...settings, substeps: 2 * settings.substeps });
		const [own, other] = [await likelihood.logLikelihoods(theta, n), await finer.logLikelihoods(theta, n)];
		const shift = logSumExp(other.map((value, b) => value - own[b])) - log(n);
		this.stepShift = Number.isFinite(shift) ? shift : undefined;
		// A force stands for what shorter steps would change: they move it, not the answer.
		if (this.#hasForces) return;
		const order = orderOf(likelihood, isSmooth(this.model));
		// Copies of a few particles tell no spread: there all that shorter steps change counts.
		const isCloud = new Set(own).size > n / 4;
		const spread = spreadOfChange(own, other);
		this.stepEffect = wholeEffect(isCloud ? spread : Math.max(spread, Math.abs(shift) || 0), order);
		this.enoughSteps = stepsForError(settings.substeps, this.stepEffect, 0.3, order);
	}

	/** One round of draws around what the runs found. A run that was stopped on the way has found nothing yet. */
	async #weigh(): Promise<void> {
		const d = this.unknowns.length;
		const reached = this.alive.every(({ outcome }) => outcome === "converged");
		if (reached && d > 0) {
			this.#draws ??= new EvidenceDraws(
				this.alive.map((sampler) => Mixture.fit(evenCloud(sampler, d), sampler.n, d, this.likelihood.scales)),
				(z, n) => this.#logTarget(z, n),
				this.alive[0].n,
				this.problem.seed,
			);
			await this.#draws.advance();
			if (!this.#draws.done) return;
			this.#estimate = this.#draws.estimate();
		}
		this.phase = "identify";
	}

	async #logTarget(z: Float64Array, n: number, likelihood = this.likelihood): Promise<Float64Array> {
		const { unknowns } = this;
		const logLik = await likelihood.logLikelihoods(naturalValues(unknowns, z, n), n);
		return logPriors(unknowns, z, n).map((value, b) => value + logLik[b]);
	}

	get #hasForces(): boolean {
		return latentForces(this.model).length > 0;
	}

	async #identify(): Promise<void> {
		this.phase = "train";
		// Outputs of a model that nothing drives say nothing of what can be told with a force.
		if (this.#hasForces || this.unknowns.length === 0) return;
		const { z, n } = this.pooled();
		const mean = Float64Array.from(this.unknowns, (_, i) => {
			let sum = 0;
			for (let b = 0; b < n; b++) sum += z[i * n + b];
			return sum / n;
		});
		this.open = await openDirections(this.likelihood, mean, this.priorSd);
		// Slower than a turn in one and a half samples: not worth a look.
		if (!(this.rateStep * this.settings.substeps > 2)) return;
		const one = this.thinned(1).z;
		this.swinging = await swingingOutputs(this.likelihood, naturalValues(this.unknowns, one, 1));
	}

	#likelihood(settings = this.settings): Likelihood {
		return new Likelihood(this.model, this.unknowns, this.problem.train, settings, this.problem.compute);
	}

	#newSamplers(): Sampler[] {
		const { runs, particles, sampler, threshold, maxStages } = this.options;
		const { seed } = this.problem;
		const n = Math.max(10, Math.ceil(particles / runs));
		return Array.from({ length: runs }, (_, r) => {
			const common = { seed, name: `run ${r}`, moves: this.moves, threshold };
			if (sampler === "ibis") return new Ibis(this.likelihood, n, { ...common, maxRejuvenations: maxStages });
			return new Tempering(this.#target(), n, { ...common, maxStages });
		});
	}

	#target(): Tempering["target"] {
		const { unknowns, likelihood, model, problem, settings } = this;
		const of =
			(one: Likelihood): Tempering["target"]["logLik"] =>
			(z, n) =>
				one.logLikelihoods(naturalValues(unknowns, z, n), n);
		// With Γ from a simulation the filter is near the exact solver, which costs far less. A filter that follows the
		// data is smoother than any simulation: there the way over the exact solver would be the harder one.
		// Far longer steps come near it, too.
		const cheaper: Partial<FilterSettings> | undefined =
			settings.diffusion === "simulated" && settings.linearisation === "ekf0"
				? { diffusion: "off" }
				: this.#rough === undefined
					? undefined
					: { substeps: this.#rough };
		const exact =
			cheaper && new Likelihood(model, unknowns, problem.train, { ...settings, ...cheaper }, problem.compute);
		return {
			d: unknowns.length,
			scales: likelihood.scales,
			draw: (n, purpose) => drawPriors(unknowns, n, problem.seed, purpose),
			logPrior: (z, n) => logPriors(unknowns, z, n),
			logLik: of(likelihood),
			...(exact ? { cheap: of(exact) } : {}),
		};
	}

	#firstSettings(): FilterSettings {
		const { substeps, integrationError } = this.options;
		const modelled = integrationError === "auto" ? "simulated" : integrationError;
		if (substeps !== "auto") return { ...this.#settings(modelled), substeps };
		const common = this.#settings(this.#choosesSteps ? "none" : modelled);
		const n = 64;
		// The same draws whatever the seed: another seed is to give another cloud of the same posterior.
		const theta = naturalValues(this.unknowns, drawPriors(this.unknowns, n, 0, "steps"), n);
		const rate = typicalRate(this.model, this.unknowns, this.problem.train, theta, n);
		const steps = Math.min(mostSubsteps, stepsFor(rate, this.problem.train));
		return { ...common, substeps: this.#choosesSteps ? Math.ceil(steps / 2) : steps };
	}

	/** All but the steps. */
	#settings(integrationError: "simulated" | "running" | "none"): Omit<FilterSettings, "substeps"> {
		const { layout, linearisation, equationEvidence, form } = this.options;
		// A simulation knows nothing of a force: Γ is then found along with the data.
		const hasForces = this.#hasForces;
		const modelled = beyondFilter(this.model, this.problem.train)
			? "none"
			: integrationError === "simulated" && hasForces
				? "running"
				: integrationError;
		const auto = chooseOrder(this.model) - (layout === "stacked" ? 1 : 0) || 1;
		const higher = this.#choosesSteps && modelled === "none" && isSmooth(this.model) ? 1 : 0;
		const q = this.options.q === "auto" ? auto + higher : this.options.q;
		return {
			layout,
			q,
			form: form === "auto" ? chooseForm(q, linearisation) : form,
			linearisation: modelled === "none" ? "ekf0" : linearisation,
			diffusion: modelled === "none" ? "off" : modelled,
			// An unknown force cannot be simulated beforehand.
			...(modelled === "running" && this.options.gammaRange >= 1 && !hasForces
				? { gammaRange: this.options.gammaRange }
				: {}),
			equationEvidence,
		};
	}

	#priorSpread(): Float64Array {
		const n = 512;
		return Float64Array.from(this.unknowns, ({ prior }, i) => {
			const random = stream(0, `bayes spread ${i}`);
			const z = Array.from({ length: n }, (_, b) => prior.draw(random, b));
			const mean = z.reduce((a, b) => a + b) / n;
			return Math.sqrt(z.reduce((a, b) => a + squared(b - mean), 0) / n);
		});
	}

	#progress(): number {
		const share = (sampler: Sampler): number => {
			if (sampler.outcome !== "running") return 1;
			if (sampler instanceof Ibis) return sampler.at / this.likelihood.nSamples;
			// λ rises by orders of magnitude: its logarithm is what goes on evenly.
			const climbed = sampler.lambda > 0 ? Math.max(0.05, 1 + log(sampler.lambda) / log(1e8)) : 0;
			if (!sampler.target.cheap) return climbed;
			if (sampler.direct) return 0.3 + 0.7 * climbed;
			return sampler.bridge ? 0.5 + 0.5 * sampler.lambda : 0.5 * climbed;
		};
		const sampled =
			this.samplers.reduce((sum, one) => sum + share(one), 0) / Math.max(1, this.samplers.length);
		const within = {
			steps: this.pilotLambda,
			sample: sampled,
			train: this.train?.fraction,
			test: this.test?.fraction,
		};
		return this.#work.inPhase(shares[this.phase], within[this.phase as keyof typeof within] ?? 0);
	}

	save(): BayesCheckpoint {
		const { q, form, diffusion, substeps } = this.settings;
		return {
			sampling: this.phase === "sample",
			solver: { q, form: form ?? "covariance", diffusion, substeps },
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
		this.samplers = this.#newSamplers();
		this.#restarts = saved.restarts;
		this.hint = saved.hint;
		this.spread = saved.spread;
		for (const [r, snapshot] of saved.samplers.entries()) {
			const sampler = this.samplers[r];
			if (sampler instanceof Ibis) sampler.restore(snapshot as IbisSnapshot);
			else sampler.restore(snapshot as TemperingSnapshot);
		}
		// What comes after sampling is done again: it takes little time and draws nothing new.
		this.phase = saved.sampling
			? "sample"
			: this.samplers.every(({ outcome }) => outcome === "diverged")
				? "done"
				: "check";
	}
}

/** Particles of even weight. */
function evenCloud(sampler: Sampler, d: number): Float64Array {
	const { cloud, n } = sampler;
	if (!(sampler instanceof Ibis)) return cloud!.z;
	const parents = systematicResample(normalisedWeights(sampler.logWeights), 0.5);
	return Float64Array.from({ length: d * n }, (_, k) => cloud!.z[k - (k % n) + parents[k % n]]);
}

export interface BayesCheckpoint {
	readonly sampling: boolean;
	readonly solver: Pick<Required<FilterSettings>, "q" | "form" | "diffusion" | "substeps">;
	readonly rough?: number;
	readonly restarts: number;
	readonly hint: string;
	readonly spread?: SpreadTrouble;
	readonly samplers: readonly (TemperingSnapshot | IbisSnapshot)[];
}

/** Points twice as far from their mean. */
function stretched(z: Float64Array, n: number, d: number): Float64Array {
	const out = new Float64Array(z.length);
	for (let i = 0; i < d; i++) {
		let mean = 0;
		for (let b = 0; b < n; b++) mean += z[i * n + b] / n;
		for (let b = 0; b < n; b++) out[i * n + b] = 2 * z[i * n + b] - mean;
	}
	return out;
}
