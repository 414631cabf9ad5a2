import type { Template } from "../template.ts";

export const michaelisMenten: Template = {
	name: "michaelis-menten",
	title: "Michaelis–Menten",
	sentence: "an enzyme uses up a substrate, at most so fast; what is left of it is measured.",
	field: "biology",
	inputs: [],
	outputs: [
		{
			name: "S",
			means: "substrate",
			unit: "mM",
			alsoCalled: ["substrate", "concentration", "conc", "c", "y"],
			isPositive: true,
		},
	],
	unknowns: [
		{ name: "Vmax", means: "greatest rate", truth: 0.35, scales: { S: 1, t: -1 } },
		{ name: "Km", means: "concentration at half of it", truth: 1.4, scales: { S: 1 } },
	],
	starts: [{ state: "c", truth: 6, near: "S", isPositive: true }],
	body: ["c' = -Vmax*c/(Km + c)"],
	measured: { S: { of: "c", isRelative: false } },
	noise: 0.02,
	times: { to: 40, samples: 81 },
};
