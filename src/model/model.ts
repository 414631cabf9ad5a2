/**
 * What a model text means, once and for all methods: declarations with the kind of knowledge that each carries, and
 * the equations solved for their highest derivatives, as expressions of one graph.
 *
 * Symbols are names: `t`, inputs, conditions, parameters, state components (`x`, `x'`). A `let`, an exactly known
 * parameter (`param g = 9.81`) and a highest derivative (`x''` of a second-order state) are folded into the
 * expressions that use them and never occur as symbols in `rhs`, `measures` or initial values.
 */
import type { Diagnostic } from "./diagnostic.ts";
import type { DoseInput } from "./doses.ts";
import type { Graph, Node } from "./graph.ts";
import type { AssumptionSyntax, EventSyntax, Expr } from "./language/syntax/syntax.ts";

/** The four kinds of knowledge. Expressions here hold no state and no `t`. */
export type Knowledge =
	| { readonly kind: "exact"; readonly value: Node }
	| { readonly kind: "set"; readonly lo: Node; readonly hi: Node }
	| { readonly kind: "distribution"; readonly distribution: Distribution }
	| { readonly kind: "none" };
export type KnowledgeKind = Knowledge["kind"];

export interface Distribution {
	/** `normal`, `lognormal`, `uniform`, …; `kriging` and `matern` for functions and inputs. */
	readonly family: string;
	readonly args: readonly Node[];
	/** Arguments given by name: `kriging(trend: 2)`. */
	readonly named: ReadonlyMap<string, Node>;
	/** The part of its range that it is cut to: `normal(0, 1) > 0`. */
	readonly cut?: { readonly lo?: Node; readonly hi?: Node };
}

/** Where something stands in the text: offsets into it. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

export interface Param {
	readonly name: string;
	readonly knowledge: Knowledge;
	/** `param p' in [lo, hi]`: how fast the parameter may drift; `undefined` for a constant one. */
	readonly rate?: Knowledge;
	/** `param p[record]`: each record has its own; with `~ …`, a law of all of them that may use parameters and conditions. */
	readonly byRecord?: true;
	/** `param p(1, c2, c3)`: an unknown linear combination of these terms. */
	readonly terms?: readonly Node[];
	readonly span: Span;
}

export interface StateVariable {
	readonly name: string;
	/** Highest derivative in the equations: 2 for `x''`. */
	readonly order: number;
	/** `x`, `x'`, … up to order - 1. */
	readonly components: readonly string[];
	/** Initial knowledge of each component. */
	readonly initial: readonly Knowledge[];
	readonly span: Span;
}

export interface Input {
	readonly name: string;
	/** A formula of `t`; a random process (`~ matern(…)`, whose arguments may use parameters); a set that it is in at all times, whatever it does there; or `none`: it comes from the data. */
	readonly knowledge: Knowledge | { readonly kind: "formula"; readonly value: Node };
	/** It stands for doses of a record, and has no column. */
	readonly isDose?: boolean;
	readonly span: Span;
}

export interface Condition {
	readonly name: string;
	/** It stands for repeated doses of a record, which has no such condition by itself. */
	readonly isDose?: boolean;
	readonly span: Span;
}

/** An unknown function: a finite basis (`= spline(0, 1, 2)`) or a random process (`~ kriging(trend: 2)`). */
/** A known factor times the products of the terms of some bases. */
export interface BasisProduct {
	/** An expression of the function's own arguments, as symbols. */
	readonly factor: Node;
	readonly families: readonly Distribution[];
}

export interface UnknownFunction {
	readonly name: string;
	readonly params: readonly string[];
	readonly kind: "basis" | "process";
	/** The one family that was named; the first of several. */
	readonly distribution: Distribution;
	/** Where a basis is a sum or has factors: `polynomial(2) + exp(-x)*fourier(1)`. */
	readonly composed?: { readonly products: readonly BasisProduct[]; readonly written: Expr };
	/** `unknown f(x)[record] = …`: the same terms in all records, with weights of each. */
	readonly byRecord?: true;
	readonly span: Span;
}

