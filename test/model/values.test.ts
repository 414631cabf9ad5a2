/** Simplification keeps values, and symbolic derivatives agree with dual numbers. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Differentiator } from "../../src/model/derivative.ts";
import { evaluate } from "../../src/model/evaluate.ts";
import { Graph, type Node } from "../../src/model/graph.ts";
import { type Expr, visitExpr } from "../../src/model/language/syntax/syntax.ts";
import { printExpression } from "../../src/model/print/expression.ts";
import * as Q from "../../src/model/rational.ts";
import { topological } from "../../src/model/walk.ts";
import { repetitions } from "../repetitions.ts";
import { expression } from "./generators.ts";
import { parse, transplant } from "./helpers.ts";

const symbols = ["a", "b", "c"];
const declarations = "param a, b, c\nstate x\n";
const point = fc.tuple(
	...symbols.map(() => fc.double({ min: -2, max: 2, noNaN: true, noDefaultInfinity: true })),
);

/** The value of an expression as written, straight from the syntax tree. */
function direct(expr: Expr, look: (name: string) => number): number {
	const value = (each: Expr): number => direct(each, look);
	switch (expr.kind) {
		case "number":
			return Number(expr.text);
		case "name":
			return expr.name === "pi" ? Math.PI : look(expr.name);
		case "negative":
			return -value(expr.value);
		case "sum":
			return expr.terms.reduce((sum, term) => sum + (term.negative ? -1 : 1) * value(term.value), 0);
		case "product":
			return expr.factors.reduce(
				(all, { inverse, value: factor }) => all * value(factor) ** (inverse ? -1 : 1),
				1,
			);
		case "power":
			return value(expr.base) ** value(expr.exponent);
		case "comparison":
		case "logic":
			throw new Error("only inside if");
		case "call": {
			const [first, ...rest] = expr.args.map((arg) => arg.value);
			if (expr.name === "if") {
				if (first.kind !== "comparison") throw new Error("a comparison comes first");
				const [left, right] = [value(first.left), value(first.right)];
				const holds = {
					"<": left < right,
					"<=": left <= right,
					">": left > right,
					">=": left >= right,
					"==": left === right,
					"!=": left !== right,
				};
				return value(rest[holds[first.sign] ? 0 : 1]);
			}
			const fn = Math[expr.name as "sin"] as (...args: number[]) => number;
			return fn(...expr.args.map((arg) => value(arg.value)));
		}
	}
}

/** How large the numbers on the way get: the error of a value is relative to that. */
function scaleOf(expr: Expr, look: (name: string) => number): number {
	let scale = 1;
	visitExpr(expr, (part) => {
		if (part.kind !== "comparison") scale = Math.max(scale, Math.abs(direct(part, look)));
	});
	return scale;
}

describe("simplification", () => {
	test("keeps the value of smooth expressions", () => {
		fc.assert(
			fc.property(expression({ symbols, kinks: false }), point, (text, values) => {
				const model = parse(`${declarations}x' = ${text}`);
				const look = (name: string): number => values[symbols.indexOf(name)];
				const { right } = model.equations[0].written!;
				const expected = direct(right, look);
				const scale = scaleOf(right, look);
				fc.pre(Number.isFinite(scale) && scale < 1e12);
				expect(Math.abs(evaluate(model.rhs[0], look) - expected)).toBeLessThan(1e-9 * scale);
			}),
			{ seed: 3, numRuns: repetitions(600, 3000) },
		);
	});

	test("keeps the value of expressions with kinks, away from them", () => {
		// Values of a few binary digits: sums of them are exact, so that both sides choose the same branch.
		const coarse = fc.tuple(...symbols.map(() => fc.integer({ min: -8, max: 8 }).map((n) => n / 4 + 1 / 64)));
		let compared = 0;
		fc.assert(
			fc.property(expression({ symbols, kinks: true }), coarse, (text, values) => {
				const model = parse(`${declarations}x' = ${text}`);
				const look = (name: string): number => values[symbols.indexOf(name)];
				const { right } = model.equations[0].written!;
				const scale = scaleOf(right, look);
				fc.pre(Number.isFinite(scale) && scale < 1e9 && !nearKink(right, look, 1e-9 * scale));
				compared++;
				expect(Math.abs(evaluate(model.rhs[0], look) - direct(right, look))).toBeLessThan(1e-9 * scale);
			}),
			{ seed: 4, numRuns: repetitions(600, 3000) },
		);
		expect(compared).toBeGreaterThan(repetitions(300, 1500));
	});

	function nearKink(root: Expr, look: (name: string) => number, width: number): boolean {
		let near = false;
		const close = (a: number, b: number): void => {
			near ||= Math.abs(a - b) <= width;
		};
		visitExpr(root, (part) => {
			if (part.kind === "comparison") close(direct(part.left, look), direct(part.right, look));
			else if (part.kind === "call" && part.name === "sign") close(direct(part.args[0].value, look), 0);
		});
		return near;
	}
});

