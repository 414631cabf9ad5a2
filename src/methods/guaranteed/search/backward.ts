/**
 * What later data say of earlier states. Unknowns that stay constant are narrowed by all data at once, and with them all courses. What may change at any time, a bounded input or a parameter that drifts, is in no polynomial:
 * there the states at the end of a step lead back to those at its beginning, x(from) = x(to) - ∫f, with f over the box of the step; and from the start on again.
 */
import { down, up } from "../../../interval/rounding.ts";
import { IntervalEvaluator } from "../../../lower/interval/evaluate-interval.ts";
import { outDown, outUp } from "../constraint/bar.ts";
import type { ExperimentFlow } from "../flow/experiment-flow.ts";
import type { Part } from "../part.ts";
import type { InstantRecord, TubeRecord } from "../pass.ts";

/** How often the box of a step is narrowed by what it leads to. */
const rounds = 2;

/** A part with its states, its tube and its starts narrowed; as it is where nothing changes freely. */
export function sweptBack(part: Part, flows: readonly ExperimentFlow[]): Part {
	// Over an event no slope leads back.
	if (flows.every(({ system }) => system.rates.length === 0 || system.model.events.length > 0)) return part;
	return flows.reduce((known, flow) => new Sweep(known, flow).swept(), part);
}

class Sweep {
	readonly #rhs: IntervalEvaluator;
	readonly #box: Float64Array;
	readonly #tubes: TubeRecord[];
	readonly #instants: Map<number, InstantRecord>;

	constructor(
		readonly part: Part,
		readonly flow: ExperimentFlow,
	) {
		this.#rhs = new IntervalEvaluator(flow.system.rhsTape, true);
		this.#box = part.box.slice();
		this.#tubes = part.tubes.filter(({ experiment }) => experiment === flow.index);
		this.#instants = new Map(
			part.instants.filter(({ experiment }) => experiment === flow.index).map((each) => [each.t, each]),
		);
	}

	swept(): Part {
		const { part, flow } = this;
		const isOther = ({ experiment }: { experiment: number }): boolean => experiment !== flow.index;
		// What comes out empty would be no course at all: that is for the search to say.
		if (!this.#pass(-1) || !this.#pass(1)) return part;
		return {
			...part,
			box: this.#box,
			tubes: inOrder([...part.tubes.filter(isOther), ...this.#tubes], ({ from }) => from),
			instants: inOrder([...part.instants.filter(isOther), ...this.#instants.values()], ({ t }) => t),
		};
	}

	/** Through all steps in one direction of time; false where nothing is left. */
	#pass(direction: 1 | -1): boolean {
		const tubes = this.#tubes;
		if (tubes.length === 0) return true;
		const first = direction > 0 ? 0 : tubes.length - 1;
		let states = this.#seen(direction > 0 ? tubes[first].from : tubes[first].to, tubes[first].states);
		for (let i = first; states && 0 <= i && i < tubes.length; i += direction) {
			const step = this.#step(tubes[i], states, direction);
			if (!step) return false;
			tubes[i] = { ...tubes[i], states: step.during };
			states = this.#seen(direction > 0 ? tubes[i].to : tubes[i].from, step.after);
		}
		return states !== undefined && (direction > 0 || this.#starts(states));
	}

	/** States at a time, with what is known of them there, which they narrow. */
	#seen(t: number, states: number[]): number[] | undefined {
		const known = this.#instants.get(t);
		if (!known) return states;
		const both = meet(known.states, states);
		if (both) this.#instants.set(t, { ...known, states: both });
		return both;
	}

	/** All of a step, and its other end. */
	#step(
		{ from, to, states }: TubeRecord,
		end: number[],
		direction: 1 | -1,
	): { during: number[]; after: number[] } | undefined {
		const h = up(to - from);
		let during: number[] | undefined = states;
		let slopes: Float64Array | undefined;
		for (let round = 0; round < rounds && during; round++) {
			slopes = this.#slopes(during, from, to);
			if (!slopes) return { during, after: during };
			during = meet(during, moved(end, slopes, 0, direction * h));
		}
		if (!during || !slopes) return undefined;
		const least = direction * down(to - from);
		const after = meet(during, moved(end, slopes, least, direction * h));
		return after && { during, after };
	}

	/** Bounds of the rates of all states over a step; nothing where they have none. */
	#slopes(states: readonly number[], from: number, to: number): Float64Array | undefined {
		const { system } = this.flow;
		const symbols = new Float64Array(2 * system.symbols.length);
		symbols.set(states);
		symbols.set(this.#box.subarray(0, 2 * system.params.length), 2 * system.nStates);
		this.flow.clock.setInto(symbols, from, to);
		const out = new Float64Array(2 * system.nStates);
		return this.#rhs.evaluate(symbols, out) && out.every(Number.isFinite) ? out : undefined;
	}

	/** Starts that are unknown are among the states at the start. */
	#starts(states: readonly number[]): boolean {
		const { flow } = this;
		for (const which of flow.variables) {
			const { kind, component } = flow.unknowns[which];
			if (kind !== "initial") continue;
			const [lo, hi] = [
				Math.max(this.#box[2 * which], states[2 * component]),
				Math.min(this.#box[2 * which + 1], states[2 * component + 1]),
			];
			if (!(lo <= hi)) return false;
			this.#box.set([lo, hi], 2 * which);
		}
		return true;
	}
}

/** States after a time between two, positive or negative both, at rates within bounds. */
function moved(states: readonly number[], slopes: Float64Array, short: number, long: number): number[] {
	return states.map((end, i) => {
		const [a, b] = [slopes[i & ~1], slopes[i | 1]];
		const products = [a * short, a * long, b * short, b * long];
		return i % 2 === 0
			? outDown(end + outDown(Math.min(...products)))
			: outUp(end + outUp(Math.max(...products)));
	});
}

function meet(a: readonly number[], b: readonly number[]): number[] | undefined {
	const both = a.map((end, i) => (i % 2 === 0 ? Math.max(end, b[i]) : Math.min(end, b[i])));
	return both.every((end, i) => i % 2 === 1 || end <= both[i + 1]) ? both : undefined;
}

/** By records, and in each by time. */
function inOrder<T extends { readonly experiment: number }>(list: T[], at: (each: T) => number): T[] {
	return list.sort((a, b) => a.experiment - b.experiment || at(a) - at(b));
}
