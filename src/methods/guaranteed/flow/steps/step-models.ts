/** The models of all symbols over one step: loaded from a set, expanded in time in plain floating point, and what is evaluated with them. */
import { type TaylorModel, TaylorSpace } from "../../../../interval/taylor/taylor-model.ts";
import { IntervalEvaluator } from "../../../../lower/interval/evaluate-interval.ts";
import { TaylorEvaluator } from "../../../../lower/interval/evaluate-taylor.ts";
import { SeriesEvaluator } from "../../../../lower/interval/series.ts";
import { pow } from "../../../../num/elementary/number.ts";
import { JumpCheck } from "../events/jump-check.ts";
import type { FlowSet } from "../flow-set.ts";
import type { FlowSettings, FlowSystem } from "../flow-system.ts";
import { inputStride } from "../input-enclosure.ts";
import { costOf } from "../tape-cost.ts";

const U = 2 ** -53;
const UP = 1 + 2 ** -40;

export class StepModels {
	readonly space: TaylorSpace;
	readonly series: SeriesEvaluator;
	readonly taylor: TaylorEvaluator;
	readonly jacobian: IntervalEvaluator;
	/** The right-hand side itself, where it may jump. */
	readonly jumps: JumpCheck;
	readonly symbols: TaylorModel[];
	/** Products of coefficients for one evaluation of the right-hand side. */
	readonly cost: number;
	readonly #arrays: Float64Array[];
	readonly #end: TaylorModel;

	constructor(
		readonly system: FlowSystem,
		readonly settings: FlowSettings,
	) {
		this.space = new TaylorSpace(settings.nVars, settings.order, settings.timeOrder);
		this.series = new SeriesEvaluator(system.rhsTape, this.space);
		this.taylor = new TaylorEvaluator(system.rhsTape, this.space, this.series);
		this.jacobian = new IntervalEvaluator(system.jacobianTape, true);
		this.jumps = new JumpCheck(system.rhsTape);
		this.symbols = system.rhsTape.symbols.map(() => this.space.model());
		this.#arrays = this.symbols.map(({ c }) => c);
		this.#end = this.space.model();
		const still = system.nStates + system.paramVariables.length + system.constants.length / 2;
		const isStill = (symbol: number): boolean => symbol >= system.nStates && symbol < still;
		this.cost = costOf(system.rhsTape, this.space, isStill) + 100 * system.jacobianTape.instructions.length;
	}

	get nStates(): number {
		return this.system.nStates;
	}

	/** Slots of the right-hand side. */
	get outputs(): readonly number[] {
		return this.system.rhsTape.outputs;
	}

	/** What holds of all symbols by other means, stride 2. */
	get known(): Float64Array | undefined {
		return this.system.known;
	}

	/** Counts one evaluation of the right-hand side, or as much as several. */
	spend(times = 1): void {
		this.settings.effort.spend(times * this.cost);
	}

	/** The states at the end of the step: their polynomials, one after the other, and a radius of each. */
	ends(): { P: Float64Array; radii: Float64Array } {
		const { M } = this.space;
		const P = new Float64Array(this.nStates * M);
		const radii = new Float64Array(this.nStates);
		for (let i = 0; i < this.nStates; i++) {
			this.space.endInto(this.#end, this.symbols[i]);
			P.set(this.#end.c.subarray(0, M), i * M);
			radii[i] = this.#end.r;
		}
		return { P, radii };
	}

	/** Bounds of all states over the step, stride 2. */
	tube(): Float64Array {
		const out = new Float64Array(2 * this.nStates);
		for (let i = 0; i < this.nStates; i++) this.space.boundsInto(out, 2 * i, this.symbols[i]);
		return out;
	}

	/** Bounds of all symbols over the step. */
	box(): Float64Array {
		const box = new Float64Array(2 * this.symbols.length);
		for (const [k, model] of this.symbols.entries()) this.space.boundsInto(box, 2 * k, model);
		const { known } = this;
		if (known)
			for (let i = 0; i < box.length; i += 2) {
				box[i] = Math.max(box[i], known[i]);
				box[i + 1] = Math.min(box[i + 1], known[i + 1]);
			}
		return box;
	}

	/** The series of the states over the step; returns by which factor the step could be longer. */
	expand(set: FlowSet, to: number): number {
		const { nStates, nInputs, constants, paramVariables } = this.system;
		const { M, timeOrder, table } = this.space;
		const h = to - set.t;
		this.spend();
		const uncertain = 8 * U * (Math.abs(set.t) + Math.abs(to));
		for (const [k, model] of this.symbols.entries()) {
			model.c.fill(0);
			model.r = 0;
			model.top = k < nStates ? timeOrder : 0;
		}
		for (let i = 0; i < nStates; i++) this.#arrays[i].set(set.P.subarray(i * M, (i + 1) * M));
		let k = nStates;
		for (const v of paramVariables) {
			this.#arrays[k][0] = set.centre[v];
			if (table.order > 0) this.#arrays[k][table.linear[v]] = set.scale[v];
			else this.symbols[k].r = set.scale[v];
			k++;
		}
		for (let i = 0; 2 * i < constants.length; i++, k++)
			this.space.constantInto(this.symbols[k], constants[2 * i], constants[2 * i + 1]);
		const over = nInputs > 0 ? this.system.inputs(set.t, to) : undefined;
		for (let i = 0; i < nInputs; i++, k++) {
			const model = this.symbols[k];
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
		this.symbols[k].r = uncertain + (timeOrder > 0 ? 0 : h);
		this.symbols[k].top = Math.min(1, timeOrder);
		for (let j = 0; j <= timeOrder; j++) {
			this.series.order(j, this.#arrays);
			if (j === timeOrder) break;
			for (let i = 0; i < nStates; i++) {
				const from = this.series.offset(this.outputs[i]) + j * M;
				const array = this.#arrays[i];
				for (let m = 0; m < M; m++) array[(j + 1) * M + m] = (h / (j + 1)) * this.series.values[from + m];
			}
		}
		return this.#longer();
	}

	/** From the size of the last two coefficients. */
	#longer(): number {
		const { M, timeOrder } = this.space;
		if (timeOrder < 2) return 1;
		let ratio = 4;
		for (let i = 0; i < this.system.nStates; i++) {
			const c = this.#arrays[i];
			let size = 1e-3;
			for (let m = 0; m < M; m++) size += Math.abs(c[m]);
			for (const k of [timeOrder - 1, timeOrder]) {
				let last = 0;
				for (let m = 0; m < M; m++) last += Math.abs(c[k * M + m]);
				if (Number.isNaN(last)) return 0.1;
				ratio = Math.min(ratio, pow((this.settings.tolerance * size) / last, 1 / k));
			}
		}
		return ratio;
	}
}
