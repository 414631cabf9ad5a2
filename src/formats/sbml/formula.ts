/** Formulas as SBML has them: a tree, before its names are those of the model language. */
import type { Span } from "../../model/model.ts";

export type Formula =
	/** Those that are infinite or no number have a place instead of a text. */
	| { readonly kind: "number"; readonly value: number; readonly text: string; readonly span?: Span }
	| { readonly kind: "name"; readonly id: string; readonly span: Span }
	| { readonly kind: "time" }
	| { readonly kind: "truth"; readonly value: boolean }
	| { readonly kind: "rate"; readonly id: string; readonly span: Span }
	/** An operation of MathML, by its element's name. */
	| { readonly kind: "apply"; readonly op: string; readonly args: readonly Formula[] }
	/** A function definition of the model. */
	| { readonly kind: "call"; readonly id: string; readonly args: readonly Formula[]; readonly span: Span };

export function numeral(value: number): Formula {
	return { kind: "number", value, text: String(value) };
}
export const zero = numeral(0);
export const one = numeral(1);

export function apply(op: string, ...args: readonly Formula[]): Formula {
	return applied(op, args);
}
/** To any number of arguments: a call takes some hundred thousand. */
export function applied(op: string, args: readonly Formula[]): Formula {
	return { kind: "apply", op, args };
}
export function named(id: string): Formula {
	return { kind: "name", id, span: { start: 0, end: 1 } };
}

/** Sums, products, quotients without what changes nothing. */
export function plus(terms: readonly Formula[]): Formula {
	const kept = terms.filter((term) => !isNumber(term, 0));
	if (kept.length === 0) return zero;
	return kept.length === 1 ? kept[0] : applied("plus", kept);
}
export function times(...factors: readonly Formula[]): Formula {
	if (factors.some((factor) => isNumber(factor, 0))) return zero;
	const kept = factors.filter((factor) => !isNumber(factor, 1));
	if (kept.length === 0) return one;
	return kept.length === 1 ? kept[0] : applied("times", kept);
}
export function over(top: Formula, bottom: Formula): Formula {
	return isNumber(bottom, 1) || isNumber(top, 0) ? top : apply("divide", top, bottom);
}

export function isNumber(formula: Formula, value: number): boolean {
	return formula.kind === "number" && formula.value === value;
}

/** Every part, from the outside in. */
export function visit(formula: Formula, see: (part: Formula) => void): void {
	see(formula);
	if (formula.kind === "apply" || formula.kind === "call") for (const arg of formula.args) visit(arg, see);
}

/** With parts replaced, from the inside out; `change` gives the new part, or `undefined` to keep it. The same formula where all are kept. */
export function replace(formula: Formula, change: (part: Formula) => Formula | undefined): Formula {
	if (formula.kind !== "apply" && formula.kind !== "call") return change(formula) ?? formula;
	const args = formula.args.map((arg) => replace(arg, change));
	const whole = args.every((arg, i) => arg === formula.args[i]) ? formula : { ...formula, args };
	return change(whole) ?? whole;
}

export function namesIn(formula: Formula): Set<string> {
	const found = new Set<string>();
	visit(formula, (part) => {
		if (part.kind === "name" || part.kind === "rate") found.add(part.id);
	});
	return found;
}

/** Whether it is at most linear in a name. */
export function isAffine(formula: Formula, id: string): boolean {
	const holds = (part: Formula): boolean => namesIn(part).has(id);
	if (!holds(formula)) return true;
	if (formula.kind === "name") return true;
	if (formula.kind !== "apply") return false;
	const { op, args } = formula;
	switch (op) {
		case "plus":
		case "minus":
			return args.every((arg) => isAffine(arg, id));
		case "times":
			return args.filter(holds).length === 1 && args.every((arg) => isAffine(arg, id));
		case "divide":
			return !holds(args[1]) && isAffine(args[0], id);
		case "piecewise":
			return args.every((arg, i) =>
				i % 2 === 1 && i < args.length - (args.length % 2) ? !holds(arg) : isAffine(arg, id),
			);
		default:
			return false;
	}
}
