import { describe, expect, test, vi } from "vitest";
import { compileFunction, functionKernel } from "../../src/lower/compile-function.ts";
import type { Let } from "../../src/lower/ir.ts";
import { Graph, type Node } from "../../src/model/graph.ts";
import * as Q from "../../src/model/rational.ts";

const g = new Graph();
const [x, y, z] = ["x", "y", "z"].map((name) => g.sym(name));
const args = [{ name: "x", symbols: ["x", "y", "z"] }];

/** Operations of the code of an expression, without loads and stores. */
function operations(node: Node): string[] {
	return functionKernel([node], args)
		.body.filter((s): s is Let => s.do === "let")
		.map(({ op }) => op)
		.filter((op) => op !== "load" && op !== "const");
}

describe("compileFunction", () => {
	for (const backend of ["js", "wasm"] as const) {
		test(`takes vectors and single numbers (${backend})`, () => {
			const f = compileFunction(
				[g.add(g.t, g.mul(x, y)), g.sym("p")],
				[
					{ name: "t", symbols: ["t"] },
					{ name: "x", symbols: ["x", "y"] },
					{ name: "u", symbols: [] },
					{ name: "p", symbols: ["p"] },
				],
				backend,
			);
			const out = new Float64Array(2);
			const none = new Float64Array(0);
			f(0.5, Float64Array.of(2, 3), none, Float64Array.of(7), out);
			expect([...out]).toEqual([6.5, 7]);
			f(Float64Array.of(1.5), Float64Array.of(2, 4), none, 8, out);
			expect([...out]).toEqual([9.5, 8]);
		});
	}

	test("divides once, and subtracts instead of negating", () => {
		expect(operations(g.div(x, g.mul(y, g.pow(z, g.const(2)))))).toEqual(["mul", "mul", "div"]);
		expect(operations(g.sub(x, g.mul(y, z)))).toEqual(["mul", "sub"]);
		expect(operations(g.sub(g.neg(x), y))).toEqual(["add", "neg"]);
		expect(operations(g.neg(g.mul(x, y)))).toEqual(["mul", "neg"]);
	});

	test("makes roots and small powers without pow", () => {
		expect(operations(g.sqrt(x))).toEqual(["sqrt"]);
		expect(operations(g.pow(x, g.const(Q.rational(-3, 2))))).toEqual(["sqrt", "mul", "div"]);
		expect(operations(g.pow(x, g.const(6)))).toEqual(["mul", "mul", "mul"]);
		expect(operations(g.pow(x, g.const(Q.rational(1, 3))))).toEqual(["call"]);
		expect(operations(g.pow(x, y))).toEqual(["call"]);
	});

	test("shares what outputs have in common", () => {
		const shared = g.unary("exp", g.mul(x, y));
		const kernel = functionKernel([shared, g.mul(shared, z), g.add(shared, g.one)], args);
		expect(kernel.body.filter((s) => s.do === "let" && s.op === "call")).toHaveLength(1);
	});

	test("keeps the rounding of exact constants to the last", () => {
		const out = new Float64Array(1);
		compileFunction([g.mul(g.const(Q.rational(1, 10)), x)], args)(Float64Array.of(3, 0, 0), out);
		expect(out[0]).toBe(0.1 * 3);
	});

	test("many at once, none in the way of another (wasm)", () => {
		const memories = vi.spyOn(WebAssembly, "Memory");
		const many = Array.from({ length: 400 }, (_, i) =>
			compileFunction([g.mul(g.const(i), g.unary("exp", x)), g.add(y, g.const(i))], args, "wasm"),
		);
		// A browser has room for about a hundred memories.
		expect(memories.mock.calls.length).toBeLessThan(10);
		const out = new Float64Array(2);
		const at = Float64Array.of(0.5, 2, 0);
		compileFunction([g.unary("exp", x)], args, "js")(at, out);
		const [one] = out;
		for (let round = 0; round < 2; round++)
			many.forEach((f, i) => {
				f(at, out);
				expect([...out]).toEqual([i * one, 2 + i]);
			});
	});

	test("reports what it cannot do", () => {
		expect(() => compileFunction([g.call("f", [x])], args)).toThrow("unknown function f");
		expect(() => compileFunction([g.sym("w")], args)).toThrow("symbol w");
		expect(() => compileFunction([x], [...args, { name: "again", symbols: ["x"] }])).toThrow("two arguments");
	});
});
