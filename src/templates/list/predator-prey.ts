import type { Template } from "../template.ts";

export const predatorPrey: Template = {
	name: "predator-prey",
	title: "Predator and prey",
	sentence: "prey multiplies, predators live on it; both are counted.",
	field: "biology",
	inputs: [],
	outputs: [
		{
			name: "prey",
			means: "prey",
			unit: "animals",
			alsoCalled: ["hare", "hares", "rabbits", "x", "victims"],
			isPositive: true,
		},
		{
			name: "predator",
			means: "predators",
			unit: "animals",
			alsoCalled: ["predators", "lynx", "lynxes", "foxes", "y"],
			isPositive: true,
		},
	],
	unknowns: [
		{ name: "a", means: "growth of the prey", truth: 0.55, scales: { t: -1 } },
		{ name: "b", means: "how fast prey is eaten", truth: 0.028, scales: { t: -1, predator: -1 } },
		{ name: "c", means: "death of predators", truth: 0.8, scales: { t: -1 } },
		{ name: "d", means: "growth of predators for each prey", truth: 0.024, scales: { t: -1, prey: -1 } },
	],
	starts: [
		{ state: "x", truth: 30, near: "prey", isPositive: true },
		{ state: "y", truth: 6, near: "predator", isPositive: true },
	],
	body: ["x' = a*x - b*x*y", "y' = -c*y + d*x*y"],
	measured: { prey: { of: "x", isRelative: true }, predator: { of: "y", isRelative: true } },
	noise: 0.08,
	times: { to: 25, samples: 51 },
};
