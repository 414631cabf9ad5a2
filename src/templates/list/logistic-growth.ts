import type { Template } from "../template.ts";

export const logisticGrowth: Template = {
	name: "logistic-growth",
	title: "Logistic growth",
	sentence: "a population grows until it meets what its surroundings carry.",
	field: "biology",
	inputs: [],
	outputs: [
		{
			name: "N",
			means: "population",
			unit: "cells",
			alsoCalled: ["population", "count", "cells", "biomass", "od", "density", "y"],
			isPositive: true,
		},
	],
	unknowns: [
		{ name: "r", means: "rate of growth", truth: 0.45, scales: { t: -1 } },
		{ name: "K", means: "capacity", truth: 820, scales: { N: 1 } },
	],
	starts: [{ state: "x", truth: 14, near: "N", isPositive: true }],
	body: ["x' = r*x*(1 - x/K)"],
	measured: { N: { of: "x", isRelative: true } },
	noise: 0.05,
	times: { to: 24, samples: 49 },
};
