/** What was known of the unknowns as data came in, over all parts of their box. */
import type { ExperimentFlow } from "./flow/experiment-flow.ts";
import type { InstantRecord } from "./pass.ts";
import { hullOf } from "./paving/sivia.ts";

/** Adds what one part knew: what is consistent is in one of them. */
export function remember(history: InstantRecord[], instants: readonly InstantRecord[]): void {
	for (const instant of instants) {
		const at = history.findIndex(({ experiment, t }) => experiment === instant.experiment && t === instant.t);
		if (at < 0) history.push(instant);
		else history[at] = { ...instant, unknowns: both(history[at].unknowns, instant.unknowns) };
	}
	history.sort((a, b) => a.experiment - b.experiment || a.t - b.t);
}

function both(a: readonly number[], b: readonly number[]): number[] {
	return [...hullOf([Float64Array.from(a), Float64Array.from(b)])!];
}

/** A part whose course could not be followed stays as it is. */
export function unseen(flows: readonly ExperimentFlow[], box: Float64Array): InstantRecord[] {
	return flows.flatMap(({ instants, index }) =>
		instants.map(({ t }) => ({ experiment: index, t, states: [], unknowns: [...box] })),
	);
}
