/**
 * An explicit Runge-Kutta method as data: see tsit5.ts and dop853.ts. Stage i is evaluated at
 * t + c[i] h and x + h sum_j a[i][j] k[j]; the end point is x + h sum b[i] k[i].
 */
export interface RungeKuttaTable {
	readonly name: "tsit5" | "dop853";
	readonly order: number;
	/** Order of the interpolant: its error over one step is O(h^(denseOrder + 1)). */
	readonly denseOrder: number;
	/** The error estimate is O(h^errorExponent). */
	readonly errorExponent: number;
	readonly c: readonly number[];
	/** Row i holds a[i][0], ..., a[i][i - 1]. */
	readonly a: readonly (readonly number[])[];
	readonly b: readonly number[];
	/**
	 * Weights of the error estimate over the stages and, as last entry, the slope at the end point. Two rows are joined
	 * as in DOP853: the first (the finer) is damped by the second.
	 */
	readonly error: readonly (readonly number[])[];
	/** Further stages for the interpolant alone; their `a` rows run over stages, end slope, and earlier further stages. */
	readonly denseC: readonly number[];
	readonly denseA: readonly (readonly number[])[];
	/** Weights of the vectors F1, F2, ... of dense-output.ts over stages, end slope, further stages. */
	readonly dense: readonly (readonly number[])[];
	/** Where the stability region meets the negative real axis. */
	readonly stabilityLimit: number;
	/** Weight of the previous error in the step control. */
	readonly beta: number;
}
