/** A method as a function: `await fit(model, data, { starts: 4 })`. */
import type { DataRecord } from "../data/data-record.ts";
import type { Result } from "../estimate/result.ts";
import type { Model } from "../model/model.ts";
import type { Method } from "./method.ts";
import type { OptionTable, OptionValues } from "./options.ts";
import { type CommonRunOptions, type Run, runOf } from "./run.ts";

export type MethodEntry<Options extends OptionTable, Summary> = (
	model: Model,
	records: DataRecord | readonly DataRecord[],
	options?: Partial<OptionValues<Options>>,
	common?: CommonRunOptions,
) => Run<Result<Summary>>;

export function entryOf<State, Options extends OptionTable, Summary>(
	method: Method<State, Options, Summary>,
): MethodEntry<Options, Summary> {
	return (model, records, options = {}, common = {}) => runOf(method, model, records, options, common);
}
