/** Stiff equations are proved in steps that do not grow with their stiffness, once the transient is over. */
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { enclose, record, simulateTruth } from "./records.ts";

/** x' = -k·(x - cos t) from 1, in closed form. */
function forced(k: number): (t: number) => number {
	const slow = (t: number): number => (k * (k * Math.cos(t) + Math.sin(t))) / (k * k + 1);
	return (t) => slow(t) + (1 - slow(0)) * Math.exp(-k * t);
}

const times = Float64Array.from({ length: 11 }, (_, i) => i);

describe("stiff equations", () => {
	it.each([
		["an unknown start", "state x in [0.5, 1.5]", ""],
		["an unknown force", "param a in [0.9, 1.1]\nstate x in [0.5, 1.5]", "a*"],
	])("with %s: proved for k = 10 … 10^4, in as many steps", async (_, open, factor) => {
		for (const k of [10, 100, 1000, 10_000]) {
			const truth = forced(k);
			const text = `${open}\nx' = -${k}*(x - ${factor}cos(t))\nmeasure y in x +- 0.05`;
			const run = await enclose(text, [record(times, new Map([["y", times.map(truth)]]))]);
			expect(outcomeOf(run), `k = ${k}`).toBe("proved");
			const [{ instants, tubes }] = run.parts;
			for (const { t, states } of instants) {
				expect(states[0]).toBeLessThanOrEqual(truth(t));
				expect(states[1]).toBeGreaterThanOrEqual(truth(t));
			}
			for (const { from, to, states } of tubes)
				for (const t of [from, from / 2 + to / 2, to])
					if (!(states[0] <= truth(t) && truth(t) <= states[1]))
						expect.fail(`k = ${k}: ${truth(t)} at ${t} is not in [${states[0]}, ${states[1]}]`);
			// Each step tells eight pieces: two steps a second after the first.
			expect(tubes.filter(({ from }) => from >= 1).length / 8, `k = ${k}`).toBeLessThan(20);
			expect(tubes.length / 8, `k = ${k}`).toBeLessThan(60);
			// What was open of the start is forgotten.
			const { states } = instants[10];
			if (factor === "") expect(states[1] - states[0]).toBeLessThan(1e-8);
		}
	});
	it.each([
		["a slow one behind a fast one", "x' = -1000*(x - y)\ny' = -p*y"],
		["a curved one", "x' = -50*(x^3 + x - y)\ny' = -p*y*x"],
	])("%s: an unknown rate is found", async (_, equations) => {
		const own = times.slice(0, 6);
		const { outputs } = simulateTruth({
			text: `param p\nstate x = 0.5, y = 1\n${equations}\nmeasure z = x`,
			values: { p: 0.5 },
			x0: [0.5, 1],
			times: own,
		});
		const run = await enclose(
			`param p in [0.4, 0.6]\nstate x = 0.5, y = 1\n${equations}\nmeasure z in x +- 0.001`,
			[record(own, outputs)],
		);
		expect(outcomeOf(run)).toBe("proved");
		const [lo, hi] = run.enclosure!;
		expect(lo).toBeLessThanOrEqual(0.5);
		expect(hi).toBeGreaterThanOrEqual(0.5);
		expect(hi - lo).toBeLessThan(0.01);
	});
	it.each([
		["a transient from elsewhere", 0],
		["no transient", 1],
	])("a decay that is known to a factor of 4 only, with %s, is found", async (_, start) => {
		const slow = (k: number, t: number): number => (k * (k * Math.cos(t) + Math.sin(t))) / (k * k + 1);
		const x = (t: number): number => slow(10_000, t) + (start - slow(10_000, 0)) * Math.exp(-10_000 * t);
		const own = times.slice(0, 4);
		const run = await enclose(
			`param k in [5000, 20000]\nstate x = ${start}\nx' = -k*(x - cos(t))\nmeasure y in x +- 0.00001`,
			[record(own, new Map([["y", own.map(x)]]))],
		);
		expect(outcomeOf(run)).toBe("proved");
		// Long after the transient x falls with k, at t = 2 the most.
		const [lo, hi] = run.enclosure!;
		const ends = [1e-5, -1e-5].map((far) => {
			let [low, high] = [5000, 20_000];
			for (let i = 0; i < 60; i++) {
				const middle = (low + high) / 2;
				if (slow(middle, 2) > x(2) + far) low = middle;
				else high = middle;
			}
			return low;
		});
		expect(lo <= ends[0] + 1e-3 && ends[1] - 1e-3 <= hi).toBe(true);
		expect(hi - lo).toBeLessThan(1.02 * (ends[1] - ends[0]));
	});
});
