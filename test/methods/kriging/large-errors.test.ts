/** Errors that are not small: past a saddle a band is as wide as the system leads them, and elsewhere it is that to first order. */
import { expect, test } from "vitest";
import type { BoundDynamics } from "../../../src/methods/kriging/dynamics.ts";
import { largeErrors } from "../../../src/methods/kriging/simulate/large-errors.ts";
import type { Path } from "../../../src/methods/kriging/simulate/path.ts";
import { exp } from "../../../src/num/elementary/number.ts";

/** x' = x - x³ from 0.1: away from the saddle at 0, to rest at 1. The other side rests at -1. */
const bound = {
	u: { enter: () => {} },
	rhs: (_t: number, x: Float64Array, out: Float64Array) => {
		out[0] = x[0] - x[0] ** 3;
	},
	jacobian: (_t: number, x: Float64Array, out: Float64Array) => {
		out[0] = 1 - 3 * x[0] ** 2;
	},
} as unknown as BoundDynamics;
const h = 0.05;
const count = 200;
const t = Float64Array.from({ length: count + 1 }, (_, k) => k * h);
/** x(t) = x0 eᵗ/√(1 + x0²(e²ᵗ - 1)) and its derivative by x0. */
const x0 = 0.1;
const x = t.map((time) => (x0 * exp(time)) / Math.sqrt(1 + x0 * x0 * (exp(2 * time) - 1)));
const phi = t.map((time) => exp(time) / (1 + x0 * x0 * (exp(2 * time) - 1)) ** 1.5);
const path: Path = {
	n: 1,
	t,
	x,
	args: [],
	steps: Array.from({ length: count }, (_, k) => ({
		nodes: [0, 0, 0],
		a: Float64Array.of(phi[k + 1] / phi[k]),
		w: [new Float64Array(), new Float64Array(), new Float64Array()],
		p: new Float64Array(),
	})),
	at: new Int32Array(),
	outcome: "converged",
};
const widened = (sd0: number): { linear: Float64Array; found: Float64Array } => {
	const deltas = Array.from(phi, (value) => Float64Array.of(value * sd0));
	const linear = phi.map((value) => value * sd0);
	return { linear, found: largeErrors(bound, path, deltas, linear) };
};

test("a first state that may lie beyond the saddle", () => {
	const { linear, found } = widened(0.08);
	expect(linear[count]).toBeLessThan(1e-3);
	// From 1 to -1.
	expect(1.96 * found[count]).toBeCloseTo(2, 2);
});

test("a first state that is known well", () => {
	const { linear, found } = widened(0.002);
	for (let k = 0; k <= count; k++) {
		expect(found[k]).toBeGreaterThanOrEqual(linear[k]);
		expect(found[k]).toBeLessThan(1.2 * linear[k] + 1e-12);
	}
});

test("what runs away has no band from there on", () => {
	// x' = x²: from 0.5 in finite time to anywhere, from the path's own first state not so soon.
	const runs = {
		u: { enter: () => {} },
		rhs: (_t: number, x: Float64Array, out: Float64Array) => {
			out[0] = x[0] ** 2;
		},
		jacobian: (_t: number, x: Float64Array, out: Float64Array) => {
			out[0] = 2 * x[0];
		},
	} as unknown as BoundDynamics;
	const slow = t.map((time) => 0.05 / (1 - 0.05 * time));
	const own = slow.map((value) => (value / 0.05) ** 2);
	const steps = path.steps.map((step, k) => ({ ...step, a: Float64Array.of(own[k + 1] / own[k]) }));
	const linear = own.map((value) => 0.2 * value);
	const deltas = Array.from(linear, (value) => Float64Array.of(value));
	const found = largeErrors(runs, { ...path, x: slow, steps }, deltas, linear);
	expect(found[count]).toBeGreaterThan(1e90);
	expect(found.every((value) => value <= 1e100)).toBe(true);
});
