/**
 * A run of a method from a program: awaited, it is the result; iterated over, its progress as it happens.
 *
 *   const result = await run(model, data, { method: "bayes" });
 *   for await (const { fraction, label } of run(model, data)) …
 */
import type { Compute } from "../compute/compute.ts";
import { inline } from "../compute/inline.ts";
import { InputError, nearestName } from "../errors.ts";
import type { Result } from "../estimate/result.ts";
import type { Method, Progress } from "../methods/method.ts";
import { defaultOptions, type OptionTable, type OptionValues } from "../methods/options.ts";
import type { Problem } from "../methods/problem.ts";
import { methods, singleMethods } from "../methods/registry.ts";
import type { Model } from "../model/model.ts";
import { checkOptions } from "../study/check-options.ts";
import { checkNames } from "./check-names.ts";
import { type DataRecord, experimentsOf } from "./record.ts";

/** What the `AbortSignal` of Node and of browsers is; only this of it is used. */
export interface CancelSignal {
	readonly aborted: boolean;
}

export interface CommonRunOptions {
	/** Records to test the answer on. */
	readonly test?: DataRecord | readonly DataRecord[];
	/** Starting points, by name. */
	readonly start?: Readonly<Record<string, number>>;
	readonly seed?: number;
	/** Where it computes; `inline` by default. */
	readonly compute?: Compute;
	/** Stops the run after its present step; awaiting it then throws `Cancelled`. */
	readonly signal?: CancelSignal;
}

export interface RunOptions extends CommonRunOptions {
	/** `fit` by default; `all` asks every method that applies. */
	readonly method?: string;
	/** Options of the method, as in the study file. */
	readonly options?: Readonly<Record<string, unknown>>;
}

const commonNames = [
	"test",
	"start",
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

export class Run<R extends Result = Result> implements PromiseLike<R>, AsyncIterable<Progress> {
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

/** Runs a method on a model and its records. */
export function run(
	model: Model,
	records: DataRecord | readonly DataRecord[],
	options: RunOptions = {},
): Run {
	const { method: name = singleMethods[0].name, options: own = {}, ...common } = options;
	const method = methods.get(name);
	if (!method) {
		const near = nearestName(name, methods.keys());
		throw new InputError(
			`method ${name}`,
			"is not known",
			near ? `Did you mean ${near}?` : `Known are ${[...methods.keys()].join(", ")}.`,
		);
	}
	return runOf(method, model, records, own, common);
}

export function runOf<Options extends OptionTable>(
	method: Method<unknown, Options>,
	model: Model,
	records: DataRecord | readonly DataRecord[],
	given: Readonly<Record<string, unknown>>,
	common: CommonRunOptions,
): Run {
	checkNames("run option", common, commonNames);
	checkOptions(method.name, method.options, given);
	const options = { ...defaultOptions(method.options), ...given } as OptionValues<Options>;
	const problem: Problem = {
		model,
		train: experimentsOf(many(records), model),
		test: experimentsOf(many(common.test ?? []), model),
		start: common.start ?? {},
		seed: common.seed ?? 1,
		compute: common.compute ?? inline,
	};
	return new Run(() => steps(method, problem, options, common.signal));
}

async function* steps<Options extends OptionTable>(
	method: Method<unknown, Options>,
	problem: Problem,
	options: OptionValues<Options>,
	signal: CancelSignal | undefined,
): AsyncGenerator<Progress, Result> {
	const state = await method.prepare(problem, options);
	for (;;) {
		if (signal?.aborted) throw new Cancelled();
		const progress = await method.advance(state);
		yield progress;
		if (progress.done) return method.result(state);
	}
}

function many<T>(one: T | readonly T[]): readonly T[] {
	return Array.isArray(one) ? one : [one as T];
}
