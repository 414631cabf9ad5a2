/** What a filter kernel is made for, and what its caller needs to know of it. */
import type { Kernel } from "../../../lower/ir.ts";
import type { Model } from "../../../model/model.ts";
import { isDriven, type Layout } from "./layout.ts";

export interface FilterSpec {
	/** Without formula inputs, combinations and white noise: that stands in the layout. */
	readonly model: Model;
	readonly layout: Layout;
	readonly linearisation: "ekf0" | "ekf1";
	/** Second moments as a covariance, or as its square root; default covariance. */
	readonly form?: "covariance" | "root";
	/**
	 * Γ: running quasi-maximum likelihood, as in the paper; `fixed`: the same for all particles; `given`: each particle's
	 * own, in `diffusion`; `unit`: 1; `off`: none, integration error left out.
	 */
	readonly diffusion: "running" | "fixed" | "given" | "unit" | "off";
	/**
	 * Second moments go the way that a small error of the state goes: by the solver's step, linearised. EKF0's own know
	 * nothing of restoring forces and damping, so that without data they grow for ever. Always so with forces and noise.
	 */
	readonly flows?: boolean;
	/** With `running`: Γ stays within this factor of the one that `diffusion` holds beside each sum. */
	readonly gammaRange?: number;
	/** With `off`, or `unit` for EKF1: gather the sums that Γ is made of in `diffusion`. */
	readonly calibrate?: boolean;
	/** What the lanes hold: unknown parameters and conditions. */
	readonly params: readonly string[];
	/** Components whose initial value is a lane's own. */
	readonly freeInitial: readonly string[];
	/** Derivatives above the equation's start at their exact values; else at 0. */
	readonly exactStart: boolean;
	/** With `off`: steps by a Rosenbrock method, which fast rates do not make blow up. */
	readonly stiff?: boolean;
	readonly uniformSteps: boolean;
	/** At most one step from sample to sample. */
	readonly oneStep?: boolean;
	/** Inputs jump where steps begin; see `jump-shift.ts`. */
	readonly jumps?: boolean;
	/** Some outputs lack samples. */
	readonly gaps: boolean;
	/** Condition on the data; else only predict. */
	readonly update: boolean;
	/** Add log N(ẑ; 0, S_z), which [longbottom2024] eq. (20) leaves out. */
	readonly equationEvidence: boolean;
	readonly output: "none" | "increments" | "moments" | "smoothing";
}

export interface FilterKernel {
	readonly kernel: Kernel;
	/** Rows and columns of the covariance entries that `cov` holds. */
	readonly covPairs: readonly (readonly [number, number])[];
	/** Derivatives of the inputs that the start needs: 0 is the input itself. */
	readonly inputDerivatives: number;
}

export function isFlowing({ flows, layout, diffusion }: FilterSpec): boolean {
	return isDriven(layout) || (flows === true && diffusion !== "off");
}
