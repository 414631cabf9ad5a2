/**
 * One pass over all records for one box of unknowns: prediction to the next instant with data, correction of the box by them, and so
 * on (sections 3.2.2 and 4.3 of [kletting2011]). All output polynomials are kept.
 */
import type { Constraint, ConstraintReader } from "./constraint/constraint.ts";
import { contractBox, gain } from "./constraint/contract.ts";
import { contractRelaxed, dataOf } from "./constraint/contract-relaxed.ts";
import { OutputRanges } from "./constraint/output-ranges.ts";
import type { ExperimentFlow } from "./flow/experiment-flow.ts";
import { type FlowFailure, isFailure } from "./flow/flow.ts";
import type { FlowSet } from "./flow/flow-set.ts";
import { type CourseLooseness, closeCourses, withCourse } from "./looseness.ts";

/** What was known at one instant, from the data up to it. */
export interface InstantRecord {
	readonly experiment: number;
	readonly t: number;
	/** Bounds of all states, stride 2. */
	readonly states: number[];
	/** Bounds of all unknowns, stride 2. */
	readonly unknowns: number[];
}

/** Bounds of the states over one step. */
export interface TubeRecord {
	readonly experiment: number;
	readonly from: number;
	readonly to: number;
	readonly states: number[];
}

export interface PassOptions {
	readonly correction: "sivia" | "once" | "krawczyk" | "box";
	/** Stop where the data no longer say anything, since remainders are larger than their bars. */
	readonly endsBlind?: boolean;
	/** Data that may be beyond their bars, at most. */
	readonly outliers: number;
}

export interface Death {
	readonly t: number;
	readonly output: string;
	readonly experiment: number;
	/** Later data had narrowed the box before. */
	readonly later?: boolean;
}
export interface Failure extends FlowFailure {
	readonly experiment: number;
}

/** A pass that is done, wherever that was. */
export interface Passed {
	readonly flows: readonly ExperimentFlow[];
	readonly box: Float64Array;
	readonly constraints: readonly Constraint[];
	readonly instants: readonly InstantRecord[];
	readonly tubes: readonly TubeRecord[];
	readonly death?: Death | undefined;
	readonly failure?: Failure | undefined;
	/** Steps went over corners of the equations. */
	readonly overCorners: boolean;
	/** How loose states are where nothing is measured. */
	readonly courses: CourseLooseness;
	/** How much each unknown has to do with jumps on the way. */
	readonly decides: readonly number[];
}

/** Constraints that each correction looks back at, beside the new ones. */
const lookBack = 32;

export class Pass implements Passed {
	readonly box: Float64Array;
	readonly constraints: Constraint[] = [];
	readonly instants: InstantRecord[] = [];
	readonly tubes: TubeRecord[] = [];
	courses = closeCourses;
	death: Death | undefined;
	failure: Failure | undefined;
	done = false;
	#active: Constraint[] = [];
	#experiment = 0;
	#instant = 0;
	#set: FlowSet | undefined;
	/** The box that the set is scaled to. */
	#framed: Float64Array;
	readonly #ranges: readonly OutputRanges[];
	readonly #corners: readonly number[];

	constructor(
		readonly flows: readonly ExperimentFlow[],
		start: Float64Array,
		readonly reader: (constraint: Constraint) => ConstraintReader,
		readonly options: PassOptions,
	) {
		this.box = start.slice();
		this.#framed = start.slice();
		this.#ranges = flows.map((flow) => new OutputRanges(flow));
		this.#corners = flows.map(({ flow }) => flow.corners);
		for (const { flow } of flows) flow.decides.fill(0);
	}

