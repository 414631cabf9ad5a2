/**
 * The one contract of all methods: a method is a state that is advanced step by step. That one surface gives progress
 * bars, live plots, pause, checkpoint, resume and single-step tests.
 */
import type { Verdict } from "../model/applies.ts";
import type { Model } from "../model/model.ts";
import type { OptionTable, OptionValues } from "./options.ts";
import type { Problem } from "./problem.ts";
import type { Result } from "./result.ts";

export interface Progress {
	readonly done: boolean;
	/** Share of the work done, 0 to 1, never falling. */
	readonly fraction: number;
	/** What happened last, in a few words: `4 of 8 starts, best rms 0.0213`. */
	readonly label: string;
}

export interface Method<State = unknown, Options extends OptionTable = OptionTable> {
	readonly name: string;
	/** What it answers, in one sentence. */
	readonly says: string;
	/** Options of the study's block of the same name. */
	readonly options: Options;
	/** Whether it can answer for a model, in a sentence that names what it will do or what stands in the way. */
	readonly appliesTo: (model: Model) => Verdict;
	/** Checks and sets up; throws InputError where the model or the data do not fit. */
	prepare(problem: Problem, options: OptionValues<Options>): Promise<State>;
	/** One unit of work (well under a second where possible). Changes the state. */
	advance(state: State): Promise<Progress>;
	/** The answer so far; whole once `advance` said done. */
	result(state: State): Promise<Result>;
	/** The form of what `save` gives, 1 by default: one more whenever it changes, so that no other form is loaded. */
	readonly stateForm?: number;
	/** Everything needed to go on in another process; `load` with the same problem and options undoes it. */
	save(state: State): Uint8Array;
	load(problem: Problem, options: OptionValues<Options>, bytes: Uint8Array): Promise<State>;
}
