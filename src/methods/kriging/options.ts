import type { OptionTable } from "../options.ts";
import { radialNames } from "./field/radial.ts";

export const krigingOptions = {
	covariance: {
		type: "choice",
		default: "matern72",
		choices: radialNames,
		says: "Covariance of each state in time; its smoothness bounds the derivatives that can be had.",
	},
	mean: {
		type: "integer",
		default: 0,
		min: 0,
		max: 2,
		says: "Degree of the unknown mean of each state in time.",
	},
	field: {
		type: "choice",
		default: "smooth",
		choices: [
			"smooth",
			"generalized",
			...radialNames.filter((name) => !name.endsWith("0") && name !== "matern12"),
		],
		says: "Covariance of the unknown functions, beside their polynomial trend; the paper's is  generalized.",
	},
	criterion: {
		type: "choice",
		default: "reml",
		choices: ["reml", "ml"],
		says: "How variances and lengths are found: restricted likelihood, or likelihood (a generalised covariance has only the first).",
	},
	errors: {
		type: "choice",
		default: "trajectory",
		choices: ["trajectory", "joint", "derivatives"],
		says: "Which errors are allowed for: of the derivatives alone (the paper), of states and derivatives together, or, on top of that, the field is fitted again to the measured trajectories.",
	},
	simulation: {
		type: "choice",
		default: "linearized",
		choices: ["linearized", "samples"],
		says: "How the error of the field is carried along: linearised with its correlation along the path, or by sample paths of the field.",
	},
	samples: {
		type: "integer",
		default: 100,
		min: 10,
		max: 10_000,
		says: "Sample paths of the field, with  simulation: samples.",
	},
	horizon: {
		type: "number",
		default: 0,
		min: 0,
		says: "How far to simulate beyond the end of each training record, in units of time; inputs must be known there.",
	},
	hints: {
		type: "integer",
		default: 3,
		min: 1,
		max: 4,
		says: "Degree of the polynomial library to which the learned functions are compared.",
	},
	points: {
		type: "integer",
		default: 300,
		min: 20,
		max: 2000,
		says: "Most observations of the field that are solved at once; those of longer records are condensed to half as many.",
	},
} as const satisfies OptionTable;
