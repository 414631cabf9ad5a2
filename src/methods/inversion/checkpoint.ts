/** A run of an inversion as it is saved: fits by their points, so that everything else is computed again to the same bits. */
import type { DesignOutcome } from "./answer/design.ts";
import { Descent } from "./descent/descent.ts";
import type { FittedModel } from "./descent/fitted-model.ts";
import type { OtherFit } from "./descent/other-optima.ts";
import type { Profile } from "./descent/profile.ts";
import type { FitStartsState } from "./descent/start-results.ts";
import type { WeightedProblem } from "./forward/linearisation.ts";
import type { SelectionState } from "./selection/judged.ts";

export type Phase = "fit" | "select" | "polish" | "others" | "profile" | "stability" | "design" | "done";

export interface SavedFit {
	readonly active: readonly number[];
	readonly point: readonly number[];
	readonly sse: number;
	readonly iterations: number;
	readonly quick: boolean;
}

export function pointOf({ active, point, sse, iterations, quick }: FittedModel): SavedFit {
	return { active, point: [...point], sse, iterations, quick };
}

/** A fit where it was, with nothing left to do. */
export function fitAt(
	problem: WeightedProblem,
	{ active, point, sse, iterations, quick }: SavedFit,
): Descent {
	const limits = { tolerance: 0, maxIterations: 0, quick };
	const descent = new Descent(problem, active, Float64Array.from(point), limits);
	descent.sse = sse;
	descent.iterations = iterations;
	return descent;
}

export interface InversionCheckpoint {
	readonly phase: Phase;
	readonly starts: FitStartsState;
	readonly selection: SelectionState | null;
	readonly full: SavedFit | null;
	readonly final: SavedFit | null;
	readonly finalOutcome: string;
	readonly integrationError: number;
	readonly joined: boolean;
	readonly comparable: number;
	readonly emptySse: number;
	readonly others: readonly OtherFit[];
	readonly profiles: readonly Profile[];
	readonly stability: { readonly counts: readonly number[]; readonly of: number };
	readonly design: readonly DesignOutcome[];
	readonly restarts: number;
	readonly isFiner: boolean;
	readonly fraction: number;
}
