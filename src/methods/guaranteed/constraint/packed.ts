/** Constraints on their way to another thread: all their numbers in one array that threads share, as hundreds of small ones cost more than the work that they are for. */
import type { ExperimentFlow } from "../flow/experiment-flow.ts";
import type { Constraint } from "./constraint.ts";

export interface PackedConstraints {
	/** Of each: radius, lo, hi, innerLo, innerHi, t, the range, the radius at a point; then centres, scales and coefficients. */
	readonly numbers: Float64Array;
	readonly labels: readonly Pick<Constraint, "experiment" | "output" | "isSide" | "jump">[];
}

/** What a constraint of an experiment is made for. */
export type Frame = Pick<ExperimentFlow, "variables"> & { readonly table: { readonly length: number } };

const head = 9;

export function packed(constraints: readonly Constraint[]): PackedConstraints {
	const length = constraints.reduce(
		(sum, { centre, scale, coefficients }) => sum + head + centre.length + scale.length + coefficients.length,
		0,
	);
	const numbers = new Float64Array(new SharedArrayBuffer(8 * length));
	let at = 0;
	for (const each of constraints) {
		const { radius, lo, hi, innerLo, innerHi, t, range, atPoint, centre, scale, coefficients } = each;
		const [least, most] = range ?? [Number.NaN, Number.NaN];
		numbers.set([radius, lo, hi, innerLo, innerHi, t, least, most, atPoint ?? Number.NaN], at);
		at += head;
		for (const part of [centre, scale, coefficients]) {
			numbers.set(part, at);
			at += part.length;
		}
	}
	return {
		numbers,
		labels: constraints.map(({ experiment, output, isSide, jump }) => ({
			experiment,
			output,
			...(isSide === undefined ? {} : { isSide }),
			...(jump === undefined ? {} : { jump }),
		})),
	};
}

export function unpacked({ numbers, labels }: PackedConstraints, frames: readonly Frame[]): Constraint[] {
	let at = 0;
	const take = (length: number): Float64Array => numbers.slice(at, (at += length));
	return labels.map((label) => {
		const { variables, table } = frames[label.experiment];
		const [radius, lo, hi, innerLo, innerHi, t, least, most, atPoint] = take(head);
		return {
			...label,
			variables,
			centre: take(variables.length),
			scale: take(variables.length),
			coefficients: take(table.length),
			radius,
			lo,
			hi,
			innerLo,
			innerHi,
			t,
			...(Number.isNaN(least) ? {} : { range: [least, most] as const }),
			...(Number.isNaN(atPoint) ? {} : { atPoint }),
		};
	});
}
