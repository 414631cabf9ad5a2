import { steps } from "../inputs.ts";
import type { Template } from "../template.ts";

export const heating: Template = {
	name: "heating",
	title: "Heating",
	sentence: "a body is heated by a known power and cools toward its surroundings.",
	field: "processes",
	inputs: [
		{ name: "P", means: "power", unit: "W", alsoCalled: ["power", "heat", "u", "input"], isPositive: true },
	],
	outputs: [
		{
			name: "T",
			means: "temperature",
			unit: "°C",
			alsoCalled: ["temperature", "temp", "y", "output"],
			isPositive: false,
		},
	],
	unknowns: [
		{ name: "C", means: "heat capacity", truth: 600, scales: { P: 1, t: 1, T: -1 } },
		{ name: "k", means: "loss for each degree", truth: 2.5, scales: { P: 1, T: -1 } },
		{ name: "T0", means: "temperature of the surroundings", truth: 21, scales: { within: "T" } },
	],
	starts: [{ state: "theta", truth: 24, near: "T" }],
	body: ["C*theta' = P - k*(theta - T0)"],
	measured: { T: { of: "theta", isRelative: false } },
	noise: 0.03,
	times: { to: 3600, samples: 361 },
	input: steps(0, 150, 400),
};
