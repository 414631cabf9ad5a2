/**
 * A run of a method from a program: awaited, it is the result; iterated over, its progress as it happens.
 *
 *   const result = await run(model, data, { method: "bayes" });
 *   for await (const { fraction, label } of run(model, data)) …
 */

import type { Compute } from "../compute/compute.ts";
import { inline } from "../compute/inline.ts";
import type { DataRecord } from "../data/data-record.ts";
import type { Experiment } from "../data/experiment.ts";
import type { Doses } from "../data/steady-doses.ts";
import { distinctNames } from "../data/table/distinct-names.ts";
import { withWarmUp } from "../data/warm-up.ts";
import { checkNames, InputError } from "../errors.ts";
import { type GivenJointPrior, jointPriorFrom } from "../estimate/law/given-joint.ts";
import type { JointPrior } from "../estimate/law/joint.ts";
import type { Result } from "../estimate/result.ts";
import type { Progress } from "../estimate/run/progress.ts";
import type { Model } from "../model/model.ts";
import { checkOptions } from "./check-options.ts";
import { dosedModel, experimentOf } from "./experiment-of.ts";
import type { Method } from "./method.ts";
import type { GivenOptions, OptionTable } from "./options.ts";
import type { Problem } from "./problem.ts";
import { Session, type Task } from "./session.ts";

/** What the `AbortSignal` of Node and of browsers is; only this of it is used. */
export interface CancelSignal {
	readonly aborted: boolean;
}

export interface CommonRunOptions {
	/** Records to test the answer on. */
	readonly test?: DataRecord | readonly DataRecord[];
	/** Rows of each test record that tell how it starts; all of them by default. */
	readonly warmUp?: number;
	/** Starting points, by name. */
	readonly start?: Readonly<Record<string, number>>;
	/** What is known of parameters together (`bayes`), over what the model says of each. */
	readonly prior?: GivenJointPrior;
	readonly seed?: number;
	/** Where it computes; `inline` by default. */
	readonly compute?: Compute;
	/** Stops the run after its present step; awaiting it then throws `Cancelled`. */
	readonly signal?: CancelSignal;
}

const commonNames = [
	"test",
	"warmUp",
	"start",
	"prior",
	"seed",
	"compute",
	"signal",
] as const satisfies readonly (keyof CommonRunOptions)[];

/** The run was stopped by its signal. */
export class Cancelled extends Error {
	override readonly name = "Cancelled";
	constructor() {
		super("the run was cancelled");
	}
}

export class Run<R = Result> implements Promise<R>, AsyncIterable<Progress> {
	readonly [Symbol.toStringTag] = "Run";
	readonly #steps: () => AsyncGenerator<Progress, R>;
	#result: Promise<R> | undefined;

	constructor(steps: () => AsyncGenerator<Progress, R>) {
		this.#steps = steps;
	}

	/** The result; the run begins when it is first asked for. */
	// biome-ignore lint/suspicious/noThenProperty: a run is awaited
	then<A = R, B = never>(
		onResult?: ((result: R) => A | PromiseLike<A>) | null,
		onError?: ((error: unknown) => B | PromiseLike<B>) | null,
	): Promise<A | B> {
		this.#result ??= drained(this.#steps());
		return this.#result.then(onResult, onError);
	}

	catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<R | B> {
		return this.then(null, onError);
	}

	finally(onEnd?: (() => void) | null): Promise<R> {
		return this.then().finally(onEnd);
	}

	/** Progress, step by step. When the loop ends, awaiting the run gives the result without more work. */
	async *[Symbol.asyncIterator](): AsyncGenerator<Progress, void> {
		if (this.#result) {
			await this.#result;
			return;
		}
		const steps = this.#steps();
		let settle: { resolve(result: R): void; reject(error: unknown): void } | undefined;
		this.#result = new Promise<R>((resolve, reject) => {
			settle = { resolve, reject };
		});
		// A run whose loop is left early is nobody's error.
		this.#result.catch(() => {});
		try {
			for (;;) {
				const step = await steps.next();
				if (step.done) {
					settle!.resolve(step.value);
					return;
				}
				yield step.value;
			}
		} catch (error) {
			settle!.reject(error);
			throw error;
		} finally {
			settle!.reject(new Cancelled());
		}
	}
}

