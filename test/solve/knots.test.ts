import { describe, expect, it } from "vitest";
import type { Ivp, MethodName } from "../../src/solve/ivp.ts";
import { solveIvp } from "../../src/solve/solve-ivp.ts";

const methods: MethodName[] = ["tsit5", "dop853", "rodas5p", "rodas6p", "radau9"];

/** x' = -x + u with u held at `values[k]` between knots k and k + 1. */
function held(knots: readonly number[], values: readonly number[]) {
	let u = Number.NaN;
	const pieces: [number, number][] = [];
	const asked: { t: number; u: number }[] = [];
	const ivp: Ivp = {
		n: 1,
		enter(tLeft, tRight) {
			pieces.push([tLeft, tRight]);
			u = values[knots.findLastIndex((knot) => knot <= tLeft)];
		},
		rhs(t, x, out) {
			asked.push({ t, u });
			out[0] = -x[0] + u;
		},
	};
	return { ivp, pieces, asked };
}

function heldExact(knots: readonly number[], values: readonly number[], end: number): number {
	let x = 0;
	for (let k = 0; k < knots.length; k++) {
		const length = Math.max(0, Math.min(end, knots[k + 1] ?? end) - knots[k]);
		x = values[k] + (x - values[k]) * Math.exp(-length);
	}
	return x;
}

describe.each(methods)("knots with %s", (method) => {
	const knots = [0, 0.3, 0.9, 1, 2.7];
	const values = [1, -4, 10, 0.5, 3];

	it("crosses jumps of a held input without losing accuracy or steps", () => {
		const { ivp, pieces, asked } = held(knots, values);
		const { outcome, x, stats } = solveIvp(ivp, 0, 4, Float64Array.of(0), {
			method,
			knots: [2.7, 0.9, 1, 0.3, 0, 7],
			rtol: 1e-10,
			atol: 1e-10,
			saveAt: [4],
		});
		expect(outcome).toBe("converged");
		expect(x[0]).toBeCloseTo(heldExact(knots, values, 4), 8);
		expect(pieces).toEqual([
			[0, 0.3],
			[0.3, 0.9],
			[0.9, 1],
			[1, 2.7],
			[2.7, 4],
		]);
		expect(stats.rejected).toBeLessThanOrEqual(4);
		// Each value of u is asked for within its own piece only, and at both its ends.
		values.forEach((value, k) => {
			const times = asked.filter(({ u }) => u === value).map(({ t }) => t);
			expect(Math.min(...times)).toBe(knots[k]);
			expect(Math.max(...times)).toBe(knots[k + 1] ?? 4);
		});
	});

	it("steps exactly onto each knot", () => {
		const { ivp } = held(knots, values);
		const { t } = solveIvp(ivp, 0, 4, Float64Array.of(0), { method, knots });
		for (const knot of knots) expect(t).toContain(knot);
	});

	it("crosses them backwards too", () => {
		const { ivp, pieces } = held(knots, values);
		const x4 = heldExact(knots, values, 4);
		const { x } = solveIvp(ivp, 4, 0, Float64Array.of(x4), {
			method,
			knots,
			rtol: 1e-10,
			atol: 1e-10,
			saveAt: [0],
		});
		expect(x[0]).toBeCloseTo(0, 7);
		expect(pieces[0]).toEqual([2.7, 4]);
		expect(pieces.at(-1)).toEqual([0, 0.3]);
	});

	it("begins anew where an input jumps after a rest", () => {
		const often = Array.from({ length: 60 }, (_, k) => 40 * k);
		const pulses = often.map((_, k) => (k % 2 === 0 ? 100 : 0));
		const { ivp } = held(often, pulses);
		const saveAt = Array.from({ length: 4800 }, (_, k) => k / 2);
		const tolerances = { rtol: 1e-6, atol: 1e-6 };
		const { x, stats } = solveIvp(ivp, 0, 2400, Float64Array.of(0), {
			method,
			knots: often,
			saveAt,
			...tolerances,
		});
		const worst = saveAt.reduce((most, t, i) => {
			const exact = heldExact(often, pulses, t);
			return Math.max(most, Math.abs(x[i] - exact) / (1e-6 + 1e-6 * exact));
		}, 0);
		expect(worst).toBeLessThan(100);
		// A step that the rest allowed would be thrown away time and again after each.
		expect(stats.rejected).toBeLessThan(2 * often.length);
	});

	it("keeps its step over pieces shorter than it", () => {
		const many = Array.from({ length: 1001 }, (_, k) => k / 100);
		const { ivp } = held(
			many,
			many.map((t) => Math.sin(t)),
		);
		const { stats } = solveIvp(ivp, 0, 10, Float64Array.of(0), {
			method,
			knots: many,
			rtol: 1e-4,
			atol: 1e-4,
		});
		// One step a piece, but for the first.
		expect(stats.steps).toBeLessThan(1000 + 20);
	});
});
