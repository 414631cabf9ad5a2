/** How an expression is set out for reading: what is written over what, and in which order. All printers start here. */
import { splitName } from "./symbol-name.ts";

export type Layout =
	| { readonly kind: "number"; readonly text: string }
	| { readonly kind: "name"; readonly name: string; readonly primes: number }
	| {
			readonly kind: "sum";
			readonly terms: readonly { readonly negative: boolean; readonly value: Layout }[];
	  }
	| { readonly kind: "product"; readonly factors: readonly Layout[] }
	| { readonly kind: "quotient"; readonly top: Layout; readonly bottom: Layout }
	| { readonly kind: "negative"; readonly value: Layout }
	| { readonly kind: "power"; readonly base: Layout; readonly exponent: Layout }
	| { readonly kind: "root"; readonly value: Layout }
	| {
			readonly kind: "call";
			readonly name: string;
			readonly args: readonly Layout[];
			/** For an unknown function: how often it is differentiated by each argument. */
			readonly partials?: readonly number[];
	  }
	| { readonly kind: "comparison"; readonly sign: string; readonly left: Layout; readonly right: Layout }
	| { readonly kind: "logic"; readonly word: "and" | "or" | "not"; readonly parts: readonly Layout[] }
	/** What is too large to be shown. */
	| { readonly kind: "elided" };

/** How tightly a layout holds together; one that holds less tightly than its place asks for needs brackets. */
export const tightness = {
	or: -3,
	and: -2,
	not: -1,
	comparison: 0,
	sum: 1,
	product: 2,
	power: 3,
	atom: 4,
} as const;

export function tightnessOf(layout: Layout): number {
	switch (layout.kind) {
		case "logic":
			return tightness[layout.word];
		case "comparison":
			return tightness.comparison;
		case "sum":
			return tightness.sum;
		case "product":
		case "quotient":
		case "negative":
			return tightness.product;
		case "power":
			return tightness.power;
		default:
			return tightness.atom;
	}
}

/** Whether its text begins with a minus sign. */
export function startsWithSign(layout: Layout): boolean {
	switch (layout.kind) {
		case "negative":
			return true;
		case "product":
			return startsWithSign(layout.factors[0]);
		case "quotient":
			return startsWithSign(layout.top);
		default:
			return false;
	}
}

/** A product, where it is one: nothing is 1, one factor is itself. */
export function productOf(factors: readonly Layout[]): Layout {
	if (factors.length === 0) return { kind: "number", text: "1" };
	return factors.length === 1 ? factors[0] : { kind: "product", factors };
}

/** What stands between two factors: digits need a cross between them, words a dot; letters stand side by side. */
export function timesBetween(before: Layout, after: Layout): "cross" | "dot" | "nothing" {
	if (endsInDigits(before) && startsWithDigits(after)) return "cross";
	return isWord(before) || isWord(after) ? "dot" : "nothing";
}

function endsInDigits(layout: Layout): boolean {
	return layout.kind === "number" || layout.kind === "quotient";
}

function startsWithDigits(layout: Layout): boolean {
	return layout.kind === "number" || (layout.kind === "power" && startsWithDigits(layout.base));
}

function isWord(layout: Layout): boolean {
	return layout.kind === "name" && [...splitName(layout.name).base].length > 1;
}
