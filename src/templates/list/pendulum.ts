import type { Template } from "../template.ts";

export const pendulum: Template = {
	name: "pendulum",
	title: "Pendulum",
	sentence: "a weight on a rod that swings freely, its angle measured.",
	field: "mechanics",
	inputs: [],
	outputs: [
		{
			name: "angle",
			means: "angle from below, in radians",
			unit: "rad",
			alsoCalled: ["theta", "phi", "alpha", "y"],
			isPositive: false,
		},
	],
	known: [{ name: "g", value: 9.81, means: "gravity [m/s^2]; with time in seconds" }],
	unknowns: [
		{ name: "L", means: "length of the rod", truth: 0.8, scales: { t: 2 } },
		{ name: "b", means: "damping", truth: 0.15, scales: { t: -1 } },
	],
	starts: [
		{ state: "a", truth: 1.4, near: "angle" },
		{ state: "a'", truth: 0, scales: { angle: 1, t: -1 } },
	],
	body: ["a'' = -b*a' - g/L*sin(a)"],
	measured: { angle: { of: "a", isRelative: false } },
	noise: 0.03,
	times: { to: 15, samples: 501 },
};
