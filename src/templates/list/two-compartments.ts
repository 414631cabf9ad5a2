import type { Template } from "../template.ts";

export const twoCompartments: Template = {
	name: "two-compartments",
	title: "Two compartments",
	sentence: "a drug is given at once into the blood, moves to the tissue and back, and is eliminated.",
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
		{ name: "V", means: "volume of the blood's compartment", truth: 12, scales: { C: -1 } },
		{ name: "ke", means: "rate of elimination", truth: 0.35, scales: { t: -1 } },
		{ name: "k12", means: "rate from blood to tissue", truth: 1.1, scales: { t: -1 } },
		{ name: "k21", means: "rate from tissue to blood", truth: 0.6, scales: { t: -1 } },
	],
	starts: [],
	body: ["state   x1 = dose, x2 = 0", "x1' = -(ke + k12)*x1 + k21*x2", "x2' = k12*x1 - k21*x2"],
	measured: { C: { of: "x1/V", isRelative: true } },
	noise: 0.05,
	times: { to: 20, samples: 41 },
};
