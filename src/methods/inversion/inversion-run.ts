/**
 * Model inversion as a sequence of phases, each advanced in small units:
 *
 *   fit        all terms, from several starts; noise and steps are settled
 *   select     the elimination path, and the set of terms that the rule chooses
 *   polish     the chosen terms to full accuracy, with the integration checked again
 *   others     the same terms from other starts: is this the only answer?
 *   profile    intervals of the chosen weights
 *   stability  how often each term would be chosen
 *   design     how often the same terms are found in data simulated from the answer, for several designs
 */
import { negligibleError } from "../../estimate/forward/integration.ts";
import { isTooSmall } from "../../estimate/judge/size.ts";
import { sensitivityError } from "../../estimate/least-squares/null-space.ts";
import { type Progress, WorkDone } from "../../estimate/run/progress.ts";
import type { Problem } from "../problem.ts";
import { type DesignOutcome, designCase, designsFor } from "./answer/design.ts";
import { type EffectScales, effectScales } from "./candidates/effect-scales.ts";
import { residualVariance } from "./candidates/noise.ts";
import { fitAt, type InversionCheckpoint, type Phase, pointOf } from "./checkpoint.ts";
import { Descent, type DescentOptions } from "./descent/descent.ts";
import { FitStarts } from "./descent/fit-starts.ts";
import { type FittedModel, fittedModel, openUnknowns, withJacobian } from "./descent/fitted-model.ts";
import { joined, roughly } from "./descent/joining.ts";
import { finerSteps, fitFrom, type OtherFit, otherStarts } from "./descent/other-optima.ts";
import { type Least, leastNear, type Profile, profileOf } from "./descent/profile.ts";
import { differenceInNoise } from "./descent/settling.ts";
import { finerBy, wantsFinerSteps } from "./finer-look.ts";
import { statePaths } from "./forward/state-paths.ts";
import { innerPoint } from "./forward/weight-forward.ts";
import { labelOf, shares, shareWithin } from "./run-progress.ts";
import type { Judged, TermSelection } from "./selection/judged.ts";
import { LargeSelection } from "./selection/large-selection.ts";
import { Selection } from "./selection/selection.ts";
import { chosenAgain, linearAnswer } from "./selection/stability.ts";
import { type AsyncSlices, inSlices } from "./slices.ts";
import { type InversionOptions, refit, Workspace } from "./workspace.ts";

/** Beyond so many chosen terms profiles take too long. */
const profiledUpTo = 60;
/** A fit that is better than the answer by so many variances is news. */
const betterBy = 1;
/** A share of the sum of squares of all terms below which the chosen ones show that these were not fitted. */
const muchBetter = 0.5;
/** How often terms are chosen again from a better point, at most. */
const mostRestarts = 2;

export class InversionRun {
	readonly work: Workspace;
	phase: Phase = "fit";
	starts!: FitStarts;
	selection: TermSelection | undefined;
	scales!: EffectScales;
	/** The fit of all terms, and of the chosen ones. */
	full: FittedModel | undefined;
	final: FittedModel | undefined;
	/** All terms, as far as what the data tell of them goes: which are open, which are correlated. */
	candidates: FittedModel | undefined;
	finalOutcome = "";
	/** Sum of squares with every term at zero. */
	emptySse = Number.POSITIVE_INFINITY;
	/** Integration error at the answer, in standard deviations of the noise. */
	integrationError = 0;
	/** Whether the segments of each record are one trajectory at the answer. */
	joined = true;
	/** Sum of squares of the answer as other fits are compared with it: in segments, before they were joined. */
	comparable = Number.POSITIVE_INFINITY;
	others: OtherFit[] = [];
	profiles: Profile[] = [];
	/** How often each term was chosen, of how many. */
	stability: { counts: number[]; of: number } = { counts: [], of: 0 };
	/** Outcome of the design study so far. */
	design: DesignOutcome[];
	#work = new WorkDone();
	#restarts = 0;
	/** Whether all was begun again with finer steps. */
	#isFiner = false;
	/** The step that is under way. */
	#slices: AsyncSlices<void> | undefined;
	/** The optimum from which profiles rise. */
	#least: Least | undefined;
	#linear: Awaited<ReturnType<typeof linearAnswer>> | undefined;

