import type { Family } from "../family.ts";

export const chaos: readonly Family[] = [
	{
		name: "Lorenz",
		field: "chaos",
		params: { sigma: [10, 0.1], rho: [28, 0.1], beta: [2.667, 0.1] },
		states: { x: [-8, 8], y1: [-8, 8], z1: [15, 30] },
		equations: { "x'": "sigma*(y1 - x)", "y1'": "x*(rho - z1) - y1", "z1'": "x*y1 - beta*z1" },
		outputs: { y: "x", z: "z1", w: "y1" },
		duration: 2,
		missing: ["z1'", "x"],
		wrong: ["z1'", "x^2 - beta*z1"],
	},
	{
		name: "Rossler",
		field: "chaos",
		params: { a: [0.2, 0.1], b: [0.2, 0.3], c: [5.7, 0.1] },
		states: { x: [-4, 4], y1: [-4, 4], z1: 0.1 },
		equations: { "x'": "-y1 - z1", "y1'": "x + a*y1", "z1'": "b + z1*(x - c)" },
		outputs: { y: "x", z: "y1", w: "z1" },
		duration: 15,
		missing: ["y1'", "x^2"],
		wrong: ["z1'", "b + z1*x - c*z1^2"],
	},
];
