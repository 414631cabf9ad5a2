/** The error falls with the step as the declared orders say: slopes of log error over log step. */
import { describe, expect, it } from "vitest";
import type { Ivp } from "../../src/solve/ivp.ts";
import { explicitMethods, stiffMethods } from "../../src/solve/methods.ts";
import type { SensitiveIvp } from "../../src/solve/sensitivity.ts";
import { solveWithSensitivities } from "../../src/solve/sensitivity.ts";
import { solveIvp } from "../../src/solve/solve-ivp.ts";

/** x = 1 / (1 + a sin t) and y = (1 + a sin t)^(1/a): neither linear nor autonomous. */
function wave(a: number): SensitiveIvp {
	const { sin, cos } = Math;
	return {
		n: 2,
		nParams: 1,
		rhs(t, [x, y], out) {
			out[0] = -a * cos(t) * x * x;
			out[1] = cos(t) * x * y;
		},
		jacobian(t, [x, y], out) {
			out[0] = -2 * a * cos(t) * x;
			out[1] = 0;
			out[2] = cos(t) * y;
			out[3] = cos(t) * x;
		},
		timeDerivative(t, [x, y], out) {
			out[0] = a * sin(t) * x * x;
			out[1] = -sin(t) * x * y;
		},
		paramJacobian(t, [x], out) {
			out[0] = -cos(t) * x * x;
			out[1] = 0;
		},
		secondDirectional(t, [x], S, k, out) {
			out[0] = -2 * cos(t) * (a * S[0] + x) * k[0];
			out[1] = cos(t) * (S[0] * k[1] + S[1] * k[0]);
		},
		sensitivityTimeDerivative(t, [x, y], S, out) {
			out[0] = sin(t) * x * (2 * a * S[0] + x);
			out[1] = -sin(t) * (y * S[0] + x * S[1]);
		},
	};
}
const exact = (a: number, t: number) => {
	const w = 1 + a * Math.sin(t);
	return [1 / w, w ** (1 / a)];
};
const exactByA = (a: number, t: number) => {
	const s = Math.sin(t);
	const w = 1 + a * s;
	return [-s / (w * w), w ** (1 / a) * (s / (a * w) - Math.log(w) / (a * a))];
};

/** Steps of one length: a tolerance that never bites, and a longest step. */
const even = (h: number) => ({ rtol: 1e6, atol: 1e6, firstStep: h, maxStep: h });

function slope(points: readonly (readonly [number, number])[]): number {
	const logs = points.map(([h, error]) => [Math.log(h), Math.log(error)]);
	const mean = (k: number) => logs.reduce((sum, p) => sum + p[k], 0) / logs.length;
	const [mh, me] = [mean(0), mean(1)];
	return (
		logs.reduce((sum, [h, e]) => sum + (h - mh) * (e - me), 0) /
		logs.reduce((sum, [h]) => sum + (h - mh) ** 2, 0)
	);
}

const all = [...Object.values(explicitMethods), ...Object.values(stiffMethods)];
/** Numbers of steps that show the order well above rounding. */
const counts: Record<string, number[]> = {
	tsit5: [40, 60, 90, 135],
	dop853: [22, 28, 36, 46],
	rodas5p: [60, 90, 135, 200],
	rodas6p: [40, 56, 80, 112],
	radau9: [16, 20, 25, 32],
};

describe.each(all)("$name", ({ name, order, denseOrder }) => {
	const a = 0.6;
	const end = 5;
	const start = Float64Array.of(1, 1);

	it(`has order ${order}`, () => {
		const points = counts[name].map((count) => {
			const h = end / count;
			const { t, x, stats } = solveIvp(wave(a), 0, end, start, { ...even(h), method: name });
			expect(stats.steps).toBe(count);
			return [h, meanError(t, x, a, exact)] as const;
		});
		expect(Math.abs(slope(points) - order)).toBeLessThan(0.3);
	});

	it(`has order ${order} for sensitivities too`, () => {
		const points = counts[name].map((count) => {
			const h = end / count;
			const S0 = Float64Array.of(0, 0);
			const { t, S } = solveWithSensitivities(wave(a), 0, end, start, S0, { ...even(h), method: name });
			return [h, meanError(t, S, a, exactByA)] as const;
		});
		expect(Math.abs(slope(points) - order)).toBeLessThan(0.3);
	});

	it(`has an interpolant of order ${denseOrder}`, () => {
		const longest = name === "dop853" ? 0.4 : 0.2;
		const out = new Float64Array(2);
		const points = [1, 0.75, 0.55, 0.4].map((part) => {
			const h = longest * part;
			const times: number[] = [];
			const states: number[] = [];
			for (const from of [0.4, 1.2, 2, 2.8, 3.5]) {
				const x0 = Float64Array.from(exact(a, from));
				const solution = solveIvp(wave(a), from, from + h, x0, { ...even(h), method: name, dense: true });
				expect(solution.stats.steps).toBe(1);
				for (let s = 0.05; s < 1; s += 0.05) {
					times.push(from + s * h);
					solution.at!(from + s * h, out);
					states.push(...out);
				}
			}
			return [h, meanError(times, states, a, exact)] as const;
		});
		// The error of one step is one order above that of the interpolant.
		expect(Math.abs(slope(points) - 1 - denseOrder)).toBeLessThan(0.3);
	});
});

/** Root mean square error over all times. */
function meanError(
	t: ArrayLike<number>,
	x: ArrayLike<number>,
	a: number,
	truth: (a: number, t: number) => number[],
): number {
	let sum = 0;
	for (let k = 0; k < t.length; k++) {
		truth(a, t[k]).forEach((value, i) => {
			sum += (x[2 * k + i] - value) ** 2;
		});
	}
	return Math.sqrt(sum / t.length);
}

describe("stiffness", () => {
	/** Prothero and Robinson: x' = -lambda (x - cos t) - sin t, x = cos t. */
	const prothero = (lambda: number): Ivp => ({
		n: 1,
		rhs(t, x, out) {
			out[0] = -lambda * (x[0] - Math.cos(t)) - Math.sin(t);
		},
		jacobian(_t, _x, out) {
			out[0] = -lambda;
		},
		timeDerivative(t, _x, out) {
			out[0] = -lambda * Math.sin(t) - Math.cos(t);
		},
	});

	it.each(Object.values(stiffMethods))("does not spoil the accuracy of $name", ({ name }) => {
		for (const lambda of [1e1, 1e2, 1e3, 1e4, 1e6, 1e8]) {
			const options = { ...even(0.125), method: name, saveAt: [2] };
			const { x } = solveIvp(prothero(lambda), 0, 2, Float64Array.of(1), options);
			expect(Math.abs(x[0] - Math.cos(2))).toBeLessThan(1e-7);
		}
	});
});