	private constructor(
		readonly problem: Problem,
		readonly options: InversionOptions,
	) {
		this.work = new Workspace(problem, options);
		this.design = designsFor(problem).map(({ name }) => ({ design: name, found: 0, of: 0 }));
	}

	static async begin(problem: Problem, options: InversionOptions): Promise<InversionRun> {
		const run = new InversionRun(problem, options);
		run.starts = new FitStarts(run.work);
		return run;
	}

	get degrees(): number {
		return Math.max(this.work.nObservations - (this.final ?? this.full)!.active.length, 1);
	}
	/** Variance of the weighted residuals that selection counts with. */
	get variance(): number {
		return this.selection!.variance;
	}
	get chosen(): Judged {
		const { active, point, sse, iterations } = this.final!;
		return { ...this.selection!.chosen, active, point: [...point], sse, iterations };
	}

	async advance(): Promise<Progress> {
		this.#slices ??= this.#step();
		const { done, value } = await this.#slices.next();
		if (done) this.#slices = undefined;
		const label = labelOf(this);
		return {
			done: this.phase === "done",
			fraction: this.#work.inPhase(shares[this.phase], shareWithin(this)),
			label: done ? label : `${label}; ${value}`,
		};
	}

	async *#step(): AsyncSlices<void> {
		switch (this.phase) {
			case "fit":
				yield* this.starts.step();
				if (this.starts.stage === "done") yield* this.#beginSelection();
				return;
			case "select":
				yield* inSlices(this.selection!.step());
				if (this.selection!.stage === "done") this.phase = "polish";
				return;
			case "polish":
				return yield* this.#polish();
			case "others":
				return this.#otherOptima();
			case "profile":
				return this.#profile();
			case "stability":
				return this.#stability();
			case "design":
				return this.#design();
		}
	}

	async *#beginSelection(): AsyncSlices<void> {
		const { descent } = this.starts;
		if (!descent || !(descent.sse < Number.POSITIVE_INFINITY)) {
			this.phase = "done";
			return;
		}
		if (this.work.isLarge) yield* descent.evaluating();
		await this.#prepareSelection(descent);
		await this.selection!.begin(descent, this.starts.supports);
		this.phase = "select";
	}

	async #prepareSelection(descent: Descent): Promise<void> {
		const { work, starts } = this;
		this.full = await fittedModel(descent);
		this.scales =
			starts.bridge?.scales ??
			effectScales(
				work.setting,
				work.functions,
				statePaths(work.setting, work.functions, descent.point, starts.substeps),
				(e) => innerPoint(work.setting, descent.point, e),
			);
		const rank = this.full.active.length - this.full.open.length;
		const { nObservations } = work;
		const degrees = nObservations - rank;
		const variance = residualVariance(starts.noise, descent.sse, degrees);
		const isClean = isTooSmall(descent.sse / variance, degrees);
		const Kind = work.isLarge ? LargeSelection : Selection;
		this.selection = new Kind(work, starts.problem, this.scales, { nObservations, variance, isClean });
	}

	async *#polish(): AsyncSlices<void> {
		const { starts, work } = this;
		const { active, point } = this.selection!.chosen;
		const limits = {
			tolerance: Math.min(this.options.tolerance, 1e-12),
			maxIterations: this.options.maxIterations,
			// Among very many terms each iteration is dear, and digits beyond the noise say nothing.
			negligible: (work.isLarge ? 1e-3 : 1e-9) * this.variance,
		};
		const from = (start: Float64Array, own: DescentOptions): Descent => {
			const fit = new Descent(starts.weighted(1, active), active, start, own);
			fit.lambda = 1e-6;
			return fit;
		};
		let descent = from(Float64Array.from(point), starts.cuts ? roughly(limits, this.variance) : limits);
		if (work.isLarge) {
			do yield* descent.evaluating();
			while (await descent.iterate());
			yield* descent.evaluating();
		} else await descent.run();
		const whole = starts.cuts && (await joined(work, starts, descent, limits, this.variance));
		this.joined = !starts.cuts || whole !== undefined;
		this.comparable = descent.sse;
		if (whole) descent = whole;
		else if (!work.isLarge) {
			if (starts.cuts) descent = await from(descent.point, limits).run();
			await descent.polish();
			this.comparable = descent.sse;
		}
		this.finalOutcome = descent.outcome!;
		await this.#keepFinal(descent);
		// Fewer terms cannot fit better: the fit of all of them was a lesser optimum.
		if (!work.isLarge && descent.sse < muchBetter * this.full!.sse && this.#restarts < mostRestarts)
			return this.#restartFrom({ point: [...descent.point], sse: descent.sse });
		this.emptySse = await this.#emptySse(descent.point);
		const [coarse, fine] = await Promise.all(
			[1, 2].map(async (finer) => {
				const [evaluation] = await starts.weighted(finer, active).forward.evaluate([descent.point], false);
				return evaluation;
			}),
		);
		this.integrationError = differenceInNoise(starts.problem, coarse, fine);
		if (this.integrationError > negligibleError && this.options.substeps === "auto" && starts.refine())
			return;
		this.others = [];
		this.phase = work.isLarge ? "done" : "others";
	}

	/**
	 * What is open of the answer goes by what every method goes by. Candidates are told apart to rounding: many of them are nearly alike
	 * together, and few of these can be chosen by exact data all the same.
	 *
	 * Which candidates are open is told by the fit of all of them, unless more of them are told apart at the answer: a fit of very many
	 * terms may have gone far along a valley.
	 */
	async #keepFinal(descent: Descent): Promise<void> {
		this.final = await withJacobian(descent, await fittedModel(descent, sensitivityError));
		this.candidates = this.full!;
		if (this.full!.open.length === 0 || this.work.isLarge) return;
		const limits = { tolerance: 0, maxIterations: 0 };
		const here = await fittedModel(
			new Descent(this.starts.problem, this.full!.active, this.final.point, limits),
		);
		if (here.open.length < this.full!.open.length) this.candidates = here;
	}

	/** With every term at zero; what is always there is fitted again. */
	async #emptySse(point: Float64Array): Promise<number> {
		const { work, starts } = this;
		const limits = { tolerance: 1e-7, maxIterations: 20, negligible: 1e-3 * this.variance, quick: true };
		const nothing = refit(starts.problem, work.always, point, limits, work.nWeights);
		if (!work.isLarge) await nothing.run();
		else await nothing.evaluation();
		return nothing.sse;
	}

	async #otherOptima(): Promise<void> {
		const { final, comparable, work, variance, starts } = this;
		const open = new Set([...openUnknowns(this.candidates!), ...openUnknowns(final!)]);
		const next = otherStarts(work, final!, variance, open, starts)[this.others.length];
		if (next) {
			const problem = starts.weighted(next.finer, final!.active);
			this.others.push(await fitFrom(problem, next, variance, comparable, work.smooth !== undefined));
			return;
		}
		// A fit with one weight held that has no term more cannot be better than the answer, were that the best.
		const inside = new Set(final!.active);
		const best = this.others
			.filter(
				({ held, point }) => held === null || work.selectable.every((u) => inside.has(u) || point[u] === 0),
			)
			.reduce<OtherFit | undefined>(
				(a, b) => (b.sse < (a?.sse ?? Number.POSITIVE_INFINITY) ? b : a),
				undefined,
			);
		if (best && best.sse < comparable - betterBy * variance && this.#restarts < mostRestarts) {
			// The answer was a lesser optimum: choose again from the better one, with the steps that it was found with.
			if (this.options.substeps === "auto" && !starts.cuts) starts.substeps *= finerSteps(starts.substeps);
			return this.#restartFrom(best);
		}
		this.phase = "profile";
	}

	/** Fits all terms again from a better point, and chooses again. */
	#restartFrom(better: { readonly point: readonly number[]; readonly sse: number }): void {
		const { active } = this.chosen;
		const support = { active, point: [...better.point], sse: better.sse, iterations: 0 };
		this.#restarts++;
		this.starts.restartFrom(support);
		this.#forgetAnswer();
		this.phase = "fit";
	}

	/** All of it again, with finer steps. */
	#beginFiner(): void {
		this.#isFiner = true;
		this.starts = new FitStarts(this.work, finerBy * this.starts.substeps);
		this.#forgetAnswer();
		this.others = [];
		this.profiles = [];
		this.stability = { counts: [], of: 0 };
		this.#least = undefined;
		this.#linear = undefined;
		this.#restarts = 0;
		this.phase = "fit";
	}

	#forgetAnswer(): void {
		this.selection = undefined;
		this.full = undefined;
		this.final = undefined;
		this.candidates = undefined;
	}

	async #profile(): Promise<void> {
		const { final, options, work } = this;
		const terms = final!.active.filter((u) => u < work.nWeights);
		const next = terms[this.profiles.length];
		if (!options.profile || terms.length > profiledUpTo || next === undefined) {
			this.phase = "stability";
			return;
		}
		const problem = this.starts.weighted(1, final!.active);
		this.#least ??= await leastNear(problem, final!, this.variance, work.nWeights);
		this.profiles.push(
			await profileOf(problem, final!, next, this.variance, this.degrees, work.nWeights, this.#least),
		);
	}

	async #stability(): Promise<void> {
		const { options, work, chosen } = this;
		if (this.stability.of >= options.stability || options.select === "none" || work.selectable.length > 60) {
			if (!this.#isFiner && wantsFinerSteps(this)) this.#beginFiner();
			else this.phase = "design";
			return;
		}
		this.#linear ??= await linearAnswer(work, this.starts.problem, chosen);
		const counts =
			this.stability.counts.length > 0 ? this.stability.counts : new Array<number>(work.nWeights).fill(0);
		const until = Math.min(options.stability, this.stability.of + 10);
		for (let k = this.stability.of; k < until; k++)
			for (const u of chosenAgain(work, this.#linear, this.scales, chosen, this.variance, k)) counts[u]++;
		this.stability = { counts, of: until };
	}

	async #design(): Promise<void> {
		const { options, work, starts } = this;
		const which = this.design.findIndex(({ of }) => of < options.design);
		if (which < 0) {
			this.phase = "done";
			return;
		}
		const { design, found, of } = this.design[which];
		const scale = Math.sqrt(this.variance) / starts.noise.scale;
		const again = await designCase(
			work,
			this.final!,
			starts.noise,
			scale,
			starts.substeps,
			which,
			of,
			chosenTerms,
		);
		this.design[which] = { design, found: found + (again ? 1 : 0), of: of + 1 };
	}

	save(): InversionCheckpoint {
		return {
			phase: this.phase,
			starts: this.starts.save(),
			selection: this.selection?.save() ?? null,
			full: this.full ? pointOf(this.full) : null,
			final: this.final ? pointOf(this.final) : null,
			finalOutcome: this.finalOutcome,
			integrationError: this.integrationError,
			emptySse: this.emptySse,
			joined: this.joined,
			comparable: this.comparable,
			others: this.others,
			profiles: this.profiles,
			stability: this.stability,
			design: this.design,
			restarts: this.#restarts,
			isFiner: this.#isFiner,
			fraction: this.#work.fraction,
		};
	}

	async restore(saved: InversionCheckpoint): Promise<void> {
		await this.starts.restore(saved.starts);
		if (saved.full) {
			await this.#prepareSelection(fitAt(this.starts.problem, saved.full));
			this.selection!.restore(saved.selection!, saved.starts.supports);
		}
		if (saved.final) await this.#keepFinal(fitAt(this.starts.weighted(1, saved.final.active), saved.final));
		this.phase = saved.phase;
		this.finalOutcome = saved.finalOutcome;
		this.integrationError = saved.integrationError;
		this.emptySse = saved.emptySse;
		this.joined = saved.joined;
		this.comparable = saved.comparable;
		this.others = [...saved.others];
		this.profiles = [...saved.profiles];
		this.stability = { counts: [...saved.stability.counts], of: saved.stability.of };
		this.design = [...saved.design];
		this.#restarts = saved.restarts;
		this.#isFiner = saved.isFiner;
		this.#work = new WorkDone(saved.fraction);
	}
}

/** Names of the terms that an inversion chooses. */
async function chosenTerms(problem: Problem, options: InversionOptions): Promise<readonly string[]> {
	const run = await InversionRun.begin(problem, options);
	while (!(await run.advance()).done);
	const { final, work } = run;
	return final ? final.active.filter((u) => u < work.nWeights).map((u) => work.nameOf(u)) : [];
}
