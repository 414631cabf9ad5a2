/** Whether one sample excludes all of a box: the box is followed to its instant, forward only, and the output there is beyond the bar for all of it. */
import type { Problem } from "../../problem.ts";
import { ConstraintReader } from "../constraint/constraint.ts";
import { ExperimentFlow, type FlowOptions } from "../flow/experiment-flow.ts";
import { isFailure } from "../flow/flow.ts";
import type { GuaranteedSystem } from "../system.ts";
import type { GuaranteedUnknown } from "../unknowns.ts";
import type { Sample } from "./checker/checker.ts";

export class Exclusion {
	readonly flows: readonly ExperimentFlow[];
	readonly #readers: readonly ConstraintReader[];

	constructor(
		system: GuaranteedSystem,
		problem: Problem,
		unknowns: readonly GuaranteedUnknown[],
		options: FlowOptions,
	) {
		this.flows = problem.train.map(
			(experiment, e) => new ExperimentFlow(system, experiment, e, unknowns, options),
		);
		this.#readers = this.flows.map(({ table }) => new ConstraintReader(table));
	}

	/** The first sample that excludes all of a box, or the one that is asked for; undefined where there is none. */
	of(box: Float64Array, only?: Sample): Sample | undefined {
		for (const [record, flow] of this.flows.entries()) {
			if (only && only.record !== record) continue;
			const set = flow.start(box);
			for (const [instant, each] of flow.instants.entries()) {
				if (only && instant > only.instant) break;
				if (flow.course.advance(set, each.t)) break;
				if (only && instant < only.instant) continue;
				const seen = flow.course.at(set, each.t);
				const found = isFailure(seen) ? undefined : flow.constraints(seen, each);
				if (!found) break;
				for (const [i, { measure }] of each.data.entries()) {
					if (only && only.measure !== measure) continue;
					const [lo, hi] = this.#readers[record].range(found[i], box);
					if (hi < found[i].lo || lo > found[i].hi) return { record, instant, measure };
				}
			}
		}
		return undefined;
	}
}
