/**
 * What stands after `=` of an unknown function: a basis, or a sum of bases, known factors and plain terms,
 * `polynomial(2) + exp(-x)*fourier(1) + x*abs(x)`.
 */
import type { Node } from "../graph.ts";
import type { BasisProduct, Distribution, UnknownFunction } from "../model.ts";
import type { Expressions } from "./expression.ts";
import { resolveFamily } from "./families.ts";
import { scopes } from "./scope.ts";
import type { Expr } from "./syntax/syntax.ts";
import { bases } from "./vocabulary.ts";

type Form = Pick<UnknownFunction, "distribution" | "composed">;

export function resolveBasis(
	expr: Expr,
	params: readonly string[],
	expressions: Expressions,
): Form | undefined {
	const { graph } = expressions;
	const place = { noun: "basis", families: bases, scope: scopes.family };
	const terms = expr.kind === "sum" ? expr.terms.map(({ value }) => value) : [expr];
	const isNamed = terms.some((term) =>
		term.kind === "product" ? term.factors.some(({ value }) => isBasis(value)) : isBasis(term),
	);
	if (!isNamed || (expr.kind === "call" && !isLibrary(expr))) {
		const distribution = resolveFamily(expr, place, expressions);
		return distribution && { distribution };
	}
	const products = terms.map((term) => product(term));
	if (products.includes(undefined)) return undefined;
	const all = products as BasisProduct[];
	const [first] = all.flatMap(({ families }) => families);
	return { distribution: first, composed: { products: all, written: expr } };

	function product(term: Expr): BasisProduct | undefined {
		const factors = term.kind === "product" ? term.factors : [{ value: term, inverse: false }];
		const families: (Distribution | undefined)[] = [];
		const known: (Node | undefined)[] = [];
		for (const { value, inverse } of factors)
			if (isLibrary(value)) families.push(library(value));
			else if (isBasis(value) && !inverse) families.push(resolveFamily(value, place, expressions));
			else {
				const node = expressions.foldWith(value, scopes.basis, params);
				known.push(node && (inverse ? graph.pow(node, graph.minusOne) : node));
			}
		if (known.includes(undefined) || families.includes(undefined)) return undefined;
		const factor = graph.product(known as Node[]);
		const own = families as Distribution[];
		if (own.length > 1 && own.some(({ family }) => family === "rational")) {
			const remedy =
				"A rational basis may have known factors; its products with other bases have too many weights.";
			expressions.reporter.report(term.span, "a rational basis times another basis", remedy);
			return undefined;
		}
		// A term without a basis is one candidate.
		return own.length > 0
			? { factor, families: own }
			: { factor: graph.one, families: [{ family: "library", args: [factor], named: new Map() }] };
	}

	function library(call: Extract<Expr, { kind: "call" }>): Distribution | undefined {
		const named = call.args.find(({ name }) => name !== undefined);
		if (named || call.args.length === 0) {
			const message = named ? "an argument with a name" : "library takes 1 or more arguments";
			const remedy = `Write it like this:  ${bases.get("library")!.example}`;
			expressions.reporter.report(named?.nameSpan ?? call.span, message, remedy);
			return undefined;
		}
		const args = call.args.map(({ value }) => expressions.foldWith(value, scopes.basis, params));
		return args.includes(undefined)
			? undefined
			: { family: "library", args: args as Node[], named: new Map() };
	}
}

function isLibrary(expr: Expr): expr is Extract<Expr, { kind: "call" }> {
	return expr.kind === "call" && bases.get(expr.name)?.expressions === true;
}

function isBasis(expr: Expr): boolean {
	return expr.kind === "call" && bases.has(expr.name);
}
