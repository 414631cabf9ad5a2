/** Layout to TeX, in the small part of it that KaTeX sets. Nothing of the user's text is passed on as a command. */
import type { Equation, Let } from "../model.ts";
import { equationLayouts } from "./expression.ts";
import { type Layout, startsWithSign, tightness, tightnessOf, timesBetween } from "./layout.ts";
import { layoutOfNode } from "./node-layout.ts";
import { splitName } from "./symbol-name.ts";
import { layoutOfSyntax } from "./syntax-layout.ts";

/** `m\,x'' + k_{3}\,x^{3} = u` */
export function equationTex(equation: Equation): string {
	const { left, right } = equationLayouts(equation, false);
	return `${render(left)} = ${render(right)}`;
}

/** A name that stands for an expression. */
export function letTex({ name: text, value, written }: Let): string {
	return `${name(text, 0)} = ${render(written ? layoutOfSyntax(written) : layoutOfNode(value, { exact: false }))}`;
}

const functions = new Set(["sin", "cos", "tan", "sinh", "cosh", "tanh", "log", "min", "max"]);

const times = { cross: " \\times ", dot: " \\cdot ", nothing: "\\, " };

function render(layout: Layout): string {
	switch (layout.kind) {
		case "number":
			return number(layout.text);
		case "name":
			return name(layout.name, layout.primes);
		case "sum":
			return layout.terms
				.map(({ negative, value }, i) => {
					const sign = i === 0 ? (negative ? "-" : "") : negative ? "- " : "+ ";
					const bracketed = startsWithSign(value) && (i > 0 || negative);
					return sign + (bracketed ? brackets(render(value)) : at(value, tightness.product));
				})
				.join(" ");
		case "product":
			return layout.factors
				.map((factor, i) => {
					const between = i === 0 ? "" : times[timesBetween(layout.factors[i - 1], factor)];
					const bracketed = i > 0 && startsWithSign(factor);
					return between + (bracketed ? brackets(render(factor)) : at(factor, tightness.product));
				})
				.join("");
		case "quotient":
			return `\\frac{${render(layout.top)}}{${render(layout.bottom)}}`;
		case "negative":
			return `-${at(layout.value, tightness.product)}`;
		case "power":
			return `{${at(layout.base, tightness.atom)}}^{${render(layout.exponent)}}`;
		case "root":
			return `\\sqrt{${render(layout.value)}}`;
		case "call":
			return call(layout);
		case "logic": {
			const { word, parts } = layout;
			if (word === "not") return `\\lnot ${at(parts[0], tightness.not)}`;
			return parts.map((part) => at(part, tightness[word] + 1)).join(word === "and" ? " \\land " : " \\lor ");
		}
		case "comparison": {
			const sign = layout.sign
				.replace("<=", "\\le ")
				.replace(">=", "\\ge ")
				.replace("==", "=")
				.replace("!=", "\\ne ");
			return `${render(layout.left)} ${sign} ${render(layout.right)}`;
		}
		case "elided":
			return "\\dots";
	}
}

function at(layout: Layout, least: number): string {
	return tightnessOf(layout) < least ? brackets(render(layout)) : render(layout);
}

function brackets(inside: string): string {
	return `\\left(${inside}\\right)`;
}

function call({ name: head, args, partials }: Extract<Layout, { kind: "call" }>): string {
	const inside = args.map(render);
	if (head === "abs") return `\\left|${inside[0]}\\right|`;
	if (head === "exp") return `e^{${inside[0]}}`;
	if (head === "if")
		return `\\begin{cases}${inside[1]} & \\text{if } ${inside[0]}\\\\ ${inside[2]} & \\text{otherwise}\\end{cases}`;
	const order = partials?.some((count) => count > 0) ? `^{(${partials.join(",")})}` : "";
	const word = functions.has(head) ? `\\${head}` : `${name(head, 0)}`;
	return `${word}${order}${brackets(inside.join(",\\, "))}`;
}

function name(text: string, primes: number): string {
	const { base, index } = splitName(text);
	const foot = letters(base);
	const sub = index === undefined ? "" : `_{${/^\d+$/.test(index) ? index : letters(index)}}`;
	const marks = primes === 0 ? "" : primes <= 3 ? "'".repeat(primes) : `^{(${primes})}`;
	return `${foot}${sub}${marks}`;
}

/** A single letter leans; a word stands upright. */
function letters(text: string): string {
	const safe = [...text].map((letter) => (/[\p{L}\p{N}]/u.test(letter) ? letter : "\\_")).join("");
	return [...text].length === 1 ? safe : `\\mathrm{${safe}}`;
}

function number(text: string): string {
	const [digits, exponent] = text.split(/e/i);
	if (exponent === undefined) return digits;
	const power = `10^{${exponent.replace(/^\+/, "")}}`;
	return digits === "1" ? power : `${digits} \\times ${power}`;
}
