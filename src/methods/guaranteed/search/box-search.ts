/** A list of boxes of unknowns, each followed through the records by Taylor models, again from where the data narrowed it to, cut in two where its enclosures are loose or cannot be proved. */
import { wholePower } from "../../../num/whole-power.ts";
import { gain } from "../constraint/contract.ts";
import { unpacked } from "../constraint/packed.ts";
import { remember, unseen } from "../history.ts";
import { blind, type Looseness, leftByHalving, leftByOrder, loosenessOf } from "../looseness.ts";
import { type Part, type PlainRecord, plainRecord, readRecord, recordOf } from "../part.ts";
import { type Death, type InstantRecord, Pass, type Passed } from "../pass.ts";
import { hullOf } from "../paving/sivia.ts";
import { followedAgain } from "./again.ts";
import { sweptBack } from "./backward.ts";
import { halvesOf, isRough } from "./cuts.ts";
import { Hands } from "./hands.ts";
import { Models } from "./models.ts";
import type { Question } from "./question.ts";
import {
	cutInto,
	type Flight,
	fresh,
	largest,
	type PlainWaiting,
	plainWaiting,
	readWaiting,
	shareOf,
	type Waiting,
} from "./waiting.ts";

/** So many boxes are followed at once, at most, where there are many. */
const mostFlights = 16;
/** Up to this share of the effort boxes are sorted coarsely. */
const scouting = 0.7;
/** To follow parts again is worth it while a side of what is left shrinks by more than this share. */
const worthwhile = 0.01;
/** Where nothing moves, models are made for up to this share of the boxes that the paving may try. */
const ofPaving = 0.25;

export class BoxSearch {
	readonly models: Models;
	readonly hands: Hands;
	readonly parts: Part[] = [];
	readonly deaths: Death[] = [];
	/** What was known as the data came in, by experiment and time. */
	readonly history: InstantRecord[] = [];
	/** Parts begun. */
	begun = 1;
	passes = 0;
	/** Effort of all that is settled: what is under way is done again after a resume. */
	settledEffort = 0;
	/** Steps of each flow in passes that are done. */
	#settledSteps: readonly number[];
	/** How loose enclosures were when the order was raised last. */
	#looseness = Number.POSITIVE_INFINITY;
	/** What was left when the ends were known last. */
	#left: Float64Array | undefined;
	#waiting: Waiting[] = [];
	/** In the order in which they are settled. */
	#flights: Flight[] = [];
	#pass: Pass | undefined;

	constructor(
		readonly question: Question,
		/** Samples that may be beyond their largest errors. */
		public outliers: number,
	) {
		this.models = new Models(question);
		this.hands = new Hands(question, this.models);
		this.#settledSteps = this.models.flows.map(() => 0);
		this.#begin();
	}

