/** What the data of an instant say of the states there: the slopes of the outputs by the states, over all states that are possible. */
import { mid } from "../../../interval/measure.ts";
import { add, sub } from "../../../interval/operations.ts";
import { down, up } from "../../../interval/rounding.ts";
import { IntervalEvaluator } from "../../../lower/interval/evaluate-interval.ts";
import type { ExperimentFlow } from "../flow/experiment-flow.ts";
import type { FlowSet } from "../flow/flow-set.ts";
import type { Constraint, ConstraintReader } from "./constraint.ts";
import type { Instant } from "./output-constraints.ts";
import { contractLinear, correctRemainder } from "./remainder-correction.ts";

/** A remainder of this share of a bar is worth the work. */
const large = 0.01;

export class StateCorrection {
	readonly #flow: ExperimentFlow;
	readonly #slopes: IntervalEvaluator;
	readonly #values: IntervalEvaluator;

	constructor(flow: ExperimentFlow) {
		this.#flow = flow;
		this.#slopes = new IntervalEvaluator(flow.system.outputSlopesTape, true);
		this.#values = new IntervalEvaluator(flow.system.outputTape);
	}

	/** Narrows the remainder of a set by data with these constraints; false when nothing is left. */
	remainder(
		set: FlowSet,
		instant: Instant,
		fresh: readonly Constraint[],
		reader: ConstraintReader,
		box: Float64Array,
	): boolean {
		// Slopes say nothing of a jump.
		if (fresh.some(({ jump }) => jump)) return true;
		if (!fresh.some(({ radius, lo, hi }) => radius > large * (hi - lo))) return true;
		const { nStates, model } = this.#flow.system;
		const nothing = new Float64Array(nStates);
		const bare = this.#flow.constraints({ ...set, R: nothing, B: nothing }, instant);
		const slopes = new Float64Array(2 * nStates * model.measures.length);
		if (!bare || !this.#slopes.evaluate(this.#flow.symbolBounds(set, instant.t), slopes)) return true;
		const data = instant.data.map(({ measure }, k) => {
			const [least, most] = reader.range(bare[k], box);
			return {
				slopes: slopes.slice(2 * nStates * measure, 2 * nStates * (measure + 1)),
				rest: { lo: down(fresh[k].lo - most), hi: up(fresh[k].hi - least) },
			};
		});
		return correctRemainder(set, this.#flow.table.length, data);
	}

	/** Bounds of states (stride 2, in place) narrowed by the data of their instant: h(x̂) + G·(x - x̂) is in the bar. */
	states(bounds: Float64Array, set: FlowSet, instant: Instant, fresh: readonly Constraint[]): void {
		if (fresh.some(({ jump }) => jump)) return;
		const { nStates, model } = this.#flow.system;
		const symbols = this.#flow.symbolBounds(set, instant.t);
		symbols.set(bounds);
		const slopes = new Float64Array(2 * nStates * model.measures.length);
		const values = new Float64Array(2 * model.measures.length);
		if (!this.#slopes.evaluate(symbols, slopes)) return;
		const middle = Array.from({ length: nStates }, (_, i) => mid(bounds[2 * i], bounds[2 * i + 1]));
		symbols.set(middle.flatMap((x) => [x, x]));
		if (!this.#values.evaluate(symbols, values)) return;
		const x = middle.map((value, i) => sub({ lo: bounds[2 * i], hi: bounds[2 * i + 1] }, value));
		for (const [k, { measure }] of instant.data.entries()) {
			const G = middle.map((_, i) => {
				const o = 2 * (nStates * measure + i);
				return { lo: slopes[o], hi: slopes[o + 1] };
			});
			const value = { lo: values[2 * measure], hi: values[2 * measure + 1] };
			// Where nothing is left the box of unknowns is empty; that is for its own correction to find.
			if (!contractLinear(x, G, sub({ lo: fresh[k].lo, hi: fresh[k].hi }, value))) return;
		}
		x.forEach((side, i) => {
			const { lo, hi } = add(side, middle[i]);
			bounds[2 * i] = Math.max(bounds[2 * i], lo);
			bounds[2 * i + 1] = Math.min(bounds[2 * i + 1], hi);
		});
	}
}
