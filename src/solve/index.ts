/** Initial value problems: solvers, sensitivities, and problems from models. */
export type { Ivp, MethodName, Outcome, Solution, SolveOptions, SolveStats } from "./ivp.ts";
export { type InputSignal, knotsOf } from "./piecewise-inputs.ts";
export {
	type SensitiveIvp,
	type SensitivityOptions,
	type SensitivitySolution,
	solveWithSensitivities,
} from "./sensitivity.ts";
export { solveIvp } from "./solve-ivp.ts";
export { OdeSystem } from "./system.ts";
export type { SystemDescription } from "./system-functions.ts";
