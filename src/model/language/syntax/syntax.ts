/** The syntax tree of a model text: what was written, before names are looked up. Every part knows its place. */
import type { Span } from "../../model.ts";
import type { Rational } from "../../rational.ts";

export type ComparisonSign = "<" | "<=" | ">" | ">=" | "==" | "!=";

export type Expr =
	| { readonly kind: "number"; readonly value: Rational; readonly text: string; readonly span: Span }
	/** `x''` has two primes. */
	| { readonly kind: "name"; readonly name: string; readonly primes: number; readonly span: Span }
	| {
			readonly kind: "call";
			readonly name: string;
			readonly nameSpan: Span;
			readonly args: readonly Argument[];
			readonly span: Span;
	  }
	| {
			readonly kind: "sum";
			readonly terms: readonly { readonly negative: boolean; readonly value: Expr }[];
			readonly span: Span;
	  }
	| {
			readonly kind: "product";
			readonly factors: readonly { readonly inverse: boolean; readonly value: Expr }[];
			readonly span: Span;
	  }
	| { readonly kind: "negative"; readonly value: Expr; readonly span: Span }
	| { readonly kind: "power"; readonly base: Expr; readonly exponent: Expr; readonly span: Span }
	| {
			readonly kind: "comparison";
			readonly sign: ComparisonSign;
			readonly signSpan: Span;
			readonly left: Expr;
			readonly right: Expr;
			readonly span: Span;
	  }
	| {
			readonly kind: "logic";
			readonly word: "and" | "or" | "not";
			readonly parts: readonly Expr[];
			readonly span: Span;
	  };

/** An argument in brackets, with its name where it has one: `trend: 2`. */
export interface Argument {
	readonly name?: string;
	readonly nameSpan?: Span;
	readonly value: Expr;
}

/** What follows the name in a declaration. */
export type KnowledgeSyntax =
	| { readonly sign: "="; readonly value: Expr; readonly span: Span }
	/** `~ normal(0, 1)`, cut to a part of its range where that is said: `> 0`, `in [0, 5]` */
	| { readonly sign: "~"; readonly value: Expr; readonly cut?: CutSyntax; readonly span: Span }
	/** `in [lo, hi]` */
	| { readonly sign: "in"; readonly lo: Expr; readonly hi: Expr; readonly span: Span }
	/** `in value +- radius` */
	| { readonly sign: "+-"; readonly value: Expr; readonly radius: Expr; readonly span: Span };

export interface CutSyntax {
	readonly lo?: Expr;
	readonly hi?: Expr;
	readonly span: Span;
}

export const declarationKeywords = [
	"param",
	"state",
	"input",
	"condition",
	"unknown",
	"let",
	"function",
	"measure",
] as const;
export type Keyword = (typeof declarationKeywords)[number];

/** One name of a declaration: `x' = 0`, `p(1, c2)`, `f(x) ~ kriging(trend: 2)`. */
export interface Item {
	readonly keyword: Keyword;
	readonly name: string;
	readonly primes: number;
	readonly nameSpan: Span;
	/** What stands in brackets after the name. */
	readonly brackets?: readonly Expr[];
	/** `ka[record]`: it differs from record to record. */
	readonly byRecord?: boolean;
	readonly knowledge?: KnowledgeSyntax;
	readonly span: Span;
}

export interface EquationSyntax {
	readonly left: Expr;
	readonly right: Expr;
	readonly span: Span;
}

/** `when x > 1, delay: 2 { x = 0 }` */
export interface EventSyntax {
	readonly trigger: Expr;
	readonly options: readonly Argument[];
	readonly assignments: readonly {
		readonly name: string;
		readonly primes: number;
		readonly nameSpan: Span;
		readonly value: Expr;
	}[];
	readonly span: Span;
}

/** `assume x >= 0` */
export interface AssumptionSyntax {
	readonly left: Expr;
	readonly sign: "<" | "<=" | ">" | ">=";
	readonly right: Expr;
	readonly span: Span;
}

export interface ModelSyntax {
	readonly items: readonly Item[];
	readonly equations: readonly EquationSyntax[];
	readonly events: readonly EventSyntax[];
	readonly assumptions: readonly AssumptionSyntax[];
	/** Names in statements that could not be read: nothing is said of them later. */
	readonly excused: ReadonlySet<string>;
	/** Those among them that may have been declared there. */
	readonly spoiled: ReadonlySet<string>;
	/** Names and calls that could be read in such statements. */
	readonly salvaged: readonly Expr[];
}

/** Calls `visit` for every part of an expression. The parser limits the depth, so that recursion is safe. */
export function visitExpr(expr: Expr, visit: (expr: Expr) => void): void {
	visit(expr);
	switch (expr.kind) {
		case "number":
		case "name":
			return;
		case "call":
			for (const { value } of expr.args) visitExpr(value, visit);
			return;
		case "sum":
			for (const { value } of expr.terms) visitExpr(value, visit);
			return;
		case "product":
			for (const { value } of expr.factors) visitExpr(value, visit);
			return;
		case "negative":
			visitExpr(expr.value, visit);
			return;
		case "power":
			visitExpr(expr.base, visit);
			visitExpr(expr.exponent, visit);
			return;
		case "comparison":
			visitExpr(expr.left, visit);
			visitExpr(expr.right, visit);
			return;
		case "logic":
			for (const part of expr.parts) visitExpr(part, visit);
	}
}

/** The expressions of an event. */
export function expressionsOfEvent({ trigger, options, assignments }: EventSyntax): Expr[] {
	return [trigger, ...options.map(({ value }) => value), ...assignments.map(({ value }) => value)];
}

/** Where a name, with its primes, stands first. */
export function placeOf(symbol: string, expressions: readonly Expr[]): Span | undefined {
	let place: Span | undefined;
	for (const expr of expressions)
		visitExpr(expr, (part) => {
			if (part.kind === "name" && part.name + "'".repeat(part.primes) === symbol) place ??= part.span;
		});
	return place;
}

/** The expressions of a declaration's right side. */
export function expressionsOf(knowledge: KnowledgeSyntax | undefined): Expr[] {
	if (!knowledge) return [];
	if (knowledge.sign === "in") return [knowledge.lo, knowledge.hi];
	if (knowledge.sign === "+-") return [knowledge.value, knowledge.radius];
	const { lo, hi } = (knowledge.sign === "~" && knowledge.cut) || {};
	return [knowledge.value, ...(lo ? [lo] : []), ...(hi ? [hi] : [])];
}
