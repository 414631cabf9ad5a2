/**
 * Verified integration by Taylor models [makino2003, berz1998]. A step from the set { P(ζ) + C·r }:
 *
 *   1. the polynomial of the flow from P(ζ), by power series in time, in plain floating point;
 *   2. its remainder: a radius I with z0 + ∫f(P + I) inside P + I, which proves that every solution from P(ζ) is there (section 3.2
 *      of [kletting2011]). It holds for bounded disturbances too, as f may be a set;
 *   3. the remainder of before is carried on by the flow's Jacobian, J in Σ (hA)^k/k! over the tube that is proved to hold
 *      all solutions, and expressed in an orthogonal basis with sorted columns [lohner1987], and as an upright box beside it.
 *
 * The tube of 3 is P's, widened by D: as long as solutions are in it their distance to those from P(ζ) is within
 * |J|·|C|R; where that is strictly below D, none can leave.
 */
import {
	type MidRad,
	magnify,
	midRadMag,
	midRadMultiply,
	midRadOf,
	nearInverse,
	orthogonal,
} from "../../../interval/mid-rad.ts";
import { type TaylorModel, TaylorSpace } from "../../../interval/taylor-model.ts";
import { IntervalEvaluator } from "../../../lower/interval/evaluate-interval.ts";
import { TaylorEvaluator } from "../../../lower/interval/evaluate-taylor.ts";
import { SeriesEvaluator } from "../../../lower/interval/series.ts";
import { identity } from "../../../num/dense.ts";
import { pow } from "../../../num/elementary/number.ts";
import { squared } from "../../../num/whole-power.ts";
import { exponentialBound, flowSeries } from "./flow-jacobian.ts";
import { type FlowSet, remainderOf } from "./flow-set.ts";
import type { FlowSettings, FlowSystem } from "./flow-system.ts";
import { inputStride } from "./input-enclosure.ts";
import { JumpCheck } from "./jump-check.ts";
import { PicardStep } from "./picard-step.ts";
import { type OnStep, tellPieces } from "./step-pieces.ts";
import { StiffStep } from "./stiff-step.ts";
import { costOf } from "./tape-cost.ts";
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
const stiffFrom = 1;
/** with an error of so many times the tolerance, where the remainder is not larger before. */
const coarsest = 20;
/** After a stiff step so many are tried, each half as long, before others. */
const stiffAttempts = 4;
/** Up to a jump steps are halved as often as this, then it is passed by steps that grow again by so much each, as they may end behind it. */
const upToJump = 2 ** -11;
const overJump = 1.25;
/** Right behind a jump there is not much room around a remainder. */
const besideJump = 1.02;
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

