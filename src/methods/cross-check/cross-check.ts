/** `method: all`: every method that applies, on the same model and the same record, held against one another. */
import { verdictWithinReach } from "../../model/within-reach.ts";
import type { Method } from "../method.ts";
import { answer } from "./answer.ts";
import { CrossCheckRun } from "./cross-check-run.ts";
import { crossCheckOptions } from "./options.ts";
import type { AllSummary } from "./summary.ts";

export function crossCheck(
	methods: readonly Method[],
): Method<CrossCheckRun, typeof crossCheckOptions, AllSummary> {
	return {
		name: "all",
		says: "Every method that applies answers the same question, and the answers are held against one another.",
		accent: methods[0].accent,
		options: crossCheckOptions,
		// It holds the states of the others: one more when one of them has one more.
		stateForm: methods.reduce((sum, { stateForm = 1 }) => sum + stateForm, 1),
		// Those that do not take them say so by themselves.
		takesLimits: true,
		honoursAssumptions: true,
		honoursEvents: true,
		honoursDoses: true,
		honoursPopulations: true,
		takesOwnValues: true,
		takesBoundedInputs: true,
		appliesTo(model) {
			const able = methods
				.filter((method) => verdictWithinReach(model, method).applies)
				.map(({ name }) => name);
			return able.length > 0
				? {
						applies: true,
						why: `Asks ${able.join(", ")}, and others as far as what they need can be derived.`,
					}
				: { applies: false, why: "No method applies to this model as it is." };
		},
		suits: () => undefined,
		async prepare(problem, options) {
			return new CrossCheckRun(methods, problem, options);
		},
		advance: (run) => run.advance(),
		result: answer,
		glimpse: (run) => run.glimpse,
		save: (run) => new TextEncoder().encode(run.save()),
		async load(problem, options, bytes) {
			const run = new CrossCheckRun(methods, problem, options);
			await run.restore(new TextDecoder().decode(bytes));
			return run;
		},
	};
}
