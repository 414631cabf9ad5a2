import type { Template } from "../template.ts";

export const oneCompartment: Template = {
	name: "one-compartment",
	title: "One compartment",
	sentence: "a drug is given at once into the blood and leaves it at a rate.",
	field: "medicine",
	inputs: [],
	outputs: [
		{
			name: "C",
			means: "concentration in the blood",
			unit: "mg/L",
			alsoCalled: ["concentration", "conc", "plasma", "y"],
			isPositive: true,
		},
	],
	known: [{ name: "dose", value: 100, means: "dose: put in yours" }],
	unknowns: [
		{ name: "V", means: "volume of distribution", truth: 18, scales: { C: -1 } },
		{ name: "ke", means: "rate of elimination", truth: 0.22, scales: { t: -1 } },
	],
	starts: [],
	body: ["state   c = dose/V", "c' = -ke*c"],
	measured: { C: { of: "c", isRelative: true } },
	noise: 0.07,
	times: { to: 16, samples: 17 },
};
