/**
 * Sivia with prediction by Müller's brackets (sections 4.1 and 4.2 of [kletting2011]): each box of unknowns is followed through the
 * records on its own. With sensitivities, which are bracketed in the same way, boxes are contracted as well:
 * y(v) is in y(v̂) + Σ_j ∂y/∂v_j ([v_j] - v̂_j), to be in the bar of the datum. (Eq. (7) of the paper lacks the sum over
 * states; the inclusion of 4.2.2 is a constraint.)
 */

import { type Interval, interval } from "../../../interval/interval.ts";
import { add, div, mul, sub } from "../../../interval/operations.ts";
import { gain } from "../constraint/contract.ts";
import type { Instant } from "../constraint/output-constraints.ts";
import type { Effort } from "../flow/effort.ts";
import type { ExperimentFlow } from "../flow/experiment-flow.ts";
import type { FlowFailure } from "../flow/flow.ts";
import type { Death } from "../pass.ts";
import type { GuaranteedUnknown } from "../unknowns.ts";
import { BracketedExperiment, barOf } from "./bracketed-experiment.ts";
import { halvesOf } from "./sivia.ts";

/** What of the effort goes into sorting boxes; the rest is for following what is left. */
const shareOfPaving = 0.7;
/** So many boxes on which the equations are undefined are cut. */
const mostUndefined = 16;

export interface MuellerOptions {
	readonly sensitivities: boolean;
	/** Widest side of a box that is not cut any more. */
	readonly small: Float64Array;
	readonly limit: number;
	readonly timeOrder: number;
	readonly tolerance: number;
	readonly effort: Effort;
}

export interface Removed extends Death {
	readonly box: Float64Array;
	/** Something was left of it. */
	readonly narrowed: boolean;
}

export class MuellerPaving {
	readonly inner: Float64Array[] = [];
	readonly outer: Float64Array[] = [];
	/** Boxes of which a part, or all, was ruled out by the data up to an instant. */
	readonly removed: Removed[] = [];
	tried = 0;
	exhausted = false;
	/** Boxes on which the equations are undefined, so far. */
	#undefined = 0;
	/** Whether to cut the box just tried is no use. */
	#hopeless = false;
	readonly #queue: Float64Array[];
	readonly #plain: readonly BracketedExperiment[];
	readonly #sensitive: readonly BracketedExperiment[];

	constructor(
		readonly flows: readonly ExperimentFlow[],
		readonly unknowns: readonly GuaranteedUnknown[],
		start: Float64Array,
		plain: readonly BracketedExperiment[],
		readonly options: MuellerOptions,
	) {
		const { sensitivities } = options;
		this.#queue = [start.slice()];
		this.#plain = plain;
		this.#sensitive = sensitivities ? flows.map((flow) => new BracketedExperiment(flow, true, options)) : [];
	}

	get done(): boolean {
		return this.#queue.length === 0;
	}

	/** Still to be sorted. */
	get waiting(): readonly Float64Array[] {
		return this.#queue;
	}

	advance(count: number): void {
		for (let i = 0; i < count && !this.done; i++) {
			const box = this.#queue.shift()!;
			if (this.tried >= this.options.limit || this.options.effort.share > shareOfPaving) {
				this.exhausted = true;
				this.outer.push(box);
			} else this.#one(box);
		}
	}

