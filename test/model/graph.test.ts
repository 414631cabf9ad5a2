/** The canonical form of expressions, rule by rule. */
import { describe, expect, test } from "vitest";
import { compareNodes, Graph, GraphLimitError } from "../../src/model/graph.ts";
import * as Q from "../../src/model/rational.ts";
import { substitute, symbolsOf, topological } from "../../src/model/walk.ts";

const g = new Graph();
const [a, b, c] = ["a", "b", "c"].map((name) => g.sym(name));
const number = (num: number, den = 1) => g.const(Q.rational(num, den));

describe("the canonical form", () => {
	test("equal expressions are one object", () => {
		expect(g.add(a, g.mul(b, c))).toBe(g.add(g.mul(c, b), a));
		expect(g.sub(g.add(a, b), b)).toBe(a);
		expect(g.div(g.mul(a, b), b)).toBe(a);
		expect(g.mul(number(1, 10), number(2, 10))).toBe(number(1, 50));
	});

	test("sums are flat, also when a sum is left over", () => {
		const sum = g.add(a, b);
		expect(g.add(g.mul(number(3), sum), g.mul(number(-2), sum), c)).toBe(g.add(a, b, c));
		expect(g.sub(c, sum)).toBe(g.add(c, g.neg(a), g.neg(b)));
		expect(g.add(g.mul(number(2), sum), g.mul(number(-2), sum))).toBe(g.zero);
	});

	test("whole powers are collected, others are kept", () => {
		expect(g.mul(a, a, g.pow(a, number(-3)))).toBe(g.pow(a, number(-1)));
		expect(g.pow(g.pow(a, number(2)), number(3))).toBe(g.pow(a, number(6)));
		const root = g.sqrt(a);
		expect(g.mul(root, root)).not.toBe(a);
		expect(g.sqrt(g.pow(a, number(2)))).not.toBe(a);
		expect(g.pow(g.unary("abs", a), number(4))).toBe(g.pow(a, number(4)));
	});

	test("constants", () => {
		expect(g.sqrt(number(4))).toBe(number(2));
		expect(g.sqrt(number(2)).op).toBe("pow");
		expect(g.mul(g.sqrt(number(2)), g.sqrt(number(2)))).toBe(number(2));
		expect(g.pow(g.zero, g.half)).toBe(g.zero);
		expect(g.pow(a, g.zero)).toBe(g.one);
		expect(g.add()).toBe(g.zero);
		expect(g.mul()).toBe(g.one);
		expect(g.unary("sin", g.neg(a))).toBe(g.neg(g.unary("sin", a)));
		expect(g.unary("cos", g.neg(a))).toBe(g.unary("cos", a));
		expect(g.unary("log", g.unary("exp", a))).toBe(a);
		expect(g.binary("max", number(2), number(3))).toBe(number(3));
		expect(g.if(g.compare("le", g.one, g.one), a, b)).toBe(a);
	});

	test("a constant that needs too many digits, or too much work, is refused", () => {
		let big = number(3);
		expect(() => {
			for (let i = 0; i < 20; i++) big = g.mul(big, big);
		}).toThrow(GraphLimitError);
		const small = new Graph();
		small.limitWork(10);
		const grow = (): unknown => small.add(...Array.from({ length: 20 }, (_, i) => small.sym(`x${i}`)));
		expect(grow).toThrow(GraphLimitError);
		small.limitWork(Number.POSITIVE_INFINITY);
		expect(grow).not.toThrow();
	});
});

describe("order and walks", () => {
	test("the order is total on different nodes", () => {
		const call = (partials: number[]) => g.call("f", [a, b], partials);
		const nodes = [
			a,
			b,
			g.add(a, b),
			g.mul(a, b),
			g.one,
			g.half,
			g.pi,
			call([0, 0]),
			call([1, 0]),
			call([0, 1]),
		];
		for (const x of nodes)
			for (const y of nodes) expect(Math.sign(compareNodes(x, y)) + Math.sign(compareNodes(y, x))).toBe(0);
		for (const x of nodes) for (const y of nodes) expect(compareNodes(x, y) === 0).toBe(x === y);
	});

	test("deep expressions need no deep stack", () => {
		let [p, q] = [a, b];
		for (let i = 0; i < 50_000; i++) [p, q] = [g.unary("sin", p), g.unary("sin", q)];
		expect(compareNodes(p, q)).toBeLessThan(0);
		expect(topological([p]).length).toBe(50_001);
		expect(substitute(g, [p], new Map([["a", b]]))[0]).toBe(q);
		expect(symbolsOf([g.add(p, q)])).toEqual(new Set(["a", "b"]));
	});
});
