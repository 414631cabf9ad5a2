/** Layout of an expression as the user wrote it: order, brackets and numbers are kept. */
import type { Expr } from "../language/syntax/syntax.ts";
import { type Layout, productOf } from "./layout.ts";

export function layoutOfSyntax(expr: Expr): Layout {
	switch (expr.kind) {
		case "number":
			return { kind: "number", text: expr.text };
		case "name":
			return { kind: "name", name: expr.name, primes: expr.primes };
		case "call": {
			const args = expr.args.map(({ value }) => layoutOfSyntax(value));
			return expr.name === "sqrt"
				? { kind: "root", value: args[0] }
				: { kind: "call", name: expr.name, args };
		}
		case "negative":
			return { kind: "negative", value: layoutOfSyntax(expr.value) };
		case "sum":
			return {
				kind: "sum",
				terms: expr.terms.map(({ negative, value }) => ({ negative, value: layoutOfSyntax(value) })),
			};
		case "product":
			return productLayout(expr.factors);
		case "power":
			return { kind: "power", base: layoutOfSyntax(expr.base), exponent: layoutOfSyntax(expr.exponent) };
		case "logic":
			return { kind: "logic", word: expr.word, parts: expr.parts.map(layoutOfSyntax) };
		case "comparison":
			return {
				kind: "comparison",
				sign: expr.sign,
				left: layoutOfSyntax(expr.left),
				right: layoutOfSyntax(expr.right),
			};
	}
}

/** a*b/c*d is read from the left: (a·b over c) times d. */
function productLayout(factors: Extract<Expr, { kind: "product" }>["factors"]): Layout {
	let done: Layout[] = [];
	for (let i = 0; i < factors.length; i++) {
		const layout = layoutOfSyntax(factors[i].value);
		if (!factors[i].inverse) {
			done.push(layout);
			continue;
		}
		// a/b/c has the denominator b·c.
		const below = [layout];
		while (factors[i + 1]?.inverse) below.push(layoutOfSyntax(factors[++i].value));
		done = [{ kind: "quotient", top: productOf(done), bottom: productOf(below) }];
	}
	return productOf(done);
}
