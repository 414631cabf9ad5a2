import { steps } from "../inputs.ts";
import type { Template } from "../template.ts";

export const oscillator: Template = {
	name: "oscillator",
	title: "Oscillator",
	sentence: "a mass on a spring with a damper, pushed by a known force.",
	field: "mechanics",
	inputs: [
		{ name: "u", means: "force", unit: "N", alsoCalled: ["force", "f", "load", "input"], isPositive: false },
	],
	outputs: [
		{
			name: "y",
			means: "position",
			unit: "m",
			alsoCalled: ["position", "displacement", "pos", "x", "deflection", "output"],
			isPositive: false,
		},
	],
	unknowns: [
		{ name: "m", means: "mass", truth: 1.2, scales: { u: 1, y: -1, t: 2 } },
		{ name: "c", means: "damping", truth: 0.6, scales: { u: 1, y: -1, t: 1 } },
		{ name: "k", means: "stiffness", truth: 8, scales: { u: 1, y: -1 } },
	],
	starts: [
		{ state: "x", truth: 0.1, near: "y" },
		{ state: "x'", truth: 0, scales: { y: 1, t: -1 } },
	],
	body: ["m*x'' + c*x' + k*x = u"],
	measured: { y: { of: "x", isRelative: false } },
	noise: 0.05,
	times: { to: 30, samples: 601 },
	input: steps(-4, 4, 1.5),
};
