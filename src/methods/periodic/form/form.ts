/**
 * A model in the class of the paper, split into the parts that the representation needs:
 *
 *     x' = A₀ x + Ψ(y, u) θ + g(y, u, q, λ)     y = x₁     [tyukin2016] eq. (2.1), (2.3)
 *     q_i' = α_i(y, u, q_<i, λ) q_i + w_i(y, u, q_<i, λ)
 *
 * with u(t) known and as periodic as the record: inputs, and time itself.
 *
 * The chain x begins with the measured state; further members are integrators that feed it. Hidden states q are in an
 * order in which each depends on earlier ones only (the paper has them independent; triangular is enough), or in loops that
 * are linear in their members: q_I' = A_I(y, u, q_<I, λ) q_I + w_I.
 */
import type { Graph, Node } from "../../../model/graph.ts";

export interface ChainState {
	readonly component: string;
	/** x_k = scale · component: the factor with which it enters the equation before it; constant in time. */
	readonly scale: Node;
}

/** One θ: what it multiplies in each equation of the chain, and its value as an expression of the model's parameters. */
export interface LinearTerm {
	/** A parameter, or `θ1` where it stands for an expression of parameters. */
	readonly name: string;
	/** For each member of the chain, an expression of y and u alone. */
	readonly regressors: readonly Node[];
	readonly value: Node;
}

/**
 * w ≡ 0: q = q(0)·exp ∫α, periodic only when ∫α over a period is 0, which determines one parameter of α. And α ≡ 0: q = q(0) +
 * ∫w, periodic only when ∫w is 0. The level q(0) is searched for.
 */
export interface Closure {
	/** What has no mean over a period. */
	readonly of: "alpha" | "w";
	readonly param: string;
	/** It is rest + param · coefficient, where the coefficient is an expression of y and u alone. */
	readonly rest: Node;
	readonly coefficient: Node;
	/** A parameter that only sets the scale of the hidden state: p·q is found, not p. */
	readonly scale?: string;
}

/** Hidden states that need one another, linear in all of them: q' = A q + w. They stand one after the other. */
export interface Loop {
	/** Positions among the hidden states. */
	readonly members: readonly number[];
	/** The row of A of this state, in the order of the members. */
	readonly row: readonly Node[];
}

export interface HiddenState {
	readonly component: string;
	/** In a loop: its own coefficient in its row. */
	readonly alpha: Node;
	readonly w: Node;
	readonly loop?: Loop;
	readonly closure?: Closure;
}

export interface PeriodicForm {
	readonly graph: Graph;
	/** The measured state: the symbol y of all expressions. */
	readonly output: string;
	/** What drives the model: names of inputs, and `t`. */
	readonly drives: readonly string[];
	readonly chain: readonly ChainState[];
	readonly terms: readonly LinearTerm[];
	readonly hidden: readonly HiddenState[];
	/** For each member of the chain. */
	readonly g: readonly Node[];
	/** Parameters to be searched for, in order of declaration. */
	readonly lambda: readonly string[];
	/** Parameters that R gives, as expressions of the names of the linear terms. */
	readonly recovered: ReadonlyMap<string, Node>;
	/** Symbols with a value of their own (conditions, scales that are held). */
	readonly constants: readonly string[];
}

/** Why a model is not in the class: the state and the term, and what to do instead. */
export interface Refusal {
	readonly subject: string;
	readonly problem: string;
	readonly remedy: string;
}

export function isRefusal(found: PeriodicForm | Refusal): found is Refusal {
	return "problem" in found;
}
