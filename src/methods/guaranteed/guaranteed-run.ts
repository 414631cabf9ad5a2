/**
 * The search for everything that is consistent: a list of boxes of unknowns, each followed through the records by Taylor models,
 * again from where the data narrowed it to, cut in two where its enclosures are loose or cannot be proved; then a paving of what is left.
 */
import type { Crew } from "../../compute/compute.ts";
import { InputError } from "../../errors.ts";
import { type Progress, WorkDone } from "../../estimate/run/progress.ts";
import { type Monomials, monomials } from "../../interval/monomials.ts";
import { wholePower } from "../../num/whole-power.ts";
import type { OptionValues } from "../options.ts";
import type { Problem } from "../problem.ts";
import { counted } from "./answer/counted.ts";
import { type Constraint, ConstraintReader } from "./constraint/constraint.ts";
import { gain } from "./constraint/contract.ts";
import { unpacked } from "./constraint/packed.ts";
import { EmptySearch } from "./emptied.ts";
import { Effort } from "./flow/effort.ts";
import { ExperimentFlow } from "./flow/experiment-flow.ts";
import { remember, unseen } from "./history.ts";
import {
	blind,
	type Looseness,
	leftByHalving,
	leftByOrder,
	loose,
	loosenessOf,
	looseRange,
} from "./looseness.ts";
import type { guaranteedOptions } from "./options.ts";
import { type Part, type PlainRecord, plainRecord, readRecord, recordOf } from "./part.ts";
import { type Death, type InstantRecord, Pass, type Passed } from "./pass.ts";
import { BatchPaving } from "./paving/batch-paving.ts";
import { contractPiece, HullSearch } from "./paving/hull-search.ts";
import { type InnerBoxes, innerBoxes } from "./paving/inner-boxes.ts";
import { MuellerSearch, shrinkage } from "./paving/mueller-search.ts";
import { hullOf, Sivia } from "./paving/sivia.ts";
import { commonOf, type PassAnswer, type PassItem, passWork } from "./search/pass-work.ts";
import { type PieceAnswer, type PieceItem, pieceCommon, pieceWork } from "./search/piece-work.ts";
import { type GuaranteedSystem, systemOf } from "./system.ts";
import { type GuaranteedUnknown, guaranteedUnknowns, priorBox, refuseNegativeErrors } from "./unknowns.ts";

export type GuaranteedOptions = OptionValues<typeof guaranteedOptions>;

interface Waiting {
	readonly box: Float64Array;
	readonly round: number;
	/** The data at so many instants have narrowed the box already, and the history tells of them. */
	readonly told: number;
	/** To be followed to the end, whatever is seen. */
	readonly isWhole?: boolean;
	/** How loose the enclosures of the box were that this is a half of. */
	readonly looseness?: number;
	/** What is known of a box that holds this one, all records followed: it stands where there is no effort left for more. */
	readonly known?: Omit<Part, "box">;
}

/** A box that is followed, or will be as soon as there is a hand free: how is settled when it is chosen, so that nothing depends on the number of hands. */
interface Flight {
	readonly from: Waiting;
	readonly endsBlind: boolean;
	/** Effort that was spent when it was chosen. */
	readonly spent: number;
	/** Where others follow it. */
	answer?: Promise<PassAnswer | undefined>;
}

type PassHands = Crew<PassItem, PassAnswer>;
type PieceHands = Crew<PieceItem, PieceAnswer>;

/** Boxes of unknowns, sorted: all consistent, or at the edge. */
export interface Paving {
	readonly inner: readonly Float64Array[];
	readonly outer: readonly Float64Array[];
	readonly exhausted: boolean;
	readonly done: boolean;
}

/** Terms of one Taylor model that an order may have at most. */
const mostMonomials = 130;
/** From so many boxes on a paving runs by the batch, on the place to compute; with many unknowns in any case. */
const largePaving = 20_000;
/** So many boxes are followed at once, at most, where there are many. */
const mostFlights = 16;
/** Up to this share of the effort boxes are sorted coarsely. */
const scouting = 0.7;
/** The order for so many unknowns to begin with. */
const firstOrder = (n: number): number => (n <= 2 ? 6 : n <= 3 ? 5 : n <= 5 ? 4 : 3);

