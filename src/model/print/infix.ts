/** Layout to a line of text, with the fewest brackets that keep its meaning. */
import { type Layout, startsWithSign, tightness, tightnessOf } from "./layout.ts";

/** `language`: what the parser reads. `plain`: for terminals, m·x'' + k3·x³. */
export type InfixStyle = "language" | "plain";

export function infix(layout: Layout, style: InfixStyle): string {
	const times = style === "plain" ? "·" : "*";
	const at = (inner: Layout, least: number): string => {
		const text = write(inner);
		return tightnessOf(inner) < least ? `(${text})` : text;
	};
	return write(layout);

	function write(each: Layout): string {
		switch (each.kind) {
			case "number":
				return each.text;
			case "name":
				return (style === "plain" && each.name === "pi" ? "π" : each.name) + "'".repeat(each.primes);
			case "sum":
				return each.terms.map(({ negative, value }, i) => term(negative, value, i === 0)).join("");
			case "product":
				return each.factors.map((factor, i) => productFactor(factor, i === 0)).join(times);
			case "quotient":
				return `${at(each.top, tightness.product)}/${at(each.bottom, tightness.power)}`;
			case "negative":
				return `-${startsWithSign(each.value) ? `(${write(each.value)})` : at(each.value, tightness.product)}`;
			case "power":
				return power(each.base, each.exponent);
			case "root":
				return style === "plain" && tightnessOf(each.value) === tightness.atom
					? `√${write(each.value)}`
					: `${style === "plain" ? "√" : "sqrt"}(${write(each.value)})`;
			case "call": {
				const partials = each.partials?.some((count) => count > 0) ? `[${each.partials}]` : "";
				return `${each.name}${partials}(${each.args.map(write).join(", ")})`;
			}
			case "comparison":
				return `${at(each.left, tightness.sum)} ${each.sign} ${at(each.right, tightness.sum)}`;
			case "logic":
				if (each.word === "not") return `not ${at(each.parts[0], tightness.not)}`;
				return each.parts.map((part) => at(part, tightness[each.word] + 1)).join(` ${each.word} `);
			case "elided":
				return "…";
		}
	}

	function term(negative: boolean, value: Layout, first: boolean): string {
		// A sum or a sign inside a sum keeps its brackets.
		const text = startsWithSign(value) && !first ? `(${write(value)})` : at(value, tightness.product);
		if (first) return negative ? `-${text}` : text;
		return `${negative ? " - " : " + "}${text}`;
	}

	function productFactor(factor: Layout, first: boolean): string {
		if (first) return at(factor, tightness.product);
		return factor.kind === "quotient" || startsWithSign(factor)
			? `(${write(factor)})`
			: at(factor, tightness.product);
	}

	function power(base: Layout, exponent: Layout): string {
		const foot = at(base, tightness.atom);
		if (style === "plain" && exponent.kind === "number" && /^\d+$/.test(exponent.text))
			return foot + exponent.text.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]);
		return `${foot}^${at(exponent, tightness.atom)}`;
	}
}
