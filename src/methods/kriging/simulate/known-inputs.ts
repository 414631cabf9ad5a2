/** How far the inputs of a record are known: those from a column end with it, and what they do then is anyone's guess. */
import { symbolsOf } from "../../../model/walk.ts";
import type { Layout } from "../layout.ts";
import type { KrigingRecord } from "../records.ts";

export interface InputEnd {
	/** Inputs that end first. */
	readonly names: readonly string[];
	/** The time of their last sample. */
	readonly t: number;
}

/** Undefined where no equation uses a recorded input. */
export function inputEndOf(
	{ model }: Layout,
	{ experiment }: Pick<KrigingRecord, "experiment">,
): InputEnd | undefined {
	const used = symbolsOf(model.rhs);
	const ends = model.inputs.flatMap(({ name }) => {
		const signal = experiment.inputs.get(name);
		if (!used.has(name) || !signal || !("times" in signal)) return [];
		const times = signal.times as Float64Array;
		return [{ name, t: times[times.length - 1] }];
	});
	if (ends.length === 0) return undefined;
	const t = Math.min(...ends.map((end) => end.t));
	return { names: ends.filter((end) => end.t === t).map(({ name }) => name), t };
}