export class Flow {
	readonly space: TaylorSpace;
	readonly #series: SeriesEvaluator;
	readonly #taylor: TaylorEvaluator;
	readonly #jacobian: IntervalEvaluator;
	/** The right-hand side itself, where it may jump. */
	readonly #jumps: JumpCheck;
	readonly #symbols: TaylorModel[];
	readonly #arrays: Float64Array[];
	readonly #integral: TaylorModel;
	readonly #picard: PicardStep;
	readonly #stiff: StiffStep;
	/** Products of coefficients for one evaluation of the right-hand side. */
	readonly #cost: number;
	readonly #system: FlowSystem;
	readonly #settings: FlowSettings;
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
		this.#system = system;
		this.#settings = settings;
		this.space = new TaylorSpace(settings.nVars, settings.order, settings.timeOrder);
		this.decides = new Float64Array(settings.nVars);
		this.#series = new SeriesEvaluator(system.rhsTape, this.space);
		this.#taylor = new TaylorEvaluator(system.rhsTape, this.space, this.#series);
		this.#jacobian = new IntervalEvaluator(system.jacobianTape, true);
		this.#jumps = new JumpCheck(system.rhsTape);
		this.#symbols = system.rhsTape.symbols.map(() => this.space.model());
		this.#arrays = this.#symbols.map(({ c }) => c);
		this.#integral = this.space.model();
		const tools = {
			space: this.space,
			nStates: system.nStates,
			outputs: system.rhsTape.outputs,
			series: this.#series,
			taylor: this.#taylor,
			jacobian: this.#jacobian,
			jumps: this.#jumps,
			symbols: this.#symbols,
			known: system.known,
			spend: () => settings.effort.spend(this.#cost),
			box: () => this.#symbolBox(),
		};
		const still = system.nStates + system.paramVariables.length + system.constants.length / 2;
		const isStill = (symbol: number): boolean => symbol >= system.nStates && symbol < still;
		this.#picard = new PicardStep(tools);
		this.#stiff = new StiffStep(tools);
		this.#cost = costOf(system.rhsTape, this.space, isStill) + 100 * system.jacobianTape.instructions.length;
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
			if (this.#settings.effort.isSpent)
				return { t: set.t, why: "the effort that was given is spent", isFinal: true, isSpent: true };
			if (
				count >= most ||
				struggles > patience ||
				crawl > patience ||
				(set.h < least && tEnd - set.t > least) ||
				isHopeless ||
				(isAsking && this.#system.endsSoon?.(set))
			)
				return { t: set.t, why: `the steps became too small${this.#lastWhy ? `: ${this.#lastWhy}` : ""}` };
			const failure = this.#step(set, tEnd, onStep, pieces);
			if (failure) return failure;
			if (set.h < 1e4 * least) crawl++;
			struggles = this.#struggled ? struggles + 1 : 0;
		}
		return undefined;
	}

	#step(set: FlowSet, tEnd: number, onStep: OnStep | undefined, pieces: number): FlowFailure | undefined {
		const n = this.#system.nStates;
		let why = "";
		this.#nearJump = false;
		let halvings = 0;
		let cost = Number.POSITIVE_INFINITY;
		for (let attempt = 0; attempt < 12; attempt++) {
			const left = tEnd - set.t;
			const count = Math.max(1, Math.ceil((left / set.h) * (1 - 1e-9)));
			let to = count === 1 ? tEnd : set.t + left / count;
			if (!(to > set.t)) break;
			const ratio = this.#expand(set, to);
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
				this.#expand(set, to);
			}
			const used = to - set.t;
			const slack = 8 * U * (Math.abs(set.t) + Math.abs(to));
			if (!this.#picard.verify(used - slack, used + slack, this.#settings.tolerance * 0.01)) {
				why = this.#trouble();
				this.#lastWhy = why;
				if (this.#taylor.jumps) {
					if (this.#overJump(set, to, onStep, pieces)) return undefined;
					set.h = used / 2;
					continue;
				}
				if (this.#stiffly(set, to, onStep, pieces)) return undefined;
				set.h = used / 2;
				continue;
			}
			const passed = this.#taylor.kink;
			const overCorner = this.#picard.cornerCost(this.#settings.tolerance);
			if (halvings < mostHalvings && overCorner > 0 && overCorner < 0.5 * cost) {
				cost = overCorner;
				set.h = used / 2;
				halvings++;
				attempt--;
				continue;
			}
			const tube = new Float64Array(2 * n);
			for (let i = 0; i < n; i++) this.space.boundsInto(tube, 2 * i, this.#symbols[i]);
			const carried = this.#carry(set, to, tube);
			if (!carried) {
				// Slopes have divisions that nobody wrote.
				why = troubleText(this.#jumps.trouble) ?? "the remainder could not be enclosed";
				this.#lastWhy = why;
				if (this.#jumps.trouble && this.#overJump(set, to, onStep, pieces)) return undefined;
				set.h = used / 2;
				continue;
			}
			if (onStep)
				tellPieces(
					this.space,
					this.#symbols,
					{ from: set.t, to, own: tube, whole: carried.tube },
					pieces,
					onStep,
				);
			set.C = carried.C;
			set.R = carried.R;
			set.B = carried.B;
			const { M } = this.space;
			for (let i = 0; i < n; i++) set.P.set(carried.ends[i].subarray(0, M), i * M);
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
		const { nStates: n } = this.#system;
		const { M } = this.space;
		const h = to - set.t;
		this.#nearJump = true;
		set.pace ??= h;
		if (!set.isJumping && h > upToJump * set.pace) return false;
		const slack = 8 * U * (Math.abs(set.t) + Math.abs(to));
		this.#expand(set, to);
		const { tolerance } = this.#settings;
		if (!this.#picard.verifyInclusion(h - slack, h + slack, tolerance * 0.01, remainderOf(set))) return false;
		this.#taylor.decides.forEach((share, v) => {
			if (share < Number.POSITIVE_INFINITY) this.decides[v] += share * h;
		});
		const tube = new Float64Array(2 * n);
		for (let i = 0; i < n; i++) this.space.boundsInto(tube, 2 * i, this.#symbols[i]);
		if (!tube.every((end) => Math.abs(end) < 1e100)) return false;
		if (onStep)
			tellPieces(this.space, this.#symbols, { from: set.t, to, own: tube, whole: tube }, pieces, onStep);
		const R = new Float64Array(n);
		for (let i = 0; i < n; i++) {
			this.space.endInto(this.#integral, this.#symbols[i]);
			set.P.set(this.#integral.c.subarray(0, M), i * M);
			R[i] = this.#integral.r;
		}
		set.C = identity(n);
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
		const { nStates: n } = this.#system;
		const { M, timeOrder } = this.space;
		const h = to - set.t;
		if (timeOrder < 4 || !(h * this.#stiff.decay() > stiffFrom)) return false;
		const { tolerance, effort } = this.#settings;
		const slack = 8 * U * (Math.abs(set.t) + Math.abs(to));
		const before = remainderOf(set);
		effort.spend(8 * this.#cost);
		const found = this.#stiff.attempt(before, h - slack, h + slack, tolerance * 0.01);
		if (!found) return false;
		const end = new Float64Array(n);
		const P = new Float64Array(n * M);
		let share = 0;
		for (let i = 0; i < n; i++) {
			this.space.endInto(this.#integral, this.#symbols[i]);
			P.set(this.#integral.c.subarray(0, M), i * M);
			end[i] = (found.end[i] + this.#integral.r) * UP;
			let size = 1e-3;
			for (let m = 0; m < M; m++) size += Math.abs(P[i * M + m]);
			const most = Math.max(before[i], coarsest * tolerance * size);
			if (!(end[i] <= most)) return false;
			share = Math.max(share, end[i] / most);
		}
		if (onStep) {
			const own = this.#symbolBox().slice(0, 2 * n);
			const whole = own.map((value, k) => {
				const far = found.over[k >> 1] * UP + Math.abs(value) * 4 * U;
				return k % 2 === 0 ? value - far : value + far;
			});
			tellPieces(this.space, this.#symbols, { from: set.t, to, own, whole }, pieces, onStep);
		}
		set.P = P;
		set.C = identity(n);
		set.R = end;
		set.B = end.slice();
		set.t = to;
		set.h = h * Math.min(2, pow(0.5 / (share + 1e-300), 1 / timeOrder));
		this.steps++;
		this.#struggled = false;
		set.isStiff = true;
		return true;
	}

	/** The series of the states over the step; returns by which factor the step could be longer. */
	#expand(set: FlowSet, to: number): number {
		const { nStates, nInputs, constants, paramVariables } = this.#system;
		const { M, timeOrder, table } = this.space;
		const h = to - set.t;
		this.#settings.effort.spend(this.#cost);
		const uncertain = 8 * U * (Math.abs(set.t) + Math.abs(to));
		for (const [k, model] of this.#symbols.entries()) {
			model.c.fill(0);
			model.r = 0;
			model.top = k < nStates ? timeOrder : 0;
		}
		for (let i = 0; i < nStates; i++) this.#arrays[i].set(set.P.subarray(i * M, (i + 1) * M));
		let k = nStates;
		for (const v of paramVariables) {
			this.#arrays[k][0] = set.centre[v];
			if (table.order > 0) this.#arrays[k][table.linear[v]] = set.scale[v];
			else this.#symbols[k].r = set.scale[v];
			k++;
		}
		for (let i = 0; 2 * i < constants.length; i++, k++)
			this.space.constantInto(this.#symbols[k], constants[2 * i], constants[2 * i + 1]);
		const over = nInputs > 0 ? this.#system.inputs(set.t, to) : undefined;
		for (let i = 0; i < nInputs; i++, k++) {
			const model = this.#symbols[k];
			model.r = over![inputStride * i + inputStride - 1];
			for (let j = 0; j < inputStride - 1; j++) {
				const c = over![inputStride * i + j];
				if (j <= timeOrder) model.c[j * M] = c;
				else model.r = (model.r + Math.abs(c)) * UP;
				if (c !== 0) model.top = Math.min(j, timeOrder);
			}
		}
		this.#arrays[k][0] = set.t;
		if (timeOrder > 0) this.#arrays[k][M] = h;
		this.#symbols[k].r = uncertain + (timeOrder > 0 ? 0 : h);
		this.#symbols[k].top = Math.min(1, timeOrder);
		for (let j = 0; j <= timeOrder; j++) {
			this.#series.order(j, this.#arrays);
			if (j === timeOrder) break;
			for (let i = 0; i < nStates; i++) {
				const from = this.#series.offset(this.#system.rhsTape.outputs[i]) + j * M;
				const array = this.#arrays[i];
				for (let m = 0; m < M; m++) array[(j + 1) * M + m] = (h / (j + 1)) * this.#series.values[from + m];
			}
		}
		return this.#longer();
	}

	/** From the size of the last two coefficients. */
	#longer(): number {
		const { M, timeOrder } = this.space;
		if (timeOrder < 2) return 1;
		let ratio = 4;
		for (let i = 0; i < this.#system.nStates; i++) {
			const c = this.#arrays[i];
			let size = 1e-3;
			for (let m = 0; m < M; m++) size += Math.abs(c[m]);
			for (const k of [timeOrder - 1, timeOrder]) {
				let last = 0;
				for (let m = 0; m < M; m++) last += Math.abs(c[k * M + m]);
				if (Number.isNaN(last)) return 0.1;
				ratio = Math.min(ratio, pow((this.#settings.tolerance * size) / last, 1 / k));
			}
		}
		return ratio;
	}

	#carry(set: FlowSet, to: number, tube: Float64Array) {
		const n = this.#system.nStates;
		const ends: Float64Array[] = [];
		const own = new Float64Array(n);
		for (let i = 0; i < n; i++) {
			this.space.endInto(this.#integral, this.#symbols[i]);
			ends.push(this.#integral.c.slice(0, this.space.M));
			own[i] = this.#integral.r;
		}
		const before = remainderOf(set);
		if (before.every((value) => value === 0)) {
			const C = identity(n);
			return { C, R: own, B: own.slice(), ends, tube };
		}
		const J = this.#flowJacobian(set, to, before, tube);
		if (!J) return undefined;
		const JC = midRadMultiply(J.J, { mid: set.C, rad: new Float64Array(n * n) }, n, n, n);
		const weight = (j: number): number => {
			let sum = 0;
			for (let i = 0; i < n; i++) sum += squared(JC.mid[i * n + j]);
			return Math.sqrt(sum) * set.R[j];
		};
		const order = Array.from({ length: n }, (_, j) => j).sort((a, b) => weight(b) - weight(a) || a - b);
		const Q = orthogonal(JC.mid, n, order);
		const inverse = nearInverse(Q, n);
		if (!inverse) return undefined;
		const transport = midRadMag(midRadMultiply(inverse, JC, n, n, n));
		const carried = magnify(transport, set.R);
		const added = magnify(midRadMag(inverse), own);
		const B = magnify(midRadMag(J.J), before).map((value, i) => (value + own[i]) * UP);
		const upright = magnify(midRadMag(inverse), B);
		const R = carried.map((value, i) => Math.min((value + added[i]) * UP, upright[i]));
		if (!R.every((value) => value < 1e100)) return undefined;
		return { C: Q, R, B, ends, tube: J.tube };
	}

	/** Every Jacobian of the flow over the step, from points of the set. */
	#flowJacobian(
		set: FlowSet,
		to: number,
		before: Float64Array,
		tube: Float64Array,
	): { J: MidRad; tube: Float64Array } | undefined {
		const n = this.#system.nStates;
		const h = (to - set.t) * UP + 16 * U * (Math.abs(set.t) + Math.abs(to));
		const box = this.#symbolBox();
		const bounds = new Float64Array(2 * n * n);
		let D = before.map((value) => 2 * value + 1e-290);
		for (let round = 0; round < 6; round++) {
			const wide = tube.slice();
			for (let i = 0; i < n; i++) {
				wide[2 * i] = tube[2 * i] - D[i] - Math.abs(tube[2 * i]) * 4 * U - D[i] * 4 * U;
				wide[2 * i + 1] = tube[2 * i + 1] + D[i] + Math.abs(tube[2 * i + 1]) * 4 * U + D[i] * 4 * U;
			}
			box.set(wide, 0);
			// P alone was seen to be free of jumps; the sets around it have to be, too.
			if (!this.#jumps.none(box)) {
				if (round > 0) return undefined;
				D = before.map((value) => besideJump * value + 1e-290);
				continue;
			}
			if (!this.#jacobian.evaluate(box, bounds)) return undefined;
			const A = midRadOf(bounds);
			const growth = exponentialBound(midRadMag(A), n, h);
			if (!growth) return undefined;
			const deviation = magnify(growth, before);
			if (deviation.every((value, i) => value < D[i])) {
				return { J: flowSeries(A, growth, n, to - set.t, h), tube: wide };
			}
			D = deviation.map((value, i) => Math.max(2 * D[i], 1.5 * value));
		}
		return undefined;
	}

	/** Bounds of all symbols over the step. */
	#symbolBox(): Float64Array {
		const box = new Float64Array(2 * this.#symbols.length);
		for (const [k, model] of this.#symbols.entries()) this.space.boundsInto(box, 2 * k, model);
		const { known } = this.#system;
		if (known)
			for (let i = 0; i < box.length; i += 2) {
				box[i] = Math.max(box[i], known[i]);
				box[i + 1] = Math.min(box[i + 1], known[i + 1]);
			}
		return box;
	}

	#trouble(): string {
		return troubleText(this.#taylor.trouble) ?? "the enclosure of a step could not be proved";
	}
}
