/** Layout to MathML Core, which browsers set by themselves. */
import type { Node } from "../graph.ts";
import type { Equation } from "../model.ts";
import { equationLayouts } from "./expression.ts";
import { type Layout, startsWithSign, tightness, tightnessOf, timesBetween } from "./layout.ts";
import { layoutOfNode } from "./node-layout.ts";
import { splitName } from "./symbol-name.ts";

export interface MathMLOptions {
	/** Derivatives as x″ or as ẍ. */
	readonly derivative?: "prime" | "dot";
}

export function toMathML(node: Node, options: MathMLOptions = {}): string {
	return `<math>${render(layoutOfNode(node, { exact: false }), options)}</math>`;
}

export function equationMathML(equation: Equation, options: MathMLOptions = {}): string {
	const { left, right } = equationLayouts(equation, false);
	return `<math display="block">${render(left, options)}${mo("=")}${render(right, options)}</math>`;
}

const times = { cross: "×", dot: "⋅", nothing: "\u2062" };

function render(layout: Layout, options: MathMLOptions): string {
	const inner = (each: Layout): string => render(each, options);
	const at = (each: Layout, least: number): string =>
		tightnessOf(each) < least ? mrow(mo("(") + inner(each) + mo(")")) : inner(each);
	switch (layout.kind) {
		case "number":
			return number(layout.text);
		case "name":
			return name(layout.name, layout.primes, options);
		case "sum":
			return mrow(
				layout.terms
					.map(({ negative, value }, i) => {
						const sign = negative ? mo("−") : i > 0 ? mo("+") : "";
						const bracketed = startsWithSign(value) && (i > 0 || negative);
						return sign + (bracketed ? mrow(mo("(") + inner(value) + mo(")")) : at(value, tightness.product));
					})
					.join(""),
			);
		case "product":
			return mrow(
				layout.factors
					.map((factor, i) => {
						const between = i === 0 ? "" : mo(times[timesBetween(layout.factors[i - 1], factor)]);
						const bracketed = i > 0 && startsWithSign(factor);
						return (
							between + (bracketed ? mrow(mo("(") + inner(factor) + mo(")")) : at(factor, tightness.product))
						);
					})
					.join(""),
			);
		case "quotient":
			return `<mfrac>${mrow(inner(layout.top))}${mrow(inner(layout.bottom))}</mfrac>`;
		case "negative":
			return mrow(mo("−") + at(layout.value, tightness.product));
		case "power":
			return `<msup>${mrow(at(layout.base, tightness.atom))}${mrow(inner(layout.exponent))}</msup>`;
		case "root":
			return `<msqrt>${inner(layout.value)}</msqrt>`;
		case "call":
			return call(layout, inner, options);
		case "logic": {
			const { word, parts } = layout;
			if (word === "not") return mrow(mo("¬") + at(parts[0], tightness.not));
			const sign = mo(word === "and" ? "∧" : "∨");
			return mrow(parts.map((part) => at(part, tightness[word] + 1)).join(sign));
		}
		case "comparison":
			return mrow(
				inner(layout.left) + mo(layout.sign.replace("<=", "≤").replace(">=", "≥")) + inner(layout.right),
			);
		case "elided":
			return mo("…");
	}
}

function call(
	layout: Extract<Layout, { kind: "call" }>,
	inner: (layout: Layout) => string,
	options: MathMLOptions,
): string {
	const { args, partials } = layout;
	if (layout.name === "abs") return mrow(mo("|") + inner(args[0]) + mo("|"));
	if (layout.name === "exp") return `<msup><mi>e</mi>${mrow(inner(args[0]))}</msup>`;
	if (layout.name === "if") {
		const row = (value: Layout, when: string): string =>
			`<mtr><mtd>${inner(value)}</mtd><mtd>${when}</mtd></mtr>`;
		const rows =
			row(args[1], `<mtext>if </mtext>${inner(args[0])}`) + row(args[2], "<mtext>otherwise</mtext>");
		return mrow(`${mo("{")}<mtable>${rows}</mtable>`);
	}
	let head = name(layout.name, 0, options);
	if (partials?.some((count) => count > 0))
		head = `<msup>${head}${mrow(mo("(") + partials.map((count) => `<mn>${count}</mn>`).join(mo(",")) + mo(")"))}</msup>`;
	return mrow(`${head}${mo("\u2061")}${mo("(")}${args.map(inner).join(mo(","))}${mo(")")}`);
}

function name(text: string, primes: number, { derivative }: MathMLOptions): string {
	const { base, index } = splitName(text);
	const foot = `<mi>${escapeText(base)}</mi>`;
	const sub =
		index === undefined ? "" : /^\d+$/.test(index) ? `<mn>${index}</mn>` : `<mi>${escapeText(index)}</mi>`;
	if (primes === 0) return sub ? `<msub>${foot}${sub}</msub>` : foot;
	if (derivative === "dot" && primes <= 2) {
		const dotted = `<mover accent="true">${foot}${mo(primes === 1 ? "˙" : "¨")}</mover>`;
		return sub ? `<msub>${dotted}${sub}</msub>` : dotted;
	}
	const marks = mo(["′", "″", "‴"][primes - 1] ?? `(${primes})`);
	return sub ? `<msubsup>${foot}${sub}${marks}</msubsup>` : `<msup>${foot}${marks}</msup>`;
}

function number(text: string): string {
	const [digits, exponent] = text.split(/e/i);
	if (exponent === undefined) return `<mn>${digits}</mn>`;
	const sign = exponent.startsWith("-") ? mo("−") : "";
	const power = `<msup><mn>10</mn>${mrow(`${sign}<mn>${exponent.replace(/^[+-]/, "")}</mn>`)}</msup>`;
	return digits === "1" ? power : mrow(`<mn>${digits}</mn>${mo("×")}${power}`);
}

function mo(text: string): string {
	return `<mo>${escapeText(text)}</mo>`;
}
function mrow(inside: string): string {
	return `<mrow>${inside}</mrow>`;
}
function escapeText(text: string): string {
	return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
