/** Random processes in a simulation: held against the exact laws of linear equations, to four standard errors. */
import { describe, expect, it } from "vitest";
import { simulate } from "../../src/library/simulate.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";

const n = 2000;
const even = (step: number): number[] => Array.from({ length: n + 1 }, (_, i) => i * step);
const columnsOf = (text: string, times: readonly number[], noise = true, seed = 3) =>
	simulate(parseModel(text, "m.ode"), { times, noise, seed, rtol: 1e-6, atol: 1e-9 });
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b) / values.length;

/** Of numbers that are said to be standard normal and independent. */
function expectStandardNormal(e: readonly number[]): void {
	expect(Math.abs(mean(e))).toBeLessThan(4 / Math.sqrt(e.length));
	expect(Math.abs(mean(e.map((each) => each * each)) - 1)).toBeLessThan(4 * Math.sqrt(2 / e.length));
	const pairs = e.slice(1).map((each, i) => each * e[i]);
	expect(Math.abs(mean(pairs))).toBeLessThan(4 / Math.sqrt(pairs.length));
}

describe("noise in the equations", () => {
	for (const k of [0.4, 60])
		it(`moves a state that decays at the rate ${k} as the exact solution says`, () => {
			const [q, h] = [0.5, 0.5];
			const { columns } = columnsOf(`state x = 1\nx' = -${k}*x + noise(${q})\nmeasure y = x\n`, even(h));
			const a = Math.exp(-k * h);
			const sd = q * Math.sqrt((1 - a * a) / (2 * k));
			expectStandardNormal(Array.from({ length: n }, (_, i) => (columns.x[i + 1] - a * columns.x[i]) / sd));
			// It has no value at an instant.
			expect(Object.keys(columns)).toEqual(["t", "y", "x"]);
		});

	it("with the state as a factor is meant as Itô does", () => {
		const [r, q, h] = [0.1, 0.6, 0.2];
		const { columns } = columnsOf(`state x = 1\nx' = ${r}*x + x*noise(${q})\nmeasure y = x\n`, even(h));
		expectStandardNormal(
			Array.from(
				{ length: n },
				(_, i) => (Math.log(columns.x[i + 1] / columns.x[i]) - (r - (q * q) / 2) * h) / (q * Math.sqrt(h)),
			),
		);
	});
});

describe("a Matérn process", () => {
	for (const [nu, correlation] of [
		[0.5, (r: number) => Math.exp(-r)],
		[1.5, (r: number) => (1 + Math.sqrt(3) * r) * Math.exp(-Math.sqrt(3) * r)],
		[2.5, (r: number) => (1 + Math.sqrt(5) * r + (5 / 3) * r * r) * Math.exp(-Math.sqrt(5) * r)],
	] as const)
		it(`of smoothness ${nu} has its correlations, and is shown`, () => {
			const [sd, length, h] = [2, 0.4, 0.2];
			const text = `input w ~ matern(${nu}, ${sd}, ${length})\nstate x = 0\nx' = w - x\nmeasure y ~ normal(x + w, 1e-9)\n`;
			const { columns } = columnsOf(text, even(h));
			// Bartlett: the variance of a product's mean, of processes with these correlations.
			const rho = (lag: number): number => correlation((Math.abs(lag) * h) / length);
			for (const lag of [0, 1, 2, 3]) {
				const found = mean(
					Array.from(columns.w)
						.slice(lag)
						.map((w, i) => (w * columns.w[i]) / sd ** 2),
				);
				let variance = 0;
				for (let m = -40; m <= 40; m++) variance += (rho(m) ** 2 + rho(m + lag) * rho(m - lag)) / n;
				expect(Math.abs(found - rho(lag))).toBeLessThan(4 * Math.sqrt(variance));
			}
			for (let i = 0; i < n; i += 100) expect(columns.y[i]).toBeCloseTo(columns.x[i] + columns.w[i], 6);
		});
});

it("is drawn anew by other seeds, the same by the same, and is 0 without noise", () => {
	const text =
		"input w ~ matern(1.5, 1, 1)\nparam q ~ lognormal(0, 1)\nstate x = 1\nx' = w + noise(q) - x\nmeasure y = x\n";
	const times = [0, 1, 2, 3];
	const [one, same, other] = [3, 3, 4].map((seed) => [...columnsOf(text, times, true, seed).columns.x]);
	expect(one).toEqual(same);
	expect(one[3]).not.toBe(other[3]);
	const still = columnsOf(text, times, false);
	expect(still.columns.x[3]).toBeCloseTo(Math.exp(-3), 5);
	expect(still.notes.join(" ")).toContain("w = 0: the mean of its random process");
});
