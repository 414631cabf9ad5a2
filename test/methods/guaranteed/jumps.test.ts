/** Jumps whose time states or unknowns decide: over the while in which a set may be on either side the equations are all between both. */
import { describe, expect, it } from "vitest";
import { answer, outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import { stream } from "../../../src/num/random.ts";
import { repetitions } from "../../repetitions.ts";
import { enclose, record } from "./records.ts";

const { exp, log } = Math;
const times = Float64Array.of(0, 0.5, 1, 1.5, 2, 2.5, 3);

describe("a jump whose time is not known", () => {
	it("by the clock, at an unknown time: both are found", async () => {
		const x = (t: number): number => (t < 1.4 ? exp(-0.7 * t) : exp(-0.98) * exp(-0.2 * (t - 1.4)));
		const text =
			"param a in [0.5, 0.9], s in [1, 2]\nstate x = 1\nx' = -x*if(t < s, a, 0.2)\nmeasure y in x +- 0.01";
		const run = await enclose(text, [record(times, new Map([["y", times.map(x)]]))]);
		expect(outcomeOf(run)).toBe("proved");
		const [a0, a1, s0, s1] = run.enclosure!;
		expect(a0 <= 0.7 && 0.7 <= a1 && s0 <= 1.4 && 1.4 <= s1).toBe(true);
		expect(a1 - a0).toBeLessThan(0.05);
		expect(s1 - s0).toBeLessThan(0.35);
		expect((await answer(run)).summary.innerBoxes).toBeGreaterThan(0);
	});
	it("by a state: what is left behind it is nearly as close as before it", async () => {
		const at = log(2.5) / 0.7;
		const x = (t: number): number => (t < at ? exp(-0.7 * t) : 0.4 * exp(-0.2 * (t - at)));
		const text = "param a in [0.5, 0.9]\nstate x = 1\nx' = -x*if(x > 0.4, a, 0.2)\nmeasure y in x +- 0.01";
		const run = await enclose(text, [record(times, new Map([["y", times.map(x)]]))]);
		expect(outcomeOf(run)).toBe("proved");
		// From the samples before the jump: y(1) in exp(-0.7) ± 0.01.
		const exact = [-log(exp(-0.7) + 0.01), -log(exp(-0.7) - 0.01)];
		const [lo, hi] = run.enclosure!;
		expect(lo <= exact[0] && exact[1] <= hi).toBe(true);
		expect(hi - lo).toBeLessThan(1.02 * (exact[1] - exact[0]));
		expect((await answer(run)).summary.innerShare).toBeGreaterThan(0.8);
	});
	it("that courses slide along is followed, with the sliding course inside", async () => {
		const run = await enclose("state x in [0.9, 1.1]\nx' = 0.3 - sign(x)", [record(times, new Map())]);
		expect(outcomeOf(run)).toBe("proved");
		for (const { instants } of run.parts)
			for (const { t, states } of instants) if (t > 1.6) expect(states[0] <= 0 && 0 <= states[1]).toBe(true);
	});
	it(`holds every course of ${repetitions(12, 200)} random models`, async () => {
		const misses: string[] = [];
		let proved = 0;
		for (let seed = 0; seed < repetitions(12, 200); seed++) {
			const { text, members, course, end } = problemOf(seed);
			const at = Float64Array.of(0, end / 3, end);
			const run = await enclose(text, [record(at, new Map())], { models: 4 });
			if (outcomeOf(run) === "proved") proved++;
			for (const values of members)
				for (const { box, tubes, instants } of run.parts) {
					if (values.some((value, k) => value < box[2 * k] || value > box[2 * k + 1])) continue;
					for (const { from, to, states } of [
						...tubes,
						...instants.map(({ t, states }) => ({ from: t, to: t, states })),
					]) {
						const t = from / 2 + to / 2;
						const x = course(values, t);
						const slack = 1e-12 * (1 + Math.abs(x));
						if (!(states[0] - slack <= x && x <= states[1] + slack))
							misses.push(`seed ${seed}, ${values.join(" ")}: ${x} at ${t}`);
					}
				}
		}
		expect(misses).toEqual([]);
		expect(proved).toBeGreaterThan(0.8 * repetitions(12, 200));
	}, 120_000);
});

interface Jumping {
	readonly text: string;
	readonly end: number;
	/** Values of a, b and the unknown of the condition, then x(0). */
	readonly members: readonly number[][];
	readonly course: (values: readonly number[], t: number) => number;
}

/** x' = a before a jump and b after it: at a level that x reaches, or at a time. */
function problemOf(seed: number): Jumping {
	const random = stream(seed, "jumps");
	let next = 0;
	const draw = (lo: number, hi: number): number => lo + (hi - lo) * random.uniform(next++);
	const set = (middle: number, wide: number): [number, number] => [
		middle - wide - 1e-9,
		middle + wide + 1e-9,
	];
	const byTime = draw(0, 1) < 0.4;
	const isLinear = draw(0, 1) < 0.5;
	const sign = draw(0, 1) < 0.5 ? 1 : -1;
	const wide = draw(0, 1) < 0.3 ? 0 : draw(0, 0.15);
	const a = set(sign * draw(0.5, 2), wide);
	const b = set(sign * draw(0.4, 2), draw(0, 0.15));
	const at = set(byTime ? draw(0.4, 1) : sign * draw(0.4, 1), draw(0, 1) < 0.3 ? 0 : draw(0, 0.1));
	const x0 = set(0, draw(0, 0.1));
	const condition = byTime ? "t < c" : sign > 0 ? "x < c" : "x > c";
	const text = `param a in [${a.join(", ")}], b in [${b.join(", ")}], c in [${at.join(", ")}]\nstate x in [${x0.join(", ")}]\nx' = ${isLinear ? "" : "(1 + 0*x)*"}if(${condition}, a, b)`;
	const member = (share: () => number): number[] =>
		[a, b, at, x0].map(([lo, hi]) => Math.min(hi, Math.max(lo, lo + (hi - lo) * share())));
	return {
		text,
		end: draw(1, 3),
		members: [
			...Array.from({ length: 6 }, () => member(() => draw(0, 1))),
			...Array.from({ length: 6 }, () => member(() => (draw(0, 1) < 0.5 ? 0 : 1))),
		],
		course: ([a, b, c, x], t) => {
			const jump = byTime ? c : (c - x) / a;
			return t < jump ? x + a * t : x + a * Math.max(jump, 0) + b * (t - Math.max(jump, 0));
		},
	};
}
