/** Outputs that turn more often than they are sampled: a slower motion may go through the same samples (an alias). */
import { symbolsOf } from "../../model/walk.ts";
import type { Estimation, Integration } from "../forward/estimation.ts";
import { forwardOf } from "../forward/forward-of.ts";
import { denserObservations } from "../observe/denser-observations.ts";
import type { Doubt } from "../result.ts";
import { doubt, list } from "./words.ts";

/** Instants from one sample to the next that are looked at. */
export const instants = 8;

/** How often a curve turns. */
export function turnsOf(values: ArrayLike<number>): number {
	let turns = 0;
	for (let s = 2; s < values.length; s++)
		if ((values[s - 1] - values[s - 2]) * (values[s] - values[s - 1]) < 0) turns++;
	return turns;
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
	const [{ value }] = await forwardOf(estimation, integration, dense).evaluate([point], false);
	return model.measures.flatMap(({ name }, o) => {
		const own = dense.groups.filter(({ index }) => index === o);
		const turns = own.reduce((sum, { from, to }) => sum + turnsOf(value.subarray(from, to)), 0);
		const intervals = own.reduce((sum, { t }) => sum + t.length / instants, 0);
		return turns > intervals ? [name] : [];
	});
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
