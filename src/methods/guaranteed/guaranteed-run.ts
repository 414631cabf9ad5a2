/**
 * The search for everything that is consistent, in its phases: boxes of unknowns are followed through the records; the ends of what is left of many unknowns are looked for; what is left is paved.
 * Where nothing is left, it is found out since when.
 */

import { InputError } from "../../errors.ts";
import { counted } from "../../estimate/judge/words.ts";
import { type Progress, WorkDone } from "../../estimate/run/progress.ts";
import type { Node } from "../../model/graph.ts";
import type { Problem } from "../problem.ts";
import type { Constraint, ConstraintReader } from "./constraint/constraint.ts";
import { EmptySearch } from "./emptied.ts";
import { Effort } from "./flow/effort.ts";
import type { ExperimentFlow } from "./flow/experiment-flow.ts";
import type { Part } from "./part.ts";
import type { Death, InstantRecord } from "./pass.ts";
import { BatchPaving, type SavedPaving } from "./paving/batch-paving.ts";
import { type InnerBoxes, innerBoxes } from "./paving/inner-boxes.ts";
import { innerShare } from "./paving/inner-share.ts";
import { lastPaving, resumedPaving } from "./paving/last-paving.ts";
import { MuellerSearch, shrinkage } from "./paving/mueller-search.ts";
import { hullOf, type Sivia } from "./paving/sivia.ts";
import { BoxSearch, type SavedSearch } from "./search/box-search.ts";
import { Ends } from "./search/ends.ts";
import type { GuaranteedOptions, Question } from "./search/question.ts";
import { type GuaranteedSystem, systemOf } from "./system.ts";
import { type GuaranteedUnknown, guaranteedUnknowns, priorBox, refuseNegativeErrors } from "./unknowns.ts";

export type { GuaranteedOptions } from "./search/question.ts";

/** Boxes of unknowns, sorted: all consistent, or at the edge; and those that are still to be. */
export interface Paving {
	readonly inner: readonly Float64Array[];
	readonly outer: readonly Float64Array[];
	readonly waiting: readonly Float64Array[];
	readonly exhausted: boolean;
	readonly done: boolean;
}

export class GuaranteedRun {
	readonly system: GuaranteedSystem;
	readonly unknowns: readonly GuaranteedUnknown[];
	readonly prior: Float64Array;
	paving: Paving | undefined;
	done = false;
	/** When the set became empty, if it did. */
	emptied: Death | undefined;
	readonly #search: BoxSearch;
	readonly #work = new WorkDone();
	#ends: Ends;
	#last: Sivia | BatchPaving | undefined;
	#brackets: MuellerSearch | undefined;
	#emptySearch: EmptySearch | undefined;

	constructor(
		readonly problem: Problem,
		readonly options: GuaranteedOptions,
		/** Whether to find out when the set became empty. */
		readonly explains = true,
		readonly effort = new Effort(options.effort),
	) {
		this.system = systemOf(problem.model);
		this.unknowns = guaranteedUnknowns(
			this.system,
			problem.train.map(({ name }) => name),
		);
		refuseNegativeErrors(this.system, this.unknowns);
		this.prior = priorBox(this.unknowns);
		const question: Question = {
			problem,
			options,
			system: this.system,
			unknowns: this.unknowns,
			prior: this.prior,
			effort,
			isFree: this.isFree,
			isStatic: this.isFree && this.system.rhs.every(isZero),
		};
		this.#search = new BoxSearch(question, options.outliers === "auto" ? 0 : options.outliers);
		this.#refuseOptions();
		this.#ends = this.#newEnds();
	}

	#newEnds(): Ends {
		return new Ends(this.#search, !this.#search.isWide || this.options.boxes === 0);
	}

