import { steps } from "../inputs.ts";
import type { Template } from "../template.ts";

export const dcMotor: Template = {
	name: "dc-motor",
	title: "DC motor",
	sentence: "a voltage drives a current, the current turns a shaft; speed and current are measured.",
	field: "electricity",
	inputs: [
		{ name: "u", means: "voltage", unit: "V", alsoCalled: ["voltage", "v", "input"], isPositive: false },
	],
	outputs: [
		{
			name: "speed",
			means: "speed of the shaft",
			unit: "rad/s",
			alsoCalled: ["omega", "w", "velocity", "rpm", "n"],
			isPositive: false,
		},
		{ name: "current", means: "current", unit: "A", alsoCalled: ["i", "amps", "ampere"], isPositive: false },
	],
	unknowns: [
		{ name: "R", means: "resistance", truth: 1.5, scales: { u: 1, current: -1 } },
		{ name: "L", means: "inductance", truth: 0.03, scales: { u: 1, current: -1, t: 1 } },
		{ name: "K", means: "torque and voltage constant", truth: 0.12, scales: { u: 1, speed: -1 } },
		{ name: "J", means: "inertia", truth: 0.002, scales: { u: 1, current: 1, t: 1, speed: -2 } },
		{ name: "b", means: "friction", truth: 0.0015, scales: { u: 1, current: 1, speed: -2 } },
	],
	starts: [
		{ state: "w", truth: 0, near: "speed" },
		{ state: "i", truth: 0, near: "current" },
	],
	body: ["L*i' = u - R*i - K*w", "J*w' = K*i - b*w"],
	measured: { speed: { of: "w", isRelative: false }, current: { of: "i", isRelative: false } },
	noise: 0.03,
	times: { to: 2, samples: 801 },
	input: steps(-6, 12, 0.15),
};
