/**
 * Initial value problems x' = f(t, x), x(t0) = x0: what a caller gives and what comes back.
 */

/** The right-hand side and what is known of it. Matrices are row-major; nothing passed to a method is kept. */
export interface Ivp {
	/** Number of states. */
	readonly n: number;
	rhs(t: number, x: Float64Array, out: Float64Array): void;
	/** df/dx, row-major n x n. Finite differences stand in where it is absent. */
	jacobian?(t: number, x: Float64Array, out: Float64Array): void;
	/** df/dt, for the Rosenbrock methods. Finite differences stand in where it is absent. */
	timeDerivative?(t: number, x: Float64Array, out: Float64Array): void;
	/** True when f does not depend on t: saves the time derivative. */
	readonly autonomous?: boolean;
	/**
	 * Called before each smooth piece between two knots, with tLeft < tRight in either direction of time. Until
	 * the next call the right-hand side must be that of this piece, at its two ends as well: a held input takes its
	 * limit from inside the piece.
	 */
	enter?(tLeft: number, tRight: number): void;
	/**
	 * From where states are counted in the present piece: the relative tolerance is that of x less this. It changes in `enter`.
	 * Absent: from 0.
	 */
	readonly origin?: Float64Array | undefined;
	/** What makes the right-hand side jump or bend, and what happens on the way; absent: nothing does. */
	readonly switching?: Switching;
	/** Names of the states, for messages. */
	readonly names?: readonly string[];
}

/**
 * Conditions that change while a solution runs. Between two changes they are held as they are, so that the right-hand side is
 * smooth up to the very instant of the next one; no step goes across it.
 */
export interface Switching {
	/** How many values tell on which side of each condition (t, x) lies. */
	readonly count: number;
	/** These values: whole numbers, which change where a condition does. */
	valuesInto(out: Float64Array, t: number, x: Float64Array): void;
	/**
	 * The solution has come to (t, x): what is due there happens, which may change x, and from here on the right-hand side is that
	 * of the present side of each condition. True when something happened. `crossed`: a condition changed on the way here, not
	 * at the border of two pieces. `follower` is told what events set.
	 */
	arrive(t: number, x: Float64Array, crossed?: boolean, follower?: EventFollower): boolean;
	/** Instants between two times at which conditions of the time alone may change: steps end there. */
	knots(t0: number, t1: number): readonly number[];
	/** The next instant at which something is due by the clock; infinite: none. */
	readonly next: number;
	/** From here on the right-hand side follows its conditions at once: the solution slides along one. */
	thaw(): void;
}

/** What goes along with the values that events set. */
export interface EventFollower {
	/** Derivatives of what an event sets at (t, x), as far as events have gone there: a row for each assignment. */
	derivativesOf(event: number, t: number, x: Float64Array): Float64Array;
	set(targets: readonly number[], derivatives: Float64Array): void;
}

export type MethodName = "tsit5" | "dop853" | "rodas5p" | "rodas6p" | "radau9";

export interface SolveOptions {
	/** Relative tolerance of one step. Default 1e-6. */
	rtol?: number;
	/** Absolute tolerance of one step, for all states or for each. Default 1e-9. */
	atol?: number | ArrayLike<number>;
	/** Default "auto": the tolerance picks the order, and a stiff stretch is crossed with a stiff one. */
	method?: MethodName | "auto";
	/** Most steps that are tried. Default 100 000, and ten more for each knot. */
	maxSteps?: number;
	/** Length of the first step that is tried. Default: estimated from the right-hand side. */
	firstStep?: number;
	/** Longest step. Default: none. */
	maxStep?: number;
	/** Times onto which the solver steps exactly, because the right-hand side is not smooth there; in any order. */
	knots?: ArrayLike<number>;
	/** Times of the answer, ordered from t0 to t1. Default: t0 and each step. */
	saveAt?: ArrayLike<number>;
	/** True keeps what `Solution.at` needs. */
	dense?: boolean;
}

/**
 * `converged`: t1 was reached. `maxSteps`: too many steps. `stepTooSmall`: no step is short enough for the tolerance.
 * `diverged`: a state grows without bound. `notFinite`: the right-hand side is NaN or infinite, however short the step.
 */
export type Outcome = "converged" | "maxSteps" | "stepTooSmall" | "diverged" | "notFinite";

export interface SolveStats {
	/** Steps taken. */
	steps: number;
	/** Steps tried and thrown away. */
	rejected: number;
	/** Evaluations of the right-hand side, those of finite differences too. */
	rhs: number;
	jacobians: number;
	factorizations: number;
	/** The method, or the methods in the order in which they were first used: `tsit5 -> rodas6p`. */
	method: string;
	/** Where `auto` changed the method. */
	switches: { t: number; to: MethodName; why: string }[];
}

export interface Solution {
	outcome: Outcome;
	/** Where it ended, why, and what to try. */
	message: string;
	/** Times that were reached: those of `saveAt`, or t0 and the steps. */
	t: Float64Array;
	/** States at these times, row-major: one row a time. */
	x: Float64Array;
	stats: SolveStats;
	/** State at any time between t0 and the last time reached; only with the option `dense`. */
	at?(t: number, out: Float64Array): void;
}
