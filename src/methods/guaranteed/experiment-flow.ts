/** One experiment as a flow of sets: where it starts for a box of unknowns, how it goes on, what its outputs are. */
import type { Experiment } from "../../data/experiment.ts";
import { InputError } from "../../errors.ts";
import type { Interval } from "../../interval/interval.ts";
import { type Monomials, monomials } from "../../interval/monomials.ts";
import { shiftPolynomial } from "../../interval/polynomial-shift.ts";
import { type TaylorModel, TaylorSpace } from "../../interval/taylor-model.ts";
import { IntervalEvaluator } from "../../lower/interval/evaluate-interval.ts";
import { TaylorEvaluator } from "../../lower/interval/evaluate-taylor.ts";
import { SeriesEvaluator } from "../../lower/interval/series.ts";
import type { Constraint } from "./constraint.ts";
import { Flow, type FlowFailure, type OnStep } from "./flow.ts";
import { type FlowSet, remainderOf } from "./flow-set.ts";
import { EnclosedInput, inputStride } from "./input-enclosure.ts";
import { StateCorrection } from "./state-correction.ts";
import { type GuaranteedSystem, readOutward, readTime } from "./system.ts";
import type { GuaranteedUnknown } from "./unknowns.ts";

const U = 2 ** -53;

export interface FlowOptions {
	readonly order: number;
	readonly timeOrder: number;
	readonly tolerance: number;
}

/** All that was measured at one instant. */
export interface Instant {
	readonly t: number;
	readonly data: readonly { readonly measure: number; readonly y: number }[];
}

export class ExperimentFlow {
	readonly table: Monomials;
	readonly instants: readonly Instant[];
	/** Unknowns of this experiment, by their position among all. */
	readonly variables: Int32Array;
	readonly flow: Flow;
	readonly knots: Float64Array;
	/** How data narrow states. */
	readonly correction: StateCorrection;
	readonly #inputs: readonly EnclosedInput[];
	readonly #space: TaylorSpace;
	readonly #outputSeries: SeriesEvaluator;
	readonly #outputs: TaylorEvaluator;
	readonly #spreads: IntervalEvaluator;
	readonly #initialSeries: SeriesEvaluator;
	readonly #initials: TaylorEvaluator;
	readonly #symbols: TaylorModel[];
	/** Bounds of conditions and rates of drift, stride 2. */
	readonly constants: Float64Array;

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
		this.instants = instantsOf(system, experiment);
		const knots = new Set(system.inputs.flatMap((name) => [...experiment.inputs.get(name)!.knots]));
		this.knots = Float64Array.from(knots).sort();
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
		this.flow = new Flow(
			{
				nStates: system.nStates,
				rhsTape: system.rhsTape,
				jacobianTape: system.jacobianTape,
				paramVariables: system.params.map((_, i) => i),
				constants: this.constants,
				nInputs: system.inputs.length,
				inputs: (from, to) => this.inputsOver(from, to),
			},
			{ nVars, ...options },
		);
		this.#space = new TaylorSpace(nVars, options.order, 0);
		this.#outputSeries = new SeriesEvaluator(system.outputTape, this.#space);
		this.#outputs = new TaylorEvaluator(system.outputTape, this.#space, this.#outputSeries);
		this.#spreads = new IntervalEvaluator(system.spreadTape);
		this.#initialSeries = new SeriesEvaluator(system.initialTape, this.#space);
		this.#initials = new TaylorEvaluator(system.initialTape, this.#space, this.#initialSeries);
		this.#symbols = system.symbols.map(() => this.#space.model());
		this.correction = new StateCorrection(this);
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
		if (!this.#initials.evaluate(this.#symbols, 1e-14))
			throw new InputError(
				"initial state",
				"is not defined for all parameters of their sets",
				"Narrow the sets of the parameters that it depends on.",
			);
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

	/** Carries a set on to an instant, stepping onto the knots of the inputs. */
	advance(set: FlowSet, t: number, onStep?: OnStep): FlowFailure | undefined {
		for (const knot of this.knots) {
			if (knot <= set.t) continue;
			if (knot >= t) break;
			const failure = this.flow.advance(set, knot, onStep);
			if (failure) return this.#explained(failure, set);
		}
		const failure = this.flow.advance(set, t, onStep);
		return failure && this.#explained(failure, set);
	}

	/** With the state whose enclosure is the widest beside its size: what to tighten acts through it. */
	#explained(failure: FlowFailure, set: FlowSet): FlowFailure {
		const { states } = this.system;
		const { M } = this.#space;
		const rest = remainderOf(set);
		let widest = 0;
		let most = -1;
		const radius = (i: number): number =>
			set.P.subarray(i * M + 1, (i + 1) * M).reduce((sum, c) => sum + Math.abs(c), rest[i]);
		states.forEach((_, i) => {
			const share = radius(i) / (Math.abs(set.P[i * M]) + 1e-12);
			if (share > most) [widest, most] = [i, share];
		});
		const middle = set.P[widest * M];
		const half = radius(widest);
		const range = `[${(middle - half).toPrecision(4)}, ${(middle + half).toPrecision(4)}]`;
		const why = `${failure.why}, with ${states[widest]} in ${range}`;
		// The unknown in whose terms most of that width is.
		const share = this.unknowns.map(() => 0);
		for (let m = 1; m < M; m++)
			this.variables.forEach((which, v) => {
				if (this.table.exponent(m, v) > 0) share[which] += Math.abs(set.P[widest * M + m]);
			});
		const first = share.indexOf(Math.max(...share));
		return share[first] > 0 ? { ...failure, why, tighten: this.unknowns[first].name } : { ...failure, why };
	}

