import type { OptionTable } from "../options.ts";

export const crossCheckOptions = {
	sigmas: {
		type: "integerOrAuto",
		default: "auto",
		min: 1,
		max: 20,
		says: "Standard deviations of a random error that guaranteed takes for its bound; auto: 3, and more for long records, so that all samples of a right model keep to it.",
	},
	missingTerm: {
		type: "boolean",
		default: true,
		says: "Where the model does not explain the data: look for the one term that does.",
	},
	effort: {
		type: "number",
		default: 60,
		min: 0,
		max: 1e9,
		says: "About how many seconds of one core the search for that term may take; what is not tried by then is said. It is counted in operations: the answer is the same on every machine.",
	},
} as const satisfies OptionTable;
