/** Which method to take first: the one that the model's declarations were made for. */
import type { Applicability } from "../../src/methods/index.ts";

export function suggestion(verdicts: readonly Applicability[]): { method: string; why: string } | undefined {
	// Methods that ask for more come later.
	const last = verdicts.findLast(({ suits }) => suits !== undefined);
	return last && { method: last.method, why: last.suits! };
}
