/**
 * One experiment followed by Müller's brackets, with its sensitivities as further states: s_iv' = Σ_j ∂f_i/∂x_j s_jv + ∂f_i/∂v
 * (eq. (7) of [kletting2011], whose print lacks the sum).
 */
import { interval } from "../../../interval/interval.ts";
import { mid, rad } from "../../../interval/measure.ts";
import { add, sub } from "../../../interval/operations.ts";
import { IntervalEvaluator } from "../../../lower/interval/evaluate-interval.ts";
import { tapeOf } from "../../../lower/interval/tape.ts";
import { Differentiator } from "../../../model/derivative.ts";
import type { Node } from "../../../model/graph.ts";
import type { Constraint } from "../constraint/constraint.ts";
import { OutputJumps } from "../constraint/output-jumps.ts";
import { spent } from "../flow/course.ts";
import type { ExperimentFlow } from "../flow/experiment-flow.ts";
import type { FlowFailure } from "../flow/flow.ts";
import { Leap } from "../flow/steps/leap.ts";
import type { OnStep } from "../flow/steps/step-pieces.ts";
import { readOutward, readTime } from "../system.ts";
import { type BracketSettings, MuellerBrackets } from "./mueller.ts";

interface BracketedOutputs {
	readonly bounds: Float64Array;
	/** An output may be on either side of a jump; the bounds hold both. */
	readonly jump: boolean;
}

/** One experiment, bracketed, with or without sensitivities by the unknowns. */
export class BracketedExperiment {
	readonly #brackets: MuellerBrackets;
	readonly #flow: ExperimentFlow;
	readonly #initial: IntervalEvaluator;
	readonly #outputs: IntervalEvaluator;
	/** For where an output may be on either side of a jump. */
	readonly #hulls: IntervalEvaluator;
	readonly #jumps: OutputJumps;
	readonly #leaping: Leap;
	readonly #nOutputs: number;
	readonly nStates: number;
	readonly nAll: number;
	readonly #nParams: number;
	/** Unknowns by which outputs are differentiated. */
	readonly by: Int32Array;

	constructor(flow: ExperimentFlow, sensitivities: boolean, settings: Omit<BracketSettings, "longest">) {
		const { timeOrder, tolerance, effort } = settings;
		this.#flow = flow;
		const { system, unknowns } = flow;
		const { graph: g } = system.model;
		const { states, params } = system;
		const d = new Differentiator(g);
		this.by = sensitivities ? flow.variables : new Int32Array(0);
		const name = (i: number, v: number): string => `d ${states[i]} by ${v}`;
		const isParam = (v: number): boolean => unknowns[v].kind === "param";
		const rows: Node[] = [];
		const rowNames: string[] = [];
		const starts: Node[] = [];
		const initial = system.model.initial.map((knowledge) =>
			knowledge.kind === "exact" ? knowledge.value : g.zero,
		);
		for (const v of this.by)
			states.forEach((_, i) => {
				const chain = states.map((state, j) => g.mul(d.derivative(system.rhs[i], state), g.sym(name(j, v))));
				rows.push(g.sum([...chain, isParam(v) ? d.derivative(system.rhs[i], unknowns[v].name) : g.zero]));
				rowNames.push(name(i, v));
				if (isParam(v)) starts.push(i < initial.length ? d.derivative(initial[i], unknowns[v].name) : g.zero);
				else starts.push(unknowns[v].component === i ? g.one : g.zero);
			});
		const { measures } = system.model;
		const slopes = [...this.by].flatMap((v) =>
			measures.map(({ value }) =>
				g.sum([
					...states.map((state, j) => g.mul(d.derivative(value, state), g.sym(name(j, v)))),
					isParam(v) ? d.derivative(value, unknowns[v].name) : g.zero,
				]),
			),
		);
		const all = [...states, ...rowNames];
		this.nStates = states.length;
		this.nAll = all.length;
		this.#nParams = params.length;
		this.#nOutputs = measures.length;
		const symbols = [...all, ...params, ...system.constants, ...system.inputs, "t"];
		this.#brackets = new MuellerBrackets(
			{
				graph: g,
				states: all,
				rhs: [...system.rhs, ...rows],
				params,
				constants: system.constants,
				constantBounds: flow.clock.constants,
				inputs: system.inputs,
				inputsOver: (from, to) => flow.clock.inputsOver(from, to),
				endsSoon: (all, box, t) => flow.ending.isNear(this.#systemBox(all, box, t), 0.05),
			},
			{ timeOrder, tolerance, effort, longest: longestStep(flow) },
		);
		this.#leaping = new Leap(tapeOf([...system.rhs, ...rows], symbols));
		const padded = [...initial, ...system.drifting.map(() => g.zero), ...starts];
		this.#initial = new IntervalEvaluator(tapeOf(padded, symbols));
		const outputs = tapeOf(
			[...measures.flatMap(({ value, spread }) => [value, spread ?? g.zero]), ...slopes],
			symbols,
		);
		this.#outputs = new IntervalEvaluator(outputs);
		this.#hulls = new IntervalEvaluator(outputs, true);
		this.#jumps = new OutputJumps(system);
	}

	#params(box: Float64Array): Float64Array {
		return box.slice(0, 2 * this.#nParams);
	}

