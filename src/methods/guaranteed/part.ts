/** A part of the box of unknowns, what became of it, and how that is kept in a checkpoint. */
import type { Constraint } from "./constraint/constraint.ts";
import type { ExperimentFlow } from "./flow/experiment-flow.ts";
import type { Failure, InstantRecord, Passed, TubeRecord } from "./pass.ts";

export interface Part {
	readonly box: Float64Array;
	readonly constraints: readonly Constraint[];
	readonly instants: readonly InstantRecord[];
	readonly tubes: readonly TubeRecord[];
	/** Where its enclosure could not be carried on, if so. */
	readonly failure?: Failure;
}

/** Where what is known of all parts ends: the first instant of a record at which one of them could not be followed on. */
export function firstFailure(parts: readonly Part[]): Failure | undefined {
	return parts
		.flatMap(({ failure }) => (failure ? [failure] : []))
		.sort((a, b) => a.experiment - b.experiment || a.t - b.t)[0];
}

type Plain<T> = { readonly [K in keyof T]: T[K] extends Float64Array | Int32Array ? number[] : T[K] };

/** A part without its box, in numbers and lists. */
export type PlainRecord = Omit<Part, "box" | "constraints"> & {
	readonly constraints: readonly Plain<Constraint>[];
};

/** What a pass found, but for its box. */
export function recordOf({
	constraints,
	instants,
	tubes,
	failure,
}: Pick<Passed, "constraints" | "instants" | "tubes" | "failure">): Omit<Part, "box"> {
	return { constraints, instants, tubes, ...(failure ? { failure } : {}) };
}

export function plainRecord({ constraints, instants, tubes, failure }: Omit<Part, "box">): PlainRecord {
	return {
		instants,
		tubes,
		...(failure ? { failure } : {}),
		constraints: constraints.map((each) => ({
			...each,
			variables: [],
			centre: [...each.centre],
			scale: [...each.scale],
			coefficients: [...each.coefficients],
		})),
	};
}

export function readRecord(
	{ constraints, instants, tubes, failure }: PlainRecord,
	flows: readonly ExperimentFlow[],
): Omit<Part, "box"> {
	return {
		instants,
		tubes,
		...(failure ? { failure } : {}),
		constraints: constraints.map((each) => ({
			...each,
			variables: flows[each.experiment].variables,
			centre: Float64Array.from(each.centre),
			scale: Float64Array.from(each.scale),
			coefficients: Float64Array.from(each.coefficients),
		})),
	};
}