export class GuaranteedRun {
	readonly system: GuaranteedSystem;
	readonly unknowns: readonly GuaranteedUnknown[];
	flows: readonly ExperimentFlow[];
	readonly prior: Float64Array;
	readonly parts: Part[] = [];
	readonly deaths: Death[] = [];
	/** Parts begun: what the option `models` limits. */
	begun = 1;
	passes = 0;
	paving: Paving | undefined;
	#sivia: Sivia | undefined;
	#batches: BatchPaving | undefined;
	done = false;
	/** What was known as the data came in, by experiment and time. */
	readonly history: InstantRecord[] = [];
	#order: number;
	/** How loose enclosures were when the order was raised last. */
	#looseness = Number.POSITIVE_INFINITY;
	#outliers: number;
	#waiting: Waiting[];
	/** In the order in which they are settled. */
	#flights: Flight[] = [];
	#pass: Pass | undefined;
	#passCrew: PassHands | undefined;
	#pieceCrew: PieceHands | undefined;
	#brackets: MuellerSearch | undefined;
	#hull: HullSearch | undefined;
	#isHullKnown = false;
	/** Steps of each flow in passes that are done: those of others are done again after a resume. */
	#settledSteps: readonly number[];
	#settledEffort = 0;
	readonly #work = new WorkDone();
	readonly #readers = new Map<Int32Array, ConstraintReader>();

