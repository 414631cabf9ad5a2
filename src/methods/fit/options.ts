import type { OptionTable, OptionValues } from "../options.ts";

export const fitOptions = {
	starts: {
		type: "integer",
		default: 8,
		min: 1,
		max: 1000,
		says: "How many starting points are followed to their optimum; the first is the one you gave.",
	},
	candidates: {
		type: "integer",
		default: 64,
		min: 1,
		max: 100_000,
		says: "How many random points are tried once, to choose the starts from.",
	},
	short: {
		type: "integer",
		default: 0,
		min: 0,
		max: 10_000,
		says: "How many starts, out of candidates that fill the ranges evenly, are first followed a few steps, the better of them more, and so on; those that are left are the starts. Every other one sees only the first part of the records at first. 0: none, the best candidates are. For problems with many optima.",
	},
	hops: {
		type: "integer",
		default: 0,
		min: 0,
		max: 10_000,
		says: "Rounds in which half of the starts, the better ones more often, are moved away from where they came to, at random or towards one another, and followed down again; what comes lower stays. They end sooner where the best does not fall for 12 rounds. For problems with many optima.",
	},
	segments: {
		type: "boolean",
		default: true,
		says: "Where records swing and no start follows them, cut them into segments of half a turn, each with a beginning of its own, and close the gaps step by step (multiple shooting). With short, after ten times as many draws that see growing parts of the records and hops of what is left of them, and again and again from the best ends, shaken, as long as that comes lower.",
	},
	substeps: {
		type: "integerOrAuto",
		default: "auto",
		min: 1,
		max: 10_000,
		says: "Integration steps from one sample to the next; auto refines until the integration error is negligible.",
	},
	integrator: {
		type: "choice",
		default: "auto",
		choices: ["auto", "fixed", "adaptive"],
		says: "Fixed steps (fast, many at once) or an adaptive solver (stiff models); auto chooses.",
	},
	profile: {
		type: "boolean",
		default: true,
		says: "Profile likelihood: intervals that know the shape of the fit, and a verdict on identifiability.",
	},
	effort: {
		type: "number",
		default: 3600,
		min: 0,
		max: 1e9,
		says: "About how many seconds of one core profiles may take; an unknown whose profile is not done by then has an interval from the curvature at the optimum, and a note says so. It is counted in operations: the answer is the same on every machine.",
	},
	priors: {
		type: "boolean",
		default: false,
		says: "Count the declared distributions of the unknowns as knowledge (maximum a posteriori); otherwise they only guide the starts.",
	},
	mode: {
		type: "choice",
		default: "value",
		choices: ["value", "logarithm"],
		says: "Which density is highest at a maximum a posteriori: that of the values, or that of the logarithms of those that are searched so.",
	},
	maxEvaluations: {
		type: "integer",
		default: 200,
		min: 1,
		max: 1_000_000,
		says: "Evaluations after which a start is given up.",
	},
} as const satisfies OptionTable;

export type FitOptions = OptionValues<typeof fitOptions>;
