/** Bands near a separatrix: paths from their ends are followed too. */
import { expect, test } from "vitest";
import type { BoundDynamics } from "../../../src/methods/kriging/dynamics.ts";
import { widenByBranches } from "../../../src/methods/kriging/simulate/branches.ts";
import type { Path } from "../../../src/methods/kriging/simulate/path.ts";
import { drained } from "../../../src/num/drained.ts";
import { normalQuantile975 } from "../../../src/num/quantile.ts";
import type { Ivp } from "../../../src/solve/ivp.ts";
import { solveIvp } from "../../../src/solve/solve-ivp.ts";

/** One state with slope f; errors go along to first order: sd(t) = sd(0) dx(t)/dx(0). */
function bandOf(
	f: (x: number) => number,
	x0: number,
	sd0: number,
): { x: Float64Array; before: Float64Array; after: Float64Array } {
	const ivp: Ivp = {
		n: 1,
		rhs: (_t: number, x: Float64Array, out: Float64Array) => {
			out[0] = f(x[0]);
		},
	};
	const t = Float64Array.from({ length: 41 }, (_, k) => k / 5);
	const from = (start: number): Float64Array =>
		solveIvp(ivp, 0, 8, Float64Array.of(start), { rtol: 1e-9, atol: 1e-12, saveAt: t }).x;
	const x = from(x0);
	const near = from(x0 + 1e-6);
	const before = x.map((value, k) => (sd0 * Math.abs(near[k] - value)) / 1e-6);
	const after = before.slice();
	const bound = { ivp: () => ivp, signals: [] } as unknown as BoundDynamics;
	const path = { n: 1, t, x } as unknown as Path;
	const errors = { covariances: [...before].map((sd) => Float64Array.of(sd * sd)), relative: before };
	drained(widenByBranches(bound, path, errors, after, Number.POSITIVE_INFINITY));
	return { x, before, after };
}

test("a linear system keeps the band that it has", () => {
	const { before, after } = bandOf((x) => -0.3 * x, 1, 0.1);
	for (const [k, sd] of after.entries()) expect(sd / before[k]).toBeCloseTo(1, 3);
});

test("near a separatrix the band holds the other attractor, which its first order does not", () => {
	const { x, before, after } = bandOf((x) => x - x * x * x, 0.05, 0.04);
	const end = x.length - 1;
	expect(x[end]).toBeCloseTo(1, 3);
	expect(x[end] - normalQuantile975 * before[end]).toBeGreaterThan(0.5);
	expect(x[end] - normalQuantile975 * after[end]).toBeLessThan(-0.9);
});

test("far from it the band stays", () => {
	const { before, after } = bandOf((x) => x - x * x * x, 0.8, 0.02);
	for (const [k, sd] of after.entries()) expect(sd).toBeLessThan(1.3 * before[k] + 1e-4);
});
