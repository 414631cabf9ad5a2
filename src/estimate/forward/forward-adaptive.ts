/** The forward model by an adaptive solver, one point after another: for stiff models and long steps. */
import { breathed } from "../../compute/breathing.ts";
import type { Compute } from "../../compute/compute.ts";
import type { Experiment } from "../../data/experiment.ts";
import { compileFunction } from "../../lower/compile-function.ts";
import { Differentiator } from "../../model/derivative.ts";
import type { Model } from "../../model/model.ts";
import { eventText } from "../../model/print/model.ts";
import { symbolsOf } from "../../model/walk.ts";
import { knotsOf } from "../../solve/piecewise-inputs.ts";
import { type Rest, restSteps, sensitiveRestSteps } from "../../solve/rest/rest.ts";
import { sensitivitySteps } from "../../solve/sensitivity.ts";
import { solutionSteps } from "../../solve/solve-ivp.ts";
import { OdeSystem } from "../../solve/system.ts";
import type { Observations } from "../observe/observations.ts";
import { hasSimulatedSpreads, simulatedSpreads } from "../observe/spread.ts";
import type { Unknown } from "../unknowns/unknowns.ts";
import type { Evaluation, Forward, Motion } from "./forward.ts";
import { InitialState } from "./initial-state.ts";
import { stiffInterval } from "./stiff-interval.ts";

export interface ForwardSpec {
	/** Without combinations and formula inputs. */
	readonly model: Model;
	readonly unknowns: readonly Unknown[];
	readonly experiments: readonly Experiment[];
	readonly observations: Observations;
	/** Parameters that are spreads and need no search. */
	readonly common?: ReadonlySet<string>;
	/** Relative tolerance of the adaptive solver. */
	readonly rtol?: number;
	/** Breathes on the way: one point may take seconds. */
	readonly compute?: Pick<Compute, "breathe">;
}

const usualTolerance = 1e-8;
/** Operations of a step for each number that is integrated, its share of what solves for it among them; roughly. */
const operationsOfStep = 200;
/** Steps after which a point is given up: solutions take some hundred, one that is about to blow up any number. */
const mostSteps = 3000;

export function adaptiveForward(spec: ForwardSpec): Forward {
	const solver = new AdaptiveForward(spec);
	return {
		says: `an adaptive solver (relative tolerance ${spec.rtol ?? usualTolerance})`,
		get operations() {
			return solver.operations;
		},
		async evaluate(points, sensitivities) {
			const evaluations: Evaluation[] = [];
			for (const point of points)
				evaluations.push(await breathed(solver.evaluation(point, sensitivities), spec.compute));
			return evaluations;
		},
		still: {
			unknowns: solver.still,
			motion: (point) => breathed(solver.motion(point), spec.compute),
		},
	};
}

interface Solution {
	readonly t: Float64Array;
	readonly x: Float64Array;
	readonly S?: Float64Array;
}

interface Start {
	readonly x: Float64Array;
	readonly S?: Float64Array;
}

class AdaptiveForward {
	operations = 0;
	readonly #spec: ForwardSpec;
	readonly #initial: InitialState;
	readonly #system: OdeSystem;
	/** Before a record: events, which are of the time then, happen in the record itself. */
	readonly #resting: OdeSystem;
	readonly #inputs: readonly string[];
	/** Values of the measures, then their spreads; and the derivatives of both by states and parameters. */
	readonly #outputs: (...args: (number | Float64Array)[]) => void;
	readonly #hasSpreads: boolean;
	readonly #derivatives: (...args: (number | Float64Array)[]) => void;
	/** Of the columns of unknowns, those that move states; for each column where it stands among these, or -1. */
	readonly #moving: readonly number[];
	readonly #column: Int32Array;
	/** Experiments that share a solution. */
	readonly #alike: readonly (readonly number[])[];

