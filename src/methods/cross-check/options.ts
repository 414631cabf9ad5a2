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
} as const satisfies OptionTable;
