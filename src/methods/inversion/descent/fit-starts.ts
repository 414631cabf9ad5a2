/**
 * The fit of all terms, from several starts: from the sets of terms that the integral form supports; as the study says or from
 * 0, as the paper does; and where that led nowhere and nothing can be seen of the states, from drawn points. Where a declared
 * noise tells whether a fit is good, 0 comes first, and the integral form only if that is not. The best one goes on: noise that
 * the model leaves open is taken from the residuals, and steps are refined until the integration error is small beside the noise.
 */
import { type Cuts, cutsOf } from "../../../estimate/segments/cuts.ts";
import { log } from "../../../num/elementary/number.ts";
import { squared } from "../../../num/whole-power.ts";
import {
	agreesWithDeclared,
	firstNoise,
	fittedNoise,
	noiseFrom,
	type RowNoise,
} from "../candidates/noise.ts";
import { hiddenGuesses } from "../forward/hidden-states.ts";
import type { WeightedProblem } from "../forward/linearisation.ts";
import { stepsHolding } from "../forward/rates-along.ts";
import { spreadOf } from "../forward/smooth-states.ts";
import { type AsyncSlices, atOnce } from "../slices.ts";
import { refit, type Workspace } from "../workspace.ts";
import { type Bridge, type BridgeStart, bridging } from "./bridge.ts";
import { segmentsFor } from "./cutting.ts";
import { Descent } from "./descent.ts";
import { hiddenBridge } from "./hidden-bridge.ts";
import { proposed } from "./proposal.ts";
import { mostSubsteps, Settling } from "./settling.ts";
import { limitsFor, type StartLimits } from "./start-limits.ts";
import type { FitStartsState, Stage, StartResult, Support } from "./start-results.ts";

/** How much a gap between segments counts beside the noise: at first, and from the first good start on. */
const loose = 1;
const tight = 30;
/** Sets that the linearised problem proposes, at most. */
const mostProposals = 8;
/** Steps in a whole record, from one sample to the next, that a first choice wants. */
const firstSteps = 80;
/** Residuals of a good start, in standard deviations of the noise. */
const goodEnough = 1.5;
/**
 * Noise, as a share of an output's spread, from which the start as given comes first: curves through such samples are rough
 * guides, and few iterations reach the noise from anywhere.
 */
const noisyFrom = 0.01;

export class FitStarts {
	stage: Stage;
	results: StartResult[] = [];
	substeps: number;
	noise: RowNoise;
	bridge: Bridge | undefined;
	/** Fits of few terms that the integral form supports. */
	supports: Support[] = [];
	/** The fit of all terms that runs now; at the end, the best. */
	descent: Descent | undefined;
	iterations = 0;
	/** Where records are cut, and how much a gap counts beside the noise. */
	cuts: Cuts | undefined;
	tightness = loose;
	#sparse: Descent | undefined;
	#proposal: BridgeStart | undefined;
	#bridged = false;
	readonly #settling: Settling;

	/** `substeps`: to begin with, where they are to be found. */
	constructor(
		readonly work: Workspace,
		substeps?: number,
	) {
		const { setting, options } = work;
		this.noise = firstNoise(setting.observations, (g) => {
			const { experiment, measure } = setting.observations.groups[g];
			const { value } = measure;
			const component = value.op === "sym" ? setting.candidates.model.components.indexOf(value.name!) : -1;
			return work.smooth && (component >= 0 ? work.smooth[experiment].noise[component] : Number.NaN);
		});
		this.#settling = new Settling(this);
		this.stage = this.#isGivenFirst ? "given" : "supports";
		const lengths = setting.observations.grids.map(({ times }) => times.length).sort((a, b) => a - b);
		const typical = lengths[lengths.length >> 1];
		this.substeps =
			options.substeps === "auto"
				? (substeps ?? Math.min(Math.max(Math.ceil(firstSteps / Math.max(typical, 1)), 1), 8))
				: options.substeps;
	}

