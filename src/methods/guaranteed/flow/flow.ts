/**
 * Verified integration by Taylor models [makino2003, berz1998]. A step from the set { P(ζ) + C·r }:
 *
 *   1. the polynomial of the flow from P(ζ), by power series in time, in plain floating point;
 *   2. its remainder: a radius I with z0 + ∫f(P + I) inside P + I, which proves that every solution from P(ζ) is there (section 3.2
 *      of [kletting2011]). It holds for bounded disturbances too, as f may be a set;
 *   3. the remainder of before is carried on by the flow's Jacobian [lohner1987]: see `carry`.
 */
import type { TaylorSpace } from "../../../interval/taylor/taylor-model.ts";
import { pow } from "../../../num/elementary/number.ts";
import { identity } from "../../../num/linear/dense.ts";
import { carry } from "./carry.ts";
import { type FlowSet, remainderOf } from "./flow-set.ts";
import type { FlowSettings, FlowSystem } from "./flow-system.ts";
import { PicardStep } from "./steps/picard-step.ts";
import { StepModels } from "./steps/step-models.ts";
import { type OnStep, tellPieces } from "./steps/step-pieces.ts";
import { StiffStep } from "./steps/stiff-step.ts";
import { troubleText } from "./trouble.ts";

const U = 2 ** -53;
const UP = 1 + 2 ** -40;
/** So many steps in a row that had to be shortened, or tiny ones: a remainder that has outgrown the states crawls on without end. */
const patience = 400;
/** After so many it is asked whether the equations are about to be undefined, and whether there is hope at all. */
const shortPatience = 16;
/** More steps than these to the end, at the pace of the last ones that had to be shortened, are not worth it. */
const mostAhead = 2000;

/** Steps that cannot be proved otherwise are tried as stiff ones from so many times of the fastest decay on, */
const stiffFrom = 0.25;
/** and of fewer than so many they count as steps that had to be shortened, */
const stiffWorth = 8;
/** with so many times the tolerance more of a remainder than before. */
const coarsest = 20;
/** After a stiff step so many are tried, each half as long, before others. */
const stiffAttempts = 4;
/** Up to a jump steps are halved as often as this, then it is passed by steps that grow again by so much each, as they may end behind it. */
const upToJump = 2 ** -11;
const overJump = 1.25;
/** A step over a corner is not halved more often. */
const mostHalvings = 24;

/** Why a step could not be proved. */
export interface FlowFailure {
	readonly t: number;
	readonly why: string;
	/** What to do about it. */
	readonly advice?: string;
	/** The equations themselves are not defined, or jump, for a part of the set. */
	readonly undefinedThere?: boolean;
	/** No smaller set helps: no unknown has to do with it. */
	readonly isFinal?: boolean;
	/** All that was to be spent on the search is spent. */
	readonly isSpent?: boolean;
	/** Nothing stood in the way, but data say nothing of so large a set. */
	readonly isBlind?: boolean;
}

/** A failure, where something else was asked for. */
export const isFailure = <T extends object>(found: T | FlowFailure): found is FlowFailure => "why" in found;

export class Flow {
	readonly #step: StepModels;
	readonly #picard: PicardStep;
	readonly #stiff: StiffStep;
	/** What stood in the way of the last step that failed. */
	#lastWhy = "";
	/** The last step had to be shortened until it could be proved. */
	#struggled = false;
	/** A jump stood in the way of a step that was tried. */
	#nearJump = false;
	/** Steps proved, for reports. */
	steps = 0;
	/** How much each unknown has to do with jumps on the way of this pass. */
	readonly decides: Float64Array;
	/** Steps over a corner of the equations, for some of the unknowns at least. */
	corners = 0;

	constructor(system: FlowSystem, settings: FlowSettings) {
		this.#step = new StepModels(system, settings);
		this.decides = new Float64Array(settings.nVars);
		this.#picard = new PicardStep(this.#step);
		this.#stiff = new StiffStep(this.#step);
	}

	get space(): TaylorSpace {
		return this.#step.space;
	}

