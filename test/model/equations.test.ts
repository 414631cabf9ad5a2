/** Equations as printed in papers are solved for their highest derivatives. */
import { describe, expect, test } from "vitest";
import { evaluate } from "../../src/model/evaluate.ts";
import type { Knowledge, Model } from "../../src/model/model.ts";
import { printExpression } from "../../src/model/print/expression.ts";
import { parse } from "./helpers.ts";

const solved = (text: string): Record<string, string> => {
	const { components, rhs } = parse(text);
	return Object.fromEntries(components.map((component, i) => [`${component}'`, printExpression(rhs[i])]));
};

/** Puts the solved derivatives back into the equations: both sides must agree. */
function residuals(model: Model, values: Readonly<Record<string, number>>): number[] {
	const derivatives = new Map<string, number>();
	const look = (name: string): number => derivatives.get(name) ?? values[name] ?? Number.NaN;
	model.components.forEach((component, i) => {
		derivatives.set(
			`${component}'`,
			evaluate(model.rhs[i], (name) => values[name] ?? Number.NaN),
		);
	});
	return model.equations.map(({ left, right }) => evaluate(left, look) - evaluate(right, look));
}

describe("one equation", () => {
	test.each([
		["x' = -x", "-x"],
		["-x = x'", "-x"],
		["2*x' = x", "x/2"],
		["a*x' + b*x' = x", "x/(a + b)"],
		["a*(x' - b) + x = 0", "(a*b - x)/a"],
		["x'/x + a = b", "x*(b - a)"],
		["(x' + x)/a = b", "a*(b - x/a)"],
		["if(x < a, x', 2*x') = b", "b/if(x < a, 1, 2)"],
		["2*(x' + a) - 2*x' + x' = b", "b - 2*a"],
		["exp(a)*x' = sin(x)", "exp(-a)*sin(x)"],
	])("%s", (equation, expected) => {
		const { rhs } = parse(`param a, b\nstate x\n${equation}\nmeasure y = a*b`);
		const [wanted] = parse(`param a, b\nstate x\nx' = ${expected}`).rhs;
		const at = (node: typeof wanted): number =>
			evaluate(node, (name) => ({ a: 1.3, b: -0.7, x: 0.4 })[name]!);
		expect(at(rhs[0])).toBeCloseTo(at(wanted), 13);
	});

	test("of order three has three components", () => {
		const model = parse("param a\nstate x = 1, x'' = a\na*x''' + x'' + x = 0");
		expect(model.components).toEqual(["x", "x'", "x''"]);
		expect(model.initial.map(({ kind }) => kind)).toEqual(["exact", "none", "exact"]);
		expect(solved("param a\nstate x\na*x''' + x'' + x = 0")).toEqual({
			"x'": "x'",
			"x''": "x''",
			"x'''": "(-x'' - x)/a",
		});
	});

	test("an order that a let brings in", () => {
		const model = parse("let force = x'' + x'\nstate x\n2*force = -x\nmeasure y = force");
		expect(model.states[0].order).toBe(2);
		expect(residuals(model, { x: 0.3, "x'": -0.2 }).length).toBe(1);
		const look = (name: string): number => ({ x: 0.3, "x'": -0.2 })[name]!;
		expect(evaluate(model.measures[0].value, look)).toBeCloseTo(-0.15, 15);
	});

	test("exactly known parameters are folded before anything is derived", () => {
		expect(
			solved("param nu = 1, k = 2*nu, w = sqrt(4)\nlet r = abs(x)^(nu - 1)\nstate x\nx' = k*r*w*x"),
		).toEqual({
			"x'": "4*x",
		});
	});
});