	#begin(): void {
		const { prior, options } = this.question;
		this.#waiting = cutInto(prior, options.parts).map(fresh);
		this.begun = this.#waiting.length;
	}

	/** From the start again, with so many outliers. */
	restart(outliers: number): void {
		this.hands.dismiss();
		this.outliers = outliers;
		this.#flights = [];
		// What a paving left nothing of is followed again.
		this.parts.splice(0);
		this.deaths.splice(0);
		this.history.splice(0);
		this.#left = undefined;
		this.question.effort.spent = 0;
		this.settledEffort = 0;
		this.#begin();
	}

	/** Nothing is looked for here. */
	leave(): void {
		this.#waiting = [];
	}

	/** Boxes that are not settled. */
	get unsettled(): Waiting[] {
		return [...this.#flights.map(({ from }) => from), ...this.#waiting];
	}

	/** The least box around what is left so far. */
	get #hull(): Float64Array | undefined {
		return hullOf([...this.parts, ...this.unsettled].map(({ box }) => box));
	}

	/** What is left so far, beside the declared sets. */
	get share(): number {
		const { prior } = this.question;
		return [...this.parts, ...this.unsettled].reduce((sum, { box }) => sum + shareOf(box, prior), 0);
	}

	/** How far the boxes that are known of are. */
	get fraction(): number {
		const settled = this.parts.length + this.deaths.length;
		const all = Math.max(settled + this.unsettled.length, 1);
		return (settled + (this.#pass?.fraction ?? 0)) / (all + 1);
	}

	/** Many unknowns: their boxes are sorted coarsely before any of them is looked at closely. */
	get isWide(): boolean {
		return this.#open > 2;
	}

	get #open(): number {
		return this.question.unknowns.filter(({ prior }) => prior.lo < prior.hi).length;
	}

	/** Taylor models at most, where boxes are so large that nothing is seen: as many as make a paving of the unknowns. */
	get mostModels(): number {
		const { options, isStatic } = this.question;
		const most = options.models * wholePower(4, Math.max(0, Math.min(this.#open, 4) - 2));
		return isStatic ? Math.max(most, Math.floor(ofPaving * options.boxes)) : most;
	}

	/** Parts that something may be left of, with the one that is being settled: what the option `models` limits. Where nothing is left of a part another may be cut. */
	get #living(): number {
		return this.parts.length + this.unsettled.length + 1;
	}

	/** Whether a pass that sees nothing more is left at once, for smaller boxes. */
	get #scouts(): boolean {
		return this.isWide && this.#living < this.mostModels && this.question.effort.share < scouting;
	}

	/** The ends of what is left are known. Whether some of it is followed again: as long as that gains, and there is effort. */
	goesOn(): boolean {
		const { effort, isStatic, isFree } = this.question;
		const now = hullOf(this.parts.map(({ box }) => box));
		if (!this.isWide || isStatic || isFree || effort.isSpent || !now) return false;
		const last = this.#left;
		this.#left = now;
		if (last && !(gain(last, now) > worthwhile)) return false;
		let living = this.parts.length;
		const halves = (part: Part): Float64Array[] | undefined => {
			const found = living < this.mostModels ? halvesOf(part, this.models, this.question) : undefined;
			if (found) [living, this.begun] = [living + 1, this.begun + 1];
			return found;
		};
		const tools = { ...this.models, flows: this.models.flows, halves };
		for (const part of this.parts.splice(0)) {
			const boxes = followedAgain(part, tools);
			if (boxes.length === 0) this.parts.push(part);
			this.#waiting.push(...boxes);
		}
		this.hands.release();
		return this.#waiting.length > 0;
	}

	/** Some steps of a pass; false where no box is left to follow. */
	step(): boolean {
		const { effort, options } = this.question;
		const { flows, reader } = this.models;
		if (!this.#pass) this.#choose();
		const flight = this.#flights[0];
		if (!flight) return false;
		if (!this.#pass) {
			effort.spent = flight.spent;
			this.#pass = new Pass(flows, flight.from.box, reader, {
				correction: options.correction,
				outliers: this.outliers,
				endsBlind: flight.endsBlind,
			});
		}
		const pass = this.#pass;
		for (let i = 0; i < 8 && !pass.done; i++) pass.advance();
		if (!pass.done) return true;
		this.#pass = undefined;
		effort.spent = this.settledEffort + (effort.spent - flight.spent);
		this.#land(pass);
		return true;
	}

	/** A pass by other hands; false where it is to be done here, or no box is left. */
	async stepTogether(): Promise<boolean> {
		if (this.#pass) return false;
		this.#choose();
		const [first] = this.#flights;
		if (!first || (this.#flights.length < 2 && !first.answer)) return false;
		const crew = this.hands.forPasses;
		if (!crew) return false;
		for (const flight of this.#flights) flight.answer ??= this.hands.followed(crew, flight, this.outliers);
		const answer = await first.answer;
		if (!answer) return false;
		const { flows } = this.models;
		this.question.effort.spent = this.settledEffort + answer.spent;
		flows.forEach(({ flow }, i) => {
			flow.steps += answer.steps[i];
		});
		this.#land({ ...answer, constraints: unpacked(answer.constraints, flows), flows });
		return true;
	}

	/** The next boxes to follow. */
	#choose(): void {
		const { prior, effort } = this.question;
		while (this.#flights.length < (this.isWide ? mostFlights : 1)) {
			const next = largest(this.#waiting, prior);
			if (next < 0) return;
			const [from] = this.#waiting.splice(next, 1);
			this.#flights.push({ from, endsBlind: this.#scouts && !from.isWhole, spent: effort.spent });
		}
	}

	/** The first of the boxes that are followed has come to its end. */
	#land(passed: Passed): void {
		this.#settle(passed, this.#flights.shift()!.from);
		this.#settledSteps = this.models.flows.map(({ flow }) => flow.steps);
		this.settledEffort = this.question.effort.spent;
	}

	#settle(pass: Passed, { box: start, round, told: before, looseness: parents, known }: Waiting): void {
		const { options, effort } = this.question;
		const { flows, reader } = this.models;
		this.passes++;
		remember(this.history, pass.instants.slice(before));
		const told = Math.max(before, pass.instants.length);
		if (pass.death) {
			this.deaths.push(pass.instants.length < before - 1 ? { ...pass.death, later: true } : pass.death);
			return;
		}
		const isSpent = effort.isSpent;
		if (pass.failure?.isSpent && known) {
			this.parts.push({ ...known, box: pass.box });
			return;
		}
		const shrank = gain(start, pass.box);
		const followed = pass.failure ? known : recordOf(pass);
		const fallback = followed ? { known: followed } : {};
		// Of many boxes each is gone through once: smaller ones tell more than closer ones.
		if (!isSpent && shrank > (this.begun > 1 && this.isWide ? 0.6 : 0.1) && round < options.rounds) {
			this.#waiting.push({ box: pass.box, round: round + 1, told, ...fallback });
			return;
		}
		const found = loosenessOf(pass, reader);
		if (!isSpent && !pass.failure && found.byOrder && this.#raisesOrder(found)) {
			// Outputs of another order are not read together.
			this.#waiting.push({ box: pass.box, round: 1, told, ...(this.question.isFree ? fallback : {}) });
			return;
		}
		// A half that is as loose as the whole was shows that cuts gain nothing here, but at corners.
		const isIdle = parents !== undefined && found.most > leftByHalving * parents;
		const gains = found.byUnknowns && (found.byCorners || !isIdle);
		// Where no unknown has to do with the failure, halves fail just the same.
		const isLoose = this.question.isStatic
			? isRough(pass, this.#hull ?? this.question.prior, this.models, this.question)
			: found.isLoose && gains;
		const isWorth = (pass.failure || isLoose) && !pass.failure?.isFinal && !isSpent;
		const most =
			pass.failure || found.ofBars > blind || this.question.isStatic ? this.mostModels : options.models;
		if (isWorth && this.#living < most) {
			const halves = halvesOf(pass, this.models, this.question);
			const looseness = pass.failure ? undefined : found.most;
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
		const { box, failure } = pass;
		// What holds for a larger box that could be followed holds here.
		if (failure && known) {
			this.parts.push({ ...known, box });
			return;
		}
		if (failure) remember(this.history, unseen(flows, box).slice(told));
		const part = { box, ...recordOf(pass) };
		this.parts.push(this.outliers > 0 || this.question.isFree ? part : sweptBack(part, flows));
	}

	/** Whether another order is tried: while all is one box, and the last rise gained. */
	#raisesOrder({ ofBars, ofRanges }: Looseness): boolean {
		if (this.question.options.order !== "auto" || this.begun > 1) return false;
		const now = Math.max(ofBars, ofRanges);
		if (!(now < leftByOrder * this.#looseness) || !this.models.raise()) return false;
		this.#looseness = now;
		return true;
	}

	/** Passes that were begun are begun again. */
	save(): SavedSearch {
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
			spent: this.settledEffort,
			order: this.models.order,
			looseness: this.#looseness,
			left: this.#left ? [...this.#left] : null,
			outliers: this.outliers,
			begun: this.begun,
			passes: this.passes,
			history: this.history,
		};
	}

	restore(saved: SavedSearch): void {
		const { models } = this;
		models.setOrder(saved.order);
		this.#looseness = saved.looseness;
		this.#left = saved.left ? Float64Array.from(saved.left) : undefined;
		this.outliers = saved.outliers;
		models.flows.forEach(({ flow }, i) => {
			flow.steps = saved.steps[i];
		});
		this.#settledSteps = saved.steps;
		this.question.effort.spent = saved.spent;
		this.settledEffort = saved.spent;
		this.#flights = saved.flights.map(({ from, ...rest }) => ({
			...rest,
			from: readWaiting(from, models.flows),
		}));
		this.#waiting = saved.waiting.map((each) => readWaiting(each, models.flows));
		this.parts.push(
			...saved.parts.map((part) => ({
				...part,
				...readRecord(part, models.flows),
				box: Float64Array.from(part.box),
			})),
		);
		this.deaths.push(...saved.deaths);
		this.begun = saved.begun;
		this.passes = saved.passes;
		this.history.push(...saved.history);
	}
}

export interface SavedSearch {
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
	readonly looseness: number;
	/** Nothing where the ends were not known yet. */
	readonly left: readonly number[] | null;
	readonly outliers: number;
	readonly begun: number;
	readonly passes: number;
	readonly history: readonly InstantRecord[];
}