async function drained<R>(steps: AsyncGenerator<Progress, R>): Promise<R> {
	for (;;) {
		const step = await steps.next();
		if (step.done) return step.value;
	}
}

export function runOf<State, Options extends OptionTable, Summary>(
	method: Method<State, Options, Summary>,
	model: Model,
	records: DataRecord | readonly DataRecord[],
	options: GivenOptions,
	common: CommonRunOptions,
): Run<Result<Summary>> {
	checkNames("run option", common, commonNames);
	checkOptions(method.name, method.options, options);
	const [train, test] = [many(records), many(common.test ?? [])];
	const dosed = dosedModel(
		model,
		[...train, ...test].map((record) => ({ doses: listed(record) })),
	);
	const { warmUp } = common;
	if (warmUp !== undefined) checkWarmUp(method, warmUp, test.length);
	const problem: Problem = {
		model: dosed,
		train: experimentsFor(train, dosed),
		test: experimentsFor(test, dosed).map((each) => (warmUp === undefined ? each : withWarmUp(each, warmUp))),
		start: common.start ?? {},
		...(common.prior && { prior: priorFor(common.prior, dosed) }),
		seed: common.seed ?? 1,
		compute: common.compute ?? inline,
	};
	return new Run(() => steps({ method, problem, options }, common.signal));
}

async function* steps<State, Options extends OptionTable, Summary>(
	task: Task<State, Options, Summary>,
	signal: CancelSignal | undefined,
): AsyncGenerator<Progress, Result<Summary>> {
	const session = await Session.begin(task);
	yield* session.steps(() => signal?.aborted === true);
	if (!session.progress.done) throw new Cancelled();
	return session.result();
}

function priorFor(given: GivenJointPrior, model: Model): JointPrior {
	checkNames("prior", given, ["mean", "covariance"]);
	return jointPriorFrom(given, model, (where, message, remedy) => {
		throw new InputError(`prior ${where === "covariance" ? where : where.key}`, message, remedy);
	})!;
}

/** Each with a name of its own. */
function experimentsFor(records: readonly DataRecord[], model: Model): Experiment[] {
	const names = distinctNames(records.map(({ options: { name = "record" } }) => name));
	return records.map((record, i) => experimentFor(record, model, names[i]));
}

function experimentFor({ table, options }: DataRecord, model: Model, name: string): Experiment {
	const { rate, time = "t", columns } = options;
	const has = (output: string): boolean =>
		table.columns.some((column) => column.name === (columns?.[output] ?? output));
	const outputs = model.measures.map((measure) => measure.name);
	// An output that was not measured in this record is no error, unless none was.
	const measured = outputs.filter(has);
	const clock = rate === undefined ? { time } : { time: undefined };
	const doses = listed({ table, options });
	return experimentOf(
		table,
		{ ...options, doses, name, ...clock },
		model,
		measured.length > 0 ? measured : outputs,
	);
}

function checkWarmUp(
	{ name, warmsUp }: Pick<Method, "name" | "warmsUp">,
	rows: number,
	nTests: number,
): void {
	const wrong = !warmsUp
		? `does not go with ${name}, which does not start test records from their first rows`
		: !(Number.isInteger(rows) && rows > 0)
			? `is ${rows}, and has to be a whole number of rows`
			: nTests === 0
				? "has no test record to warm up"
				: undefined;
	if (wrong)
		throw new InputError("warmUp", wrong, "Give  test  records and, for example,  warmUp: 50  rows of each.");
}

/** Doses that are lists; what stands in rows of a file was made lists before. */
export function listed({ options: { name = "record", doses = {}, group } }: DataRecord): Doses {
	const column = Object.entries(doses).find(([, own]) => !Array.isArray(own));
	if (column || group !== undefined)
		throw new InputError(
			name,
			column ? `has the doses of ${column[0]} in a column` : `has groups (${group})`,
			"Run it by  run(model, record, { method }), which makes records of the rows.",
		);
	return doses as Doses;
}

function many<T>(one: T | readonly T[]): readonly T[] {
	return Array.isArray(one) ? one : [one as T];
}
