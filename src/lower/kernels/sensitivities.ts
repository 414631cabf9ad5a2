/** Derivatives of a Runge–Kutta run, carried along with it: in registers, or in memory where they are many. */
import type { Node } from "../../model/graph.ts";
import type { Buffer, Value } from "../builder.ts";
import type { ExpressionLowering } from "../expression.ts";

/** Of some expressions, row by row: by the state components, and directly by each unknown. */
export interface Derivatives {
	readonly byState: readonly Node[];
	readonly direct: readonly Node[];
}

export interface SensitivitySize {
	readonly nStates: number;
	readonly nSens: number;
}

export interface SensitivityBuffers {
	/** Initial ones; where there are none, `initial` gives them. */
	readonly s0?: Buffer;
	readonly dy: Buffer;
	readonly sEnd: Buffer;
	readonly work?: Buffer;
}

export interface Sensitivities {
	beginStep(h: Value): void;
	/** Slopes at a stage; `lowering` knows the state there. */
	stage(stage: number, lowering: ExpressionLowering, ofRhs: Derivatives): void;
	endStep(): void;
	/** Derivatives of the outputs, from element `first` of dy on. */
	emit(lowering: ExpressionLowering, ofOutputs: Derivatives, first: Value): void;
	/** After the last step. */
	end(): void;
}
