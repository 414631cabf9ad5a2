/** The box around a polytope holds all of it, whatever the simplex method did; and is the least one but for rounding. */
import { describe, expect, it } from "vitest";
import { Polytope } from "../../../src/methods/guaranteed/constraint/polytope.ts";
import { stream } from "../../../src/num/random.ts";

interface Row {
	readonly a: readonly number[];
	readonly lo: number;
	readonly hi: number;
}

function randomRows(seed: number): { n: number; rows: Row[]; inside: number[] } {
	const random = stream(seed, "polytope");
	let index = 0;
	const draw = (lo: number, hi: number): number => lo + (hi - lo) * random.uniform(index++);
	const n = 2 + Math.floor(draw(0, 4));
	const inside = Array.from({ length: n }, () => draw(-0.9, 0.9));
	const rows = Array.from({ length: 2 + Math.floor(draw(0, 12)) }, (): Row => {
		const a = Array.from({ length: n }, () => (draw(0, 1) < 0.3 ? 0 : draw(-2, 2) * 10 ** draw(-2, 1)));
		const there = a.reduce((sum, slope, v) => sum + slope * inside[v], 0);
		const size = a.reduce((sum, slope) => sum + Math.abs(slope), 1e-3);
		return { a, lo: there - size * draw(0, 0.3), hi: there + size * draw(0, 0.3) };
	});
	return { n, rows, inside };
}

function filled({ n, rows }: { n: number; rows: readonly Row[] }): Polytope {
	const polytope = new Polytope(n);
	polytope.clear(rows.length);
	for (const { a, lo, hi } of rows)
		polytope.add(
			a.map((_, v) => v),
			a,
			lo,
			hi,
		);
	return polytope;
}

/** Least ζ_k·side over all vertices of a polytope with two unknowns. */
function byVertices(rows: readonly Row[], k: number, side: number): number {
	const lines = [
		...rows.flatMap(({ a, lo, hi }) => [
			{ a, b: lo },
			{ a, b: hi },
		]),
		...[0, 1].flatMap((v) => [-1, 1].map((b) => ({ a: [v === 0 ? 1 : 0, v === 1 ? 1 : 0], b }))),
	];
	let least = Number.POSITIVE_INFINITY;
	for (const p of lines)
		for (const q of lines) {
			const det = p.a[0] * q.a[1] - p.a[1] * q.a[0];
			if (Math.abs(det) < 1e-12) continue;
			const z = [(p.b * q.a[1] - p.a[1] * q.b) / det, (p.a[0] * q.b - p.b * q.a[0]) / det];
			const isIn =
				z.every((value) => Math.abs(value) <= 1 + 1e-9) &&
				rows.every(({ a, lo, hi }) => {
					const y = a[0] * z[0] + a[1] * z[1];
					return y >= lo - 1e-9 && y <= hi + 1e-9;
				});
			if (isIn) least = Math.min(least, side * z[k]);
		}
	return least;
}

describe("polytope", () => {
	it("cuts off no point of it, in 2,000 of them", () => {
		for (let seed = 0; seed < 2000; seed++) {
			const problem = randomRows(seed);
			const polytope = filled(problem);
			for (let k = 0; k < problem.n; k++)
				for (const side of [-1, 1] as const)
					expect(polytope.least(k, side), `seed ${seed}`).toBeLessThanOrEqual(side * problem.inside[k]);
		}
	});
	it("gives the least box of two unknowns, as all vertices do", () => {
		let compared = 0;
		for (let seed = 0; seed < 2000; seed++) {
			const problem = randomRows(seed);
			if (problem.n !== 2) continue;
			const polytope = filled(problem);
			for (const k of [0, 1])
				for (const side of [-1, 1] as const) {
					compared++;
					expect(polytope.least(k, side), `seed ${seed}`).toBeCloseTo(byVertices(problem.rows, k, side), 5);
				}
		}
		expect(compared).toBeGreaterThan(1000);
	});
	it("says so where rows contradict one another", () => {
		const polytope = new Polytope(2);
		polytope.clear(3);
		polytope.add([0, 1], [1, 1], 0.5, 2);
		polytope.add([0, 1], [1, -1], 0.5, 2);
		polytope.add([0, 1], [1, 0], -1, 0.4);
		expect(polytope.least(1, 1)).toBe(Number.POSITIVE_INFINITY);
	});
});