/** A number with its first and second derivative by one symbol. */
interface Jet {
	readonly v: number;
	readonly d: number;
	readonly dd: number;
}
const constant = (v: number): Jet => ({ v, d: 0, dd: 0 });
const plus = (a: Jet, b: Jet): Jet => ({ v: a.v + b.v, d: a.d + b.d, dd: a.dd + b.dd });
const times = (a: Jet, b: Jet): Jet => ({
	v: a.v * b.v,
	d: a.d * b.v + a.v * b.d,
	dd: a.dd * b.v + 2 * a.d * b.d + a.v * b.dd,
});
/** f(a) from f, f' and f'' at a. */
const chain = (a: Jet, f: number, f1: number, f2: number): Jet => ({
	v: f,
	d: f1 * a.d,
	dd: f2 * a.d * a.d + f1 * a.dd,
});

function jetOf(root: Node, values: ReadonlyMap<string, number>, by: string): Jet {
	const jets = new Map<Node, Jet>();
	for (const node of topological([root])) {
		const args = node.args.map((arg) => jets.get(arg)!);
		const [a, b, c] = args;
		jets.set(node, rule());

		function rule(): Jet {
			switch (node.op) {
				case "const":
					return constant(Q.toDouble(node.value!));
				case "pi":
					return constant(Math.PI);
				case "sym":
					return { v: values.get(node.name!)!, d: node.name === by ? 1 : 0, dd: 0 };
				case "add":
					return args.reduce(plus, constant(0));
				case "mul":
					return args.reduce(times, constant(1));
				case "pow": {
					const n = b.v;
					if (node.args[1].op === "const")
						return chain(a, a.v ** n, n * a.v ** (n - 1), n * (n - 1) * a.v ** (n - 2));
					const logarithm = chain(a, Math.log(a.v), 1 / a.v, -1 / a.v ** 2);
					const inner = times(b, logarithm);
					return chain(inner, Math.exp(inner.v), Math.exp(inner.v), Math.exp(inner.v));
				}
				case "floor":
					return constant(Math.floor(a.v));
				case "exp":
					return chain(a, Math.exp(a.v), Math.exp(a.v), Math.exp(a.v));
				case "log":
					return chain(a, Math.log(a.v), 1 / a.v, -1 / a.v ** 2);
				case "sin":
					return chain(a, Math.sin(a.v), Math.cos(a.v), -Math.sin(a.v));
				case "cos":
					return chain(a, Math.cos(a.v), -Math.sin(a.v), -Math.cos(a.v));
				case "tan": {
					const t = Math.tan(a.v);
					return chain(a, t, 1 + t * t, 2 * t * (1 + t * t));
				}
				case "asin":
					return chain(a, Math.asin(a.v), (1 - a.v ** 2) ** -0.5, a.v * (1 - a.v ** 2) ** -1.5);
				case "acos":
					return chain(a, Math.acos(a.v), -((1 - a.v ** 2) ** -0.5), -a.v * (1 - a.v ** 2) ** -1.5);
				case "atan":
					return chain(a, Math.atan(a.v), 1 / (1 + a.v ** 2), (-2 * a.v) / (1 + a.v ** 2) ** 2);
				case "sinh":
					return chain(a, Math.sinh(a.v), Math.cosh(a.v), Math.sinh(a.v));
				case "cosh":
					return chain(a, Math.cosh(a.v), Math.sinh(a.v), Math.cosh(a.v));
				case "tanh": {
					const t = Math.tanh(a.v);
					return chain(a, t, 1 - t * t, -2 * t * (1 - t * t));
				}
				case "abs":
					return a.v < 0 ? times(constant(-1), a) : a;
				case "sign":
					return constant(Math.sign(a.v));
				case "min":
					return a.v < b.v ? a : b;
				case "max":
					return b.v < a.v ? a : b;
				case "lt":
					return constant(a.v < b.v ? 1 : 0);
				case "le":
					return constant(a.v <= b.v ? 1 : 0);
				case "if":
					return a.v !== 0 ? b : c;
				case "call":
					throw new Error("no unknown functions here");
			}
		}
	}
	return jets.get(root)!;
}

