/** The model as a function from unknowns to observations: what every estimator that simulates calls. */

export interface Evaluation {
	/** What the model says of each observation (in the order of `Observations`); NaN where it blew up. */
	readonly value: Float64Array;
	/** Its derivative by each unknown: nObservations × nUnknowns. */
	readonly jacobian?: Float64Array;
	/** Spread of each observation that must be simulated, and its derivatives. */
	readonly spread?: Float64Array;
	readonly spreadJacobian?: Float64Array;
}

export interface Forward {
	/** How it integrates, in a few words: `Runge–Kutta of order 4, 4 steps a sample`. */
	readonly says: string;
	/** What was done so far, in operations: the same on every machine. */
	readonly operations: number;
	/** Evaluates a batch of vectors of unknowns (in natural units). What is in `spare` is taken and overwritten. */
	evaluate(
		points: readonly Float64Array[],
		sensitivities: boolean,
		spare?: Evaluation[],
	): Promise<Evaluation[]>;
}
