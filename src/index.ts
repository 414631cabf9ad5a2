/** Odentify as a library: a model, a record, a method, and what drives them. Runs in Node and in browsers. */
export type { Compute } from "./compute/compute.ts";
export { inline } from "./compute/inline.ts";
export { type Experiment, experimentFrom } from "./data/experiment.ts";
export { readTable } from "./data/read-table.ts";
export type { RecordSpec } from "./data/record.ts";
export { InputError, InternalError } from "./errors.ts";
export type { Agreement, Comparison, Doubt, ParameterRow, Prediction, Result } from "./estimate/result.ts";
export type { TypedResult } from "./library/method-entry.ts";
export { model } from "./library/model.ts";
export { type DataRecord, type RecordOptions, record, recordFromFile } from "./library/record.ts";
export {
	Cancelled,
	type CancelSignal,
	type CommonRunOptions,
	type Run,
	type RunOptions,
	run,
} from "./library/run.ts";
export { type Simulated, type SimulationOptions, simulate } from "./library/simulate.ts";
export type { AllSummary } from "./library/summaries.ts";
export type { Method, Progress } from "./methods/method.ts";
export { defaultOptions } from "./methods/options.ts";
export type { Problem } from "./methods/problem.ts";
export { methods } from "./methods/registry.ts";
export { ModelError } from "./model/diagnostic.ts";
export { parseModel } from "./model/language/parse-model.ts";
export type { Model } from "./model/model.ts";
export { type RunEnd, type RunHooks, type RunTask, runStudy } from "./study/run.ts";
export { version } from "./version.ts";
