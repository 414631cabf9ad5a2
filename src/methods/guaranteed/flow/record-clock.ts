/** What goes by the clock of a record: conditions and rates, its inputs, and the times at which equations switch. */
import type { Experiment } from "../../../data/experiment.ts";
import { InputError } from "../../../errors.ts";
import type { Interval } from "../../../interval/interval.ts";
import type { Node } from "../../../model/graph.ts";
import { type GuaranteedSystem, readOutward } from "../system.ts";
import { type Clock, clockSwitches, type SwitchingTime, switchingTimes } from "./events/switching-times.ts";
import { EnclosedInput, inputBounds, inputStride } from "./input-enclosure.ts";

const U = 2 ** -53;

export class RecordClock implements Clock {
	/** Bounds of conditions and rates of drift, stride 2. */
	readonly constants: Float64Array;
	/** Where inputs have corners or jump. */
	readonly knots: Float64Array;
	readonly from: number;
	readonly to: number;
	/** Times at which equations switch, and the expressions that do. */
	readonly switches: readonly SwitchingTime[];
	readonly switching: readonly Node[];
	readonly #system: GuaranteedSystem;
	readonly #inputs: readonly EnclosedInput[];

	constructor(system: GuaranteedSystem, experiment: Experiment) {
		this.#system = system;
		this.#inputs = system.inputs.map((name) => new EnclosedInput(name, experiment));
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
		const { times } = experiment;
		this.from = times[0];
		this.to = times[times.length - 1];
		const knots = system.inputs.flatMap((name) => [...experiment.inputs.get(name)!.knots]);
		this.knots = Float64Array.from(new Set(knots)).sort();
		const nodes = clockSwitches(system);
		const found = switchingTimes(system, nodes, this);
		this.switching = found ? nodes : [];
		this.switches = found ?? [];
	}

	/** Equations may switch by the clock all the while from one stop to the next. */
	isSwitching(from: number, to: number): boolean {
		return this.switches.some(({ lo, hi }) => lo <= from && to <= hi);
	}

	/** Bounds of all symbols from one instant to another; those of states and unknowns are 0. */
	symbols(from: number, to: number): Float64Array {
		const box = new Float64Array(2 * this.#system.symbols.length);
		this.setInto(box, from, to);
		return box;
	}

	/** Writes constants, inputs and time from one instant to another into bounds of all symbols, of which they are the last. */
	setInto(box: Float64Array, from: number, to: number): void {
		const { inputs } = this.#system;
		let k = box.length - 2 * (inputs.length + 1);
		box.set(this.constants, k - this.constants.length);
		for (let i = 0; i < inputs.length; i++, k += 2) box.set(this.#inputBetween(i, from, to), k);
		const slack = 16 * U * (Math.abs(from) + Math.abs(to));
		box.set([from - slack, to + slack], k);
	}

	/** Bounds of an input, over knots as well. */
	#inputBetween(i: number, from: number, to: number): [number, number] {
		const knots = this.knots.filter((t) => from < t && t < to);
		const ends = [from, ...knots, to];
		const pieces = ends.slice(1).map((end, k) => inputBounds(this.inputsOver(ends[k], end), i));
		return [Math.min(...pieces.map(([lo]) => lo)), Math.max(...pieces.map(([, hi]) => hi))];
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
