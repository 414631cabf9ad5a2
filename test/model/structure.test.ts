/** What kind of system a model is. */
import { describe, expect, test } from "vitest";
import { printExpression } from "../../src/model/print/expression.ts";
import { affineIn } from "../../src/model/structure/affine.ts";
import { vanishes } from "../../src/model/structure/identity.ts";
import { degreeIn, polynomialIn } from "../../src/model/structure/polynomial.ts";
import { strongComponents } from "../../src/model/structure/strong-components.ts";
import { structureOf } from "../../src/model/structure/structure.ts";
import { parse } from "./helpers.ts";

const expressionOf = (text: string) => {
	const { graph, rhs } = parse(`param a, b, c, p, q\nstate x, y\nx' = ${text}\ny' = 1`);
	return { graph, node: rhs[0] };
};

describe("affine forms", () => {
	const form = (text: string, symbols: readonly string[]) => {
		const { graph, node } = expressionOf(text);
		const found = affineIn(graph, node, symbols);
		return (
			found && {
				offset: printExpression(found.offset),
				...Object.fromEntries([...found.coefficients].map(([name, each]) => [name, printExpression(each)])),
			}
		);
	};

	test.each([
		["3", ["p"], { offset: "3" }],
		["2*p + a", ["p"], { offset: "a", p: "2" }],
		["a*(p + b*q)/c - p", ["p", "q"], { offset: "0", p: "a/c - 1", q: "a*b/c" }],
		["a*(p - x)*sin(x)", ["p"], { offset: "-a*x*sin(x)", p: "a*sin(x)" }],
		["if(x < 1, p, 2*q)", ["p", "q"], { offset: "0", p: "if(x < 1, 1, 0)", q: "if(x < 1, 0, 2)" }],
		["2*(p + a) - 2*p", ["p"], { offset: "2*a" }],
		["sin(2*(p + a) - 2*p)*q", ["p", "q"], { offset: "0", q: "sin(2*a)" }],
	])("%s in %j", (text, symbols, expected) => {
		expect(form(text, symbols)).toEqual(expected);
	});

	test.each([
		["p*q", ["p", "q"]],
		["p^2", ["p"]],
		["1/p", ["p"]],
		["sin(p)", ["p"]],
		["abs(p)", ["p"]],
		["if(p < 1, 1, 2)", ["p"]],
		["2^p", ["p"]],
	])("%s is not affine in %j", (text, symbols) => {
		expect(form(text, symbols)).toBeUndefined();
	});
});

describe("polynomials", () => {
	test.each([
		["a*x^2*y + y", ["x", "y"], 3],
		["a*x^2*y + y", ["x"], 2],
		["(x + y)^4", ["x", "y"], 4],
		["sin(a)", ["x"], 0],
		["sin(x)", ["x"], undefined],
		["1/(1 + x)", ["x"], undefined],
		["sqrt(x)", ["x"], undefined],
		["x^a", ["x"], undefined],
	])("degree of %s in %j", (text, symbols, degree) => {
		expect(degreeIn(expressionOf(text).node, symbols)).toBe(degree);
	});

	test("coefficients", () => {
		const { graph, node } = expressionOf("(x + a)^2*b - x*c + y");
		expect(polynomialIn(graph, node, "x")!.map(printExpression)).toEqual(["y + a^2*b", "2*a*b - c", "b"]);
		expect(polynomialIn(graph, expressionOf("exp(x)").node, "x")).toBeUndefined();
		const constant = expressionOf("a");
		expect(polynomialIn(constant.graph, constant.node, "x")).toEqual([constant.node]);
	});
});

describe("identities", () => {
	const node = (text: string) => expressionOf(text).node;
	test.each([
		"(a + b)^2 - a^2 - 2*a*b - b^2",
		"(a + b)*(a - b) - a^2 + b^2",
		"1/(a*b) - (1/a)*(1/b)",
		"a/(a + b) + b/(a + b) - 1",
		"sin(a + b)*(a + 1) - a*sin(b + a) - sin(a + b)",
	])("%s vanishes", (text) => {
		expect(vanishes(node(text))).toBe(true);
	});
	test.each(["a - b", "a*b - a - b", "sin(a) - sin(b)", "abs(a) - a", "a^2 - a", "f(a)".replace("f", "exp")])(
		"%s does not",
		(text) => {
			expect(vanishes(node(text))).toBe(false);
		},
	);
});

describe("components that depend on one another", () => {
	test("come in triangular order", () => {
		const { blocks } = structureOf(parse("state a, b, c, d\na' = b\nb' = a + c\nc' = -c\nd' = a*d"));
		expect(blocks).toEqual([["c"], ["a", "b"], ["d"]]);
	});

	test("a long chain and a large ring need no deep stack", () => {
		const n = 100_000;
		expect(strongComponents(n, (i) => (i + 1 < n ? [i + 1] : []))).toHaveLength(n);
		expect(strongComponents(n, (i) => [(i + 1) % n])).toHaveLength(1);
	});
});

describe("structure", () => {
	test("a driven linear oscillator", () => {
		const s = structureOf(parse("param m, c, k\ninput u\nstate x = 0, x' in [0, 1]\nm*x'' + c*x' + k*x = u"));
		expect(s).toMatchObject({
			order: 2,
			secondOrder: true,
			autonomous: false,
			drivenBy: ["u"],
			blocks: [["x", "x'"]],
			linearInStates: true,
			linearInParams: false,
			degreeInStates: 1,
			freeParams: ["m", "c", "k"],
			freeInitials: ["x'"],
		});
	});

	test("discontinuities are those that a run can meet", () => {
		const { discontinuities } = structureOf(
			parse(
				"param p\ninput u\nstate x\nx' = sign(p) + abs(x) + sign(u) + min(x, p) + if(t < 1, 0, x) + if(p < 1, x, 0)",
			),
		);
		expect(discontinuities.map(({ kind, op }) => `${kind} ${op}`).sort()).toEqual([
			"jump if",
			"jump sign",
			"kink abs",
			"kink min",
		]);
		const jump = discontinuities.find(({ op }) => op === "if")!;
		expect(printExpression(jump.switches.left)).toBe("t");
		expect(printExpression(jump.switches.right)).toBe("1");
	});

	test("time alone makes a system driven", () => {
		expect(structureOf(parse("state x\nx' = sin(t)")).drivenBy).toEqual(["t"]);
		expect(structureOf(parse("state x\nx' = -x")).autonomous).toBe(true);
	});
});