	get #isGivenFirst(): boolean {
		const { groups } = this.work.setting.observations;
		return (
			!this.work.isLarge &&
			groups.every(
				({ spread, observed }) =>
					spread.kind === "known" && spread.sd.every((sd) => sd > noisyFrom * spreadOf(observed)),
			)
		);
	}

	/** One iteration of a fit; `stage` says when all is done. */
	async *step(): AsyncSlices<void> {
		if (this.stage === "given") await this.#given();
		else if (this.stage === "supports") yield* this.#support();
		else if (this.stage === "starts") await this.#start();
		else if (this.stage === "settle") yield* this.#settle();
	}

	/** All terms from the start as given: enough where that agrees with the declared noise. */
	async #given(): Promise<void> {
		this.descent ??= new Descent(this.problem, this.#all, this.work.startPoint(), this.#limits.given);
		if (await this.descent.iterate()) return;
		const given = this.#keepResult("given");
		const { nObservations, nUnknowns } = this.work;
		if (agreesWithDeclared(this.noise, given.sse, nObservations - nUnknowns)) this.#settleFrom(given);
		else this.stage = "supports";
	}

	/** What the descent that runs now came to. */
	#keepResult(from: StartResult["from"]): StartResult {
		const { point, sse, iterations, outcome } = this.descent!;
		const result = { from, point: [...point], sse, iterations, outcome: outcome! };
		this.results.push(result);
		this.descent = undefined;
		return result;
	}

	async *#makeBridge(): AsyncSlices<void> {
		const { options } = this.work;
		if (this.work.isLarge) yield "smoothing the records";
		const smooth = options.bridge ? this.work.smooth : undefined;
		if (options.bridge && !smooth && !this.work.isLarge) yield* this.#guessHidden();
		if (smooth) this.bridge = yield* bridging(this.work, smooth);
		if (this.bridge) this.hold(this.bridge.full);
		if (this.bridge && smooth && !this.work.isLarge)
			this.cuts = await segmentsFor(this.work, this.bridge, this.substeps);
		this.#bridged = true;
	}

	/** Where states are hidden, guesses of them stand for what the samples would show. */
	async *#guessHidden(): AsyncSlices<void> {
		const found = yield* hiddenBridge(this.work, hiddenGuesses(this.work.setting));
		if (!found) return;
		this.bridge = found.bridge;
		this.work.guess = found.guess;
		this.cuts = found.cuts;
	}

	/** Guesses that lead nowhere: as if none had been made. */
	#forgetGuesses(): void {
		this.bridge = undefined;
		this.cuts = undefined;
		this.supports = [];
	}

	/** Each set of few terms alone: all terms at once need a start from which the simulation holds. */
	async *#support(): AsyncSlices<void> {
		if (!this.#bridged) return yield* this.#makeBridge();
		const next = this.bridge?.sparse[this.supports.length] ?? (await this.#nextProposal());
		if (!next) {
			if (!this.work.smooth && !(this.#bestSupport && this.#isGood(this.#bestSupport))) this.#forgetGuesses();
			this.stage = "starts";
			return;
		}
		this.#sparse ??= new Descent(this.problem, next.active, next.point, this.#limits.sparse);
		if (this.work.isLarge) yield* this.#sparse.evaluating();
		if (await this.#sparse.iterate()) return;
		const { active, point, sse, iterations } = this.#sparse;
		this.supports.push({ active: [...active], point: [...point], sse, iterations });
		this.#sparse = undefined;
		this.#proposal = undefined;
	}

	/** In segments: as long as nothing fits, the set that the linearised problem supports at the best so far. */
	async #nextProposal(): Promise<BridgeStart | undefined> {
		if (this.#proposal) return this.#proposal;
		const best = this.#bestSupport;
		if (!this.cuts || !best || this.#isGood(best)) return undefined;
		const isNew = ({ active }: BridgeStart): boolean =>
			!this.supports.some((support) => support.active.join() === active.join());
		if (this.supports.length >= this.bridge!.sparse.length + mostProposals) return undefined;
		const proposals = await proposed(
			this.work,
			this.problem,
			this.bridge!.scales,
			best,
			squared(this.noise.scale),
		);
		this.#proposal = proposals.find(isNew);
		return this.#proposal;
	}

	/** All terms: from the best set of few; then, as long as nothing fits, from the start as given (or 0) and from drawn points. */
	async #start(): Promise<void> {
		const done = (from: StartResult["from"]): number =>
			this.results.filter((result) => result.from === from).length;
		const support = done("bridge") === 0 ? this.#bestSupport : undefined;
		if (support && this.work.isLarge)
			return this.#settleFrom({ ...support, from: "bridge", outcome: "converged" });
		if (!this.descent && support) {
			const near = Float64Array.from(support.point);
			const limits = this.#limits.fromSupport;
			this.descent = refit(this.problem, this.#all, near, limits, this.work.nWeights);
			this.descent.iterations = support.iterations;
		}
		const from = support ? "bridge" : done("given") > 0 ? "drawn" : "given";
		const start = from === "drawn" ? this.work.drawnPoint(this.results.length) : this.work.startPoint();
		this.descent ??= new Descent(this.problem, this.#all, start, this.#limits.plain);
		if (await this.descent.iterate()) return;
		this.#keepResult(from);
		const isAll = done("given") > 0 && done("drawn") >= this.#mostDrawn;
		if (isAll || this.#isGood(this.best)) this.#settleFrom(this.best);
	}

	/** Drawn starts are for what the samples themselves do not show. */
	get #mostDrawn(): number {
		return (this.bridge && this.work.smooth) || this.work.isLarge ? 0 : this.work.options.starts;
	}

	#settleFrom(best: StartResult): void {
		this.tightness = tight;
		if (!this.results.includes(best)) this.results.push(best);
		this.iterations = best.iterations;
		if (best.sse < Number.POSITIVE_INFINITY) {
			this.#goOnFrom(Float64Array.from(best.point));
			this.descent!.sse = best.sse;
			this.descent!.outcome = "converged";
			this.stage = "settle";
		} else this.stage = "done";
	}

	/** Settles noise and steps again, from a fit that turned out better than all of these. */
	restartFrom(better: Support): void {
		const { point, sse, iterations } = better;
		this.results.push({ from: "other", point, sse, iterations, outcome: "converged" });
		this.supports = [...this.supports, better];
		this.#settling.again();
		this.#goOnFrom(Float64Array.from(point));
		this.stage = "settle";
	}

	/** By the sum of squares, each term costing as in BIC. */
	get #bestSupport(): Support | undefined {
		const cost = ({ sse, active }: Support): number =>
			sse / squared(this.noise.scale) + active.length * log(this.work.nObservations);
		const finite = this.supports.filter(({ sse }) => sse < Number.POSITIVE_INFINITY);
		return finite.length === 0 ? undefined : finite.reduce((a, b) => (cost(b) < cost(a) ? b : a));
	}

	/** Residuals hardly larger than the noise, as declared or as the smoothing shows it: no better start is needed. */
	#isGood({ sse }: { readonly sse: number }): boolean {
		const degrees = Math.max(this.work.nObservations - this.work.nUnknowns, 1);
		return sse / degrees <= squared(goodEnough) * squared(this.noise.scale);
	}

	/** All unknowns; where they are too many, those of the best set of few. */
	get #all(): readonly number[] {
		const few = this.work.isLarge ? this.#bestSupport : undefined;
		return few ? few.active : [...Array(this.work.nUnknowns).keys()];
	}
	get #limits(): StartLimits {
		return limitsFor(this.work, this.noise, this.cuts !== undefined);
	}

	/** What runs now: how many terms, and how many iterations so far. */
	get running(): { terms: number; iterations: number } {
		const fit = this.#sparse ?? this.descent;
		const before = this.supports.reduce((sum, { iterations }) => sum + iterations, 0);
		return {
			terms: this.work.terms(fit?.active ?? this.#all).length,
			iterations:
				(this.stage === "settle" ? this.iterations : (fit?.iterations ?? 0)) + (this.#sparse ? before : 0),
		};
	}

	/** Steps that hold what a fit shows of the rates; false where those of now do. */
	hold(point: Float64Array): boolean {
		if (this.work.options.substeps !== "auto" || this.work.isLarge) return false;
		const wanted = stepsHolding(this.work, point);
		if (!(wanted > this.substeps)) return false;
		this.substeps = wanted;
		return true;
	}

	/** Twice the steps; false where they would be too many. */
	refine(): boolean {
		if (2 * this.substeps > mostSubsteps) return false;
		this.substeps *= 2;
		return true;
	}

	get best(): StartResult {
		return this.results.reduce((a, b) => (b.sse < a.sse ? b : a));
	}

	/** Noise and steps: each change is followed by more iterations. */
	async *#settle(): AsyncSlices<void> {
		const descent = this.descent!;
		if (this.work.isLarge) yield* descent.evaluating();
		const before = descent.iterations;
		const running = await descent.iterate();
		this.iterations += descent.iterations - before;
		if (running) return;
		const next = await this.#settling.next(descent);
		if (next === "nothing") return this.#settleForNothing();
		if (next) this.#goOnFrom(next);
		else this.stage = "done";
	}

	/** No fit of all terms holds: terms are chosen from where none is there. */
	async #settleForNothing(): Promise<void> {
		const point = this.work
			.startPoint()
			.map((value, u) => (this.work.setting.candidates.weights[u]?.selectable ? 0 : value));
		this.#goOnFrom(point);
		const here = await this.descent!.evaluation();
		if (this.descent!.sse < Number.POSITIVE_INFINITY) {
			this.noise = fittedNoise(this.work.setting.observations, here);
			this.#goOnFrom(point);
			await this.descent!.evaluation();
		}
		this.descent!.outcome = "converged";
		this.stage = "done";
	}

	/** The simulation with the steps and weights of now. */
	get problem(): WeightedProblem {
		return this.weighted(1);
	}

	/** The same with finer steps, for some unknowns only, and with gaps that count more. */
	weighted(finer: number, active?: readonly number[], tighter = 1): WeightedProblem {
		const { work, cuts, noise } = this;
		const tightness = this.tightness * tighter;
		const substeps = this.substeps * finer;
		return cuts
			? work.inSegments(substeps, noise, cuts, tightness, active)
			: work.weighted(substeps, noise, active);
	}

	#goOnFrom(point: Float64Array): void {
		this.descent = refit(this.problem, this.#all, point, this.#limits.settling, this.work.nWeights);
	}

	save(): FitStartsState {
		return {
			stage: this.stage,
			results: this.results,
			bridged: this.#bridged,
			supports: this.supports,
			substeps: this.substeps,
			sd: [...this.noise.sd],
			floored: this.noise.floored,
			cut: this.cuts?.length ?? null,
			tightness: this.tightness,
			descent: this.descent?.snapshot() ?? null,
			sparse: this.#sparse?.snapshot() ?? null,
			proposal: this.#proposal ? { active: this.#proposal.active, point: [...this.#proposal.point] } : null,
			iterations: this.iterations,
			...this.#settling.state,
		};
	}

	/** Goes on from a saved state; the bridge is made again. */
	async restore(state: FitStartsState): Promise<void> {
		if (state.bridged) await atOnce(this.#makeBridge());
		this.stage = state.stage;
		this.tightness = state.tightness;
		const { grids } = this.work.setting.observations;
		if (state.cut === null && !this.work.smooth) this.bridge = undefined;
		if (state.cut !== this.cuts?.length)
			this.cuts = state.cut === null ? undefined : cutsOf(grids, state.cut);
		this.results = [...state.results];
		this.supports = [...state.supports];
		this.substeps = state.substeps;
		this.noise = noiseFrom(this.work.setting.observations, Float64Array.from(state.sd), state.floored);
		this.#settling.restore(state);
		this.iterations = state.iterations;
		if (state.proposal)
			this.#proposal = { active: state.proposal.active, point: Float64Array.from(state.proposal.point) };
		if (state.sparse) {
			const next = this.bridge!.sparse[this.supports.length] ?? this.#proposal!;
			this.#sparse = new Descent(this.problem, next.active, next.point, this.#limits.sparse);
			this.#sparse.restore(state.sparse);
		}
		if (state.descent) {
			const fromBridge =
				this.stage === "starts" &&
				!this.results.some(({ from }) => from === "bridge") &&
				this.#bestSupport !== undefined;
			const isSettling = this.stage === "settle" || this.stage === "done";
			const limits =
				this.stage === "given"
					? this.#limits.given
					: fromBridge
						? this.#limits.fromSupport
						: isSettling
							? this.#limits.settling
							: this.#limits.plain;
			this.descent = new Descent(this.problem, this.#all, Float64Array.from(state.descent.point), limits);
			this.descent.restore(state.descent);
		}
	}
}
