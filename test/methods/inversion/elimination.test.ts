import { expect, test } from "vitest";
import { Elimination } from "../../../src/methods/inversion/selection/elimination.ts";
import { invertDefiniteInto } from "../../../src/num/linear/definite-inverse.ts";
import { stream } from "../../../src/num/random.ts";

/** JᵀJ of random rows, and Jᵀr. */
function problem(n: number): { gram: Float64Array; right: Float64Array } {
	const random = stream(1, "elimination");
	const rows = Array.from({ length: 2 * n }, (_, i) =>
		Array.from({ length: n + 1 }, (__, j) => random.normal(i * (n + 1) + j)),
	);
	const gram = new Float64Array(n * n);
	const right = new Float64Array(n);
	for (const row of rows)
		for (let i = 0; i < n; i++) {
			right[i] += row[i] * row[n];
			for (let j = 0; j < n; j++) gram[i * n + j] += row[i] * row[j];
		}
	return { gram, right };
}

/** Values and variances of a problem of some of the unknowns, from the beginning. */
function solved({ gram, right }: ReturnType<typeof problem>, unknowns: readonly number[]) {
	const n = right.length;
	const k = unknowns.length;
	const c = Float64Array.from({ length: k * k }, (_, at) =>
		Number(gram[unknowns[Math.floor(at / k)] * n + unknowns[at % k]]),
	);
	expect(invertDefiniteInto(c, k)).toBe(true);
	return {
		c,
		values: Float64Array.from(unknowns, (_, i) =>
			unknowns.reduce((sum, u, j) => sum + c[i * k + j] * right[u], 0),
		),
	};
}

test("what is left after each term that goes is the problem without it, whatever is kept back", () => {
	const n = 90;
	const whole = problem(n);
	const { c, values } = solved(whole, [...Array(n).keys()]);
	const elimination = new Elimination(
		c,
		values,
		Array.from({ length: n }, (_, u) => u),
	);
	const random = stream(2, "which");
	for (let step = 0; step < 80; step++) {
		elimination.takeOut(Math.floor(random.uniform(step) * elimination.k));
		const left = elimination.order.slice(0, elimination.k);
		expect(new Set(left).size).toBe(n - step - 1);
		if (step % 9 !== 0) continue;
		const direct = solved(whole, left);
		for (let i = 0; i < left.length; i++) {
			expect(elimination.values[i]).toBeCloseTo(direct.values[i], 10);
			expect(elimination.variance[i]).toBeCloseTo(direct.c[i * left.length + i], 10);
		}
	}
});
