/** Outputs that turn more often than they are sampled: a slower motion may go through the same samples (an alias). */
import type { Model } from "../../model/model.ts";
import { symbolsOf } from "../../model/walk.ts";
import type { Estimation, Integration } from "../forward/estimation.ts";
import { forwardOf } from "../forward/forward-of.ts";
import { finer, looseAdaptive } from "../forward/integration.ts";
import { denserObservations } from "../observe/denser-observations.ts";
import { rounding } from "../observe/error-scale.ts";
import type { Doubt } from "../result.ts";
import { turnsOf } from "../turns.ts";
import { doubt, list } from "./words.ts";

/** Instants from one sample to the next that are looked at. */
export const instants = 8;

/** One output of one record, `instants` times from each sample to the next, and the same by another integration. */
export interface Curve {
	/** Position of the measure in the model. */
	readonly index: number;
	readonly value: Float64Array;
	readonly other: Float64Array;
}

/** Names of the outputs that turn more often than they are sampled. */
export function swingingIn({ measures, components }: Model, curves: readonly Curve[]): string[] {
	// What only relaxes is a sum of as many exponentials as there are states: it turns once less, however fast it is.
	const relaxing = Math.max(components.length - 1, 0);
	return measures.flatMap(({ name }, o) => {
		const own = curves.filter(({ index }) => index === o);
		const turns = own.reduce(
			(sum, { value, other }) => sum + Math.max(turnsOf(value, errorBetween(value, other)) - relaxing, 0),
			0,
		);
		const intervals = own.reduce((sum, { value }) => sum + value.length / instants, 0);
		return turns > intervals ? [name] : [];
	});
}

/** How far two values of a curve may seem apart that are one: a state at rest trembles by what its solver leaves. */
function errorBetween(value: Float64Array, other: Float64Array): number {
	let error = 0;
	let size = 0;
	for (let s = 0; s < value.length; s++) {
		error = Math.max(error, Math.abs(value[s] - other[s]));
		size = Math.max(size, Math.abs(value[s]));
	}
	return 2 * (error + rounding * size);
}

/** Names of such outputs at natural values of the unknowns. */
export async function swingingOutputs(
	estimation: Estimation,
	integration: Integration,
	point: Float64Array,
): Promise<string[]> {
	const { observations, model } = estimation;
	// What time itself drives is known, however fast.
	if (symbolsOf(model.rhs).has("t")) return [];
	const dense = denserObservations(observations, () => instants);
	const valuesBy = async (by: Integration): Promise<Float64Array> =>
		(await forwardOf(estimation, by, dense).evaluate([point], false))[0].value;
	const value = await valuesBy(integration);
	const among = (others: Float64Array): string[] =>
		swingingIn(
			model,
			dense.groups.map(({ index, from, to }) => ({
				index,
				value: value.subarray(from, to),
				other: others.subarray(from, to),
			})),
		);
	// Another integration only takes turns away: it is made where there are some.
	if (among(value).length === 0) return [];
	// The finest tolerances may not come through; a loose one says more of the error than it is.
	for (const other of [finer(integration), looseAdaptive]) {
		const values = await valuesBy(other);
		if (values.every(Number.isFinite)) return among(values);
	}
	return among(value);
}

/** Faster than half the sampling rate: any of several frequencies goes through the samples. `where`: at what it does. */
export function tooFastDoubt(swinging: readonly string[], where: string, remedy: string): Doubt[] {
	if (swinging.length === 0) return [];
	return doubt(
		"too-fast",
		`${list(swinging)} swing${swinging.length === 1 ? "s" : ""} faster than the samples follow`,
		`${where} the model turns more than once from one sample to the next: a slower motion may go through the same samples (an alias). ${remedy}`,
		false,
	);
}
