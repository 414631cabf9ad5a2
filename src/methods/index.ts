/** Public entry of the methods: which there are, what each can be asked, and which of them apply to a model. */

export type { Figure, Mark, Role } from "../estimate/figure.ts";
export type { Doubt, ParameterRow, Prediction, Result } from "../estimate/result.ts";
export type { Glimpse, Levels } from "../estimate/run/glimpse.ts";
export type { Progress } from "../estimate/run/progress.ts";
export { type Accent, accentOf } from "./accent.ts";
export { type Applicability, applicability } from "./applicability.ts";
export type { Method } from "./method.ts";
export { defaultOptions, type OptionSpec, type OptionTable, type OptionValues } from "./options.ts";
export type { Problem } from "./problem.ts";
export { methods } from "./registry.ts";
export { Session } from "./session.ts";
