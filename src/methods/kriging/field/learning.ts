/**
 * Learning the unknown functions, pass by pass:
 *
 *   derivatives   from the derivatives of step 1, with their errors (the paper's step 2)
 *   joint         again, with the errors of the arguments, by the gradients just learned
 *   trajectory    Gauss–Newton on the measured trajectories, until it stands still
 *
 * A pass takes functions, parameters and first states to new ones; it depends on nothing else, so a run can be taken up
 * again after any of them.
 */

import { squared } from "../../../num/whole-power.ts";
import type { Dynamics } from "../dynamics.ts";
import { cutsOf, segmentsAt, shortest, transitionsOf } from "../simulate/segments.ts";
import { type SmoothedRecord, smoothedState } from "../time/smoothed-record.ts";
import { CondensedData } from "./condensed-data.ts";
import { derivativeData } from "./derivative-data.ts";
import { FieldDesign, type FieldFunction, type Site } from "./field-design.ts";
import { checkCount, fieldFunctions } from "./field-functions.ts";
import { estimateFieldHyper, type FieldData, type FieldFit } from "./field-hyper.ts";
import { condensedFlow, type FlowData, flowData, type Segment } from "./flow-data.ts";
import type { KernelSum } from "./kernel-sum.ts";
import { LearnedField } from "./learned-field.ts";
import type { LearnedRecords } from "./learned-records.ts";
import type { Criterion } from "./likelihood.ts";

export type PassKind = "derivatives" | "joint" | "trajectory";

export interface LearningOptions {
	readonly field: string;
	readonly criterion: Criterion;
	readonly errors: PassKind;
}

/** What a pass starts from. */
export interface Present {
	readonly functions: readonly KernelSum[];
	readonly params: Float64Array;
	/** Sample times in a segment, at most, and where segments start in each record; none before the first trajectory. */
	readonly longest: number;
	readonly cuts: readonly (readonly number[])[];
	/** First state of each segment. */
	readonly starts: readonly Float64Array[];
	/** How far towards the data the next trajectory pass goes. */
	readonly step: number;
}

export interface Pass {
	readonly kind: PassKind;
	readonly before: Present;
	readonly fit: FieldFit;
	readonly field: LearnedField;
	/** Single observations of the functions, or some of very many (passes over derivatives). */
	readonly seen?: FieldData;
	readonly flow?: FlowData;
	/** Root mean square of the residuals of `before`, in units of the noise (trajectory passes). */
	readonly rms: number;
}

/** Most trajectory passes, and the change of the misfit at which they stop. */
const mostTrajectories = 12;
const standstill = 1e-3;
/** A step towards the data that is still too long leads nowhere; after each that was not, the next is twice as long. */
const shortestStep = 1 / 16;
/** Gain in log-likelihood for which shorter lengths are taken up. */
const worthIt = 6;

export class Learning {
	/** The functions turn so often that shorter lengths are needed. */
	isFine = false;
	passes: Pass[] = [];
	#nodes: readonly Site[] | undefined;
	readonly #functions: readonly FieldFunction[];
	readonly #fine: readonly FieldFunction[];
	/** Why the trajectory passes were given up, if they were. */
	givenUp: string | undefined;
	/** Longer segments were tried, and lost. */
	isLongest = false;

	constructor(
		readonly dynamics: Dynamics,
		readonly records: LearnedRecords,
		readonly params: Float64Array,
		readonly options: LearningOptions,
		/** The noise is the model's to find. */
		readonly noiseIsOpen: boolean,
	) {
		this.#functions = fieldFunctions(dynamics, records.instants, params, options.field);
		this.#fine = fieldFunctions(dynamics, records.instants, params, "fine");
	}

	/** Where functions are seen, spread out; the same for all passes. */
	get nodes(): readonly Site[] {
		this.#nodes ??= this.records.nodes(this.functions, this.params);
		return this.#nodes;
	}

	get functions(): readonly FieldFunction[] {
		return this.isFine ? this.#fine : this.#functions;
	}

	/** A function with so many hyperparameters. */
	functionWith(fn: number, nHyper: number): FieldFunction {
		const own = this.#functions[fn];
		return own.covariance.hyperNames.length === nHyper ? own : this.#fine[fn];
	}

	/** The last pass that holds. */
	get last(): Pass {
		const { passes } = this;
		const kind = this.givenUp === undefined ? undefined : "trajectory";
		return passes.findLast((pass) => pass.kind !== kind) ?? passes[passes.length - 1];
	}

	get present(): Present {
		const pass = this.passes[this.passes.length - 1];
		if (!pass)
			return {
				functions: [],
				params: this.params,
				longest: this.records.longest,
				cuts: [],
				starts: [],
				step: 1,
			};
		return after(pass, this.dynamics);
	}

