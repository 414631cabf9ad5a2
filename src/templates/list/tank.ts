import { steps } from "../inputs.ts";
import type { Template } from "../template.ts";

export const tank: Template = {
	name: "tank",
	title: "Tank",
	sentence: "water flows in as known and out through a hole; the level is measured.",
	field: "processes",
	inputs: [
		{
			name: "q",
			means: "flow in",
			unit: "L/min",
			alsoCalled: ["inflow", "flow", "u", "input"],
			isPositive: true,
		},
	],
	outputs: [
		{
			name: "level",
			means: "level",
			unit: "m",
			alsoCalled: ["h", "height", "y", "output"],
			isPositive: true,
		},
	],
	unknowns: [
		{ name: "A", means: "area of the tank", truth: 30, scales: { q: 1, t: 1, level: -1 } },
		{ name: "c", means: "size of the hole", truth: 8, scales: { q: 1, level: -0.5 } },
	],
	starts: [{ state: "h", truth: 0.6, near: "level", isPositive: true }],
	body: ["A*h' = q - c*sqrt(max(h, 0))"],
	measured: { level: { of: "h", isRelative: false } },
	noise: 0.03,
	times: { to: 60, samples: 301 },
	input: steps(2, 12, 5),
};
