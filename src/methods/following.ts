/** A method on a record that still grows: each sample is taken in as it comes, and what is known so far is told. */
import type { Experiment } from "../data/experiment.ts";
import type { Method } from "./method.ts";
import type { OptionTable, OptionValues } from "./options.ts";

/** Where a growing record comes from. */
export interface GrowingRecord {
	/** The record once it is longer than it was; none when it has ended. */
	next(): Promise<readonly Experiment[] | undefined>;
	/** True once no more is wanted: what is there is then all. */
	readonly isEnded: boolean;
}

/** What is known after so many samples. */
export interface KnownSoFar {
	readonly samples: number;
	readonly t: number;
	readonly parameters: readonly { readonly name: string; readonly mean: number; readonly sd: number }[];
	readonly logEvidence: number;
}

export interface Following<
	State = unknown,
	Options extends OptionTable = OptionTable,
	Summary = Readonly<Record<string, unknown>>,
> {
	/** Driven by the record, whose first state is the problem's training record. */
	readonly method: Method<State, Options, Summary>;
	/** What of the options asked for can be had while the record grows. */
	optionsOf(asked: OptionValues<Options>): OptionValues<Options>;
}
