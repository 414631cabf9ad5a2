/** Systems of which a function is not written down: `kriging` is asked where they go from where the record ends. */
import type { Drawn } from "../family.ts";
import type { Ground, OpenFamily } from "./family.ts";

/** x'' = force of x and v, both measured. */
function swinging(
	name: string,
	force: string,
	params: Readonly<Record<string, Drawn>>,
	start: readonly [number, number],
	duration: number,
): OpenFamily {
	return {
		name,
		field: "mechanics",
		equations: { "x'": "v", "v'": force },
		params,
		states: { x: start, v: [-0.3, 0.3] },
		outputs: { y: "x", z: "v" },
		duration,
		given: ["unknown f(x, v) ~ kriging(trend: 2)", "state x, v", "x' = v", "v' = f(x, v)"],
		truth: () => ({}),
	};
}

function plane(
	name: string,
	field: string,
	equations: readonly [string, string],
	params: Readonly<Record<string, Drawn>>,
	start: readonly [readonly [number, number], readonly [number, number]],
	duration: number,
): OpenFamily {
	return {
		name,
		field,
		equations: { "x'": equations[0], "y1'": equations[1] },
		params,
		states: { x: start[0], y1: start[1] },
		outputs: { y: "x", z: "y1" },
		duration,
		given: [
			"unknown f(x, y1) ~ kriging(trend: 2)",
			"unknown g(x, y1) ~ kriging(trend: 2)",
			"state x, y1",
			"x' = f(x, y1)",
			"y1' = g(x, y1)",
		],
		truth: () => ({}),
	};
}

export const functions: Ground = {
	method: "kriging",
	families: [
		swinging("pendulum, force", "-k*sin(x) - c*v", { k: [1, 0.2], c: [0.12, 0.3] }, [1, 1.6], 18),
		swinging("van der Pol, force", "mu*(1 - x^2)*v - k*x", { mu: [1, 0.2], k: [1, 0.1] }, [1.7, 2.2], 16),
		swinging(
			"cubic spring, force",
			"-k*x - k3*x^3 - c*v",
			{ k: [1, 0.2], k3: [0.3, 0.3], c: [0.15, 0.3] },
			[1, 1.5],
			16,
		),
		{
			name: "friction, function",
			field: "mechanics",
			equations: { "x'": "v", "v'": "-x - a*tanh(b*v)" },
			params: { a: [0.25, 0.3], b: [2, 0.2] },
			states: { x: [1, 1.6], v: [-0.3, 0.3] },
			outputs: { y: "x", z: "v" },
			duration: 14,
			given: ["unknown f(v) ~ kriging(trend: 1)", "state x, v", "x' = v", "v' = -x + f(v)"],
			truth: () => ({}),
		},
		{
			name: "growth, function",
			field: "biology",
			equations: { "n'": "r*n*(1 - n/k)" },
			params: { r: [1, 0.2], k: [3, 0.2] },
			states: { n: [0.2, 0.5] },
			outputs: { y: "n" },
			duration: 12,
			given: ["unknown f(n) ~ kriging(trend: 1)", "state n", "n' = f(n)"],
			truth: () => ({}),
		},
		plane(
			"predator and prey, functions",
			"biology",
			["a*x - b*x*y1", "-c*y1 + d*x*y1"],
			{ a: [1, 0.15], b: [0.4, 0.15], c: [0.6, 0.15], d: [0.3, 0.15] },
			[
				[2, 4],
				[1, 2],
			],
			18,
		),
		plane(
			"saturated prey, functions",
			"biology",
			["x*(1 - x/4) - a*x*y1/(1 + 0.5*x)", "-m*y1 + 0.6*a*x*y1/(1 + 0.5*x)"],
			{ a: [1, 0.1], m: [0.5, 0.1] },
			[
				[2, 3],
				[0.5, 1],
			],
			30,
		),
		plane(
			"FitzHugh-Nagumo, functions",
			"neurons",
			["x - x^3/3 - y1 + i0", "0.24*(x + a - 0.8*y1)"],
			{ i0: [0.6, 0.1], a: [0.7, 0.1] },
			[
				[-1.5, 1.5],
				[0, 1],
			],
			24,
		),
	],
	samples: (d) => d.whole(40, 64),
	levels: [0.005, 0.01, 0.02],
	records: [1],
	openNoise: 0,
	before: 0,
	ahead: 20,
};