	#refuseOptions(): void {
		const { options, system } = this;
		const isPlain = options.outliers === 0;
		if (!isPlain && options.prediction === "mueller")
			throw new InputError(
				"guaranteed: { outliers }",
				"is not known to Müller's brackets",
				"Write  prediction: taylor, or take one of the two out.",
			);
		if (system.model.events.length > 0 && options.prediction === "mueller")
			throw new InputError(
				"guaranteed: { prediction: mueller }",
				"does not go with events (when …)",
				"Write  prediction: taylor.",
			);
		if (system.assumptions.length === 0 || (isPlain && options.prediction === "taylor")) return;
		const [subject, remedy] = isPlain
			? ["guaranteed: { prediction: mueller }", "Write  prediction: taylor."]
			: ["guaranteed: { outliers }", "Write  outliers: 0."];
		throw new InputError(subject, `does not go with  ${system.assumptions[0].text}`, remedy);
	}

	/** Boxes that were followed, or could not be. */
	get parts(): readonly Part[] {
		return this.#search.parts;
	}

	get deaths(): readonly Death[] {
		return this.#search.deaths;
	}

	/** What was known as the data came in, by experiment and time. */
	get history(): readonly InstantRecord[] {
		return this.#search.history;
	}

	get passes(): number {
		return this.#search.passes;
	}

	get begun(): number {
		return this.#search.begun;
	}

	/** Taylor models that there may be at most: those that are asked for from the start, and those that cuts make. */
	get mostModels(): number {
		return Math.max(this.#search.mostModels, this.options.parts);
	}

	get flows(): readonly ExperimentFlow[] {
		return this.#search.models.flows;
	}

	/** Degree of the Taylor models: with `auto` it is raised where that gains. */
	get order(): number {
		return this.#search.models.order;
	}

	/** Reads a constraint; one for each set of variables. */
	readonly reader = (constraint: Constraint): ConstraintReader => this.#search.models.reader(constraint);

	/** Nothing was measured: what is enclosed are all trajectories from the declared sets. */
	get isFree(): boolean {
		return this.problem.train.every(({ outputs }) =>
			this.system.model.measures.every(({ name }) => !((outputs.get(name)?.times.length ?? 0) > 0)),
		);
	}

	/** Nothing is known beside the declared sets: there is nothing to narrow. */
	get isUnbound(): boolean {
		return this.isFree && this.system.assumptions.length === 0;
	}

	/** Nothing is unknown: there is one course. */
	get isOneCourse(): boolean {
		return this.unknowns.length === 0 && this.system.bounded.length === 0;
	}

	/** Samples that may be beyond their largest errors; with `auto` the least number that was not refuted. */
	get outliers(): number {
		return this.#search.outliers;
	}

	/** Everything that is left is in one of the parts: none waits. */
	get isSorted(): boolean {
		return this.#brackets ? this.#brackets.done : this.#search.unsettled.length === 0;
	}

	/** What is left, as one box; undefined when there is nothing. */
	get enclosure(): Float64Array | undefined {
		if (this.paving?.done) {
			const failed = this.parts.filter(({ failure }) => failure).map(({ box }) => box);
			return hullOf([...this.paving.inner, ...this.paving.outer, ...failed]);
		}
		return hullOf([...this.parts, ...this.#search.unsettled].map(({ box }) => box));
	}

	/** The boxes of the paving that hold nothing but consistent values, and what of them is at the edge of the declared sets. */
	get innerBoxes(): InnerBoxes {
		return innerBoxes(
			this.paving?.inner ?? [],
			this.unknowns.map(({ inside }) => inside),
		);
	}

	/** How much of all boxes is inner ones, by volume, at least; nothing where nothing was paved. */
	get innerShare(): number | undefined {
		if (!this.paving || this.parts.length === 0 || this.options.boxes === 0) return undefined;
		const { inner, edge } = this.innerBoxes;
		// Brackets keep those among the boxes at the edge.
		const failed = this.options.prediction === "mueller" ? [] : this.parts.filter(({ failure }) => failure);
		return innerShare(
			inner,
			[...this.paving.outer, ...this.openBoxes, ...edge, ...failed.map(({ box }) => box)],
			this.prior,
		);
	}

	/** Boxes that are still to be followed or sorted: with all others they hold everything that is consistent, at any time of the run. */
	get openBoxes(): readonly Float64Array[] {
		if (this.done) return [];
		if (this.paving) return this.paving.waiting;
		return [...this.#search.parts, ...this.#search.unsettled].map(({ box }) => box);
	}

	/** How many boxes there are now. */
	get boxCount(): number {
		if (this.#last instanceof BatchPaving) {
			const { inner, outer, waiting } = this.#last.counts;
			return inner + outer + waiting;
		}
		const { inner = [], outer = [] } = this.paving ?? {};
		return inner.length + outer.length + this.openBoxes.length;
	}

	async advance(): Promise<Progress> {
		if (!this.done && !(await this.#stepTogether())) this.step();
		if (this.done) this.#search.hands.dismiss();
		return { done: this.done, fraction: this.#progress(), label: this.#label() };
	}

	step(): void {
		if (this.#emptySearch) {
			this.#emptySearch.advance();
			this.done = true;
		} else if (this.options.prediction === "mueller") this.#bracketStep();
		else this.#taylorStep();
		if (!this.done || this.enclosure) return;
		if (this.options.outliers === "auto" && this.outliers < this.#samples) this.#allow(this.outliers + 1);
		else if (this.explains) this.done = this.#explained();
	}

	get #samples(): number {
		return this.flows.reduce(
			(sum, { instants }) => sum + instants.reduce((all, { data }) => all + data.length, 0),
			0,
		);
	}

	/** From the start again, with so many outliers. */
	#allow(outliers: number): void {
		this.done = false;
		this.paving = undefined;
		this.#last = undefined;
		this.#search.restart(outliers);
		this.#ends = this.#newEnds();
	}

	/** Whether it is known when the set became empty. */
	#explained(): boolean {
		if (this.isFree || (this.parts.length === 0 && this.deaths.every(({ later }) => !later))) {
			this.emptied = latest(this.deaths);
			return true;
		}
		const effort = new Effort(this.options.effort);
		this.#emptySearch ??= new EmptySearch(
			this.problem,
			(problem) => new GuaranteedRun(problem, { ...this.options, outliers: this.outliers }, false, effort),
			this.flows,
		);
		this.emptied = this.#emptySearch.found;
		return this.#emptySearch.done;
	}

	#taylorStep(): void {
		if (!this.paving) {
			if (this.#search.step() || !this.#ends.step()) return;
			if (this.#search.goesOn()) this.#ends = this.#newEnds();
			else this.#beginPaving();
			return;
		}
		if (!(this.#last instanceof BatchPaving)) this.#last?.advance(500);
		if (this.paving.done) this.done = true;
	}

	#beginPaving(): void {
		// Who explains is not asked for more than a step at a time, and waits for nobody.
		this.#last = this.isUnbound ? undefined : lastPaving(this.#search, this.explains);
		this.paving = this.#last;
		if (!this.paving || this.paving.done) this.done = true;
	}

	/** Some work by several hands; false where there are none, or nothing for them to do. */
	async #stepTogether(): Promise<boolean> {
		if (this.#last instanceof BatchPaving && !this.#last.done) {
			await this.#last.advance(this.problem.compute);
			return !this.#last.done;
		}
		const isSearch = this.options.prediction === "taylor" && !this.paving && !this.#emptySearch;
		if (!isSearch || !this.#search.isWide) return false;
		return (await this.#search.stepTogether()) || this.#ends.stepTogether();
	}

	/** Some work with brackets; at its end what is left becomes parts. */
	#bracketStep(): void {
		const search = this.#search;
		this.#brackets ??= new MuellerSearch(this.flows, this.unknowns, this.prior, {
			sensitivities: this.options.correction !== "sivia",
			small: Float64Array.from(
				this.unknowns,
				(_, k) => this.options.precision * (this.prior[2 * k + 1] - this.prior[2 * k]),
			),
			limit: this.options.boxes,
			timeOrder: this.options.timeOrder,
			tolerance: this.options.tolerance,
			effort: this.effort,
		});
		const { paving, followed } = this.#brackets;
		this.paving = paving;
		search.leave();
		this.#brackets.advance();
		if (!this.#brackets.done) return;
		this.done = true;
		// In place of what a run left that was saved at its end and goes on.
		// What a box lost to the last of the data may have been inconsistent with earlier ones.
		const last = latest(paving.removed);
		search.deaths.splice(
			0,
			search.deaths.length,
			...paving.removed.map((each) => ({ ...each, later: each.narrowed && each.t === last?.t })),
		);
		search.parts.splice(0, search.parts.length, ...followed);
		search.history.splice(0, search.history.length, ...shrinkage(this.flows, paving));
	}

	#progress(): number {
		const now = this.paving ? 0.9 : 0.9 * this.#search.fraction;
		return this.#work.rise(this.done ? 1 : now);
	}

	#label(): string {
		if (this.#emptySearch) return "nothing is consistent; finding out since when";
		if (this.#last instanceof BatchPaving) return pavingText(this.#last.counts);
		if (this.paving) return pavingText({ inner: this.paving.inner.length, outer: this.paving.outer.length });
		const { begun, passes, share } = this.#search;
		const left = `${Number((100 * Math.min(1, share)).toPrecision(2))} % of the sets left`;
		return `${counted(begun, "Taylor model")}, ${counted(passes, "pass", "passes")} over the data, ${left}`;
	}

	/** Passes that were begun are begun again; so are pavings, but for those by the batch. */
	save(): GuaranteedCheckpoint {
		const paving = this.#last instanceof BatchPaving ? this.#last.save() : undefined;
		return {
			search: this.#search.save(),
			areEndsKnown: this.#ends.areKnown,
			...(paving ? { paving } : {}),
		};
	}

	restore({ search, areEndsKnown, paving }: GuaranteedCheckpoint): void {
		this.#search.restore(search);
		this.#ends.areKnown = areEndsKnown;
		if (!paving) return;
		this.#last = resumedPaving(this.#search, paving);
		this.paving = this.#last;
	}
}

function isZero({ op, value }: Node): boolean {
	return op === "const" && value?.num === 0n;
}

function pavingText({ inner, outer }: { readonly inner: number; readonly outer: number }): string {
	return `${counted(inner, "box", "boxes")} inside, ${outer} at the edge`;
}

/** The last of the instants at which parts died. */
function latest(deaths: readonly Death[]): Death | undefined {
	return deaths.reduce<Death | undefined>(
		(last, death) =>
			!last ||
			death.experiment > last.experiment ||
			(death.experiment === last.experiment && death.t > last.t)
				? death
				: last,
		undefined,
	);
}

export interface GuaranteedCheckpoint {
	readonly search: SavedSearch;
	/** The ends of what is left of many unknowns are known, or nobody looks for them. */
	readonly areEndsKnown: boolean;
	/** A paving by the batch that was begun. */
	readonly paving?: SavedPaving;
}
