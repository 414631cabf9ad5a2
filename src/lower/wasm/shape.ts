/**
 * How many groups of lanes a kernel works on side by side. Found by measuring: four for short code, and for code of middle
 * length with elementary functions, whose long chains of operations gain from company; two for long code with such
 * functions; one where the registers do not even hold the values of one group. What is carried from round to round lies
 * in memory anyway where it is much, and company costs no more of it.
 */
import type { Kernel } from "../ir.ts";
import type { Shape } from "./values.ts";
import { type Work, workOf } from "./work.ts";

/** Lane operations of a round up to which there are four groups, and two. */
const limits = {
	plain: { four: 180, two: 180 },
	carrying: { four: 250, two: 700 },
	chains: { four: 130, two: 3000 },
};

export function shapeFor(kernel: Kernel, batch: number): Shape {
	const enough = batch > 4 ? 4 : batch > 2 ? 2 : 1;
	return { width: 2, groups: Math.min(mostGroups(workOf(kernel)), enough) };
}

function mostGroups({ operations, carriesMuch, chains }: Work): number {
	const { four, two } = limits[carriesMuch ? "carrying" : chains ? "chains" : "plain"];
	return operations <= four ? 4 : operations <= two ? 2 : 1;
}
