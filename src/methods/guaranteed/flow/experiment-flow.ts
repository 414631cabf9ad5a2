/** One experiment as a flow of sets: where it starts for a box of unknowns, how it goes on, what its outputs are. */
import type { Experiment } from "../../../data/experiment.ts";
import { InputError } from "../../../errors.ts";
import { type Monomials, monomials } from "../../../interval/taylor/monomials.ts";
import { shiftPolynomial } from "../../../interval/taylor/polynomial-shift.ts";
import { type TaylorModel, TaylorSpace } from "../../../interval/taylor/taylor-model.ts";
import { TaylorEvaluator } from "../../../lower/interval/evaluate-taylor.ts";
import { SeriesEvaluator } from "../../../lower/interval/series.ts";
import { outDown, outUp } from "../constraint/bar.ts";
import type { Constraint } from "../constraint/constraint.ts";
import { type Instant, OutputConstraints } from "../constraint/output-constraints.ts";
import { PolynomialRange } from "../constraint/polynomial-range.ts";
import { StateCorrection } from "../constraint/state-correction.ts";
import { type GuaranteedSystem, readTime } from "../system.ts";
import type { GuaranteedUnknown } from "../unknowns.ts";
import { Course } from "./course.ts";
import { type Effort, endless } from "./effort.ts";
import { Ending } from "./ending.ts";
import { Flow } from "./flow.ts";
import { type FlowSet, remainderOf, widenRemainder } from "./flow-set.ts";
import { forgetUnknown, hasOutgrown } from "./forget.ts";
import { RecordClock } from "./record-clock.ts";
import { costOf } from "./tape-cost.ts";

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
	/** How a set goes on along the record. */
	readonly course: Course;
	/** How data narrow states. */
	readonly correction: StateCorrection;
	/** Why it ends early, if so. */
	readonly ending: Ending;
	readonly clock: RecordClock;
	readonly space: TaylorSpace;
	readonly #outputs: OutputConstraints;
	readonly #spending: Effort;
	/** Products for one evaluation of the outputs. */
	readonly #outputCost: number;
	readonly #range: PolynomialRange;
	readonly #initialSeries: SeriesEvaluator;
	readonly #initials: TaylorEvaluator;
	readonly #symbols: TaylorModel[];
	/** What holds of all symbols whatever happens, stride 2: constant parameters are in their sets. */
	readonly known: Float64Array;

	constructor(
		readonly system: GuaranteedSystem,
		readonly experiment: Experiment,
		readonly index: number,
		readonly unknowns: readonly GuaranteedUnknown[],
		options: FlowOptions,
	) {
		this.variables = Int32Array.from(
			unknowns.flatMap((unknown, i) => (unknown.kind === "param" || unknown.experiment === index ? [i] : [])),
		);
		const nVars = this.variables.length;
		this.table = monomials(nVars, options.order);
		this.instants = options.isFree
			? Array.from(experiment.times, (t) => ({ t, data: [] }))
			: instantsOf(system, experiment);
		this.clock = new RecordClock(system, experiment);
		this.known = Float64Array.from({ length: 2 * system.symbols.length }, (_, i) =>
			i % 2 === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
		);
		for (const { kind, name, prior } of unknowns)
			if (kind === "param") this.known.set([prior.lo, prior.hi], 2 * system.symbols.indexOf(name));
		this.#spending = options.spending ?? endless();
		const settings = { nVars, ...options, effort: this.#spending };
		this.flow = new Flow(
			{
				nStates: system.nStates,
				rhsTape: system.rhsTape,
				jacobianTape: system.jacobianTape,
				paramVariables: system.params.map((_, i) => i),
				constants: this.clock.constants,
				nInputs: system.inputs.length,
				known: this.known,
				inputs: (from, to) => this.clock.inputsOver(from, to),
				endsSoon: (set) => this.ending.isNear(this.symbolBounds(set, set.t), 0.01),
			},
			settings,
		);
		this.space = new TaylorSpace(nVars, options.order, 0);
		this.#outputs = new OutputConstraints(system, this.space);
		this.#outputCost = ofOutputs + costOf(system.outputTape, this.space, () => false);
		this.#range = new PolynomialRange(this.space, this.table);
		this.#initialSeries = new SeriesEvaluator(system.initialTape, this.space);
		this.#initials = new TaylorEvaluator(system.initialTape, this.space, this.#initialSeries);
		this.#symbols = system.symbols.map(() => this.space.model());
		this.correction = new StateCorrection(this);
		this.ending = new Ending(this);
		this.course = new Course(this, settings);
	}

	/** The set at the first instant, for a box of all unknowns. */
	start(box: Float64Array): FlowSet {
		const { nStates } = this.system;
		const { M } = this.space;
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
			h: Math.max((this.clock.to - t) / 16, 1e-9),
		};
		this.#frame(set, box);
		this.models(set, t);
		this.#initialSeries.order(
			0,
			this.#symbols.map(({ c }) => c),
		);
		if (!this.#initials.evaluate(this.#symbols, 1e-14, this.known)) {
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
		this.course.begin(set);
		return set;
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
		return this.boundsOf(this.models(set, t));
	}

	boundsOf(models: readonly TaylorModel[]): Float64Array {
		const out = new Float64Array(2 * models.length);
		for (const [k, model] of models.entries()) this.space.boundsInto(out, 2 * k, model);
		for (let i = 0; i < out.length; i += 2) {
			out[i] = Math.max(out[i], this.known[i]);
			out[i + 1] = Math.min(out[i + 1], this.known[i + 1]);
		}
		return out;
	}

	/** The set for a smaller box: the same states as polynomials of the unknowns scaled to it. */
	narrow(set: FlowSet, box: Float64Array): void {
		const { nStates } = this.system;
		const { M } = this.space;
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
		const { M } = this.space;
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

	/** The models of all symbols at an instant, which are the same ones at each call. */
	models(set: FlowSet, t: number): readonly TaylorModel[] {
		const { nStates, params } = this.system;
		const { M } = this.space;
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
		const { constants } = this.clock;
		for (let i = 0; 2 * i < constants.length; i++, k++)
			this.space.constantInto(this.#symbols[k], constants[2 * i], constants[2 * i + 1]);
		for (const { lo, hi } of this.clock.inputsAt(t)) this.space.constantInto(this.#symbols[k++], lo, hi);
		const read = readTime(t);
		this.space.constantInto(this.#symbols[k], read.lo, read.hi);
		return this.#symbols;
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
