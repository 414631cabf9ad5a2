/** `x' = -k*x + noise(q)`: short for an input of white noise of its own, `input noise1 ~ white(q)` and `x' = -k*x + noise1`. */
import type { Model } from "../model.ts";
import type { Expr, Item, ModelSyntax } from "./syntax/syntax.ts";
import { noiseName } from "./vocabulary.ts";

/** Whether an input has the name that `noise(…)` in an equation gets. */
export function isProcessNoise(name: string): boolean {
	return new RegExp(`^${noiseName}\\d+$`).test(name);
}

/** Whether an input is white noise. */
export function isWhite({ knowledge }: Model["inputs"][number]): boolean {
	return knowledge.kind === "distribution" && knowledge.distribution.family === "white";
}

export function withProcessNoise(syntax: ModelSyntax): ModelSyntax {
	const taken = new Set(syntax.items.map(({ name }) => name));
	// Who declares the name means his own.
	if (taken.has(noiseName)) return syntax;
	const items: Item[] = [];
	const named = (call: Extract<Expr, { kind: "call" }>): Expr => {
		let count = items.length + 1;
		while (taken.has(`${noiseName}${count}`)) count++;
		const name = `${noiseName}${count}`;
		taken.add(name);
		const { span, nameSpan } = call;
		items.push({
			keyword: "input",
			name,
			primes: 0,
			nameSpan,
			knowledge: { sign: "~", value: { ...call, name: "white" }, span },
			span,
		});
		return { kind: "name", name, primes: 0, span };
	};
	/** Terms and factors of an equation; in other places it is an unknown function. */
	const replaced = (expr: Expr): Expr => {
		switch (expr.kind) {
			case "call":
				return expr.name === noiseName ? named(expr) : expr;
			case "sum":
				return {
					...expr,
					terms: expr.terms.map(({ negative, value }) => ({ negative, value: replaced(value) })),
				};
			case "product":
				return {
					...expr,
					factors: expr.factors.map(({ inverse, value }) => ({
						inverse,
						value: inverse ? value : replaced(value),
					})),
				};
			case "negative":
				return { ...expr, value: replaced(expr.value) };
			default:
				return expr;
		}
	};
	const equations = syntax.equations.map((equation) => ({
		...equation,
		left: replaced(equation.left),
		right: replaced(equation.right),
	}));
	return items.length === 0 ? syntax : { ...syntax, items: [...syntax.items, ...items], equations };
}
