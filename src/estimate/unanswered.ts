/** The result of a method that has no answer: why, and what there is all the same. */
import type { Result } from "./result.ts";

export function unanswered<Summary>(
	result: Pick<Result<Summary>, "method" | "outcome" | "message" | "summary"> & Partial<Result<Summary>>,
): Result<Summary> {
	return {
		answered: false,
		parameters: [],
		intervalName: "",
		predictions: [],
		doubts: [],
		assumptions: [],
		figures: [],
		files: [],
		references: [],
		...result,
	};
}
