/** One experiment as a flow of sets: where it starts for a box of unknowns, how it goes on, what its outputs are. */
import type { Experiment } from "../../../data/experiment.ts";
import { InputError } from "../../../errors.ts";
import type { Interval } from "../../../interval/interval.ts";
import { type Monomials, monomials } from "../../../interval/monomials.ts";
import { shiftPolynomial } from "../../../interval/polynomial-shift.ts";
import { type TaylorModel, TaylorSpace } from "../../../interval/taylor-model.ts";
import { TaylorEvaluator } from "../../../lower/interval/evaluate-taylor.ts";
import { SeriesEvaluator } from "../../../lower/interval/series.ts";
import type { Node } from "../../../model/graph.ts";
import { identity } from "../../../num/dense.ts";
import { outDown, outUp } from "../constraint/bar.ts";
import type { Constraint } from "../constraint/constraint.ts";
import { type Instant, OutputConstraints } from "../constraint/output-constraints.ts";
import { PolynomialRange } from "../constraint/polynomial-range.ts";
import { StateCorrection } from "../constraint/state-correction.ts";
import { type GuaranteedSystem, readOutward, readTime } from "../system.ts";
import type { GuaranteedUnknown } from "../unknowns.ts";
import { type Effort, endless } from "./effort.ts";
import { Ending } from "./ending.ts";
import { Flow, type FlowFailure } from "./flow.ts";
import { copyOf, eitherOf, type FlowSet, remainderOf, widenRemainder } from "./flow-set.ts";
import { forgetUnknown, hasOutgrown } from "./forget.ts";
import { EnclosedInput, inputBounds, inputStride } from "./input-enclosure.ts";
import { Leap } from "./leap.ts";
import type { OnStep } from "./step-pieces.ts";
import { type Clock, clockSwitches, type SwitchingTime, switchingTimes } from "./switching-times.ts";
import { costOf } from "./tape-cost.ts";
import { type Happening, happenings } from "./timed-events.ts";

const U = 2 ** -53;
/** Products that it takes to make symbols and bars for outputs, about. */
const ofOutputs = 1000;

export interface FlowOptions {
	readonly order: number;
	readonly timeOrder: number;
	readonly tolerance: number;
	/** Without end where none is given. */
	readonly spending?: Effort;
	/** Nothing was measured: every time of the record is an instant. */
	readonly isFree?: boolean;
}

export class ExperimentFlow {
	readonly table: Monomials;
	readonly instants: readonly Instant[];
	/** Unknowns of this experiment, by their position among all. */
	readonly variables: Int32Array;
	readonly flow: Flow;
	/** Times that integration steps onto: knots of inputs, and both ends of each switching time. */
	readonly stops: Float64Array;
	/** Expressions that switch at these times. */
	readonly clockSwitches: readonly Node[];
	/** How data narrow states. */
	readonly correction: StateCorrection;
	/** Why it ends early, if so. */
	readonly ending: Ending;
	readonly #inputs: readonly EnclosedInput[];
	/** Where inputs have corners or jump. */
	readonly #knots: Float64Array;
	readonly #switches: readonly SwitchingTime[];
	/** Events, each at a time that is known. */
	readonly #happenings: readonly Happening[];
	readonly #resets: readonly TaylorEvaluator[];
	readonly #resetSeries: readonly SeriesEvaluator[];
	readonly #leaping: Leap;
	readonly #space: TaylorSpace;
	readonly #outputs: OutputConstraints;
	readonly #spending: Effort;
	/** Products for one evaluation of the outputs. */
	readonly #outputCost: number;
	readonly #range: PolynomialRange;
	readonly #initialSeries: SeriesEvaluator;
	readonly #initials: TaylorEvaluator;
	readonly #symbols: TaylorModel[];
	/** Bounds of conditions and rates of drift, stride 2. */
	readonly constants: Float64Array;
	/** What holds of all symbols whatever happens, stride 2: constant parameters are in their sets. */
	readonly #known: Float64Array;

