/**
 * Bounds of outputs that are no polynomials of low order over the whole of a set: their Taylor models have remainders as large as their ranges. Over pieces of the
 * unknowns they are close.
 */
import type { ExperimentFlow } from "../flow/experiment-flow.ts";
import type { FlowSet } from "../flow/flow-set.ts";
import { type Constraint, ConstraintReader } from "./constraint.ts";
import type { Instant } from "./output-constraints.ts";
import { searchRange } from "./range-search.ts";

/** A radius of this share of a range is worth the work. */
const large = 1e-3;
/** Evaluations for one output at one instant, and for all of a record. */
const mostOnce = 96;
const mostInAll = 3000;

export class OutputRanges {
	readonly #flow: ExperimentFlow;
	readonly #reader: ConstraintReader;
	readonly #isCurved: readonly boolean[];
	#left = mostInAll;

	constructor(flow: ExperimentFlow) {
		this.#flow = flow;
		this.#reader = new ConstraintReader(flow.table);
		this.#isCurved = flow.system.model.measures.map(({ value }) => value.op !== "sym");
	}

	/** The constraints of an instant, those of data (they come first) with closer bounds of their outputs where there are some. */
	narrowed(
		fresh: readonly Constraint[],
		set: FlowSet,
		instant: Instant,
		box: Float64Array,
	): readonly Constraint[] {
		return fresh.map((constraint, k) => {
			const measure = instant.data[k]?.measure;
			if (measure === undefined || !this.#isCurved[measure] || this.#left < 3) return constraint;
			const [lo, hi] = this.#reader.range(constraint, box);
			if (!(constraint.radius > large * (hi - lo))) return constraint;
			const found = searchRange(
				box,
				(part) => this.#over(part, k, set, instant),
				Math.min(mostOnce, this.#left),
			);
			this.#left -= found?.tried ?? 1;
			const atPoint = this.#atPoint(box, k, set, instant);
			return {
				...constraint,
				...(atPoint === undefined ? {} : { atPoint }),
				...(found ? { range: [found.lo, found.hi] as const } : {}),
			};
		});
	}

	/** What is left of the radius of an output in the middle of the box. */
	#atPoint(box: Float64Array, k: number, set: FlowSet, instant: Instant): number | undefined {
		const middle = box.map((_, i) => box[i - (i % 2)] / 2 + box[i - (i % 2) + 1] / 2);
		const point = this.#over(middle, k, set, instant);
		return point && point.hi / 2 - point.lo / 2;
	}

	#over(box: Float64Array, k: number, set: FlowSet, instant: Instant) {
		const part: FlowSet = {
			...set,
			P: set.P.slice(),
			R: set.R.slice(),
			B: set.B.slice(),
			centre: set.centre.slice(),
			scale: set.scale.slice(),
		};
		this.#flow.narrow(part, box);
		const made = this.#flow.constraints(part, instant)?.[k];
		if (!made) return undefined;
		const [lo, hi] = this.#reader.range(made, box);
		return { lo, hi, side: this.#reader.side(made, box) };
	}
}
