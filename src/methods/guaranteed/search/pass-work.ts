/**
 * A pass over all records for one box, done anywhere. The box, what may be spent and the degree come with the item, so that an answer does not depend on who gives it, nor on what was done before.
 */
import { adoptedExperiment, type PlainExperiment, plainExperiment } from "../../../data/read/transfer.ts";
import { adoptedModel, type PlainModel, plainModel } from "../../../model/transfer.ts";
import type { Problem } from "../../problem.ts";
import { type Constraint, ConstraintReader } from "../constraint/constraint.ts";
import { type PackedConstraints, packed } from "../constraint/packed.ts";
import { Effort } from "../flow/effort.ts";
import { ExperimentFlow } from "../flow/experiment-flow.ts";
import type { CourseLooseness } from "../looseness.ts";
import { type Death, type Failure, type InstantRecord, Pass, type TubeRecord } from "../pass.ts";
import { systemOf } from "../system.ts";
import { guaranteedUnknowns } from "../unknowns.ts";

/** Where the threads of a crew find this. */
export const passWork = "methods/guaranteed/search/pass-work";

export interface PassCommon {
	readonly model: PlainModel;
	readonly train: readonly PlainExperiment[];
	readonly effort: number;
	readonly timeOrder: number;
	readonly tolerance: number;
	readonly correction: "sivia" | "once" | "krawczyk" | "box";
	readonly isFree: boolean;
}

export interface PassItem {
	readonly box: Float64Array;
	readonly order: number;
	readonly endsBlind: boolean;
	readonly outliers: number;
	/** Effort that was spent before. */
	readonly spent: number;
}

export interface PassAnswer {
	readonly box: Float64Array;
	readonly constraints: PackedConstraints;
	readonly instants: readonly InstantRecord[];
	readonly tubes: readonly TubeRecord[];
	readonly death?: Death;
	readonly failure?: Failure;
	readonly overCorners: boolean;
	readonly courses: CourseLooseness;
	readonly decides: readonly number[];
	/** Steps of each record. */
	readonly steps: readonly number[];
	readonly spent: number;
}

/** What all items have in common; undefined where it cannot travel. */
export function commonOf(
	{ model, train }: Problem,
	rest: Omit<PassCommon, "model" | "train">,
): PassCommon | undefined {
	const plain = train.map(plainExperiment);
	if (plain.some((each) => each === undefined)) return undefined;
	return { model: plainModel(model), train: plain as PlainExperiment[], ...rest };
}

/** Begins the work: the records are made ready once for each degree. */
export function begin(common: PassCommon): (item: PassItem) => PassAnswer {
	const system = systemOf(adoptedModel(common.model));
	const train = common.train.map(adoptedExperiment);
	const unknowns = guaranteedUnknowns(
		system,
		train.map(({ name }) => name),
	);
	const effort = new Effort(common.effort);
	const ready = new Map<number, Ready>();
	const readyFor = (order: number): Ready => {
		const known = ready.get(order);
		if (known) return known;
		const { timeOrder, tolerance, isFree } = common;
		const flows = train.map(
			(experiment, e) =>
				new ExperimentFlow(system, experiment, e, unknowns, {
					order,
					timeOrder,
					tolerance,
					isFree,
					spending: effort,
				}),
		);
		const readers = flows.map(({ table }) => new ConstraintReader(table));
		const made = { flows, reader: ({ experiment }: Constraint) => readers[experiment] };
		ready.set(order, made);
		return made;
	};
	return (item) => {
		const { flows, reader } = readyFor(item.order);
		effort.spent = item.spent;
		const before = flows.map(({ flow }) => flow.steps);
		const { endsBlind, outliers } = item;
		const pass = new Pass(flows, item.box, reader, { correction: common.correction, outliers, endsBlind });
		while (!pass.done) pass.advance();
		const { box, constraints, instants, tubes, death, failure, overCorners, courses, decides } = pass;
		return {
			box,
			constraints: packed(constraints),
			instants,
			tubes,
			...(death ? { death } : {}),
			...(failure ? { failure } : {}),
			overCorners,
			courses,
			decides,
			steps: flows.map(({ flow }, i) => flow.steps - before[i]),
			spent: effort.spent - item.spent,
		};
	};
}

interface Ready {
	readonly flows: readonly ExperimentFlow[];
	readonly reader: (constraint: Constraint) => ConstraintReader;
}