	constructor(
		readonly system: GuaranteedSystem,
		readonly experiment: Experiment,
		readonly index: number,
		readonly unknowns: readonly GuaranteedUnknown[],
		options: FlowOptions,
	) {
		this.#inputs = system.inputs.map((name) => new EnclosedInput(name, experiment));
		this.variables = Int32Array.from(
			unknowns.flatMap((unknown, i) => (unknown.kind === "param" || unknown.experiment === index ? [i] : [])),
		);
		const nVars = this.variables.length;
		this.table = monomials(nVars, options.order);
		this.instants = options.isFree
			? Array.from(experiment.times, (t) => ({ t, data: [] }))
			: instantsOf(system, experiment);
		this.constants = Float64Array.from([
			...system.model.conditions.flatMap(({ name }) => {
				const value = experiment.conditions[name];
				if (!Number.isFinite(value))
					throw new InputError(
						`condition ${name} of ${experiment.name}`,
						`is ${value}`,
						`Give it a number under  conditions:  of the record.`,
					);
				const { lo, hi } = readOutward(value);
				return [lo, hi];
			}),
			...system.rates.flatMap(({ lo, hi }) => [lo, hi]),
		]);
		this.#known = Float64Array.from({ length: 2 * system.symbols.length }, (_, i) =>
			i % 2 === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
		);
		for (const { kind, name, prior } of unknowns)
			if (kind === "param") this.#known.set([prior.lo, prior.hi], 2 * system.symbols.indexOf(name));
		this.#spending = options.spending ?? endless();
		this.flow = new Flow(
			{
				nStates: system.nStates,
				rhsTape: system.rhsTape,
				jacobianTape: system.jacobianTape,
				paramVariables: system.params.map((_, i) => i),
				constants: this.constants,
				nInputs: system.inputs.length,
				known: this.#known,
				inputs: (from, to) => this.inputsOver(from, to),
				endsSoon: (set) => this.ending.isNear(this.symbolBounds(set, set.t), 0.01),
			},
			{ nVars, ...options, effort: this.#spending },
		);
		const knots = system.inputs.flatMap((name) => [...experiment.inputs.get(name)!.knots]);
		this.#knots = Float64Array.from(new Set(knots)).sort();
		this.clockSwitches = clockSwitches(system);
		const clock = this.#clock(this.#knots);
		const switches = switchingTimes(system, this.clockSwitches, clock);
		if (!switches) this.clockSwitches = [];
		this.#switches = switches ?? [];
		this.#happenings = happenings(system, clock, this.#switches);
		this.stops = Float64Array.from(
			new Set([...knots, ...[...this.#switches, ...this.#happenings].flatMap(({ lo, hi }) => [lo, hi])]),
		).sort();
		this.#leaping = new Leap(system.rhsTape);
		this.#space = new TaylorSpace(nVars, options.order, 0);
		this.#outputs = new OutputConstraints(system, this.#space);
		this.#outputCost = ofOutputs + costOf(system.outputTape, this.#space, () => false);
		this.#range = new PolynomialRange(this.#space, this.table);
		this.#resetSeries = system.resetTapes.map((tape) => new SeriesEvaluator(tape, this.#space));
		this.#resets = system.resetTapes.map(
			(tape, k) => new TaylorEvaluator(tape, this.#space, this.#resetSeries[k]),
		);
		this.#initialSeries = new SeriesEvaluator(system.initialTape, this.#space);
		this.#initials = new TaylorEvaluator(system.initialTape, this.#space, this.#initialSeries);
		this.#symbols = system.symbols.map(() => this.#space.model());
		this.correction = new StateCorrection(this);
		this.ending = new Ending(this);
	}

	/** The set at the first instant, for a box of all unknowns. */
	start(box: Float64Array): FlowSet {
		const { nStates } = this.system;
		const { M } = this.#space;
		const t = this.experiment.times[0];
		const nVars = this.variables.length;
		const set: FlowSet = {
			t,
			P: new Float64Array(nStates * M),
			C: new Float64Array(nStates * nStates),
			R: new Float64Array(nStates),
			B: new Float64Array(nStates),
			centre: new Float64Array(nVars),
			scale: new Float64Array(nVars),
			h: Math.max((this.#end() - t) / 16, 1e-9),
		};
		this.#frame(set, box);
		this.#load(set, t);
		this.#initialSeries.order(
			0,
			this.#symbols.map(({ c }) => c),
		);
		if (!this.#initials.evaluate(this.#symbols, 1e-14, this.#known)) {
			const { why, advice } = this.ending.ofInitial(this.symbolBounds(set, t));
			throw new InputError(
				"initial state",
				`is not defined for all parameters of their sets: ${why}`,
				advice,
			);
		}
		for (let i = 0; i < nStates; i++) {
			const model = this.#initials.output(i);
			set.P.set(model.c.subarray(0, M), i * M);
			set.R[i] = model.r;
			set.C[i * nStates + i] = 1;
		}
		this.variables.forEach((which, v) => {
			const { kind, component } = this.unknowns[which];
			if (kind !== "initial") return;
			set.P.fill(0, component * M, (component + 1) * M);
			set.P[component * M] = set.centre[v];
			if (this.table.order > 0) set.P[component * M + 1 + v] = set.scale[v];
			set.R[component] = this.table.order > 0 ? 0 : set.scale[v];
		});
		set.B = set.R.slice();
		return set;
	}

	/** Carries a set on to an instant, stepping onto knots of inputs and switching times. */
	advance(set: FlowSet, t: number, onStep?: OnStep): FlowFailure | undefined {
		for (const stop of this.stops) {
			if (stop <= set.t) continue;
			if (stop >= t) break;
			const failure = this.#advance(set, stop, onStep);
			if (failure) return failure;
		}
		return this.#advance(set, t, onStep);
	}

	#advance(set: FlowSet, t: number, onStep?: OnStep): FlowFailure | undefined {
		const happening = this.#pending(set);
		// Within the last digits of an event's time the set waits before it: see `at`.
		if (happening) return t < happening.hi ? undefined : this.#happen(set, happening, onStep);
		if (this.isSwitching(set.t, t)) return this.#leap(set, t, onStep);
		const h = set.h;
		const from = set.t;
		const failure = this.flow.advance(set, t, onStep);
		// A sliver between two stops says nothing of the steps that follow.
		if (t - from < 1e-6 * h) set.h = h;
		return failure && (failure.isSpent ? spent(failure) : this.ending.ofSet(failure, set));
	}

	/** Equations may switch by the clock all the while from one stop to the next. */
	isSwitching(from: number, to: number): boolean {
		return this.#switches.some(({ lo, hi }) => lo <= from && to <= hi);
	}

	/** The event that comes next, where a set is right before it. */
	#pending(set: FlowSet): Happening | undefined {
		return this.#happenings.find(({ lo, hi }) => lo <= set.t && set.t < hi);
	}

	/** The set at an instant that it was carried on to: both sides of an event that may have happened by then, or not. Undefined where what is set is undefined. */
	at(set: FlowSet, t: number): FlowSet | undefined {
		const happening = this.#pending(set);
		if (!happening || !(happening.lo <= t)) return set;
		const [before, behind] = [copyOf(set), copyOf(set)];
		if (this.#leap(before, happening.hi) || this.#happen(behind, happening)) return undefined;
		return eitherOf(before, behind);
	}

	/** Over an event: a short while before it, what it sets, a short while after it. */
	#happen(set: FlowSet, { hi, events }: Happening, onStep?: OnStep): FlowFailure | undefined {
		const from = set.t;
		const told: Float64Array[] = [];
		const tell: OnStep = (_, __, states) => told.push(states);
		const before = this.#leap(set, hi, tell);
		if (before) return before;
		for (const event of events)
			if (!this.#reset(set, event, from, hi))
				return this.ending.ofEvent({ t: from, why: `what event ${event + 1} sets is not defined` }, set);
		set.t = from;
		const after = this.#leap(set, hi, tell);
		onStep?.(
			from,
			hi,
			told[0].map((end, k) =>
				k % 2 === 0
					? Math.min(...told.map((each) => each[k]), end)
					: Math.max(...told.map((each) => each[k]), end),
			),
		);
		return after;
	}

	/** What an event sets, at some time between two; false where that is not defined for all of the set. */
	#reset(set: FlowSet, event: number, from: number, to: number): boolean {
		const { nStates } = this.system;
		const { M } = this.#space;
		const box = this.symbolBounds(set, from);
		this.setClock(box, from, to);
		const first = this.#symbols.length - this.system.inputs.length - 1;
		for (let k = first; k < this.#symbols.length; k++)
			this.#space.constantInto(this.#symbols[k], box[2 * k], box[2 * k + 1]);
		this.#resetSeries[event].order(
			0,
			this.#symbols.map(({ c }) => c),
		);
		const reset = this.#resets[event];
		if (!reset.evaluate(this.#symbols, 1e-14, box)) return false;
		const R = new Float64Array(nStates);
		for (let i = 0; i < nStates; i++) {
			const { c, r } = reset.output(i);
			set.P.set(c.subarray(0, M), i * M);
			R[i] = r;
		}
		if (!R.every((radius) => radius < 1e100)) return false;
		set.C = identity(nStates);
		set.R = R;
		set.B = R.slice();
		set.isStiff = false;
		return true;
	}

	#leap(set: FlowSet, t: number, onStep?: OnStep): FlowFailure | undefined {
		const { nStates } = this.system;
		const box = this.symbolBounds(set, set.t);
		this.setClock(box, set.t, t);
		const radii = this.#leaping.radii(box, t - set.t);
		if (!radii)
			return this.ending.ofSet({ t: set.t, why: "the equations have no bound where they switch" }, set);
		onStep?.(
			set.t,
			t,
			Float64Array.from({ length: 2 * nStates }, (_, k) =>
				k % 2 === 0 ? outDown(box[k] - radii[k >> 1]) : outUp(box[k] + radii[k >> 1]),
			),
		);
		widenRemainder(set, radii);
		set.t = t;
		return undefined;
	}

	/** Writes constants, inputs and time from one instant to another into bounds of all symbols, of which they are the last. */
	setClock(box: Float64Array, from: number, to: number): void {
		const { inputs } = this.system;
		let k = box.length - 2 * (inputs.length + 1);
		box.set(this.constants, k - this.constants.length);
		for (let i = 0; i < inputs.length; i++, k += 2) box.set(this.#inputBetween(i, from, to), k);
		const slack = 16 * U * (Math.abs(from) + Math.abs(to));
		box.set([from - slack, to + slack], k);
	}

	/** Bounds of an input, over knots as well. */
	#inputBetween(i: number, from: number, to: number): [number, number] {
		const knots = this.#knots.filter((t) => from < t && t < to);
		const ends = [from, ...knots, to];
		const pieces = ends.slice(1).map((end, k) => inputBounds(this.inputsOver(ends[k], end), i));
		return [Math.min(...pieces.map(([lo]) => lo)), Math.max(...pieces.map(([, hi]) => hi))];
	}

	/** What the data of an instant say of the unknowns, for the set at that instant; undefined where a largest error is undefined. */
	constraints(set: FlowSet, instant: Instant): Constraint[] | undefined {
		this.#spending.spend(this.#outputCost);
		const bounds = this.symbolBounds(set, instant.t);
		const common = {
			variables: this.variables,
			centre: set.centre.slice(),
			scale: set.scale.slice(),
			t: instant.t,
			experiment: this.index,
		};
		const ofData =
			instant.data.length === 0 ? [] : this.#outputs.constraints(this.#symbols, bounds, instant, common);
		if (!ofData) return undefined;
		const isFirst = instant === this.instants[0];
		return [...ofData, ...this.#outputs.assumptions(this.#symbols, bounds, isFirst, common)];
	}

	/** Bounds of all symbols at an instant, stride 2. */
	symbolBounds(set: FlowSet, t: number): Float64Array {
		this.#load(set, t);
		const out = new Float64Array(2 * this.#symbols.length);
		for (const [k, model] of this.#symbols.entries()) this.#space.boundsInto(out, 2 * k, model);
		for (let i = 0; i < out.length; i += 2) {
			out[i] = Math.max(out[i], this.#known[i]);
			out[i + 1] = Math.min(out[i + 1], this.#known[i + 1]);
		}
		return out;
	}

	/** The set for a smaller box: the same states as polynomials of the unknowns scaled to it. */
	narrow(set: FlowSet, box: Float64Array): void {
		const { nStates } = this.system;
		const { M } = this.#space;
		const nVars = this.variables.length;
		const centre = set.centre.slice();
		const scale = set.scale.slice();
		this.#frame(set, box);
		const a = new Float64Array(nVars);
		const b = new Float64Array(nVars);
		for (let v = 0; v < nVars; v++) {
			a[v] = scale[v] === 0 ? 0 : (set.centre[v] - centre[v]) / scale[v];
			b[v] = scale[v] === 0 ? 0 : set.scale[v] / scale[v];
		}
		const error = new Float64Array(nStates);
		for (let i = 0; i < nStates; i++)
			error[i] = shiftPolynomial(set.P.subarray(i * M, (i + 1) * M), this.table, a, b);
		widenRemainder(set, error);
	}

	/** Starts of drifting parameters that no longer tell where these are join the remainder. */
	forgetStarts(set: FlowSet): void {
		const { model, nStates } = this.system;
		this.variables.forEach((which, v) => {
			const { component } = this.unknowns[which];
			if (component < model.components.length || component >= nStates) return;
			if (hasOutgrown(set, this.table, component, v)) forgetUnknown(set, this.table, v);
		});
	}

	/** Bounds of all states over a box of unknowns, stride 2. */
	stateBounds(set: FlowSet, box: Float64Array, pieces: number): Float64Array {
		const { nStates } = this.system;
		const { M } = this.#space;
		const rest = remainderOf(set);
		const own = Float64Array.from(Array.from(this.variables).flatMap((v) => [box[2 * v], box[2 * v + 1]]));
		const out = new Float64Array(2 * nStates);
		for (let i = 0; i < nStates; i++) {
			const [lo, hi] = this.#range.over(set.P.subarray(i * M, (i + 1) * M), set, own, pieces);
			out[2 * i] = outDown(lo - rest[i]);
			out[2 * i + 1] = outUp(hi + rest[i]);
		}
		return out;
	}

	#clock(knots: Float64Array): Clock {
		return {
			from: this.experiment.times[0],
			to: this.#end(),
			knots,
			symbols: (from, to) => {
				const box = new Float64Array(2 * this.system.symbols.length);
				this.setClock(box, from, to);
				return box;
			},
		};
	}

	/** The last instant of the record. */
	#end(): number {
		return this.experiment.times[this.experiment.times.length - 1];
	}

	/** Centre and scale that cover the box. */
	#frame(set: FlowSet, box: Float64Array): void {
		this.variables.forEach((which, v) => {
			const lo = box[2 * which];
			const hi = box[2 * which + 1];
			const middle = lo === hi ? lo : lo / 2 + hi / 2;
			set.centre[v] = middle;
			set.scale[v] = lo === hi ? 0 : Math.max(hi - middle, middle - lo) * (1 + 4 * U);
		});
	}

	/** The models of all symbols at an instant. */
	#load(set: FlowSet, t: number): void {
		const { nStates, params } = this.system;
		const { M } = this.#space;
		const rest = remainderOf(set);
		for (const model of this.#symbols) {
			model.c.fill(0);
			model.r = 0;
			model.top = 0;
		}
		for (let i = 0; i < nStates; i++) {
			this.#symbols[i].c.set(set.P.subarray(i * M, (i + 1) * M));
			this.#symbols[i].r = rest[i];
		}
		let k = nStates;
		for (let i = 0; i < params.length; i++, k++) {
			this.#symbols[k].c[0] = set.centre[i];
			if (this.table.order > 0) this.#symbols[k].c[1 + i] = set.scale[i];
			else this.#symbols[k].r = set.scale[i];
		}
		for (let i = 0; 2 * i < this.constants.length; i++, k++)
			this.#space.constantInto(this.#symbols[k], this.constants[2 * i], this.constants[2 * i + 1]);
		for (const { lo, hi } of this.inputsAt(t)) this.#space.constantInto(this.#symbols[k++], lo, hi);
		const read = readTime(t);
		this.#space.constantInto(this.#symbols[k], read.lo, read.hi);
	}

	/** Each input at an instant. */
	inputsAt(t: number): Interval[] {
		return this.#inputs.map((input) => input.at(t));
	}

	/** Each input over a step between knots: a cubic of the step's time and a radius. */
	inputsOver(from: number, to: number): Float64Array {
		const out = new Float64Array(inputStride * this.#inputs.length);
		this.#inputs.forEach((input, i) => {
			const { c, r } = input.over(from, to);
			out.set(c, inputStride * i);
			out[inputStride * i + inputStride - 1] = r;
		});
		return out;
	}
}

/** What to do where the effort is spent. */
export function spent(failure: FlowFailure): FlowFailure {
	return { ...failure, advice: "Give more (guaranteed: { effort: … }), or narrow the sets of the unknowns." };
}

function instantsOf(system: GuaranteedSystem, experiment: Experiment): Instant[] {
	const at = new Map<number, { measure: number; y: number }[]>();
	system.model.measures.forEach(({ name }, measure) => {
		const series = experiment.outputs.get(name);
		series?.times.forEach((t, i) => {
			const data = at.get(t) ?? [];
			data.push({ measure, y: series.values[i] });
			at.set(t, data);
		});
	});
	return [...at].sort(([a], [b]) => a - b).map(([t, data]) => ({ t, data }));
}
