import type { Template } from "../template.ts";

export const sir: Template = {
	name: "sir",
	title: "SIR epidemic",
	sentence: "an infection passes through a population; those who are infected are counted.",
	field: "biology",
	inputs: [],
	outputs: [
		{
			name: "cases",
			means: "infected at the time",
			unit: "persons",
			alsoCalled: ["i", "infected", "infectious", "sick", "y"],
			isPositive: true,
		},
	],
	unknowns: [
		{ name: "beta", means: "rate of infection", truth: 1.7, scales: { t: -1 } },
		{ name: "gamma", means: "rate of recovery", truth: 0.45, scales: { t: -1 } },
		{ name: "N", means: "population that can be infected", truth: 760, scales: { cases: 1 } },
		{ name: "I0", means: "infected at the start", truth: 2, scales: { cases: 1 } },
	],
	starts: [],
	body: ["state   S = N - I0, I = I0", "S' = -beta*S*I/N", "I' = beta*S*I/N - gamma*I"],
	measured: { cases: { of: "I", isRelative: true } },
	noise: 0.07,
	times: { to: 20, samples: 41 },
};