export interface Measure {
	readonly name: string;
	/**
	 * `exact`: y = value. `set`: |y - value| <= radius. `distribution`: `normal(value, spread)` and the like, where value
	 * and spread are what stands in the brackets.
	 */
	readonly kind: "exact" | "set" | "distribution";
	/** A set that was declared is taken for a normal error of its variance: what is smaller than that is as declared. */
	readonly ofBound?: true;
	readonly family?: string;
	readonly value: Node;
	/** Radius of a set, or spread (standard deviation) of a distribution; of counts their size, where the law has one. */
	readonly spread?: Node;
	/** The other arguments of a distribution, plain numbers: the degrees of freedom of `student`. */
	readonly shape?: readonly Node[];
	/** A plain number: what samples were rounded to whole multiples of. */
	readonly rounded?: Node;
	/** The time that errors are remembered for: they decay like exp(-t/correlated). Of parameters and conditions. */
	readonly correlated?: Node;
	/** As the user wrote it, for display. */
	readonly written?: {
		readonly value: Expr;
		readonly spread?: Expr;
		readonly shape?: readonly Expr[];
		readonly rounded?: Expr;
		readonly correlated?: Expr;
	};
	readonly span: Span;
}

/** A name for an expression. `value` leaves parameters and other lets as symbols; `written` keeps the user's order. */
export interface Let {
	readonly name: string;
	readonly value: Node;
	readonly written?: Expr;
}

/** Both sides with lets and parameters left as symbols; `written` keeps the user's order. For display. */
export interface Equation {
	readonly left: Node;
	readonly right: Node;
	readonly written?: { readonly left: Expr; readonly right: Expr };
	readonly span: Span;
}

/** `function f(a, b) = a*b`: put in where it is called; here for display. */
export interface OwnFunction {
	readonly name: string;
	readonly params: readonly string[];
	readonly written: Expr;
}

/** `when x > 1 { x = 0 }`: what happens at the instant at which a condition becomes true. */
export interface ModelEvent {
	/** 1 where the condition holds, else 0. */
	readonly trigger: Node;
	/** Time from the trigger to the assignments; absent: none. */
	readonly delay?: Node;
	/** Of several that are due at once, the highest goes first; those without one go last. */
	readonly priority?: Node;
	/** Whether it goes on when the condition fails again before it is due. */
	readonly persistent: boolean;
	/** Whether the condition counts as true before the start, so that it does not fire there. */
	readonly initially: boolean;
	/** Values are those of the instant at which it is due, not of the trigger. */
	readonly late: boolean;
	/** All at once: values are those from before. `target` is a state component. */
	readonly assignments: readonly { readonly target: string; readonly value: Node }[];
	readonly written?: EventSyntax;
	readonly span: Span;
	/** File, line and column, where the text was made from a file of another kind. */
	readonly place?: string;
}

/** `assume x >= 0`: holds at all times, for sure. */
export interface Assumption {
	/** Not negative; positive where the assumption is strict. */
	readonly value: Node;
	readonly isStrict: boolean;
	readonly written: AssumptionSyntax;
	readonly span: Span;
}

/** What a simulation shows of a model that comes from elsewhere, by the name that it has there. */
export interface ModelColumn {
	readonly name: string;
	readonly value: Node;
	/** Of a chemical species. */
	readonly amount?: Node;
	readonly concentration?: Node;
	/** What is shown in place of the value: a constant that is infinite or no number. */
	readonly fixed?: number;
}

export interface Model {
	readonly graph: Graph;
	readonly source: string;
	readonly fileName: string;
	/** In order of declaration. Exactly known ones included. */
	readonly params: readonly Param[];
	readonly inputs: readonly Input[];
	readonly conditions: readonly Condition[];
	readonly unknowns: readonly UnknownFunction[];
	readonly states: readonly StateVariable[];
	readonly measures: readonly Measure[];
	/** `let` names with their expressions, for display. */
	readonly lets: readonly Let[];
	/** All state components, state by state: the vector x of the first-order form. */
	readonly components: readonly string[];
	/** Their time derivatives, in the same order. */
	readonly rhs: readonly Node[];
	/** Initial knowledge, in the same order. */
	readonly initial: readonly Knowledge[];
	readonly functions: readonly OwnFunction[];
	readonly events: readonly ModelEvent[];
	/** What holds at all times, beside the equations; absent: nothing. */
	readonly assumptions?: readonly Assumption[];
	/** The equations as written, for display. */
	readonly equations: readonly Equation[];
	/** Shown in place of states and measurements; absent for a model in the language. */
	readonly columns?: readonly ModelColumn[];
	/** Inputs that stand for doses of the records, and what the states are where boluses were taken out of them; see `doses.ts`. */
	readonly doses?: readonly DoseInput[];
	readonly lifted?: readonly Node[];
	/**
	 * Where records begin in a steady state of doses: whether initial values are that (`exact`), whether the state that one interval
	 * leads back to itself is (`orbit`), or doses lead to it.
	 */
	readonly steady?: "exact" | "orbit" | "approached";
	/** What is no error but looks like a slip: a parameter that nothing uses. */
	readonly warnings?: readonly Diagnostic[];
}