	/** Carries the set on to `tEnd` in at most so many steps, telling bounds over pieces of each; undefined when done, or where and why it stopped. */
	advance(
		set: FlowSet,
		tEnd: number,
		onStep?: OnStep,
		{ most = 100_000, pieces = 8 }: { readonly most?: number; readonly pieces?: number } = {},
	): FlowFailure | undefined {
		const least = (tEnd - set.t) * 1e-9;
		let struggles = 0;
		let crawl = 0;
		let asked = set.t;
		for (let count = 0; set.t < tEnd; count++) {
			const isAsking = struggles > 0 && struggles % shortPatience === 0;
			const isHopeless =
				isAsking &&
				struggles > 2 * shortPatience &&
				(tEnd - set.t) * shortPatience > (set.t - asked) * mostAhead;
			if (isAsking) asked = set.t;
			if (this.#step.settings.effort.isSpent)
				return { t: set.t, why: "the effort that was given is spent", isFinal: true, isSpent: true };
			if (
				count >= most ||
				struggles > patience ||
				crawl > patience ||
				(set.h < least && tEnd - set.t > least) ||
				isHopeless ||
				(isAsking && this.#step.system.endsSoon?.(set))
			)
				return { t: set.t, why: `the steps became too small${this.#lastWhy ? `: ${this.#lastWhy}` : ""}` };
			const failure = this.#take(set, tEnd, onStep, pieces);
			if (failure) return failure;
			if (set.h < 1e4 * least) crawl++;
			struggles = this.#struggled ? struggles + 1 : 0;
		}
		return undefined;
	}

	#take(set: FlowSet, tEnd: number, onStep: OnStep | undefined, pieces: number): FlowFailure | undefined {
		let why = "";
		this.#nearJump = false;
		let halvings = 0;
		let cost = Number.POSITIVE_INFINITY;
		for (let attempt = 0; attempt < 12; attempt++) {
			const left = tEnd - set.t;
			const count = Math.max(1, Math.ceil((left / set.h) * (1 - 1e-9)));
			let to = count === 1 ? tEnd : set.t + left / count;
			if (!(to > set.t)) break;
			const ratio = this.#step.expand(set, to);
			// The series of a stiff equation shows its fastest decay long after that is over.
			if (set.isStiff && attempt < stiffAttempts) {
				if (this.#stiffly(set, to, onStep, pieces)) return undefined;
				set.h = (to - set.t) / 2;
				continue;
			}
			if (ratio < 0.85 && to - set.t > 1e-12 * Math.abs(set.t)) {
				set.h = (to - set.t) * Math.max(0.9 * ratio, 0.05);
				to = set.t + left / Math.max(1, Math.ceil((left / set.h) * (1 - 1e-9)));
				if (!(to > set.t)) break;
				this.#step.expand(set, to);
			}
			const used = to - set.t;
			const slack = 8 * U * (Math.abs(set.t) + Math.abs(to));
			if (!this.#picard.verify(used - slack, used + slack, this.#step.settings.tolerance * 0.01)) {
				why = this.#trouble();
				this.#lastWhy = why;
				if (this.#step.taylor.jumps) {
					if (this.#overJump(set, to, onStep, pieces)) return undefined;
					set.h = used / 2;
					continue;
				}
				if (this.#stiffly(set, to, onStep, pieces)) return undefined;
				set.h = used / 2;
				continue;
			}
			const passed = this.#step.taylor.kink;
			const overCorner = this.#picard.cornerCost(this.#step.settings.tolerance);
			if (halvings < mostHalvings && overCorner > 0 && overCorner < 0.5 * cost) {
				cost = overCorner;
				set.h = used / 2;
				halvings++;
				attempt--;
				continue;
			}
			const tube = this.#step.tube();
			const carried = carry(this.#step, set, to, tube);
			if (!carried) {
				// Slopes have divisions that nobody wrote.
				why = troubleText(this.#step.jumps.trouble) ?? "the remainder could not be enclosed";
				this.#lastWhy = why;
				if (this.#step.jumps.trouble && this.#overJump(set, to, onStep, pieces)) return undefined;
				set.h = used / 2;
				continue;
			}
			if (onStep)
				tellPieces(
					this.#step.space,
					this.#step.symbols,
					{ from: set.t, to, own: tube, whole: carried.tube },
					pieces,
					onStep,
				);
			set.C = carried.C;
			set.R = carried.R;
			set.B = carried.B;
			set.P = carried.P;
			set.t = to;
			set.h = used * Math.min(Math.max(0.9 * Math.min(ratio, 2.5), 1), 2);
			this.steps++;
			if (passed) this.corners++;
			this.#struggled = attempt > 0 && !this.#nearJump;
			set.isStiff = false;
			set.isJumping = false;
			if (!this.#nearJump) set.pace = used;
			return undefined;
		}
		return { t: set.t, why: why || "the steps became too small" };
	}

	/** A short step over a jump whose time is not known, with all between its sides for the equations; whether it was taken. */
	#overJump(set: FlowSet, to: number, onStep: OnStep | undefined, pieces: number): boolean {
		const h = to - set.t;
		this.#nearJump = true;
		set.pace ??= h;
		if (!set.isJumping && h > upToJump * set.pace) return false;
		const slack = 8 * U * (Math.abs(set.t) + Math.abs(to));
		this.#step.expand(set, to);
		const { tolerance } = this.#step.settings;
		if (!this.#picard.verifyInclusion(h - slack, h + slack, tolerance * 0.01, remainderOf(set))) return false;
		this.#step.taylor.decides.forEach((share, v) => {
			if (share < Number.POSITIVE_INFINITY) this.decides[v] += share * h;
		});
		const tube = this.#step.tube();
		if (!tube.every((end) => Math.abs(end) < 1e100)) return false;
		if (onStep)
			tellPieces(
				this.#step.space,
				this.#step.symbols,
				{ from: set.t, to, own: tube, whole: tube },
				pieces,
				onStep,
			);
		const { P, radii: R } = this.#step.ends();
		set.P = P;
		set.C = identity(R.length);
		set.R = R;
		set.B = R.slice();
		set.t = to;
		set.h = Math.min(overJump * h, set.pace);
		set.isJumping = true;
		set.isStiff = false;
		this.steps++;
		this.corners++;
		this.#struggled = false;
		return true;
	}

	/** A step whose length is bounded by a decay alone, taken as a stiff one; whether it was. */
	#stiffly(set: FlowSet, to: number, onStep: OnStep | undefined, pieces: number): boolean {
		const { nStates: n, space } = this.#step;
		const { M, timeOrder } = space;
		const h = to - set.t;
		const decays = h * this.#stiff.decay();
		if (timeOrder < 4 || !(decays > stiffFrom)) return false;
		const { tolerance } = this.#step.settings;
		const slack = 8 * U * (Math.abs(set.t) + Math.abs(to));
		const before = remainderOf(set);
		this.#step.spend(8);
		const found = this.#stiff.attempt(before, h - slack, h + slack, tolerance * 0.01);
		if (!found) return false;
		const { P, radii } = this.#step.ends();
		const end = radii.map((radius, i) => (found.end[i] + radius) * UP);
		let share = 0;
		for (let i = 0; i < n; i++) {
			let size = 1e-3;
			for (let m = 0; m < M; m++) size += Math.abs(P[i * M + m]);
			const added = (end[i] - before[i]) / (coarsest * tolerance * size);
			if (!(added <= 1)) return false;
			share = Math.max(share, added);
		}
		if (onStep) {
			const own = this.#step.box().slice(0, 2 * n);
			const whole = own.map((value, k) => {
				const far = found.over[k >> 1] * UP + Math.abs(value) * 4 * U;
				return k % 2 === 0 ? value - far : value + far;
			});
			tellPieces(this.#step.space, this.#step.symbols, { from: set.t, to, own, whole }, pieces, onStep);
		}
		set.P = P;
		set.C = identity(n);
		set.R = end;
		set.B = end.slice();
		set.t = to;
		set.h = h * Math.min(2, pow(0.5 / (share + 1e-300), 1 / timeOrder));
		this.steps++;
		this.#struggled = decays < stiffWorth;
		set.isStiff = true;
		return true;
	}

	#trouble(): string {
		return troubleText(this.#step.taylor.trouble) ?? "the enclosure of a step could not be proved";
	}
}
