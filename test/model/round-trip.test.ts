/** Printed models and expressions, read again, are the same graphs. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Graph } from "../../src/model/graph.ts";
import type { Model } from "../../src/model/model.ts";
import { printExpression } from "../../src/model/print/expression.ts";
import { printModel } from "../../src/model/print/model.ts";
import { repetitions } from "../repetitions.ts";
import { expression, model } from "./generators.ts";
import { exampleTexts, meaning, parse, transplant } from "./helpers.ts";

const declarations = "state x\nparam a, b, c\ninput u\n";

/** As a model without the text that it came from: everything is printed from the graph. */
function withoutText(m: Model): Model {
	const plain = <T extends { readonly written?: unknown }>({ written: _, ...rest }: T): Omit<T, "written"> =>
		rest;
	return {
		...m,
		measures: m.measures.map(plain) as Model["measures"],
		lets: m.lets.map(plain) as Model["lets"],
		equations: m.equations.map(plain) as Model["equations"],
	};
}

describe("print and parse", () => {
	test.each([...exampleTexts()])("%s", (_, text) => {
		const first = parse(text);
		const graph = new Graph();
		expect(meaning(parse(printModel(first)), graph)).toEqual(meaning(first, graph));
		expect(meaning(parse(printModel(withoutText(first))), graph)).toEqual(meaning(first, graph));
	});

	test("generated models, as written and from the graph", () => {
		fc.assert(
			fc.property(model, (text) => {
				const first = parse(text);
				const graph = new Graph();
				expect(meaning(parse(printModel(first)), graph)).toEqual(meaning(first, graph));
				expect(meaning(parse(printModel(withoutText(first))), graph)).toEqual(meaning(first, graph));
			}),
			{ seed: 1, numRuns: repetitions(100, 400) },
		);
	});

	test("generated expressions", () => {
		fc.assert(
			fc.property(expression({ symbols: ["x", "a", "b", "c", "u", "t"], kinks: true }), (text) => {
				const first = parse(`${declarations}x' = u + ${text}`);
				const printed = printExpression(first.rhs[0]);
				const second = parse(`${declarations}x' = ${printed}\nmeasure unused = u`);
				expect(transplant(first.graph, second.rhs[0])).toBe(first.rhs[0]);
			}),
			{ seed: 2, numRuns: repetitions(500, 2000) },
		);
	});

	test.each([
		["a - (b - c)", "a - b + c"],
		["-(a + b)", "-(a + b)"],
		["a/(b*c)", "a/(b*c)"],
		["a/b/c", "a/(b*c)"],
		["a/(b/c)", "a*c/b"],
		["(a*b)^-2", "1/(a*b)^2"],
		["a^-3", "1/a^3"],
		["a^b^c", "a^(b^c)"],
		["(a^b)^c", "(a^b)^c"],
		["-a^2", "-a^2"],
		["(-a)^2", "(-a)^2"],
		["sqrt(a)^2", "sqrt(a)^2"],
		["1/sqrt(a)", "1/sqrt(a)"],
		["a^(-1/2)", "a^(-0.5)"],
		["a^(1/3)", "a^(1/3)"],
		["sqrt(9/4)", "1.5"],
		["2^0.5*2^0.5", "2"],
		["a*a*a/a", "a^2"],
		["1e-7*a", "1e-7*a"],
		["123456789012345678901234567890*a", "1.2345678901234567890123456789e29*a"],
		["3*(a + b) - 2*(a + b) + c", "a + b + c"],
		["if(a >= b, 1, 2)", "if(b <= a, 1, 2)"],
		["sin(-a)", "-sin(a)"],
		["max(b, a, 3)", "max(3, max(a, b))"],
	])("%s is printed as %s", (text, printed) => {
		const { rhs } = parse(`state x\nparam a, b, c\nx' = ${text}\nmeasure y = a*b*c`);
		expect(printExpression(rhs[0])).toBe(printed);
		const again = parse(`state x\nparam a, b, c\nx' = ${printed}`);
		expect(printExpression(again.rhs[0])).toBe(printed);
	});
});
