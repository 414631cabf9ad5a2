/** A question put to a method: a model and what was measured, checked and frozen once. */
import type { Compute } from "../compute/compute.ts";
import type { Experiment } from "../data/experiment.ts";
import type { JointPrior } from "../estimate/law/joint.ts";
import type { Model } from "../model/model.ts";
import type { GivenOptions } from "./options.ts";

export interface Problem {
	readonly model: Model;
	/** One experiment a record. */
	readonly train: readonly Experiment[];
	readonly test: readonly Experiment[];
	/** Values of `set:` in the study: starting points, or values to simulate with. */
	readonly start: Readonly<Record<string, number>>;
	/** What is known of parameters together, in the place of their own laws. */
	readonly prior?: JointPrior;
	readonly seed: number;
	readonly compute: Compute;
	/** Options by method, as far as given: for a method that asks others. */
	readonly settings?: Readonly<Record<string, GivenOptions>>;
}
