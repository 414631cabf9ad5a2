import { steps } from "../inputs.ts";
import type { Template } from "../template.ts";

export const rcCircuit: Template = {
	name: "rc-circuit",
	title: "RC circuit",
	sentence: "a capacitor is charged through a resistor that is known; its voltage is measured.",
	field: "electricity",
	inputs: [
		{
			name: "u",
			means: "voltage of the source",
			unit: "V",
			alsoCalled: ["vin", "source", "input", "u_in"],
			isPositive: false,
		},
	],
	outputs: [
		{
			name: "y",
			means: "voltage of the capacitor",
			unit: "V",
			alsoCalled: ["vout", "voltage", "output", "u_out", "v"],
			isPositive: false,
		},
	],
	known: [{ name: "R", value: 1000, means: "resistance: put in yours" }],
	unknowns: [{ name: "C", means: "capacitance", truth: 0.00047, scales: { t: 1 } }],
	starts: [{ state: "v", truth: 0, near: "y" }],
	body: ["R*C*v' = u - v"],
	measured: { y: { of: "v", isRelative: false } },
	noise: 0.03,
	times: { to: 10, samples: 401 },
	input: steps(0, 5, 1),
};
