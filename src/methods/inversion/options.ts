import type { OptionTable } from "../options.ts";

export const inversionOptions = {
	select: {
		type: "choice",
		default: "evidence",
		choices: ["evidence", "threshold", "bic", "none"],
		says: "How terms are chosen: by the evidence for each set of terms, by a threshold in standard errors, by BIC along the elimination, or not at all.",
	},
	threshold: {
		type: "number",
		default: 2.5,
		min: 0,
		max: 100,
		says: "With select: threshold, a term whose weight is below so many standard errors is dropped.",
	},
	substeps: {
		type: "integerOrAuto",
		default: "auto",
		min: 1,
		max: 10_000,
		says: "Integration steps from one sample to the next; auto refines until the integration error is negligible.",
	},
	bridge: {
		type: "boolean",
		default: true,
		says: "Also start from an integral form along smoothed samples, where every state is measured.",
	},
	functionsOfConditions: {
		type: "boolean",
		default: false,
		says: "Weights of unknown functions are combinations of 1 and all conditions.",
	},
	starts: {
		type: "integer",
		default: 4,
		min: 0,
		max: 1000,
		says: "Other starting points from which the chosen terms are fitted again, to see whether the answer is the only one.",
	},
	profile: {
		type: "boolean",
		default: true,
		says: "Profile likelihood of the chosen weights: intervals that know the shape of the fit.",
	},
	stability: {
		type: "integer",
		default: 100,
		min: 0,
		max: 100_000,
		says: "How many simulated noises are used to say how often each term would be chosen.",
	},
	design: {
		type: "integer",
		default: 0,
		min: 0,
		max: 100_000,
		says: "How many times data are simulated from the answer, for each of several designs, to see how often the structure is found; 0 for none.",
	},
	maxIterations: {
		type: "integer",
		default: 100,
		min: 1,
		max: 1_000_000,
		says: "Iterations after which a fit is given up.",
	},
	tolerance: {
		type: "number",
		default: 1e-10,
		min: 0,
		max: 0.1,
		says: "A fit has converged when the sum of squares falls by less than this share.",
	},
} as const satisfies OptionTable;
