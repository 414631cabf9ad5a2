/**
 * How many groups of lanes a kernel works on side by side. Found by measuring, on processors of AMD and of Intel: four for short
 * code, whose chains of operations gain from company; two for long code with elementary functions; one where the registers do not
 * even hold the values of one group. What is carried from round to round lies in memory anyway where it is much, and company
 * costs no more of it, as long as the code of a round stays in the instruction cache.
 */
import type { Kernel } from "../ir.ts";
import type { Shape } from "./values.ts";
import { type Work, workOf } from "./work.ts";

/** Lane operations of a round up to which there are four groups; with elementary functions up to which there are two. */
const four = 180;
const twoWithChains = 3000;
/** Lane operations, of all groups, whose code fits into 32 kB; 2,576 are fast, 3,336 take more than twice as long. */
const cached = 2600;

export function shapeFor(kernel: Kernel, batch: number): Shape {
	const enough = batch > 4 ? 4 : batch > 2 ? 2 : 1;
	return { width: 2, groups: Math.min(mostGroups(workOf(kernel)), enough) };
}

function mostGroups({ operations, carriesMuch, chains }: Work): number {
	if (carriesMuch) return [4, 2].find((groups) => groups * operations <= cached) ?? 1;
	return operations <= four ? 4 : chains && operations <= twoWithChains ? 2 : 1;
}
