/**
 * The one contract of all methods: a method is a state that is advanced step by step. That one surface gives progress
 * bars, live plots, pause, checkpoint, resume and single-step tests.
 */

import type { Result } from "../estimate/result.ts";
import type { Glimpse } from "../estimate/run/glimpse.ts";
import type { Progress } from "../estimate/run/progress.ts";
import type { Model } from "../model/model.ts";
import type { Verdict } from "../model/within-reach.ts";
import type { Accent } from "./accent.ts";
import type { Certificate } from "./certificate.ts";
import type { Following, GrowingRecord, KnownSoFar } from "./following.ts";
import type { GivenOptions, OptionTable, OptionValues } from "./options.ts";
import type { Problem } from "./problem.ts";

/**
 * What a method needs of a model: sets or distributions of its unknowns, an unknown function in place of the equations,
 * terms to choose from, or one output alone.
 */
export type Need = "sets" | "distributions" | "field" | "terms" | "one-output";

/** What a cross-check does so that a method can answer all the same, with what it needs derived from the model. */
export interface ByTheWay {
	/** Options for less work, unless the study gives others. */
	readonly options?: GivenOptions;
	/** Samples of a record that are used, without tests on others. */
	readonly mostSamples?: number;
}

export interface Method<
	State = unknown,
	Options extends OptionTable = OptionTable,
	Summary = Readonly<Record<string, unknown>>,
> {
	readonly name: string;
	/** What it answers, in one sentence. */
	readonly says: string;
	/** Its colour, the same in the terminal, in reports and in the workbench. */
	readonly accent: Accent;
	/** Options of the study's block of the same name. */
	readonly options: Options;
	/** Whether it can answer for a model, in a sentence that names what it will do or what stands in the way. */
	readonly appliesTo: (model: Model) => Verdict;
	/** Whether it holds to what a model assumes (`assume x >= 0`); others refuse such a model. */
	readonly honoursAssumptions?: boolean;
	/** Whether it follows events (`when x > 1 { x = 0 }`); others refuse such a model. */
	readonly honoursEvents?: boolean;
	/** Whether it understands samples that are limits, like <0.05; others refuse such records. */
	readonly takesLimits?: boolean;
	/** Whether records may have doses; others refuse them. */
	readonly honoursDoses?: boolean;
	/** Whether it takes inputs that are known within bounds only (`input w in [-0.1, 0.1]`); others refuse such a model. */
	readonly takesBoundedInputs?: boolean;
	/** Whether parameters may differ from record to record by a law; others refuse them. */
	readonly honoursPopulations?: boolean;
	/** Whether it takes what is known of parameters together (`prior:`); others refuse it. */
	readonly takesJointPriors?: boolean;
	/** Whether parameters and functions may have values of their own in each record, without a law; others refuse them. */
	readonly takesOwnValues?: boolean;
	/** Whether test records may start from their first rows (`warmUp: 50`). */
	readonly warmsUp?: boolean;
	/** Why the model looks made for it, if so: it is then suggested. The clause goes on after "because". */
	readonly suits: (model: Model) => string | undefined;
	/** What a model must have to be changed into, so that the method applies. */
	readonly needs?: Need;
	/** How a cross-check asks it about a model that it does not apply to as it is. */
	readonly byTheWay?: ByTheWay;
	/** Checks and sets up; throws InputError where the model or the data do not fit. */
	prepare(problem: Problem, options: OptionValues<Options>): Promise<State>;
	/** One unit of work (well under a second where possible). Changes the state. */
	advance(state: State): Promise<Progress>;
	/** The answer so far; whole once `advance` said done. */
	result(state: State): Promise<Result<Summary>>;
	/** What to draw on the way, where there is no answer yet. */
	glimpse(state: State): Glimpse;
	/** The form of what `save` gives, 1 by default: one more whenever it changes, so that no other form is loaded. */
	readonly stateForm?: number;
	/** Everything needed to go on in another process; `load` with the same problem and options undoes it. */
	save(state: State): Uint8Array;
	load(problem: Problem, options: OptionValues<Options>, bytes: Uint8Array): Promise<State>;
	/** The proof of its answers, where it gives one. */
	readonly certificate?: Certificate;
	/** The method on a record that still grows, where it can take samples in one by one. */
	follow?(record: GrowingRecord, onChange: (known: KnownSoFar) => void): Following<State, Options, Summary>;
}