	/** Nothing where the initial state is not defined for all parameters. */
	start(box: Float64Array): Float64Array | undefined {
		const out = new Float64Array(2 * this.nAll);
		const symbols = this.#symbolBox(new Float64Array(2 * this.nAll), box, this.#flow.experiment.times[0]);
		if (!this.#initial.evaluate(symbols, out)) return undefined;
		for (const v of this.#flow.variables) {
			const { kind, component } = this.#flow.unknowns[v];
			if (kind === "initial") out.set([box[2 * v], box[2 * v + 1]], 2 * component);
		}
		return out;
	}

	advance(
		states: Float64Array,
		box: Float64Array,
		from: number,
		to: number,
		onStep?: OnStep,
	): FlowFailure | undefined {
		let now = from;
		for (const stop of [...this.#flow.course.stops, to]) {
			if (stop <= now || stop > to) continue;
			const failure = this.#flow.clock.isSwitching(now, stop)
				? this.#leap(states, box, now, stop, onStep)
				: this.#brackets.advance(states, this.#params(box), now, stop, onStep);
			if (failure?.isSpent) return spent(failure);
			if (failure) return this.#flow.ending.ofBox(failure, this.#systemBox(states, box, failure.t));
			now = stop;
		}
		return undefined;
	}

	#leap(
		states: Float64Array,
		box: Float64Array,
		from: number,
		to: number,
		onStep?: OnStep,
	): FlowFailure | undefined {
		const symbols = this.#symbolBox(states, box, from);
		this.#flow.clock.setInto(symbols, from, to);
		const radii = this.#leaping.radii(symbols, to - from);
		if (!radii) return { t: from, why: "the equations have no bound where they switch" };
		radii.forEach((radius, i) => {
			states[2 * i] = sub(interval(states[2 * i]), interval(radius)).lo;
			states[2 * i + 1] = add(interval(states[2 * i + 1]), interval(radius)).hi;
		});
		onStep?.(from, to, states);
		return undefined;
	}

	/** Value and spread of each measure, then its derivatives by each unknown of `by`; these say nothing of a jump. */
	outputs(states: Float64Array, box: Float64Array, t: number): BracketedOutputs | undefined {
		const bounds = new Float64Array(2 * this.#nOutputs * (2 + this.by.length));
		const symbols = this.#symbolBox(states, box, t);
		if (this.#outputs.evaluate(symbols, bounds)) return { bounds, jump: false };
		return this.#hulls.evaluate(symbols, bounds) ? { bounds, jump: true } : undefined;
	}

	/** What a datum says, with the output known between two numbers for all values of a box. */
	constraint(
		{ bounds: out, jump: mayJump }: BracketedOutputs,
		states: Float64Array,
		box: Float64Array,
		t: number,
		measure: number,
		y: number,
	): Constraint {
		const { table, variables, index, system } = this.#flow;
		const lo = out[4 * measure];
		const hi = out[4 * measure + 1];
		const coefficients = new Float64Array(table.length);
		coefficients[0] = mid(lo, hi);
		const jump = mayJump ? this.#jumps.of(measure, this.#systemBox(states, box, t)) : undefined;
		return {
			variables,
			centre: Float64Array.from(variables, (v) => mid(box[2 * v], box[2 * v + 1])),
			scale: Float64Array.from(variables, (v) => rad(box[2 * v], box[2 * v + 1])),
			coefficients,
			radius: rad(lo, hi),
			...barOf(out, measure, y),
			t,
			output: system.model.measures[measure].name,
			experiment: index,
			...(jump ? { jump } : {}),
		};
	}

	/** Why outputs are not defined all over a box of states. */
	undefinedOutputs(states: Float64Array, box: Float64Array, t: number): FlowFailure {
		return this.#flow.ending.ofOutputs(t, this.#systemBox(states, box, t));
	}

	/** Why initial values are not defined for all of a box. */
	undefinedStart(box: Float64Array, t: number): FlowFailure {
		const nothing = new Float64Array(2 * this.nStates);
		return { ...this.#flow.ending.ofInitial(this.#systemBox(nothing, box, t)), t };
	}

	/** All symbols of the system: without sensitivities. */
	#systemBox(states: Float64Array, box: Float64Array, t: number): Float64Array {
		return this.#symbolBox(states.subarray(0, 2 * this.nStates), box, t);
	}

	#symbolBox(states: Float64Array, box: Float64Array, t: number): Float64Array {
		const { constants } = this.#flow.clock;
		const inputs = this.#flow.clock.inputsAt(t).flatMap(({ lo, hi }) => [lo, hi]);
		const time = readTime(t);
		return Float64Array.from([...states, ...this.#params(box), ...constants, ...inputs, time.lo, time.hi]);
	}
}

/** The bar of a datum, outward and inward. */
export function barOf(out: Float64Array, measure: number, y: number) {
	const read = readOutward(y);
	const spread = interval(Math.max(out[4 * measure + 2], 0), Math.max(out[4 * measure + 3], 0));
	return {
		lo: sub(interval(read.lo), spread).lo,
		hi: add(interval(read.hi), spread).hi,
		innerLo: sub(interval(read.hi), interval(spread.lo)).hi,
		innerHi: add(interval(read.lo), interval(spread.lo)).lo,
	};
}

/** A twentieth of the record or half the time between data: signs are proved on steps that are not too long. */
function longestStep({ instants, experiment }: ExperimentFlow): number {
	const { times } = experiment;
	const whole = times[times.length - 1] - times[0];
	return Math.max(whole / Math.max(20, 2 * instants.length), 1e-9);
}
