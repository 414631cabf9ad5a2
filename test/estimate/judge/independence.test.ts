/** Whether residuals are independent: false alarms, what is found. */
import { describe, expect, test } from "vitest";
import { dependences } from "../../../src/estimate/judge/independence.ts";
import { stream } from "../../../src/num/random.ts";
import { allRepetitions } from "../../repetitions.ts";
import { directions, leftOver, type Noise, noiseOf, type Shape, seriesFrom } from "./simulated.ts";

function rate(n: number, p: number, shape: Shape, seeds: number, noise?: Noise, isTold = false): number {
	let found = 0;
	for (let seed = 0; seed < seeds; seed++) {
		const random = stream(seed, "independence");
		const fitted = { shape, p, n, random };
		const residual = leftOver(noiseOf(random, n, noise), fitted);
		const columns = isTold ? directions(n, fitted) : [];
		const count = columns.length;
		const taken = {
			count,
			of: Float64Array.from({ length: n * count }, (_, at) => columns[at % count][Math.floor(at / count)]),
		};
		if (dependences([seriesFrom(residual, { taken })], p).length > 0) found++;
	}
	return found / seeds;
}

describe("independence", () => {
	// At a level of 0.001, six alarms among 1000 records happen once in 1700 times, four among 300 once in 3800.
	const [records, tooMany] = allRepetitions ? [1000, 6] : [300, 4];
	test.each<[number, number, Shape]>([
		[10, 4, "slow"],
		[30, 5, "alternating"],
		[100, 5, "swinging"],
		[100, 5, "rough"],
	])("no alarm at white noise: n = %i, p = %i, %s", (n, p, shape) => {
		expect(rate(n, p, shape, records)).toBeLessThan(tooMany / records);
	});

	test.each<[number, number, Shape]>([
		[10, 4, "slow"],
		[30, 8, "slow"],
		[100, 5, "swinging"],
	])("nor where it is told what the fit took: n = %i, p = %i, %s", (n, p, shape) => {
		expect(rate(n, p, shape, records, undefined, true)).toBeLessThan(tooMany / records);
	});

	test("told what the fit took, more is found in few samples", () => {
		const noise = { kind: "correlated", rho: 0.8 } as const;
		const [untold, told] = [false, true].map((isTold) => rate(30, 5, "slow", 200, noise, isTold));
		// The same residuals twice: were both alike, 16 more on one side and none on the other would happen once in 65,000 times.
		expect(200 * (told - untold)).toBeGreaterThan(16);
	});

	test.each<[number, Noise, number]>([
		[100, { kind: "correlated", rho: 0.5 }, 0.8],
		[200, { kind: "correlated", rho: 0.42 }, 0.9],
		[1000, { kind: "slow", share: 0.1, tau: 50 }, 0.8],
		[100, { kind: "swing", share: 0.6, period: 3.3 }, 0.9],
	])("found: %i samples, %o", (n, noise, least) => {
		expect(rate(n, 3, "slow", 100, noise)).toBeGreaterThan(least);
	});
	test("a correlation of 0.42 that 100 residuals show is always found", () => {
		let shown = 0;
		for (let seed = 0; seed < 200; seed++) {
			const random = stream(seed, "shown");
			const noise = noiseOf(random, 100, { kind: "correlated", rho: 0.45 });
			const residual = leftOver(noise, { shape: "slow", p: 3, n: 100, random });
			let [products, squares] = [0, residual[0] ** 2];
			for (let i = 1; i < 100; i++) {
				products += residual[i] * residual[i - 1];
				squares += residual[i] ** 2;
			}
			if (products / squares < 0.42) continue;
			shown++;
			expect(dependences([seriesFrom(residual)], 3)).toHaveLength(1);
		}
		expect(shown).toBeGreaterThan(40);
	});

	test("one record of many is found, and so are many short ones", () => {
		const series = (rho: number, n: number, k: number) =>
			seriesFrom(noiseOf(stream(k, "records"), n, rho === 0 ? undefined : { kind: "correlated", rho }), {
				experiment: `record ${k}`,
			});
		const one = Array.from({ length: 10 }, (_, k) => series(k === 3 ? 0.6 : 0, 100, k));
		expect(dependences(one, 4)).toMatchObject([{ output: "y", lag: 1 }]);
		const short = Array.from({ length: 40 }, (_, k) => series(0.5, 8, k));
		expect(dependences(short, 10)).toMatchObject([{ output: "y", lag: 1 }]);
		expect(dependences(short.slice(0, 1), 10)).toEqual([]);
	});
});
