/** What verified integration needs to know of a system. */
import type { Tape } from "../../../lower/interval/tape.ts";
import type { Effort } from "./effort.ts";
import type { FlowSet } from "./flow-set.ts";

export interface FlowSystem {
	readonly nStates: number;
	/** Symbols of the tapes: states, unknown parameters, constants, inputs, t. */
	readonly rhsTape: Tape;
	readonly jacobianTape: Tape;
	/** For each constant parameter its position among the unknowns ζ. */
	readonly paramVariables: readonly number[];
	/** Bounds, stride 2. */
	readonly constants: Float64Array;
	/** Each input over a step: the coefficients of a cubic of the step's time in [0, 1], and a radius. */
	inputs(from: number, to: number): Float64Array;
	readonly nInputs: number;
	/** Bounds of all symbols that hold whatever becomes of them, stride 2: the sets of constant parameters. */
	readonly known?: Float64Array;
	/** Whether the equations may be undefined soon after a set: steps that shrink are then not tried for long. */
	endsSoon?(set: FlowSet): boolean;
}

export interface FlowSettings {
	readonly nVars: number;
	readonly order: number;
	readonly timeOrder: number;
	/** Aim for the error of a step, beside the size of the states. */
	readonly tolerance: number;
	readonly effort: Effort;
}
