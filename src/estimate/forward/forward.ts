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

/** What a model does at one point; it stays so while unknowns change that only outputs see. */
export interface Motion {
	/** What is seen of it at a point that differs in still unknowns alone, and the derivatives by these; those by others are 0. */
	seen(point: Float64Array): Evaluation;
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
	/** Positions of the unknowns that move no state, and the motion that others make; not known of every forward model. */
	readonly still?: { readonly unknowns: readonly number[]; motion(point: Float64Array): Promise<Motion> };
}
