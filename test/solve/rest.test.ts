/** Where systems come to rest, and how that depends on parameters and starts, against exact answers. */
import { describe, expect, test } from "vitest";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { drained } from "../../src/num/drained.ts";
import { restOf, sensitiveRestSteps } from "../../src/solve/rest/rest.ts";
import { OdeSystem } from "../../src/solve/system.ts";

const options = { rtol: 1e-6, atol: 1e-8 };

function systemOf(text: string, params: readonly string[]): OdeSystem {
	const { graph, components, rhs } = parseModel(text, "m.ode");
	return new OdeSystem({ graph, states: components, rhs, params });
}

/** At rest, from x0, with derivatives by the parameters and then by the starts. */
function restAt(system: OdeSystem, values: readonly number[], x0: readonly number[]) {
	const n = x0.length;
	const width = values.length + n;
	const S0 = new Float64Array(n * width);
	for (let i = 0; i < n; i++) S0[i * width + values.length + i] = 1;
	const scale = new Array<number>(width).fill(1);
	const rest = drained(
		sensitiveRestSteps(system.sensitiveIvp(values), 0, Float64Array.from(x0), S0, {
			...options,
			columnScale: scale,
		}),
	);
	if (rest.outcome !== "rest") throw new Error("no rest");
	return {
		x: [...rest.x],
		S: Array.from({ length: n }, (_, i) => [...rest.S!.subarray(i * width, (i + 1) * width)]),
	};
}
const close = (got: readonly number[], expected: readonly number[], digits: number): void => {
	expect(got.length).toBe(expected.length);
	got.forEach((value, i) => {
		expect(value).toBeCloseTo(expected[i], digits);
	});
};

describe("rest", () => {
	test("of a conserved sum is exact, whatever the tolerance, and so are its derivatives", () => {
		const system = systemOf("param a\nparam b\nstate A = 1\nstate B = 0\nA' = -a*A + b*B\nB' = a*A - b*B", [
			"a",
			"b",
		]);
		const [a, b, total] = [3, 2, 5];
		const { x, S } = restAt(system, [a, b], [4, 1]);
		const q = (a + b) ** 2;
		close(x, [(total * b) / (a + b), (total * a) / (a + b)], 12);
		close(S[0], [(-total * b) / q, (total * a) / q, b / (a + b), b / (a + b)], 12);
		close(S[1], [(total * b) / q, (-total * a) / q, a / (a + b), a / (a + b)], 12);
	});

	test("rates that differ by ten powers of ten hide no equation", () => {
		const system = systemOf(
			"param a\nparam b\nparam c\nparam d\nstate A = 1\nstate B = 0\nstate C = 1\nstate D = 0\nA' = -a*A + b*B\nB' = a*A - b*B\nC' = -c*C + d*D\nD' = c*C - d*D",
			["a", "b", "c", "d"],
		);
		const { x, S } = restAt(system, [3e5, 1e5, 1e-5, 3e-5], [1, 0, 1, 0]);
		close(x, [0.25, 0.75, 0.75, 0.25], 10);
		expect(S[2][2] / (-3e-5 / 4e-5 ** 2)).toBeCloseTo(1, 8);
		expect(S[0][0] / (-1e5 / 4e5 ** 2)).toBeCloseTo(1, 8);
	});

	test("what depends on the way there is simulated", () => {
		// A sum whose weights are parameters is conserved too: the root alone does not tell how it depends on them.
		const system = systemOf(
			"param a\nparam b\nstate A = 1\nstate B = 0\nstate C = 0\nA' = -(a + b)*A\nB' = a*A\nC' = b*A",
			["a", "b"],
		);
		const [a, b] = [3, 2];
		const { x, S } = restAt(system, [a, b], [1, 0, 0]);
		const q = (a + b) ** 2;
		close(x, [0, a / (a + b), b / (a + b)], 5);
		close(S[1].slice(0, 2), [b / q, -a / q], 4);
		close(S[2].slice(0, 2), [-b / q, a / q], 4);
	});

	test("of two it is the one that the simulation goes to", () => {
		const system = systemOf("param k\nstate x = 1\nx' = k*x*(1 - x)*(x - 0.3)", ["k"]);
		const at = (x0: number): number => {
			const rest = restOf(system.ivp([1]), 0, Float64Array.of(x0), options);
			return rest.outcome === "rest" ? rest.x[0] : Number.NaN;
		};
		expect(at(0.31)).toBeCloseTo(1, 9);
		expect(at(0.29)).toBeCloseTo(0, 9);
	});

	test("there is none where something grows for ever", () => {
		const grows = systemOf("param k\nstate x = 1\nx' = k", ["k"]);
		expect(restOf(grows.ivp([1]), 0, Float64Array.of(1), options).outcome).toBe("none");
	});
});
