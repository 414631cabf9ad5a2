/**
 * Over an event whose time depends on the course. While the guard of the event is proved to rise along every course, each of them crosses it once, at a time t*(ζ). A polynomial τ(ζ) near to that is found by
 * Newton's method; the states at t1 + τ(ζ) follow from x' = τ(ζ)·f(x) over a time of 1. There the guard is within ρ of 0, and as it rises by γ at least, τ is off by ρ/γ at most: states at t* are
 * known. What the event sets is followed in the same way for the rest of the time, to - t*(ζ). So nothing is lost of how states depend on unknowns, however long the crossings of a set take.
 */
import type { TaylorModel, TaylorSpace } from "../../../../interval/taylor/taylor-model.ts";
import { IntervalEvaluator } from "../../../../lower/interval/evaluate-interval.ts";
import { TaylorEvaluator } from "../../../../lower/interval/evaluate-taylor.ts";
import { SeriesEvaluator } from "../../../../lower/interval/series.ts";
import { tapeOf } from "../../../../lower/interval/tape.ts";
import { Differentiator } from "../../../../model/derivative.ts";
import { substitute } from "../../../../model/walk.ts";
import { identity } from "../../../../num/linear/dense.ts";
import type { GuaranteedSystem } from "../../system.ts";
import { Flow, type FlowFailure } from "../flow.ts";
import { copyOf, type FlowSet, remainderOf } from "../flow-set.ts";
import type { FlowSettings } from "../flow-system.ts";
import type { RecordClock } from "../record-clock.ts";
import { hullOfTubes } from "../steps/step-pieces.ts";
import type { Guards } from "./guards.ts";
import { heldToGuard, type OnGuard } from "./on-guard.ts";
import type { Resets } from "./resets.ts";

const U = 2 ** -53;
const UP = 1 + 2 ** -40;
/** Steps of Newton's method at most. */
const mostRounds = 8;
/** More of them as long as they leave less than this share. */
const worthwhile = 0.5;
/** Names that no model has. */
const [TIME, SPAN] = ["(time)", "(span)"];

/** What is known of the crossings of a set: by when all courses have crossed, bounds of all symbols until then, and the least slope of the guard. */
export interface Slab {
	readonly guard: number;
	readonly to: number;
	readonly box: Float64Array;
	readonly slope: number;
}

/** The set at a time as if each course had crossed before, and bounds of its states since. */
interface Behind {
	readonly set: FlowSet;
	readonly tube: Float64Array;
}

/** States and time of each course as it crosses, and bounds of the times. */
export interface Crossings {
	readonly states: FlowSet;
	readonly time: Quantity;
	readonly first: number;
	readonly last: number;
}

/** What a crossing needs of its record. */
interface Host {
	readonly system: GuaranteedSystem;
	readonly clock: RecordClock;
	readonly space: TaylorSpace;
	/** What holds of all symbols whatever happens, stride 2. */
	readonly known: Float64Array;
	/** Models of all symbols for a set, to be changed at will. */
	models(set: FlowSet, t: number): readonly TaylorModel[];
	boundsOf(models: readonly TaylorModel[]): Float64Array;
}

/** A number that depends on the unknowns: a polynomial and a radius. */
interface Quantity {
	readonly c: Float64Array;
	readonly r: number;
}

export class Crossing {
	readonly #host: Host;
	readonly #resets: Resets;
	readonly #guards: Guards;
	readonly #flow: Flow;
	readonly #constants: Float64Array;
	readonly #rhs: IntervalEvaluator;
	readonly #series: readonly SeriesEvaluator[];
	readonly #steps: readonly TaylorEvaluator[];