describe("coupled equations", () => {
	test("what needs another derivative gets it put in, linear or not", () => {
		expect(solved("param m\nstate x, z\nz' = sin(x'') + z\nm*x'' + x = 0")).toEqual({
			"x'": "x'",
			"x''": "-x/m",
			"z'": "z - sin(x/m)",
		});
	});

	test("a mass matrix: pendulum on a cart, regular where cos(theta) vanishes", () => {
		const text = [
			"param M, m, l, g = 9.81",
			"input F",
			"state x, theta",
			"(M + m)*x'' + m*l*cos(theta)*theta'' - m*l*theta'^2*sin(theta) = F",
			"m*l*cos(theta)*x'' + m*l^2*theta'' + m*g*l*sin(theta) = 0",
			"measure a = x''",
		].join("\n");
		const model = parse(text);
		for (const theta of [0, 0.4, Math.PI / 2, 3]) {
			const values = { M: 2, m: 0.5, l: 1.5, g: 9.81, F: 3, x: 0.1, "x'": 0.2, theta, "theta'": -0.7 };
			for (const residual of residuals(model, values)) expect(Math.abs(residual)).toBeLessThan(1e-12);
		}
		expect(model.measures[0].value).toBe(model.rhs[1]);
	});

	test.each([2, 3, 5, 7, 12])("a dense linear system of %i derivatives", (n) => {
		const names = Array.from({ length: n }, (_, i) => `x${i}`);
		const equations = names.map(
			(x, i) =>
				`${names.map((y, j) => `${i === j ? n : 1}*k${(i * j) % 4}*${y}'`).join(" + ")} = ${x} + k${i % 4}`,
		);
		const model = parse(`param k0, k1, k2, k3\nstate ${names.join(", ")}\n${equations.join("\n")}`);
		const values: Record<string, number> = { k0: 1.1, k1: 0.7, k2: -0.3, k3: 0.45 };
		names.forEach((name, i) => {
			values[name] = Math.sin(i + 1);
		});
		for (const residual of residuals(model, values)) expect(Math.abs(residual)).toBeLessThan(1e-9);
	});

	test("equations in any order and shape find their states", () => {
		const model = parse("state a, b, c\nb' + c' = a\nc' - 2*a' = b\na' + b' = c");
		for (const residual of residuals(model, { a: 0.3, b: -1.2, c: 2.2 }))
			expect(Math.abs(residual)).toBeLessThan(1e-13);
	});

	test("a zero on the way is no obstacle", () => {
		// The first pivot of plain elimination is zero here.
		expect(solved("state x, y\n0*x' + y' = x\nx' + 0*y' = y")).toEqual({ "x'": "y", "y'": "x" });
		const model = parse("param a\nstate x, y\n(a - a)*x' + a*y' = x\nx' + y' = y");
		for (const residual of residuals(model, { a: 2, x: 1, y: 3 }))
			expect(Math.abs(residual)).toBeLessThan(1e-15);
	});
});

describe("knowledge", () => {
	test("comes in four kinds, for parameters and initial values", () => {
		const { params, initial } = parse(
			[
				"param a = 2, b in [0.1, 0.5], c ~ lognormal(log(2), 0.3), d",
				"param e in 1 +- 0.25, r in [0, 1], r' in [-0.01, 0.01]",
				"state x = a, y in [0, a], z ~ normal(mean: 0, sd: a), w",
				"x' = a*b*c*d*e*r\ny' = 1\nz' = 1\nw' = 1",
			].join("\n"),
		);
		expect(params.map(({ knowledge }) => knowledge.kind)).toEqual([
			"exact",
			"set",
			"distribution",
			"none",
			"set",
			"set",
		]);
		const textOf = (known: Knowledge): string => {
			switch (known.kind) {
				case "exact":
					return printExpression(known.value);
				case "set":
					return `${printExpression(known.lo)} ${printExpression(known.hi)}`;
				case "distribution":
					return `${known.distribution.family} ${known.distribution.args.map(printExpression)}`;
				case "none":
					return "";
			}
		};
		expect([...params.map(({ knowledge }) => knowledge), ...initial].map(textOf)).toEqual([
			"2",
			"0.1 0.5",
			"lognormal log(2),0.3",
			"",
			"0.75 1.25",
			"0 1",
			"2",
			"0 2",
			"normal 0,2",
			"",
		]);
		expect(params[5].rate).toMatchObject({ kind: "set" });
	});

	test("a measurement has a value and a spread", () => {
		const { measures, graph } = parse(
			[
				"param s",
				"state x",
				"x' = -x",
				"measure a = 2*x, b in x' +- 0.5",
				"measure c ~ normal(x, s)",
				"measure d ~ lognormal(log(x), spread: 0.1*x)",
			].join("\n"),
		);
		expect(measures.map(({ name, kind, family }) => [name, kind, family])).toEqual([
			["a", "exact", undefined],
			["b", "set", undefined],
			["c", "distribution", "normal"],
			["d", "distribution", "lognormal"],
		]);
		expect(measures[1].value).toBe(graph.neg(graph.sym("x")));
		expect(measures[2].spread).toBe(graph.sym("s"));
		expect(measures[0].spread).toBeUndefined();
	});
});