	/** Stretches of the records that the last pass followed. */
	get segments(): readonly Segment[] {
		const { kind, before } = this.last;
		return kind === "trajectory" && !this.records.isCut ? segmentsAt(this.records.whole, before.cuts) : [];
	}

	/** How many the last pass learned from, before they were condensed. */
	get observations(): number {
		const { flow, field } = this.last;
		return flow?.residual.length ?? (this.records.isMany ? this.records.count : field.data.y.length);
	}

	/** One pass, in pieces that are short; false when there is nothing more to do. */
	*advance(): Generator<void, boolean> {
		const kind = this.next();
		if (!kind) return false;
		if (kind === "trajectory") yield* this.#trajectory();
		else this.passes.push(yield* this.derivativePass(kind, this.present));
		return this.next() !== undefined;
	}

	next(): PassKind | undefined {
		const { errors } = this.options;
		const kinds = this.passes.map(({ kind }) => kind);
		if (kinds.length === 0) return "derivatives";
		if (errors === "derivatives") return undefined;
		if (kinds.length === 1) return "joint";
		if (errors === "joint" || this.givenUp !== undefined) return undefined;
		return this.#standsStill && (this.isLongest || this.present.longest >= this.records.longest)
			? undefined
			: "trajectory";
	}

	/** With segments of the present length nothing changes any more, or too many passes were made. */
	get #standsStill(): boolean {
		const { longest } = this.present;
		const flows = this.passes.filter(
			({ kind, before }) => kind === "trajectory" && before.longest === longest,
		);
		const [a, b] = flows.slice(-2);
		const still = b && Math.abs(a.rms - b.rms) < standstill * b.rms && b.before.step === 1;
		return still || flows.length >= mostTrajectories;
	}

	*derivativePass(kind: "derivatives" | "joint", before: Present, fit?: FieldFit): Generator<void, Pass> {
		const { dynamics, options, records } = this;
		// Those of the pass before: one that is taken up again may be the one that went on to shorter lengths.
		const from = before.functions.length > 0 ? before.functions.map(({ fn }) => fn) : this.functions;
		const observed = (own: readonly SmoothedRecord[]): FieldData =>
			derivativeData({
				dynamics,
				records: own,
				functions: from,
				params: before.params,
				current: before.functions.length > 0 ? before.functions : undefined,
				pass:
					kind === "joint"
						? { kind: "joint", functions: before.functions }
						: { kind: options.errors === "derivatives" ? "independent" : "derivatives" },
			});
		const seen = observed(records.sparse);
		const design = new FieldDesign(from, before.params.length);
		let data = seen;
		if (records.isMany) {
			const all = new CondensedData(from, this.nodes, design.nFree);
			for (const part of records.parts()) {
				yield;
				all.add(observed([part]));
			}
			({ data } = all);
		}
		checkCount(design, data.y.length);
		let found = fit ?? (yield* estimateFieldHyper(design, data, { criterion: this.criterion }));
		if (!fit && options.field === "smooth" && kind !== "derivatives" && !this.isFine) {
			const finer = yield* this.#finer(data, found);
			if (finer.value < found.value - worthIt) {
				found = finer;
				this.isFine = true;
			}
		}
		const own = new FieldDesign(this.functions, before.params.length);
		const field = new LearnedField(own, data, found.hyper);
		return { kind, before, fit: found, field, seen, rms: Number.NaN };
	}

	/** The same data with shorter lengths as well, from what was found without them. */
	*#finer(data: FieldData, { hyper }: FieldFit): Generator<void, FieldFit> {
		const nEach = this.#functions.map(({ covariance }) => covariance.hyperNames.length);
		let start = 0;
		const from = this.#fine.flatMap(({ covariance }, fn) => {
			const own = hyper.slice(start, start + nEach[fn]);
			start += nEach[fn];
			const more = covariance.hyperNames.length - nEach[fn];
			return [...new Array<number>(more).fill(own[0]), ...own];
		});
		const design = new FieldDesign(this.#fine, this.params.length);
		return yield* estimateFieldHyper(design, data, {
			criterion: this.criterion,
			from: Float64Array.from(from),
		});
	}

	/** The paths that the present functions give, beside the samples. */
	*follow(before: Present): Generator<void, FlowData> {
		const { dynamics, functions } = this;
		const segments = segmentsAt(this.records.whole, before.cuts);
		const { starts } = before;
		const spec = {
			dynamics,
			functions: before.functions,
			designs: functions,
			params: before.params,
			noise: dynamics.layout.tracks.map(() => 1),
			step: before.step,
		};
		if (!this.records.isCut) return yield* flowData({ ...spec, segments, starts });
		return yield* condensedFlow({ ...spec, segments, starts }, this.nodes);
	}

	*trajectoryPass(before: Present, flow: FlowData, fit?: FieldFit): Generator<void, Pass> {
		const { dynamics, functions } = this;
		const nStarts = this.records.isCut ? 0 : before.starts.length;
		const design = new FieldDesign(functions, dynamics.nParams + dynamics.n * nStarts);
		checkCount(design, flow.data.y.length);
		const earlier = this.passes.filter(({ kind }) => kind === "trajectory");
		const found =
			fit ??
			(yield* estimateFieldHyper(design, flow.data, {
				criterion: this.criterion,
				from: earlier.length > 1 ? earlier[earlier.length - 1].fit.hyper : undefined,
				// What is condensed tells of the functions, no longer of the noise: that is from step 1.
				noise: this.noiseIsOpen && !this.records.isCut ? { lo: 0.2, hi: 5 } : undefined,
			}));
		const noise = flow.data.noise.map((value) => value * squared(found.noiseFactor));
		const field = new LearnedField(design, { ...flow.data, noise }, found.hyper);
		return { kind: "trajectory", before, fit: found, field, flow, rms: flow.rms };
	}

	/** The first trajectories: from end to end, or in pieces so short that they stay near the samples. */
	*#begin(): Generator<void, void> {
		const { dynamics } = this;
		const { whole } = this.records;
		const { functions, params } = this.present;
		const transitions = yield* transitionsOf(dynamics, whole, functions, params);
		for (let longest = this.records.longest; ; longest = Math.max(Math.ceil(longest / 2), shortest)) {
			const cuts = cutsOf(transitions, longest);
			const starts = cuts.flatMap((own, r) => own.map((i) => smoothedState(dynamics, whole[r], i)));
			const before: Present = { functions, params, longest, cuts, starts, step: 1 };
			const flow = yield* this.follow(before);
			if (!flow.lost && flow.residual.length > dynamics.n * starts.length * 2) {
				this.passes.push(yield* this.trajectoryPass(before, flow));
				return;
			}
			if (longest <= shortest) break;
		}
		this.givenUp = "the field learned from derivatives cannot be followed along the record";
	}

	/** Longer segments, from the states that the last paths pass through. */
	*#lengthen(previous: Pass): Generator<void, void> {
		const { dynamics, present } = this;
		const { whole } = this.records;
		const longest = Math.min(4 * present.longest, this.records.longest);
		const transitions = yield* transitionsOf(dynamics, whole, present.functions, present.params);
		const cuts = cutsOf(transitions, longest);
		const old = segmentsAt(whole, previous.before.cuts);
		const starts = cuts.flatMap((own, r) =>
			own.map((i) => {
				const g = old.findLastIndex(({ record, from }) => record === whole[r].record && from <= i);
				if (i === old[g].from) return present.starts[g];
				// Paths of very many pieces are not kept.
				if (this.records.isCut) return smoothedState(dynamics, whole[r], i);
				const { x, at, n } = previous.flow!.paths[g];
				const k = at[i - old[g].from];
				return x.slice(k * n, (k + 1) * n);
			}),
		);
		const before: Present = { ...present, longest, cuts, starts, step: 1 };
		const flow = yield* this.follow(before);
		if (flow.lost) this.isLongest = true;
		else this.passes.push(yield* this.trajectoryPass(before, flow));
	}

	get criterion(): Criterion {
		// A generalised covariance has no likelihood of its own, only one of contrasts.
		return this.options.field === "generalized" ? "reml" : this.options.criterion;
	}

	*#trajectory(): Generator<void, void> {
		const previous = this.passes.findLast(({ kind }) => kind === "trajectory");
		if (!previous) {
			yield* this.#begin();
			return;
		}
		if (this.#standsStill) {
			yield* this.#lengthen(previous);
			return;
		}
		const before = this.present;
		const flow = yield* this.follow(before);
		if (!flow.broken && flow.rms < 1.2 * Math.max(previous.rms, 1)) {
			this.passes.push(yield* this.trajectoryPass(before, flow));
			return;
		}
		// Too far: the pass before is repeated with half the step.
		const half = { ...previous.before, step: previous.before.step / 2 };
		if (half.step < shortestStep) {
			this.givenUp = "fits to the trajectories grew worse";
			return;
		}
		this.passes.pop();
		this.passes.push(yield* this.trajectoryPass(half, yield* this.follow(half)));
	}
}

/** Functions, parameters and first states as a pass left them. */
export function after({ field, before, kind, flow }: Pass, { nParams, n }: Dynamics): Present {
	const { free } = field;
	const starts =
		flow?.starts ?? before.starts.map((_, g) => free.slice(nParams + g * n, nParams + (g + 1) * n));
	return {
		functions: field.functions,
		params: free.slice(0, nParams),
		longest: before.longest,
		cuts: before.cuts,
		starts: kind === "trajectory" ? starts : [],
		step: Math.min(1, 2 * before.step),
	};
}
