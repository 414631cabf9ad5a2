/** Runs a method by its name. */
import type { DataRecord } from "../data/data-record.ts";
import { InputError, nearestName } from "../errors.ts";
import type { GivenOptions } from "../methods/options.ts";
import { methods, singleMethods } from "../methods/registry.ts";
import { type CommonRunOptions, type Run, runOf } from "../methods/run.ts";
import type { Model } from "../model/model.ts";
import { plainData } from "../study/text/plain-data.ts";

export interface RunOptions extends CommonRunOptions {
	/** `fit` by default; `all` asks every method that applies. */
	readonly method?: string;
	/** Options of the method, as in the study file. */
	readonly options?: GivenOptions;
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
	const { test } = common;
	const plain = { ...common, ...(test === undefined ? {} : { test: plainData(test, model) }) };
	return runOf(method, model, plainData(records, model), own, plain);
}
