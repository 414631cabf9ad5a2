/**
 * How many groups of lanes a kernel works on side by side. Found by measuring: four for short code, and for code of middle
 * length with elementary functions, whose long chains of operations gain from company; two for long code with such
 * functions; one where the registers do not even hold the values of one group.
 */
import type { Block, Kernel, Let } from "../ir.ts";
import type { Shape } from "./values.ts";

/** Lane operations up to which there are four groups, and two. */
const limits = { plain: { four: 200, two: 200 }, chains: { four: 290, two: 3000 } };

export function shapeFor(kernel: Kernel, batch: number): Shape {
	const enough = batch > 4 ? 4 : batch > 2 ? 2 : 1;
	return { width: 2, groups: Math.min(mostGroups(kernel), enough) };
}

const counted = new WeakMap<Kernel, number>();

function mostGroups(kernel: Kernel): number {
	let groups = counted.get(kernel);
	if (groups === undefined) {
		const operations = laneOperations(kernel.body);
		// An exponential that is written out ends in pow2.
		const chains = operations.some(({ op }) => op === "call" || op === "pow2");
		const { four, two } = chains ? limits.chains : limits.plain;
		groups = operations.length <= four ? 4 : operations.length <= two ? 2 : 1;
		counted.set(kernel, groups);
	}
	return groups;
}

function laneOperations(block: Block): Let[] {
	return block.flatMap((statement): Let[] => {
		if (statement.do === "let") return statement.type === "lane" ? [statement] : [];
		if (statement.do === "loop") return laneOperations(statement.body);
		return statement.do === "if" ? [...laneOperations(statement.yes), ...laneOperations(statement.no)] : [];
	});
}
