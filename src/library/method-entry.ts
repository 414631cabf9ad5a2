/** A method as a function: `await fit(model, data, { starts: 4 })`. */

import type { Result } from "../estimate/result.ts";
import type { Method } from "../methods/method.ts";
import type { OptionTable, OptionValues } from "../methods/options.ts";
import type { Model } from "../model/model.ts";
import type { DataRecord } from "./record.ts";
import { type CommonRunOptions, type Run, runOf } from "./run.ts";

/** A result whose summary has a known shape. */
export type TypedResult<Summary> = Omit<Result, "summary"> & { readonly summary: Summary };

export type MethodEntry<Options extends OptionTable, Summary> = (
	model: Model,
	records: DataRecord | readonly DataRecord[],
	options?: Partial<OptionValues<Options>>,
	common?: CommonRunOptions,
) => Run<TypedResult<Summary & Readonly<Record<string, unknown>>>>;

export function entryOf<Summary, Options extends OptionTable = OptionTable, State = unknown>(
	method: Method<State, Options>,
): MethodEntry<Options, Summary> {
	return (model, records, options = {}, common = {}) =>
		runOf(method as Method<unknown, Options>, model, records, options, common) as unknown as ReturnType<
			MethodEntry<Options, Summary>
		>;
}
