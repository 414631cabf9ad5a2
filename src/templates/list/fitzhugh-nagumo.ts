import type { Template } from "../template.ts";

export const fitzhughNagumo: Template = {
	name: "fitzhugh-nagumo",
	title: "FitzHugh–Nagumo neuron",
	sentence: "a voltage that spikes and a hidden recovery; the voltage is measured.",
	field: "biology",
	inputs: [],
	outputs: [
		{
			name: "V",
			means: "voltage, in the model's own units",
			unit: "1",
			alsoCalled: ["voltage", "v", "membrane", "y"],
			isPositive: false,
		},
	],
	known: [{ name: "I", value: 0.5, means: "current that drives it" }],
	unknowns: [
		{ name: "c", means: "rate of the voltage", truth: 1.3, scales: { t: -1 } },
		{ name: "e", means: "rate of the recovery", truth: 0.09, scales: { t: -1 } },
		{ name: "a", means: "offset of the recovery", truth: 0.7, scales: {} },
		{ name: "b", means: "decay of the recovery", truth: 0.8, scales: {} },
	],
	starts: [
		{ state: "v", truth: -1, near: "V" },
		{ state: "w", truth: 0.3, scales: {} },
	],
	body: ["v' = c*(v - v^3/3 - w + I)", "w' = e*(v + a - b*w)"],
	measured: { V: { of: "v", isRelative: false } },
	noise: 0.05,
	times: { to: 150, samples: 601 },
};