	#one(box: Float64Array): void {
		let all = false;
		for (let round = 0; round < 6; round++) {
			this.tried++;
			const before = box.slice();
			this.#last = undefined;
			this.#hopeless = false;
			const verdict = this.#sensitive.length > 0 ? this.#contract(box) : this.#test(box);
			if (this.#last)
				this.removed.push({ box: before, narrowed: verdict !== "outside", ...(this.#last as Death) });
			if (verdict === "outside") return;
			all = verdict === "inside";
			if (all || !(gain(before, box) > 0.05)) break;
		}
		if (all) {
			this.inner.push(box);
			return;
		}
		const halves = this.#hopeless ? undefined : halvesOf(box, this.options.small);
		if (halves) this.#queue.push(...halves);
		else this.outer.push(box);
	}

	/** Where a datum last took something from the box. */
	#last: Death | undefined;

	#test(box: Float64Array): "inside" | "outside" | "unknown" {
		let inside = true;
		for (const [e, bracketed] of this.#plain.entries()) {
			const states = bracketed.start(box);
			if (!states) return "unknown";
			let t = this.flows[e].experiment.times[0];
			for (const instant of this.flows[e].instants) {
				const failure = bracketed.advance(states, box, t, instant.t);
				if (failure) return this.#stopped(failure);
				t = instant.t;
				const verdict = this.#compare(bracketed.outputs(states, box, t)?.bounds, instant, e);
				if (verdict === "outside") return "outside";
				if (verdict === "unknown") inside = false;
			}
		}
		return inside ? "inside" : "unknown";
	}

	/** A box that could not be followed is cut, unless no unknown has to do with that, or it went so for many. */
	#stopped({ undefinedThere, isFinal }: FlowFailure): "unknown" {
		if (undefinedThere) this.#undefined++;
		this.#hopeless = isFinal === true || (undefinedThere === true && this.#undefined > mostUndefined);
		return "unknown";
	}

	/** Outputs against the bars of an instant. */
	#compare(out: Float64Array | undefined, { t, data }: Instant, e: number): "inside" | "outside" | "unknown" {
		if (!out) return "unknown";
		let inside = true;
		for (const { measure, y } of data) {
			const { lo, hi, innerLo, innerHi } = barOf(out, measure, y);
			const least = out[4 * measure];
			const most = out[4 * measure + 1];
			if (most < lo || least > hi) {
				this.#last = this.#place(t, measure, e);
				return "outside";
			}
			if (!(least >= innerLo && most <= innerHi)) inside = false;
		}
		return inside ? "inside" : "unknown";
	}

	#place(t: number, measure: number, experiment: number): Death {
		return { t, output: this.flows[experiment].system.model.measures[measure].name, experiment };
	}

	/** The contractor of section 4.2.2, at each datum in turn. */
	#contract(box: Float64Array): "inside" | "outside" | "unknown" {
		let inside = true;
		const start = box.slice();
		const middle = Float64Array.from(box, (_, k) => box[k - (k % 2)] / 2 + box[k - (k % 2) + 1] / 2);
		for (const [e, bracketed] of this.#sensitive.entries()) {
			const nominal = this.#plain[e];
			const states = bracketed.start(start);
			const point = nominal.start(middle);
			if (!states || !point) return "unknown";
			let t = this.flows[e].experiment.times[0];
			for (const instant of this.flows[e].instants) {
				const failure =
					bracketed.advance(states, start, t, instant.t) ?? nominal.advance(point, middle, t, instant.t);
				if (failure) return this.#stopped(failure);
				t = instant.t;
				const out = bracketed.outputs(states, start, t);
				const verdict = this.#compare(out?.bounds, instant, e);
				if (verdict === "outside") return "outside";
				if (verdict === "unknown") inside = false;
				const at = nominal.outputs(point, middle, t);
				if (out && at && !out.jump && verdict === "unknown") {
					const nMeasures = this.flows[e].system.model.measures.length;
					for (const { measure, y } of instant.data) {
						const before = box.slice();
						if (!narrow(box, middle, bracketed.by, out.bounds, at.bounds, measure, nMeasures, y)) {
							this.#last = this.#place(t, measure, e);
							return "outside";
						}
						if (box.some((value, k) => value !== before[k])) this.#last = this.#place(t, measure, e);
					}
				}
			}
		}
		return inside ? "inside" : "unknown";
	}
}

/** Narrows each unknown by one datum; false when nothing is left. */
function narrow(
	box: Float64Array,
	middle: Float64Array,
	by: Int32Array,
	out: Float64Array,
	at: Float64Array,
	measure: number,
	nMeasures: number,
	y: number,
): boolean {
	const { lo, hi } = barOf(out, measure, y);
	const slope = (k: number): Interval => {
		const o = 2 * (2 * nMeasures + k * nMeasures + measure);
		return interval(out[o], out[o + 1]);
	};
	const from = (v: number): Interval => sub(interval(box[2 * v], box[2 * v + 1]), interval(middle[2 * v]));
	const rest = sub(interval(lo, hi), interval(at[4 * measure], at[4 * measure + 1]));
	for (let k = 0; k < by.length; k++) {
		const own = slope(k);
		if (!(own.lo > 0 || own.hi < 0)) continue;
		let sum = rest;
		for (let j = 0; j < by.length; j++) if (j !== k) sum = sub(sum, mul(slope(j), from(by[j])));
		const { lo: least, hi: most } = add(div(sum, own), interval(middle[2 * by[k]]));
		box[2 * by[k]] = Math.max(box[2 * by[k]], least);
		box[2 * by[k] + 1] = Math.min(box[2 * by[k] + 1], most);
		if (!(box[2 * by[k]] <= box[2 * by[k] + 1])) return false;
	}
	return true;
}
