/**
 * A method at work on a problem: the one way to run. A terminal, a page, a program and a cross-check drive it alike; what
 * each does between two steps is its own.
 */

import { InputError } from "../errors.ts";
import type { Result } from "../estimate/result.ts";
import type { Glimpse } from "../estimate/run/glimpse.ts";
import type { Progress } from "../estimate/run/progress.ts";
import { beyondMethods } from "../model/within-reach.ts";
import type { Method } from "./method.ts";
import { type GivenOptions, type OptionTable, withDefaults } from "./options.ts";
import type { Problem } from "./problem.ts";
import { withSteadyStates } from "./steady-doubt.ts";

export interface Task<
	State = unknown,
	Options extends OptionTable = OptionTable,
	Summary = Readonly<Record<string, unknown>>,
> {
	readonly method: Method<State, Options, Summary>;
	readonly problem: Problem;
	/** Those that are not given have their defaults. */
	readonly options?: GivenOptions;
	/** A checkpoint to go on from. */
	readonly from?: Uint8Array;
}

function refuseLimits(method: string, { train, test }: Problem): void {
	for (const { name, outputs } of [...train, ...test])
		for (const [output, { limits, values, rows }] of outputs) {
			const at = limits?.findIndex((sign) => sign !== 0) ?? -1;
			if (at >= 0)
				throw new InputError(
					`${name}: column of ${output}`,
					`holds ${limits![at] < 0 ? "<" : ">"}${values[at]} (row ${rows[at]}), and ${method} takes known values only`,
					"fit and bayes weigh such limits as what they are. Or leave those cells empty.",
				);
		}
}

export class Session<
	State = unknown,
	Options extends OptionTable = OptionTable,
	Summary = Readonly<Record<string, unknown>>,
> {
	#progress: Progress = { done: false, fraction: 0, label: "" };

	private constructor(
		private readonly method: Method<State, Options, Summary>,
		private readonly state: State,
		private readonly problem: Problem,
	) {}

	/** Throws InputError where the model or the data do not fit. */
	static async begin<State, Options extends OptionTable, Summary>(
		task: Task<State, Options, Summary>,
	): Promise<Session<State, Options, Summary>> {
		const { method, problem, from } = task;
		const why = beyondMethods(problem.model, method);
		if (why !== undefined) throw new InputError(problem.model.fileName, `${method.name} does not apply`, why);
		if (!method.takesLimits) refuseLimits(method.name, problem);
		if (problem.prior && !method.takesJointPriors)
			throw new InputError(
				"prior",
				`says what is known of ${problem.prior.names.join(", ")} together, and ${method.name} weighs no such law`,
				"Only  method: bayes  does. Leave  prior:  out; fit weighs laws of single parameters with  fit: { priors: true }.",
			);
		const options = withDefaults(method.options, task.options);
		const state = from
			? await loaded(method.name, () => method.load(problem, options, from))
			: await method.prepare(problem, options);
		return new Session(method, state, problem);
	}

	get progress(): Progress {
		return this.#progress;
	}

	async advance(): Promise<Progress> {
		this.#progress = await this.method.advance(this.state);
		return this.#progress;
	}

	/** Step by step to the end, or until it is to stop; `progress.done` then tells which. */
	async *steps(isStopped = (): boolean => false): AsyncGenerator<Progress, void> {
		while (!this.#progress.done && !isStopped()) yield await this.advance();
	}

	/** The answer so far; whole once it is done. */
	async result(): Promise<Result<Summary>> {
		return withSteadyStates(await this.method.result(this.state), this.problem);
	}
	glimpse(): Glimpse {
		return this.method.glimpse(this.state);
	}
	save(): Uint8Array {
		return this.method.save(this.state);
	}
}

/** What was saved may have been damaged, or changed: that is no bug of the method. */
async function loaded<State>(name: string, load: () => Promise<State>): Promise<State> {
	try {
		return await load();
	} catch (error) {
		if (error instanceof InputError) throw error;
		throw new InputError(
			"the checkpoint",
			`holds a state that ${name} cannot go on from`,
			"Start again from the study.",
		);
	}
}
