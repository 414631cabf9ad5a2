/** Ranges of functions on the whole of their domains, as outputs of a state at rest: none is refused, and they are close. */
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { trainPredictions } from "../../../src/methods/guaranteed/answer/prediction.ts";
import { stream } from "../../../src/num/random.ts";
import { enclose, record, simulateTruth } from "./records.ts";

/** The range of an expression of x by many samples, and by the method. */
async function both(f: string, lo: number, hi: number) {
	const times = Float64Array.of(0, 1);
	const exact = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	const n = 600;
	const course = `x0 + (x1 - x0)*t/${n}`;
	const { outputs } = simulateTruth({
		text: `param x0, x1\nstate z = 0\nz' = 0\nmeasure y = ${f.replace(/\bx\b/g, `(${course})`)}`,
		values: { x0: lo, x1: hi },
		x0: [0],
		times: Float64Array.from({ length: n + 1 }, (_, i) => i),
	});
	for (const y of outputs.get("y")!) {
		// At the end of a domain the sample itself may be a rounding outside.
		if (Number.isNaN(y)) continue;
		exact[0] = Math.min(exact[0], y);
		exact[1] = Math.max(exact[1], y);
	}
	const run = await enclose(`state x in [${lo}, ${hi}]\nx' = 0\nmeasure y in ${f} +- 1000`, [
		record(times, new Map([["y", Float64Array.of(0, 0)]])),
	]);
	const [prediction] = trainPredictions(run);
	return { run, exact, lo: prediction?.lo?.[1] ?? Number.NaN, hi: prediction?.hi?.[1] ?? Number.NaN };
}

/** One random expression that is defined on [lo, hi], up to the very ends. */
function expression(seed: number): [string, number, number] {
	const random = stream(seed, "ranges");
	let index = 0;
	const u = (a: number, b: number): number => Number((a + (b - a) * random.uniform(index++)).toFixed(2));
	const forms: ((k: number) => [string, number, number])[] = [
		(k) => [`tanh(${k}*x)`, -u(1, 3), u(0.3, 2)],
		() => ["sqrt(x)", 0, u(1, 4)],
		(k) => [`sqrt(${k} - x)`, -u(1, 2), k],
		() => ["asin(x)", -1, u(0, 1)],
		() => ["acos(x)", -u(0, 1), 1],
		() => [`x^${u(0.3, 0.9)}`, 0, u(1, 3)],
		(k) => [`log(${k} + x^2)*x`, -u(1, 2), u(1, 3)],
		(k) => [`x/(${k} + x^2)`, -u(1, 3), u(1, 3)],
		() => ["sinh(x) - x^3", -u(1, 2), u(1, 2)],
		() => ["cosh(x)", -u(0.5, 2), u(0.5, 2)],
		(k) => [`exp(-${k}*x^2)`, -u(1, 3), u(1, 3)],
		(k) => [`atan(${k}*x)`, -u(1, 5), u(1, 5)],
		() => ["sin(x)*x", -u(2, 4), u(2, 4)],
		() => ["abs(x - 0.3)", -u(1, 2), u(1, 2)],
		(k) => [`max(x, ${k})`, -u(1, 2), u(1, 4)],
		() => ["1/(1 + exp(x))", -u(3, 6), u(3, 6)],
		() => ["tan(x)", -u(1, 1.5), u(1, 1.5)],
	];
	return forms[seed % forms.length](u(0.5, 2));
}

describe("ranges", () => {
	it("of 51 expressions of defined functions: all evaluated, the median within 1.001 of the exact ones", async () => {
		const ratios: number[] = [];
		for (let seed = 0; seed < 51; seed++) {
			const [f, from, to] = expression(seed);
			const { run, exact, lo, hi } = await both(f, from, to);
			const where = `${f} on [${from}, ${to}]`;
			expect(outcomeOf(run), where).toBe("proved");
			expect(lo, where).toBeLessThanOrEqual(exact[0] + 1e-9);
			expect(hi, where).toBeGreaterThanOrEqual(exact[1] - 1e-9);
			ratios.push((hi - lo) / (exact[1] - exact[0]));
		}
		ratios.sort((a, b) => a - b);
		expect(ratios[25]).toBeLessThan(1.001);
		expect(ratios[48]).toBeLessThan(1.05);
	});
	it.each([
		["tanh(x)", "[-2, 0.5]"],
		["sqrt(x)", "[0, 2]"],
		["asin(x)", "[-1, 1]"],
		["p^0.5*x", "[0, 2]"],
	])("%s in an equation of a set: no division that nobody wrote is named", async (f, set) => {
		const text = `param p in [0, 2]\nstate x in ${set}, z = 0\nx' = 0\nz' = ${f}\nmeasure y in z + p +- 100`;
		const run = await enclose(text, [record(Float64Array.of(0, 1), new Map([["y", Float64Array.of(0, 0)]]))]);
		for (const { failure } of run.parts) expect(failure?.why ?? "").not.toContain("division");
		if (f !== "sqrt(x)" && f !== "asin(x)") expect(outcomeOf(run)).toBe("proved");
	});
});