	/** Steps of this pass went over corners of the equations. */
	get overCorners(): boolean {
		return this.flows.some(({ flow }, i) => flow.corners > this.#corners[i]);
	}

	get decides(): readonly number[] {
		const all = this.flows[0].unknowns.map(() => 0);
		for (const { flow, variables } of this.flows)
			variables.forEach((which, v) => {
				all[which] += flow.decides[v];
			});
		return all;
	}

	/** Share of the work done. */
	get fraction(): number {
		if (this.done) return 1;
		const all = this.flows.reduce((sum, { instants }) => sum + instants.length, 0);
		const past = this.flows
			.slice(0, this.#experiment)
			.reduce((sum, { instants }) => sum + instants.length, 0);
		return (past + this.#instant) / Math.max(all, 1);
	}

	/** To the next instant with data. */
	advance(): void {
		const flow = this.flows[this.#experiment];
		if (!flow) {
			this.#finish();
			return;
		}
		const instant = flow.instants[this.#instant];
		if (!instant) {
			this.#experiment++;
			this.#instant = 0;
			this.#set = undefined;
			return;
		}
		if (!this.#set) {
			this.#framed = this.box.slice();
			this.#set = flow.start(this.box);
		}
		const set = this.#set;
		const experiment = flow.index;
		const failure = flow.course.advance(set, instant.t, (from, to, states) =>
			this.tubes.push({ experiment, from, to, states: [...states] }),
		);
		const seen = failure ?? flow.course.at(set, instant.t);
		if (isFailure(seen)) {
			this.#fail({ ...seen, experiment });
			return;
		}
		const isBeside = seen !== set;
		const made = flow.constraints(seen, instant);
		if (!made) {
			const { t } = instant;
			this.#fail({ ...flow.ending.ofOutputs(t, flow.symbolBounds(seen, t), seen), experiment });
			return;
		}
		const ranged = this.#ranges[this.#experiment].narrowed(made, seen, instant, this.box);
		const jump = set.waits === undefined ? ("clock" as const) : ("states" as const);
		const fresh = isBeside ? ranged.map((each) => ({ ...each, jump })) : ranged;
		this.constraints.push(...fresh);
		this.#active.push(...fresh);
		if (this.#correct(fresh)) return;
		if (this.options.endsBlind && fresh.some(({ radius, lo, hi }) => radius > hi - lo)) {
			const why = "the enclosure is wider than the bars of the data";
			this.#fail({ t: instant.t, why, isBlind: true, experiment });
			return;
		}
		if (gain(this.#framed, this.box) > 0.05) {
			flow.narrow(set, this.box);
			this.#framed = this.box.slice();
		}
		flow.forgetStarts(set);
		// Data that may be wrong, and no data at all, say nothing of remainders and states.
		const isTrusted = fresh.length > 0 && this.options.outliers === 0 && !isBeside;
		if (isTrusted && !flow.correction.remainder(set, instant, fresh, this.reader(fresh[0]), this.box)) {
			this.#die(fresh[fresh.length - 1]);
			return;
		}
		const states = flow.stateBounds(seen, this.box, 8);
		if (isTrusted) flow.correction.states(states, set, instant, fresh);
		if (instant.data.length === 0) this.courses = withCourse(this.courses, flow, seen, states);
		this.instants.push({
			experiment,
			t: instant.t,
			states: [...states],
			unknowns: [...this.box],
		});
		this.#instant++;
	}

	#die({ t, output, experiment }: Death): void {
		this.death = { t, output, experiment };
		this.done = true;
	}

	/** Narrows the box; true when nothing is left. */
	#correct(fresh: readonly Constraint[]): boolean {
		if (fresh.length === 0) return false;
		const precision = 1e-4;
		if (this.options.outliers > 0) {
			if (this.#relaxed()) return false;
			this.#die(fresh[fresh.length - 1]);
			return true;
		}
		const { correction } = this.options;
		const empty =
			correction === "sivia"
				? fresh.find((each) => this.reader(each).verdict(each, this.box) === "outside")
				: (contractBox(this.reader, fresh, this.box, {
						kind: correction === "box" ? "krawczyk" : correction,
						precision,
					}) ??
					(correction === "box"
						? contractBox(this.reader, this.#active.slice(-lookBack), this.box, { kind: "box", precision })
						: undefined));
		if (empty) {
			// An older datum can be what empties the box, but it is empty from now on.
			const last = fresh[fresh.length - 1];
			this.#die(empty.t === last.t ? empty : last);
			return true;
		}
		if (this.#active.length > 2 * lookBack) this.#prune();
		return false;
	}

	/** Narrows the box by all data so far but some; false when nothing is left. */
	#relaxed(): boolean {
		const { outliers } = this.options;
		return contractRelaxed(this.reader, dataOf(this.constraints), this.box, outliers, 1e-4) !== undefined;
	}

	/** Constraints that every value of the box satisfies say nothing more. */
	#prune(): void {
		this.#active = this.#active.filter((each) => this.reader(each).verdict(each, this.box) !== "inside");
	}

	#finish(): void {
		if (this.options.outliers > 0) {
			this.done = true;
			return;
		}
		this.#prune();
		if (this.options.correction === "box") {
			const empty = contractBox(this.reader, this.#active, this.box, { kind: "box", precision: 1e-4 });
			if (empty) this.death = { t: empty.t, output: empty.output, experiment: empty.experiment, later: true };
		}
		this.done = true;
	}

	#fail(failure: Failure): void {
		this.failure = failure;
		this.done = true;
	}
}