	/** When the set became empty, if it did. */
	emptied: Death | undefined;
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
		this.#order = options.order === "auto" ? firstOrder(this.#mostUnknowns) : options.order;
		this.flows = this.#flowsOf(this.#order);
		if (options.outliers !== 0 && options.prediction === "mueller")
			throw new InputError(
				"guaranteed: { outliers }",
				"is not known to Müller's brackets",
				"Write  prediction: taylor, or take one of the two out.",
			);
		this.#refuseAssumptions();
		this.#outliers = options.outliers === "auto" ? 0 : options.outliers;
		this.#waiting = this.#cut(options.parts).map((box) => ({ box, round: 1, told: 0 }));
		this.begun = this.#waiting.length;
		this.#settledSteps = this.flows.map(() => 0);
	}

	/** The box of all unknowns in so many parts: the widest side of the widest part, beside its prior, again and again. */
	#cut(count: number): Float64Array[] {
		const boxes: Float64Array[] = [this.prior.slice()];
		const size = (box: Float64Array, k: number): number => {
			const prior = this.prior[2 * k + 1] - this.prior[2 * k];
			return prior > 0 ? (box[2 * k + 1] - box[2 * k]) / prior : 0;
		};
		while (boxes.length < count) {
			let part = 0;
			let side = 0;
			let most = 0;
			for (const [i, box] of boxes.entries())
				for (let k = 0; k < this.unknowns.length; k++)
					if (size(box, k) > most) [part, side, most] = [i, k, size(box, k)];
			const halves = bisected(boxes[part], side);
			if (!halves) break;
			boxes.splice(part, 1, ...halves);
		}
		return boxes;
	}

	/** Degree of the Taylor models: with `auto` it is raised where that gains. */
	get order(): number {
		return this.#order;
	}

	/** Unknowns of one record at most. */
	get #mostUnknowns(): number {
		return Math.max(
			1,
			...this.problem.train.map(
				(_, e) => this.unknowns.filter(({ kind, experiment }) => kind === "param" || experiment === e).length,
			),
		);
	}

	/** Many unknowns: their boxes are sorted coarsely before any of them is looked at closely. */
	get #isWide(): boolean {
		return this.#mostModels > this.options.models;
	}

	/** Taylor models at most where boxes are so large that nothing is seen: as many as make a paving of the unknowns. */
	get #mostModels(): number {
		const open = this.unknowns.filter(({ prior }) => prior.lo < prior.hi).length;
		return open <= 2 ? this.options.models : this.options.models * wholePower(4, Math.min(open, 4) - 2);
	}

	/** Whether a pass that sees nothing more is left at once, for smaller boxes. */
	get #scouts(): boolean {
		return this.#isWide && this.begun < this.#mostModels && this.effort.share < scouting;
	}

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

	#refuseAssumptions(): void {
		if (this.system.assumptions.length === 0) return;
		if (this.options.outliers === 0 && this.options.prediction === "taylor") return;
		const [subject, remedy] =
			this.options.outliers === 0
				? ["guaranteed: { prediction: mueller }", "Write  prediction: taylor."]
				: ["guaranteed: { outliers }", "Write  outliers: 0."];
		throw new InputError(subject, `does not go with  ${this.system.assumptions[0].text}`, remedy);
	}

	/** Samples that may be beyond their largest errors; with `auto` the least number that was not refuted. */
	get outliers(): number {
		return this.#outliers;
	}

	#flowsOf(order: number): ExperimentFlow[] {
		return this.problem.train.map(
			(experiment, e) =>
				new ExperimentFlow(this.system, experiment, e, this.unknowns, {
					...this.options,
					order,
					spending: this.effort,
					isFree: this.isFree,
				}),
		);
	}

	/** All that follows is done with another order; what is known of boxes holds whatever the order was. */
	#setOrder(order: number): void {
		const before = this.flows;
		this.#order = order;
		this.flows = this.#flowsOf(order);
		this.flows.forEach(({ flow }, i) => {
			flow.steps = before[i].flow.steps;
		});
		this.#readers.clear();
	}

	/** Reads a constraint; one for each set of variables. */
	readonly reader = (constraint: Constraint): ConstraintReader => {
		const known = this.#readers.get(constraint.variables);
		if (known) return known;
		const made = new ConstraintReader(this.flows[constraint.experiment].table);
		this.#readers.set(constraint.variables, made);
		return made;
	};

	/** Everything that is left is in one of the parts: none waits. */
	get isSorted(): boolean {
		return this.#brackets ? this.#brackets.done : this.#unsettled.length === 0;
	}

	/** What is left, as one box; undefined when there is nothing. */
	get enclosure(): Float64Array | undefined {
		if (this.paving?.done) {
			const failed = this.parts.filter(({ failure }) => failure).map(({ box }) => box);
			return hullOf([...this.paving.inner, ...this.paving.outer, ...failed]);
		}
		return hullOf([...this.parts, ...this.#unsettled].map(({ box }) => box));
	}

	get #unsettled(): Waiting[] {
		return [...this.#flights.map(({ from }) => from), ...this.#waiting];
	}

	/** The boxes of the paving that hold nothing but consistent values, and what of them is at the edge of the declared sets. */
	get innerBoxes(): InnerBoxes {
		return innerBoxes(
			this.paving?.inner ?? [],
			this.unknowns.map(({ inside }) => inside),
		);
	}

	async advance(): Promise<Progress> {
		if (!this.done && !(await this.#stepTogether())) this.step();
		if (this.done) this.#dismiss();
		return { done: this.done, fraction: this.#progress(), label: this.#label() };
	}

	step(): void {
		if (this.#emptySearch) {
			this.#emptySearch.advance();
			this.done = true;
		} else if (this.options.prediction === "mueller") this.#bracketStep();
		else this.#taylorStep();
		if (!this.done || this.enclosure) return;
		if (this.options.outliers === "auto" && this.#outliers < this.#samples) this.#allow(this.#outliers + 1);
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
		this.#outliers = outliers;
		this.#dismiss();
		this.done = false;
		this.#flights = [];
		this.#waiting = this.#cut(this.options.parts).map((box) => ({ box, round: 1, told: 0 }));
		this.begun = this.#waiting.length;
		this.deaths.splice(0);
		this.history.splice(0);
		this.paving = undefined;
		this.#isHullKnown = false;
		this.effort.spent = 0;
		this.#settledEffort = 0;
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
			(problem) => new GuaranteedRun(problem, { ...this.options, outliers: this.#outliers }, false, effort),
			this.flows,
		);
		this.emptied = this.#emptySearch.found;
		return this.#emptySearch.done;
	}

	#taylorStep(): void {
		if (this.paving) {
			this.#sivia?.advance(500);
			if (this.paving.done) this.done = true;
			return;
		}
		if (!this.#pass) this.#choose();
		const flight = this.#flights[0];
		if (!flight) {
			this.#beginPaving();
			return;
		}
		if (!this.#pass) {
			this.effort.spent = flight.spent;
			this.#pass = new Pass(this.flows, flight.from.box, this.reader, {
				correction: this.options.correction,
				outliers: this.#outliers,
				endsBlind: flight.endsBlind,
			});
		}
		const pass = this.#pass;
		for (let i = 0; i < 8 && !pass.done; i++) pass.advance();
		if (!pass.done) return;
		this.#pass = undefined;
		this.effort.spent = this.#settledEffort + (this.effort.spent - flight.spent);
		this.#land(pass);
	}

	/** The next boxes to follow. */
	#choose(): void {
		while (this.#flights.length < (this.#isWide ? mostFlights : 1)) {
			const next = this.#isWide ? largest(this.#waiting, this.prior) : this.#waiting.length - 1;
			if (next < 0) return;
			const [from] = this.#waiting.splice(next, 1);
			this.#flights.push({ from, endsBlind: this.#scouts && !from.isWhole, spent: this.effort.spent });
		}
	}

	/** The first of the boxes that are followed has come to its end. */
	#land(passed: Passed): void {
		this.#settle(passed, this.#flights.shift()!.from);
		this.#settledSteps = this.flows.map(({ flow }) => flow.steps);
		this.#settledEffort = this.effort.spent;
	}

	/** Some work by several hands; false where there are none, or nothing for them to do. */
	async #stepTogether(): Promise<boolean> {
		if (this.paving && !this.paving.done && this.#batches) {
			await this.#batches.advance(this.problem.compute);
			return !this.#batches.done;
		}
		const isSearch = this.options.prediction === "taylor" && !this.paving && !this.#emptySearch;
		if (!isSearch || !this.#isWide || this.#pass) return false;
		this.#choose();
		const [first] = this.#flights;
		if (!first) {
			const hands = this.#hull && !this.#hull.done && this.#pieceHands();
			if (!hands) return false;
			await this.#narrowed(hands);
			return true;
		}
		if (this.#flights.length < 2 && !first.answer) return false;
		const crew = this.#passHands();
		if (!crew) return false;
		for (const flight of this.#flights) flight.answer ??= this.#followed(crew, flight);
		const answer = await first.answer;
		if (!answer) return false;
		this.effort.spent = this.#settledEffort + answer.spent;
		this.flows.forEach(({ flow }, i) => {
			flow.steps += answer.steps[i];
		});
		this.#land({ ...answer, constraints: unpacked(answer.constraints, this.flows), flows: this.flows });
		return true;
	}

	#passHands(): PassHands | undefined {
		const { effort, timeOrder, tolerance, correction } = this.options;
		if (this.#passCrew || !this.problem.compute.crew) return this.#passCrew;
		const common = commonOf(this.problem, { effort, timeOrder, tolerance, correction, isFree: this.isFree });
		if (common) this.#passCrew = this.problem.compute.crew(passWork, common);
		return this.#passCrew;
	}

	#pieceHands(): PieceHands | undefined {
		this.#pieceCrew ??= this.problem.compute.crew?.(
			pieceWork,
			pieceCommon(this.parts, this.flows, { order: this.#order, outliers: this.#outliers }),
		);
		return this.#pieceCrew;
	}

	#dismiss(): void {
		this.#passCrew?.close();
		this.#pieceCrew?.close();
		this.#passCrew = undefined;
		this.#pieceCrew = undefined;
	}

	/** A pass that another hand does; undefined where it cannot. */
	async #followed(hands: PassHands, { from, endsBlind, spent }: Flight): Promise<PassAnswer | undefined> {
		const [order, outliers] = [this.#order, this.#outliers];
		try {
			return await hands.do({ box: from.box, order, endsBlind, outliers, spent });
		} catch {
			return undefined;
		}
	}

	/** A round of the search for the ends, by several hands; here, where they cannot. */
	async #narrowed(hands: PieceHands): Promise<void> {
		await this.#hull!.advanceBy(async (part, box) => {
			try {
				return await hands.do({ part, box });
			} catch {
				const { constraints } = this.parts[part];
				return contractPiece(this.reader, constraints, box, this.#outliers) ? box : undefined;
			}
		});
	}

	/** Some work with brackets; at its end what is left becomes parts. */
	#bracketStep(): void {
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
		this.#waiting = [];
		this.#brackets.advance();
		if (!this.#brackets.done) return;
		this.done = true;
		// What a box lost to the last of the data may have been inconsistent with earlier ones.
		const last = latest(paving.removed);
		this.deaths.push(
			...paving.removed.map((each) => ({ ...each, later: each.narrowed && each.t === last?.t })),
		);
		this.parts.push(...followed);
		this.history.push(...shrinkage(this.flows, paving));
	}

	#settle(pass: Passed, { box: start, round, told: before, looseness: parents, known }: Waiting): void {
		this.passes++;
		remember(this.history, pass.instants.slice(before));
		const told = Math.max(before, pass.instants.length);
		if (pass.death) {
			this.deaths.push(pass.instants.length < before - 1 ? { ...pass.death, later: true } : pass.death);
			return;
		}
		const isSpent = this.effort.isSpent;
		if (pass.failure?.isSpent && known) {
			this.parts.push({ ...known, box: pass.box });
			return;
		}
		const shrank = gain(start, pass.box);
		const followed = pass.failure ? known : recordOf(pass);
		const fallback = followed ? { known: followed } : {};
		// Of many boxes each is gone through once: smaller ones tell more than closer ones.
		if (!isSpent && shrank > (this.begun > 1 && this.#isWide ? 0.6 : 0.1) && round < this.options.rounds) {
			this.#waiting.push({ box: pass.box, round: round + 1, told, ...fallback });
			return;
		}
		const found = loosenessOf(pass, this.reader);
		if (!isSpent && !pass.failure && found.byOrder && this.#raisesOrder(found)) {
			// Models of another order are not read together.
			this.#waiting.push({ box: pass.box, round: 1, told });
			return;
		}
		// A half that is as loose as the whole was shows that cuts gain nothing here.
		const gains = found.byUnknowns && !(parents !== undefined && found.ofBars > leftByHalving * parents);
		// Where no unknown has to do with the failure, halves fail just the same.
		const isLoose = found.ofBars > loose && gains;
		const isWorth = (pass.failure || isLoose) && !pass.failure?.isFinal && !isSpent;
		const most = pass.failure || found.ofBars > blind ? this.#mostModels : this.options.models;
		if (isWorth && this.begun < most) {
			const halves = this.#bisect(pass);
			const looseness = pass.failure ? undefined : found.ofBars;
			if (halves) {
				this.begun++;
				this.#waiting.push(
					...halves.map((box) => ({ box, round: 1, told, ...(looseness ? { looseness } : {}), ...fallback })),
				);
				return;
			}
		}
		if (pass.failure?.isBlind) {
			this.#waiting.push({ box: pass.box, round, told, isWhole: true, ...fallback });
			return;
		}
		const { box, constraints, instants, tubes, failure } = pass;
		if (failure) remember(this.history, unseen(this.flows, box).slice(told));
		this.parts.push({ box, constraints, instants, tubes, ...(failure ? { failure } : {}) });
	}

	/** Whether another order is tried: while all is one box, and the last rise gained. */
	#raisesOrder({ ofBars, ofRanges }: Looseness): boolean {
		if (this.options.order !== "auto" || this.begun > 1) return false;
		if (!(ofBars > loose || ofRanges > looseRange)) return false;
		const now = Math.max(ofBars, ofRanges);
		if (!(now < leftByOrder * this.#looseness)) return false;
		const order = this.#order + 2;
		if (monomials(this.#mostUnknowns, order).length > mostMonomials) return false;
		this.#looseness = now;
		this.#setOrder(order);
		return true;
	}

	/** Two halves, across the unknown that the highest terms of the output polynomials depend on most. */
	#bisect({ box, constraints }: Passed): Float64Array[] | undefined {
		const score = new Float64Array(this.unknowns.length);
		for (const { coefficients, variables, experiment } of constraints) {
			const { table } = this.flows[experiment];
			for (let m = 0; m < table.length; m++)
				if (table.degree[m] === table.order && table.order > 0)
					for (let v = 0; v < variables.length; v++)
						score[variables[v]] += Math.abs(coefficients[m]) * table.exponent(m, v);
		}
		// While the states are still exact nothing is known of that: the widest side, beside its prior.
		if (score.every((value) => !(value > 0)))
			for (let k = 0; k < score.length; k++) {
				const prior = this.prior[2 * k + 1] - this.prior[2 * k];
				score[k] = prior > 0 ? (box[2 * k + 1] - box[2 * k]) / prior : 0;
			}
		const k = score.indexOf(Math.max(...score));
		if (k < 0) return undefined;
		return bisected(box, k)?.reverse();
	}

	/** The ends of what is left of many unknowns, before its paving; whether they are known. */
	#hullKnown(): boolean {
		if (!this.#isWide || this.options.boxes === 0 || this.#isHullKnown) return true;
		this.#hull ??= new HullSearch(this.reader, this.parts, this.options.boxes, this.effort, this.#outliers);
		// Several hands do it where there are some.
		if (!this.#pieceHands()) this.#hull.advance(8);
		if (!this.#hull.done) return false;
		const boxes = this.#hull.boxes;
		const parts = this.parts.splice(0);
		for (const [i, part] of parts.entries()) {
			const box = boxes[i];
			if (box) this.parts.push({ ...part, box });
			else this.deaths.push({ ...lastOf(part), later: true });
		}
		this.#hull = undefined;
		this.#isHullKnown = true;
		this.#settledEffort = this.effort.spent;
		return true;
	}

	#beginPaving(): void {
		if (!this.#hullKnown()) return;
		const whole = hullOf(this.parts.map(({ box }) => box));
		if (!whole || this.isUnbound) {
			this.done = true;
			return;
		}
		const small = Float64Array.from(
			this.unknowns,
			(_, k) => this.options.precision * (whole[2 * k + 1] - whole[2 * k]),
		);
		const { boxes } = this.options;
		// Who explains is not asked for more than a step at a time, and waits for nobody.
		const isLarge = (boxes >= largePaving || this.#isWide) && this.#outliers === 0 && this.explains;
		const table = (e: number): Monomials => this.flows[e].table;
		this.#batches = isLarge ? new BatchPaving(table, small, boxes, this.effort) : undefined;
		this.#sivia = isLarge ? undefined : new Sivia(this.reader, small, boxes, this.effort, this.#outliers);
		const paving = (this.#batches ?? this.#sivia)!;
		for (const { box, constraints, failure } of this.parts) if (!failure) paving.add(box, constraints);
		this.paving = paving;
		if (this.paving.done) this.done = true;
	}

	#progress(): number {
		const parts = this.parts.length + this.deaths.length;
		const all = Math.max(parts + this.#unsettled.length, 1);
		const now = this.paving ? 0.9 : (0.9 * (parts + (this.#pass?.fraction ?? 0))) / (all + 1);
		return this.#work.rise(this.done ? 1 : now);
	}

	#label(): string {
		if (this.#emptySearch) return "nothing is consistent; finding out since when";
		if (this.paving)
			return pavingText(
				this.#batches?.counts ?? { inner: this.paving.inner.length, outer: this.paving.outer.length },
			);
		return `${counted(this.begun, "Taylor model")}, ${counted(this.passes, "pass", "passes")} over the data`;
	}

	/** Passes and pavings that were begun are begun again. */
	save(): GuaranteedCheckpoint {
		return {
			flights: this.#flights.map(({ from, endsBlind, spent }) => ({
				from: plainWaiting(from),
				endsBlind,
				spent,
			})),
			waiting: this.#waiting.map(plainWaiting),
			parts: this.parts.map((part) => ({ ...part, ...plainRecord(part), box: [...part.box] })),
			deaths: this.deaths,
			steps: this.#settledSteps,
			spent: this.#settledEffort,
			order: this.#order,
			looseness: Number.isFinite(this.#looseness) ? this.#looseness : null,
			isHullKnown: this.#isHullKnown,
			outliers: this.#outliers,
			begun: this.begun,
			passes: this.passes,
			history: this.history,
		};
	}

	restore(saved: GuaranteedCheckpoint): void {
		if (saved.order !== this.#order) this.#setOrder(saved.order);
		this.#looseness = saved.looseness ?? Number.POSITIVE_INFINITY;
		this.#isHullKnown = saved.isHullKnown;
		this.#outliers = saved.outliers;
		this.flows.forEach(({ flow }, i) => {
			flow.steps = saved.steps[i];
		});
		this.#settledSteps = saved.steps;
		this.effort.spent = saved.spent;
		this.#settledEffort = saved.spent;
		this.#flights = saved.flights.map(({ from, ...rest }) => ({
			...rest,
			from: readWaiting(from, this.flows),
		}));
		this.#waiting = saved.waiting.map((each) => readWaiting(each, this.flows));
		this.parts.push(
			...saved.parts.map((part) => ({
				...part,
				...readRecord(part, this.flows),
				box: Float64Array.from(part.box),
			})),
		);
		this.deaths.push(...saved.deaths);
		this.begun = saved.begun;
		this.passes = saved.passes;
		this.history.push(...saved.history);
	}
}

function pavingText({ inner, outer }: { readonly inner: number; readonly outer: number }): string {
	return `${counted(inner, "box", "boxes")} inside, ${outer} at the edge`;
}

/** The waiting box with the greatest volume beside the prior, the last of them; -1 where none waits. */
function largest(waiting: readonly Waiting[], prior: Float64Array): number {
	let found = -1;
	let most = Number.NEGATIVE_INFINITY;
	for (const [i, { box }] of waiting.entries()) {
		let volume = 1;
		for (let k = 0; k < box.length; k += 2) {
			const whole = prior[k + 1] - prior[k];
			if (whole > 0) volume *= (box[k + 1] - box[k]) / whole;
		}
		if (volume >= most) [found, most] = [i, volume];
	}
	return found;
}

/** The last datum that a part was held against. */
function lastOf({ constraints }: Part): Death {
	const { t, output, experiment } = constraints[constraints.length - 1];
	return { t, output, experiment };
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

/** The halves of a box, cut across side k; nothing where there is no double between its ends. */
function bisected(box: Float64Array, k: number): Float64Array[] | undefined {
	const cut = box[2 * k] / 2 + box[2 * k + 1] / 2;
	if (!(box[2 * k] < cut && cut < box[2 * k + 1])) return undefined;
	const lower = box.slice();
	const upper = box.slice();
	lower[2 * k + 1] = cut;
	upper[2 * k] = cut;
	return [lower, upper];
}

type PlainWaiting = Omit<Waiting, "box" | "known"> & { readonly box: number[]; readonly known?: PlainRecord };

function plainWaiting({ known, box, ...rest }: Waiting): PlainWaiting {
	return { ...rest, box: [...box], ...(known ? { known: plainRecord(known) } : {}) };
}

function readWaiting({ known, box, ...rest }: PlainWaiting, flows: readonly ExperimentFlow[]): Waiting {
	return { ...rest, box: Float64Array.from(box), ...(known ? { known: readRecord(known, flows) } : {}) };
}

export interface GuaranteedCheckpoint {
	readonly flights: readonly {
		readonly from: PlainWaiting;
		readonly endsBlind: boolean;
		readonly spent: number;
	}[];
	readonly waiting: readonly PlainWaiting[];
	readonly parts: readonly (PlainRecord & { readonly box: number[] })[];
	readonly deaths: readonly Death[];
	readonly steps: readonly number[];
	readonly spent: number;
	readonly order: number;
	/** Nothing where the order was not raised yet. */
	readonly looseness: number | null;
	/** The ends of what is left of many unknowns were searched for. */
	readonly isHullKnown: boolean;
	readonly outliers: number;
	readonly begun: number;
	readonly passes: number;
	readonly history: readonly InstantRecord[];
}