	/** What the data of an instant say of the unknowns, for the set at that instant; undefined where an output is undefined. */
	constraints(set: FlowSet, instant: Instant): Constraint[] | undefined {
		this.#load(set, instant.t);
		this.#outputSeries.order(
			0,
			this.#symbols.map(({ c }) => c),
		);
		if (!this.#outputs.evaluate(this.#symbols, 1e-14)) return undefined;
		const spreads = new Float64Array(2 * this.system.model.measures.length);
		if (!this.#spreads.evaluate(this.symbolBounds(set, instant.t), spreads)) return undefined;
		return instant.data.map(({ measure, y }) => {
			const { c, r } = this.#outputs.output(measure);
			const read = readOutward(y);
			const least = Math.max(spreads[2 * measure], 0);
			const most = spreads[2 * measure + 1];
			if (!(most >= 0))
				throw new InputError(
					`measure ${this.system.model.measures[measure].name}`,
					`has a largest error of ${most}`,
					"Write a positive one:  in x +- 0.1.",
				);
			return {
				variables: this.variables,
				centre: set.centre.slice(),
				scale: set.scale.slice(),
				coefficients: c.slice(0, this.#space.M),
				radius: r,
				lo: outDown(read.lo - most),
				hi: outUp(read.hi + most),
				innerLo: outUp(read.hi - least),
				innerHi: outDown(read.lo + least),
				t: instant.t,
				output: this.system.model.measures[measure].name,
				experiment: this.index,
			};
		});
	}

	/** Bounds of all symbols at an instant, stride 2. */
	symbolBounds(set: FlowSet, t: number): Float64Array {
		this.#load(set, t);
		const out = new Float64Array(2 * this.#symbols.length);
		for (const [k, model] of this.#symbols.entries()) this.#space.boundsInto(out, 2 * k, model);
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
		// The rounding is added to the remainder in the basis C, which is orthogonal: |C^-1| is about |C^T|.
		const grown = set.R.slice();
		for (let j = 0; j < nStates; j++) {
			let sum = 0;
			for (let i = 0; i < nStates; i++) sum += Math.abs(set.C[i * nStates + j]) * error[i];
			grown[j] = (grown[j] + sum * (1 + 1e-6) + largest(error) * 1e-6) * (1 + 2 ** -40);
		}
		set.R = grown;
		set.B = set.B.map((value, i) => (value + error[i]) * (1 + 2 ** -40));
	}

	/** Bounds of all states over a box of unknowns, stride 2. */
	stateBounds(set: FlowSet, box: Float64Array, pieces: number): Float64Array {
		const { nStates } = this.system;
		const { M } = this.#space;
		const rest = remainderOf(set);
		const out = new Float64Array(2 * nStates);
		for (let i = 0; i < nStates; i++) {
			const [lo, hi] = this.#polynomialRange(set, set.P.subarray(i * M, (i + 1) * M), box, pieces);
			out[2 * i] = outDown(lo - rest[i]);
			out[2 * i + 1] = outUp(hi + rest[i]);
		}
		return out;
	}

	/** Range of a polynomial of the unknowns over a box, cut into pieces along each unknown (but at most 256 in all). */
	#polynomialRange(set: FlowSet, P: Float64Array, box: Float64Array, pieces: number): [number, number] {
		const nVars = this.variables.length;
		const per = nVars === 0 ? 1 : Math.max(1, Math.min(pieces, Math.floor(256 ** (1 / nVars) + 1e-9)));
		let least = Number.POSITIVE_INFINITY;
		let most = Number.NEGATIVE_INFINITY;
		const total = per ** nVars;
		const c = new Float64Array(P.length);
		const a = new Float64Array(nVars);
		const b = new Float64Array(nVars);
		const model = this.#symbols[0];
		const bounds = new Float64Array(2);
		for (let k = 0; k < total; k++) {
			for (let v = 0, rest = k; v < nVars; v++, rest = Math.floor(rest / per)) {
				const lo = box[2 * this.variables[v]];
				const width = (box[2 * this.variables[v] + 1] - lo) / per;
				const half = (width / 2) * (1 + 1e-12);
				const middle = lo + width * ((rest % per) + 0.5);
				a[v] = set.scale[v] === 0 ? 0 : (middle - set.centre[v]) / set.scale[v];
				b[v] = set.scale[v] === 0 ? 0 : (half + Math.abs(middle) * 1e-15) / set.scale[v];
			}
			c.set(P);
			const error = shiftPolynomial(c, this.table, a, b);
			model.c.set(c);
			model.r = error;
			model.top = 0;
			this.#space.boundsInto(bounds, 0, model);
			least = Math.min(least, bounds[0]);
			most = Math.max(most, bounds[1]);
		}
		return [least, most];
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

function largest(values: Float64Array): number {
	return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

const outDown = (x: number): number => x - Math.abs(x) * 4 * U - 1e-300;
const outUp = (x: number): number => x + Math.abs(x) * 4 * U + 1e-300;