	constructor(spec: ForwardSpec) {
		const { model, unknowns } = spec;
		this.#spec = spec;
		this.#initial = new InitialState(model, unknowns, stiffInterval);
		this.#inputs = model.inputs.map(({ name }) => name);
		const { params, sensitiveTo, freeComponents } = this.#initial;
		const starts = model.initial.flatMap((knowledge) =>
			knowledge.kind === "exact" ? [knowledge.value] : [],
		);
		const set = model.events.flatMap(({ trigger, priority, assignments }) => [
			trigger,
			...(priority ? [priority] : []),
			...assignments.map(({ value }) => value),
		]);
		const moving = symbolsOf([...model.rhs, ...starts, ...set]);
		const movingParams = sensitiveTo.filter((name) => moving.has(name));
		const nAll = sensitiveTo.length + freeComponents.length;
		this.#moving = Array.from({ length: nAll }, (_, c) => c).filter(
			(c) => c >= sensitiveTo.length || moving.has(sensitiveTo[c]),
		);
		this.#column = Int32Array.from({ length: nAll }, (_, c) => this.#moving.indexOf(c));
		this.#alike = this.#alikeOf(moving);
		const system = {
			graph: model.graph,
			states: model.components,
			rhs: model.rhs,
			lifted: model.lifted,
			params,
			inputs: this.#inputs,
			sensitiveTo: movingParams,
		};
		const events = model.events.map((event) => ({ ...event, label: eventText(event) }));
		this.#system = new OdeSystem({ ...system, events });
		this.#resting = events.length > 0 ? new OdeSystem(system) : this.#system;
		const args = [
			{ name: "t", symbols: ["t"] },
			{ name: "x", symbols: model.components },
			{ name: "u", symbols: this.#inputs },
			{ name: "p", symbols: params },
		];
		const values = model.measures.map(({ value }) => value);
		const d = new Differentiator(model.graph);
		const spreads = simulatedSpreads(model, spec.common);
		this.#hasSpreads = hasSimulatedSpreads(model, spec.common);
		const outputs = this.#hasSpreads ? [...values, ...spreads] : values;
		this.#outputs = compileFunction(outputs, args);
		this.#derivatives = compileFunction(
			[...d.jacobian(outputs, model.components), ...d.jacobian(outputs, sensitiveTo)],
			args,
		);
	}

	/** Unknowns that move no state in any experiment. */
	get still(): number[] {
		const { unknowns, experiments } = this.#spec;
		const moved = new Set(
			experiments.flatMap((_, e) => {
				const columns = this.#initial.columns(e);
				return this.#moving.map((c) => columns[c]);
			}),
		);
		return [...unknowns.keys()].filter((j) => !moved.has(j));
	}

	*motion(point: Float64Array): Generator<void, Motion> {
		const rests = new Map<string, Rest>();
		const solutions: (Solution | undefined)[] = [];
		for (const together of this.#alike)
			solutions.push(yield* this.#solution(together, point, undefined, rests));
		return {
			seen: (other) => {
				const evaluation = this.#blank(true);
				for (const [k, together] of this.#alike.entries())
					this.#observeAll(together, other, solutions[k], evaluation);
				return evaluation;
			},
		};
	}

	*evaluation(point: Float64Array, sensitivities: boolean): Generator<void, Evaluation> {
		const evaluation = this.#blank(sensitivities);
		const rests = new Map<string, Rest>();
		for (const together of this.#alike) {
			const columns = this.#initial.columns(together[0]);
			const scale = sensitivities ? this.#moving.map((c) => Math.abs(point[columns[c]]) || 1) : undefined;
			const solution = yield* this.#solution(together, point, scale, rests);
			this.#observeAll(together, point, solution, evaluation);
		}
		return evaluation;
	}

	/** An evaluation in which nothing was seen yet. */
	#blank(sensitivities: boolean): Evaluation {
		const { unknowns, observations } = this.#spec;
		const n = observations.nObservations;
		const value = new Float64Array(n).fill(Number.NaN);
		const table = sensitivities ? n * unknowns.length : -1;
		return {
			value,
			...(table >= 0 ? { jacobian: new Float64Array(table) } : {}),
			...(this.#hasSpreads ? { spread: new Float64Array(n) } : {}),
			...(this.#hasSpreads && table >= 0 ? { spreadJacobian: new Float64Array(table) } : {}),
		};
	}

	/** Where an experiment begins: as declared, or at rest. `scale` is that of the columns, where sensitivities are wanted. */
	*#start(
		experiment: Experiment,
		e: number,
		point: Float64Array,
		p: Float64Array,
		scale: readonly number[] | undefined,
		rests: Map<string, Rest>,
	): Generator<void, Start | undefined> {
		const declared = (values: Float64Array): Start | undefined => {
			const x = this.#initial.state(point, values, e, experiment);
			if (!values.every(Number.isFinite) || !x.every(Number.isFinite)) return undefined;
			return { x, ...(scale && { S: this.#movingOf(this.#initial.sensitivities(values, experiment)) }) };
		};
		const stages = (experiment.rest ?? []).map((each) =>
			this.#initial.paramValues(point, { conditions: each }, e),
		);
		let start = declared(stages[0] ?? p);
		const { t0 } = this.#spec.observations.grids[e];
		const rtol = this.#spec.rtol ?? usualTolerance;
		const options = { rtol, atol: rtol / 100, maxSteps: mostSteps };
		for (const [k, values] of stages.entries()) {
			if (!start) return undefined;
			// Experiments often rest alike.
			const key = String([t0, values, start.x, start.S]);
			const rest: Rest =
				rests.get(key) ??
				(scale
					? yield* sensitiveRestSteps(this.#resting.sensitiveIvp(values), t0, start.x, start.S!, {
							...options,
							columnScale: scale,
						})
					: yield* restSteps(this.#resting.ivp(values), t0, start.x, options));
			rests.set(key, rest);
			if (rest.outcome === "none") return undefined;
			const next = declared(stages[k + 1] ?? p);
			start = next && k === 0 ? this.#reset(rest, next, experiment.reset ?? []) : rest;
		}
		return start;
	}

	/** At rest, but for the components that are set anew. */
	#reset(rest: Start, declared: Start, names: readonly string[]): Start {
		const [x, S] = [rest.x.slice(), rest.S?.slice()];
		const width = (S?.length ?? 0) / x.length;
		for (const name of names) {
			const i = this.#spec.model.components.indexOf(name);
			x[i] = declared.x[i];
			S?.set(declared.S!.subarray(i * width, (i + 1) * width), i * width);
		}
		return { x, ...(S && { S }) };
	}

	/** Experiments that are one solution: solved once, to all their times; sensitivities where columns have a scale. */
	*#solution(
		together: readonly number[],
		point: Float64Array,
		columnScale: readonly number[] | undefined,
		rests: Map<string, Rest>,
	): Generator<void, Solution | undefined> {
		const { experiments, observations } = this.#spec;
		const [e] = together;
		const experiment = experiments[e];
		const times = this.#times(together);
		if (times.length === 0) return undefined;
		const { t0 } = observations.grids[e];
		const p = this.#initial.paramValues(point, experiment, e);
		const signals = this.#inputs.map((name) => experiment.inputs.get(name)!);
		const rtol = this.#spec.rtol ?? usualTolerance;
		const knots = knotsOf(signals);
		const maxSteps = mostSteps + 10 * knots.length;
		const options = { rtol, atol: rtol / 100, saveAt: times, knots, maxSteps };
		const t1 = times[times.length - 1];
		const start = yield* this.#start(experiment, e, point, p, columnScale, rests);
		if (!start) return undefined;
		const { x: x0, S: S0 } = start;
		const solution = columnScale
			? yield* sensitivitySteps(this.#system.sensitiveIvp(p, signals), t0, t1, x0, S0!, {
					...options,
					columnScale,
				})
			: {
					...(yield* solutionSteps(this.#system.ivp(p, signals), t0, t1, x0, options)),
					S: undefined,
				};
		const { steps, rejected } = solution.stats;
		this.operations += operationsOfStep * (steps + rejected) * (x0.length + (S0?.length ?? 0));
		return solution;
	}

	#times(together: readonly number[]): Float64Array {
		return unionOf(together.map((each) => this.#spec.observations.grids[each].times));
	}

	#observeAll(
		together: readonly number[],
		point: Float64Array,
		solution: Solution | undefined,
		evaluation: Evaluation,
	): void {
		if (!solution) return;
		const place = new Map(Array.from(this.#times(together), (t, k) => [t, k]));
		for (const each of together) this.#observe(each, point, solution, place, evaluation);
	}

	/** What is seen of a solution in one experiment: all outputs of an instant at once. */
	#observe(
		e: number,
		point: Float64Array,
		{ t, x: states, S: slopes }: Solution,
		place: ReadonlyMap<number, number>,
		{ value, jacobian, spread, spreadJacobian }: Evaluation,
	): void {
		const { experiments, observations, model, unknowns } = this.#spec;
		const experiment = experiments[e];
		const { times } = observations.grids[e];
		const p = this.#initial.paramValues(point, experiment, e);
		const signals = this.#inputs.map((name) => experiment.inputs.get(name)!);
		const columns = this.#initial.columns(e);
		const nStates = model.components.length;
		const nMeasures = model.measures.length;
		const nOutputs = (this.#hasSpreads ? 2 : 1) * nMeasures;
		const nParams = this.#initial.sensitiveTo.length;
		const width = this.#moving.length;
		const out = new Float64Array(nOutputs);
		const d = new Float64Array(nOutputs * (nStates + nParams));
		const groups = observations.groups.filter(({ experiment: own }) => own === e);
		const next = groups.map(() => 0);
		times.forEach((time, at) => {
			const k = place.get(time)!;
			if (k >= t.length) return;
			const x = states.subarray(k * nStates, (k + 1) * nStates);
			const u = Float64Array.from(signals, (signal) => signal.at(time));
			this.#outputs(time, x, u, p, out);
			if (jacobian) this.#derivatives(time, x, u, p, d);
			const S = slopes?.subarray(k * nStates * width, (k + 1) * nStates * width);
			groups.forEach(({ from, to, gridIndex, index }, g) => {
				for (; from + next[g] < to && gridIndex[next[g]] <= at; next[g]++) {
					if (gridIndex[next[g]] < at) continue;
					const i = from + next[g];
					value[i] = out[index];
					if (spread) spread[i] = out[nMeasures + index];
					if (!jacobian) continue;
					for (let c = 0; c < columns.length; c++) {
						const to = i * unknowns.length + columns[c];
						jacobian[to] = slope(index, c, S, this.#column[c]);
						if (spreadJacobian) spreadJacobian[to] = slope(nMeasures + index, c, S, this.#column[c]);
					}
				}
			});
		});

		/** Derivative of an output by an unknown, which is column `own` of the sensitivities; -1: it moves no state. */
		function slope(output: number, c: number, S: Float64Array | undefined, own: number): number {
			if (own >= 0 && !S) return 0;
			let sum = c < nParams ? d[nOutputs * nStates + output * nParams + c] : 0;
			if (own >= 0 && S)
				for (let state = 0; state < nStates; state++)
					sum += d[output * nStates + state] * S[state * width + own];
			return sum;
		}
	}

	/** Those of the columns of all unknowns that move states. */
	#movingOf(all: Float64Array): Float64Array {
		const width = this.#column.length;
		const own = this.#moving.length;
		if (own === width) return all;
		const n = all.length / width;
		const S = new Float64Array(n * own);
		for (let i = 0; i < n; i++)
			this.#moving.forEach((c, k) => {
				S[i * own + k] = all[i * width + c];
			});
		return S;
	}

	/** Experiments that differ in nothing that moves states are one solution. */
	#alikeOf(moving: ReadonlySet<string>): number[][] {
		const { experiments, observations, model, unknowns } = this.#spec;
		const isOwn =
			this.#inputs.length > 0 ||
			this.#initial.freeComponents.length > 0 ||
			unknowns.some(({ own }) => own !== undefined);
		const names = model.conditions.flatMap(({ name }) => (moving.has(name) ? [name] : []));
		const groups = new Map<string, number[]>();
		experiments.forEach(({ conditions, rest, reset }, e) => {
			const of = (own: Experiment["conditions"]): number[] => names.map((name) => own[name]);
			const key = isOwn
				? String(e)
				: JSON.stringify([observations.grids[e].t0, of(conditions), rest?.map(of), reset]);
			const list = groups.get(key);
			if (list) list.push(e);
			else groups.set(key, [e]);
		});
		return [...groups.values()];
	}
}

function unionOf(lists: readonly Float64Array[]): Float64Array {
	if (lists.length === 1) return lists[0];
	return Float64Array.from(new Set(lists.flatMap((list) => [...list]))).sort();
}
