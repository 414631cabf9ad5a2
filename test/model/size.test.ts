/** Large models stay quick: work grows about in proportion to the text. */
import { describe, expect, test } from "vitest";
import { Differentiator } from "../../src/model/derivative.ts";
import { structureOf } from "../../src/model/structure/structure.ts";
import { parse } from "./helpers.ts";

/** nStates equations, each with weights·(products of states and functions). */
function large(nStates: number, nTerms: number): string {
	const states = Array.from({ length: nStates }, (_, i) => `x${i}`);
	const weights = Array.from({ length: nStates * nTerms }, (_, i) => `w${i}`);
	const equations = states.map((x, i) => {
		const terms = Array.from({ length: nTerms }, (_, j) => {
			const weight = weights[i * nTerms + j];
			return `${weight}*${states[j % nStates]}*sin(${states[(i + j) % nStates]})`;
		});
		return `${x}' = ${terms.join(" + ")}`;
	});
	return `param ${weights.join(", ")}\nstate ${states.join(", ")}\n${equations.join("\n")}`;
}

function run(nStates: number, nTerms: number): { seconds: number; nonZero: number } {
	const start = performance.now();
	const model = parse(large(nStates, nTerms));
	const d = new Differentiator(model.graph);
	const symbols = [...model.components, ...model.params.map(({ name }) => name)];
	const jacobian = d.jacobian(model.rhs, symbols);
	return {
		seconds: (performance.now() - start) / 1000,
		nonZero: jacobian.filter((node) => node !== model.graph.zero).length,
	};
}

describe("large models", () => {
	test("2,000 weights in 20 equations: parsed and differentiated, and not much more than in proportion", () => {
		run(20, 25);
		const small = run(20, 25);
		const big = run(20, 100);
		expect(big.nonZero).toBe(20 * 20 + 2000);
		// Four times the weights are sixteen times the entries of the Jacobian; each is looked at once.
		expect(big.seconds / small.seconds).toBeLessThan(40);
	});

	test("2,000 terms in one sum, and a sum of squares with two derivatives", () => {
		const names = Array.from({ length: 2000 }, (_, i) => `p${i}`);
		const model = parse(
			`param ${names.join(", ")}\nstate x\nx' = ${names.map((p) => `${p}^2*x`).join(" + ")}`,
		);
		const d = new Differentiator(model.graph);
		const g = model.graph;
		for (const name of names)
			expect(d.derivative(d.derivative(model.rhs[0], name), name)).toBe(g.mul(g.const(2), g.sym("x")));
		expect(structureOf(model).linearInStates).toBe(true);
	});

	test("a chain of 2,000 states", () => {
		const states = Array.from({ length: 2000 }, (_, i) => `x${i}`);
		const equations = states.map((x, i) => `${x}' = k*(${states[Math.max(0, i - 1)]} - ${x})`);
		const model = parse(`param k\nstate ${states.join(", ")}\n${equations.join("\n")}`);
		expect(structureOf(model).blocks).toHaveLength(2000);
	});
});
