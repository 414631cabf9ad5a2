/** How expressions look: in terminals, and as MathML. */
import { describe, expect, test } from "vitest";
import { Differentiator } from "../../src/model/derivative.ts";
import { equationToPlain, printExpression, toPlain } from "../../src/model/print/expression.ts";
import { equationMathML, toMathML } from "../../src/model/print/mathml.ts";
import { splitName } from "../../src/model/print/symbol-name.ts";
import { parse } from "./helpers.ts";

const names = "param m, c, k, k3, alpha, omega_n, gCa, mInf, p, q\nstate x, y\ninput u\n";
const nodeOf = (text: string) => parse(`${names}x'' = ${text}\ny' = u`).rhs[1];

describe("plain text", () => {
	test.each([
		["(u - c*x' - k*x - k3*x^3)/m", "(u - c·x' - k·x - k3·x³)/m"],
		["x^10 + x^-2", "1/x² + x¹⁰"],
		["sqrt(x) + sqrt(x + y)", "√x + √(x + y)"],
		["1/sqrt(x)", "1/√x"],
		["2*pi*x", "2·π·x"],
		["-x/3", "-x/3"],
		["x^p", "x^p"],
		["x^(p + 1)", "x^(p + 1)"],
		["0.1*x + x/4", "0.35·x"],
		["if(x < 1, -x, x)", "if(x < 1, -x, x)"],
	])("%s is shown as %s", (text, shown) => {
		expect(toPlain(nodeOf(text))).toBe(shown);
	});

	test("an equation keeps the order in which it was written", () => {
		const text = "k3*x^3 + m*x'' + (c*x' - -k*x)*2e-3 = (u)/(2*m)*y";
		const { equations } = parse(`param m, c, k, k3\ninput u\nstate x, y\n${text}\ny' = 1`);
		expect(equationToPlain(equations[0])).toBe("k3·x³ + m·x'' + (c·x' - (-k·x))·2e-3 = u/(2·m)·y");
	});

	test("from the graph alone the highest derivative comes first", () => {
		const { equations } = parse(`${names}k3*x^3 + k*x + c*x' + m*x'' = u\ny' = 1`);
		const { written: _, ...bare } = equations[0];
		expect(equationToPlain(bare)).toBe("m·x'' + c·x' + k·x + k3·x³ = u");
	});

	test("derivatives of unknown functions show how often", () => {
		const model = parse("unknown f(x, y) = polynomial(2)\nstate x, y\nx' = f(x, y)\ny' = 1");
		const d = new Differentiator(model.graph).derivative(model.rhs[0], "y");
		expect(printExpression(d)).toBe("f[0,1](x, y)");
	});

	test("what is too large is shown in part", () => {
		const lets = Array.from({ length: 40 }, (_, i) => `let a${i + 1} = sin(a${i})*cos(a${i})`).join("\n");
		const { rhs } = parse(`state x\nlet a0 = x\n${lets}\nx' = a40`);
		expect(printExpression(rhs[0])).toContain("…");
		expect(printExpression(rhs[0]).length).toBeLessThan(200_000);
		expect(toMathML(rhs[0])).toContain("<mo>…</mo>");
	});
});

describe("names", () => {
	test.each([
		["k3", { base: "k", index: "3" }],
		["alpha", { base: "α" }],
		["omega_n", { base: "ω", index: "n" }],
		["x_12", { base: "x", index: "12" }],
		["theta2", { base: "θ", index: "2" }],
		["mInf", { base: "mInf" }],
		["x", { base: "x" }],
		["tau_max", { base: "τ", index: "max" }],
	])("%s", (name, split) => {
		expect(splitName(name)).toEqual(split);
	});
});

describe("MathML", () => {
	const inside = (text: string): string => toMathML(nodeOf(text)).replace(/^<math>|<\/math>$/g, "");

	test.each([
		["k3", "<msub><mi>k</mi><mn>3</mn></msub>"],
		["alpha", "<mi>α</mi>"],
		["x'", "<msup><mi>x</mi><mo>′</mo></msup>"],
		["x^2", "<msup><mrow><mi>x</mi></mrow><mrow><mn>2</mn></mrow></msup>"],
		["p/q", "<mfrac><mrow><mi>p</mi></mrow><mrow><mi>q</mi></mrow></mfrac>"],
		["sqrt(x)", "<msqrt><mi>x</mi></msqrt>"],
		["abs(x)", "<mrow><mo>|</mo><mi>x</mi><mo>|</mo></mrow>"],
		["exp(x)", "<msup><mi>e</mi><mrow><mi>x</mi></mrow></msup>"],
		["p*q", "<mrow><mi>p</mi><mo>\u2062</mo><mi>q</mi></mrow>"],
		["gCa*p", "<mrow><mi>gCa</mi><mo>⋅</mo><mi>p</mi></mrow>"],
		["-p", "<mrow><mo>−</mo><mi>p</mi></mrow>"],
		["5e-7", "<mrow><mn>5</mn><mo>×</mo><msup><mn>10</mn><mrow><mo>−</mo><mn>7</mn></mrow></msup></mrow>"],
	])("%s", (text, expected) => {
		expect(inside(text)).toBe(expected);
	});

	test("an equation is a block; dots may stand for primes", () => {
		const { equations } = parse(`${names}m*x'' + x' = u\ny' = 1`);
		const block = equationMathML(equations[0]);
		expect(block).toMatch(/^<math display="block">.*<mo>=<\/mo>.*<\/math>$/);
		expect(block).toContain("<msup><mi>x</mi><mo>″</mo></msup>");
		expect(equationMathML(equations[0], { derivative: "dot" })).toContain(
			'<mover accent="true"><mi>x</mi><mo>¨</mo></mover>',
		);
	});

	test("cases, comparisons and functions are well formed and escaped", () => {
		const text = inside("if(x < 1, sin(p), max(x, y)) + tanh(x/(p + q))");
		expect(text).toContain("<mo>&lt;</mo>");
		expect(text).toContain("<mtable>");
		const stack: string[] = [];
		for (const [, close, tag] of text.matchAll(/<(\/?)(\w+)[^>]*>/g))
			if (close) expect(stack.pop()).toBe(tag);
			else stack.push(tag);
		expect(stack).toEqual([]);
		expect(text.replace(/<[^>]*>/g, "")).not.toMatch(/[<>]/);
	});
});
