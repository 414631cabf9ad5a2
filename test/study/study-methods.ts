/** Methods with one option of each type, for tests of the study file. */
import type { OptionTable } from "../../src/methods/options.ts";
import type { MethodOptions } from "../../src/study/text/study-file.ts";

const options = {
	starts: { type: "integer", default: 8, min: 1, max: 1000, says: "Starts." },
	tolerance: { type: "number", default: 1e-6, min: 0, max: 1, says: "Tolerance." },
	profile: { type: "boolean", default: true, says: "Profile." },
	integrator: {
		type: "choice",
		default: "auto",
		choices: ["auto", "fixed", "adaptive"],
		says: "Integrator.",
	},
	substeps: { type: "integerOrAuto", default: "auto", min: 1, says: "Substeps." },
} as const satisfies OptionTable;

export const studyMethods: MethodOptions = new Map([
	["fit", { options }],
	["bayes", { options: {} }],
]);