describe("derivatives", () => {
	const agree = (node: Node, differentiator: Differentiator, values: ReadonlyMap<string, number>): void => {
		const look = (name: string): number => values.get(name)!;
		for (const by of values.keys()) {
			const jet = jetOf(node, values, by);
			const first = differentiator.derivative(node, by);
			const second = differentiator.derivative(first, by);
			const size = 1 + Math.abs(jet.v) + Math.abs(jet.d) + Math.abs(jet.dd);
			if (!(size < 1e12)) continue;
			expect(Math.abs(evaluate(first, look) - jet.d)).toBeLessThan(1e-7 * size);
			expect(Math.abs(evaluate(second, look) - jet.dd)).toBeLessThan(1e-6 * size);
		}
	};

	test("first and second ones agree with dual numbers on generated expressions", () => {
		fc.assert(
			fc.property(expression({ symbols, kinks: true }), point, (text, values) => {
				const model = parse(`${declarations}x' = ${text}`);
				const at = new Map(symbols.map((name, i) => [name, values[i]]));
				const look = (name: string): number => at.get(name)!;
				const { right } = model.equations[0].written!;
				fc.pre(scaleOf(right, look) < 1e6);
				agree(model.rhs[0], new Differentiator(model.graph), at);
			}),
			{ seed: 5, numRuns: repetitions(300, 1500) },
		);
	});

	test.each([
		"tan(a)",
		"asin(a/3)",
		"acos(a/3)",
		"atan(a*b)",
		"exp(a*b)",
		"sinh(a - b)",
		"(1 + a^2)^b",
		"b^a",
		"sqrt(b + 3)",
		"(b + 3)^(-3/2)",
		"1/(2 + sin(a))^3",
		"log(b + 4)",
		"min(a, b)*max(a, c)",
		"if(a < b, a^2, b^3)",
		"abs(a)^3",
	])("%s", (text) => {
		const model = parse(`${declarations}x' = ${text}`);
		for (const a of [-0.7, 0.3, 1.1])
			agree(
				model.rhs[0],
				new Differentiator(model.graph),
				new Map([
					["a", a],
					["b", 0.8],
					["c", -0.4],
				]),
			);
	});

	test("a power has a derivative by its exponent where the base is zero", () => {
		const { graph, rhs } = parse("param n\nstate x, y\nx' = x^n + exp(x)^n\ny' = 1");
		const d = new Differentiator(graph);
		const first = d.derivative(rhs[0], "n");
		const at = (node: Node, x: number): number => evaluate(node, (name) => ({ x, n: 1.5 })[name]!);
		expect(at(first, 0)).toBe(0);
		expect(at(d.derivative(first, "n"), 0)).toBe(0);
		expect(at(first, 2)).toBeCloseTo(2 ** 1.5 * Math.log(2) + 2 * Math.exp(3), 12);
	});

	test("of a function that saturates is exact to a few roundings where it is small", () => {
		const { graph, rhs } = parse("param a\nstate x\nx' = tanh(a)");
		const slope = new Differentiator(graph).derivative(rhs[0], "a");
		for (const a of [-300, -14, -3, 0, 0.1, 2, 8, 14, 40, 350]) {
			const e = Math.exp(-2 * Math.abs(a));
			const truth = (4 * e) / (1 + e) ** 2;
			expect(Math.abs(evaluate(slope, () => a) - truth)).toBeLessThanOrEqual(1e-14 * truth);
		}
		expect(evaluate(slope, () => 1000)).toBe(0);
	});

	test("of unknown functions count partials", () => {
		const model = parse("unknown f(x, y) = polynomial(2)\nstate x, y\nx' = f(x^2, y)\ny' = x");
		const d = new Differentiator(model.graph);
		const g = model.graph;
		const args = [g.pow(g.sym("x"), g.const(2)), g.sym("y")];
		expect(d.derivative(model.rhs[0], "x")).toBe(g.mul(g.const(2), g.sym("x"), g.call("f", args, [1, 0])));
		expect(d.derivative(d.derivative(model.rhs[0], "y"), "y")).toBe(g.call("f", args, [0, 2]));
	});
});

describe("the canonical form", () => {
	test("does not depend on the order of terms, of factors or of creation", () => {
		const parts = fc.array(expression({ symbols, kinks: true }), { minLength: 2, maxLength: 5 });
		fc.assert(
			fc.property(parts, fc.constantFrom(" + ", "*"), (list, sign) => {
				const text = (each: readonly string[]): string =>
					`${declarations}x' = ${each.map((part) => `(${part})`).join(sign)}`;
				const [there, back] = [parse(text(list)), parse(text(list.toReversed()))];
				expect(transplant(there.graph, back.rhs[0])).toBe(there.rhs[0]);
			}),
			{ seed: 6, numRuns: 500 },
		);
	});

	test("is kept when it is built again", () => {
		fc.assert(
			fc.property(expression({ symbols, kinks: true }), (text) => {
				const { graph, rhs } = parse(`${declarations}x' = ${text}`);
				expect(transplant(graph, rhs[0])).toBe(rhs[0]);
				const other = new Graph();
				expect(printExpression(transplant(other, rhs[0]))).toBe(printExpression(rhs[0]));
			}),
			{ seed: 7, numRuns: repetitions(200, 1000) },
		);
	});
});
