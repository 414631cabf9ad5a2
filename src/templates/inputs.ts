/** Typical inputs of sample records. */
import { stream } from "../num/random.ts";
import type { TemplateInput } from "./template.ts";

/** Levels that change at random, each held for `hold`: they excite slow and fast parts of a system alike. */
export function steps(lo: number, hi: number, hold: number): TemplateInput {
	const levels = stream(7, "template-steps");
	return { at: (t) => lo + (hi - lo) * levels.uniform(Math.floor(t / hold + 1e-9)) };
}