	constructor(host: Host, resets: Resets, guards: Guards, settings: FlowSettings) {
		const { system, clock, space, known } = host;
		const { graph } = system.model;
		this.#host = host;
		this.#resets = resets;
		this.#guards = guards;
		this.#rhs = new IntervalEvaluator(system.rhsTape, true);
		this.#series = guards.steps.map((tape) => new SeriesEvaluator(tape, space));
		this.#steps = guards.steps.map((tape, k) => new TaylorEvaluator(tape, space, this.#series[k]));
		const span = graph.sym(SPAN);
		const rhs = [
			...substitute(graph, system.rhs, new Map([["t", graph.sym(TIME)]])).map((f) => graph.mul(span, f)),
			span,
			graph.zero,
		];
		const states = [...system.states, TIME, SPAN];
		const symbols = [...states, ...system.params, ...system.constants, ...system.inputs, "t"];
		const free = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
		// Inputs are anywhere in their bounds over the while.
		this.#constants = new Float64Array(clock.constants.length + 2 * system.inputs.length);
		this.#flow = new Flow(
			{
				nStates: states.length,
				rhsTape: tapeOf(rhs, symbols, { smooth: true }),
				jacobianTape: tapeOf(new Differentiator(graph).jacobian(rhs, states), symbols),
				paramVariables: system.params.map((_, i) => i),
				constants: this.#constants,
				nInputs: 0,
				known: Float64Array.from([
					...known.subarray(0, 2 * system.nStates),
					...free,
					...free,
					...known.subarray(2 * system.nStates),
				]),
				inputs: () => new Float64Array(0),
			},
			settings,
		);
	}

	/** When courses of a set cross, or why that cannot be told. */
	when(set: FlowSet, slab: Slab): Crossings | FlowFailure {
		const { system, space } = this.#host;
		const fail = (why: string): FlowFailure => ({ t: set.t, why });
		const { nStates: n } = system;
		const { M } = space;
		this.#constants.set(slab.box.subarray(2 * (n + system.params.length), slab.box.length - 2));
		const found = this.#found(set, slab);
		if (!found) return fail("its time could not be enclosed");
		const range = new Float64Array(2);
		const model = space.model();
		model.c.set(found.tau);
		space.boundsInto(range, 0, model);
		// The slope is known from the set's time to the slab's end.
		if (!(range[0] >= 0 && range[1] <= (slab.to - set.t) / UP)) return fail("its time could not be enclosed");
		const off = (found.rho / slab.slope) * UP;
		const slopes = new Float64Array(2 * n);
		if (!this.#rhs.evaluate(slab.box, slopes)) return fail("the equations have no bound around it");
		const states = inner(found.at, set, n, M);
		states.R = states.R.map(
			(radius, i) =>
				(radius + Math.max(Math.abs(slopes[2 * i]), Math.abs(slopes[2 * i + 1])) * off) * UP + 1e-300,
		);
		if (!states.R.every((radius) => radius < 1e100)) return fail("the equations have no bound around it");
		const time = {
			c: found.at.P.slice(n * M, (n + 1) * M),
			r: (remainderOf(found.at)[n] + off) * UP + 1e-300,
		};
		states.R = heldToGuard(states.R, this.#onGuard(states, slab, time));
		states.B = states.R.slice();
		model.c.set(time.c);
		model.r = time.r;
		space.boundsInto(range, 0, model);
		const digits = 64 * U * (Math.abs(range[0]) + Math.abs(range[1]));
		return { states, time, first: range[0] - digits, last: Math.min(range[1] + digits, slab.to) };
	}

	/** All courses of a set, each over its own crossing, at a time; or why that cannot be told. */
	behind(set: FlowSet, slab: Slab, { states, time }: Crossings, to: number): Behind | FlowFailure {
		const { nStates: n } = this.#host.system;
		const there = copyOf(states);
		const models = this.#models(there, slab, time);
		if (!this.#resets.apply(there, this.#guards.events[slab.guard], models, this.#host.boundsOf(models)))
			return { t: set.t, why: "what it sets is not defined" };
		const span = { c: time.c.map((c, m) => (m === 0 ? to - c : -c)), r: 0 };
		span.r = (time.r + 4 * U * (Math.abs(to) + Math.abs(time.c[0]))) * UP;
		const after = extended(there, time, span);
		const tubes: Float64Array[] = [];
		const failure = this.#flow.advance(after, 1, (_, __, over) => tubes.push(over.subarray(0, 2 * n)));
		if (failure) return { ...failure, t: set.t };
		return { set: { ...inner(after, set, n, this.#host.space.M), t: to }, tube: hullOfTubes(tubes) };
	}

	/** The polynomial τ, the extended set at t1 + τ, and how far from 0 the guard is there at most. */
	#found(
		set: FlowSet,
		slab: Slab,
	): { readonly tau: Float64Array; readonly at: FlowSet; readonly rho: number } | undefined {
		const { system, space } = this.#host;
		const { nStates: n } = system;
		const { M } = space;
		const start = { c: new Float64Array(M), r: 16 * U * Math.abs(set.t) };
		start.c[0] = set.t;
		let tau = new Float64Array(M);
		let best: { tau: Float64Array; at: FlowSet; rho: number } | undefined;
		for (let round = 0; round < mostRounds; round++) {
			const at = extended(set, start, { c: tau, r: 0 });
			if (this.#flow.advance(at, 1)) break;
			const time = { c: at.P.slice(n * M, (n + 1) * M), r: remainderOf(at)[n] };
			const models = this.#models(inner(at, set, n, M), slab, time);
			const step = this.#steps[slab.guard];
			this.#series[slab.guard].order(
				0,
				models.map(({ c }) => c),
			);
			if (!step.evaluate(models, 1e-14, this.#host.known)) break;
			const rho = space.mag(step.output(0));
			if (best && !(rho < worthwhile * best.rho)) break;
			best = { tau, at, rho };
			const { c } = step.output(1);
			tau = tau.map((value, m) => value + c[m]);
		}
		return best;
	}

	/** What the guard of a slab says of the states of courses that cross it, at their times. */
	#onGuard(states: FlowSet, slab: Slab, time: Quantity): OnGuard {
		const { space, system, known } = this.#host;
		const modelsWith = (errors: Float64Array) =>
			this.#models({ ...states, R: errors, B: errors }, slab, time);
		return {
			gradient: (errors) =>
				this.#guards.gradient(slab.guard, this.#host.boundsOf(modelsWith(errors)), system.nStates),
			without: (i, errors) => {
				const models = modelsWith(errors.map((radius, j) => (j === i ? 0 : radius)));
				this.#series[slab.guard].order(
					0,
					models.map(({ c }) => c),
				);
				const step = this.#steps[slab.guard];
				return step.evaluate(models, 1e-14, known) ? space.mag(step.output(0)) : undefined;
			},
		};
	}

	/** Adds how much each unknown has to do with the guard of a set. */
	addShares(shares: Float64Array, set: FlowSet, guard: number): void {
		const { table } = this.#host.space;
		const models = this.#host.models(set, set.t);
		this.#series[guard].order(
			0,
			models.map(({ c }) => c),
		);
		this.#steps[guard].evaluate(models, 1e-14, this.#host.known);
		const { c } = this.#steps[guard].output(0);
		for (let m = 0; m < table.length; m++)
			for (let v = 0; v < shares.length; v++) shares[v] += Math.abs(c[m]) * table.exponent(m, v);
	}

	/** Models of all symbols at a time that depends on the unknowns, with inputs as over the whole while. */
	#models(set: FlowSet, slab: Slab, time: Quantity): readonly TaylorModel[] {
		const { system, space } = this.#host;
		const models = this.#host.models(set, set.t);
		const last = models.length - 1;
		for (let k = last - system.inputs.length; k < last; k++)
			space.constantInto(models[k], slab.box[2 * k], slab.box[2 * k + 1]);
		models[last].c.fill(0);
		models[last].c.set(time.c);
		models[last].r = time.r;
		return models;
	}
}

/** A set with a time and a span as two more states. */
function extended(set: FlowSet, time: Quantity, span: Quantity): FlowSet {
	const n = set.R.length;
	const C = identity(n + 2);
	for (let i = 0; i < n; i++) C.set(set.C.subarray(i * n, (i + 1) * n), i * (n + 2));
	const { centre, scale } = set;
	return {
		t: 0,
		h: 1,
		P: Float64Array.from([...set.P, ...time.c, ...span.c]),
		C,
		R: Float64Array.from([...set.R, time.r, span.r]),
		B: Float64Array.from([...set.B, time.r, span.r]),
		centre,
		scale,
	};
}

/** The states of an extended set, as a set of the unknowns of another. */
function inner(at: FlowSet, like: FlowSet, n: number, M: number): FlowSet {
	const R = remainderOf(at).slice(0, n);
	const { centre, scale, t, h } = like;
	return { t, h, centre, scale, P: at.P.slice(0, n * M), C: identity(n), R, B: R.slice() };
}
