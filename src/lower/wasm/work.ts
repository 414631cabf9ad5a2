/** How much a kernel does in a round of its loops, by which its form is chosen. */
import type { Block, Kernel, Let } from "../ir.ts";

export interface Work {
	/** Lane operations of a round; of the whole where there is no loop. */
	readonly operations: number;
	/** Numbers that go from round to round, beside the operations on them: one for every seven or fewer. */
	readonly carriesMuch: boolean;
	/** Elementary functions: long chains of operations, each waiting for the one before it. */
	readonly chains: boolean;
}

const known = new WeakMap<Kernel, Work>();

export function workOf(kernel: Kernel): Work {
	const found = known.get(kernel) ?? counted(kernel);
	known.set(kernel, found);
	return found;
}

function counted({ body, variables }: Kernel): Work {
	const all = laneOperations(body);
	const inside = body.flatMap((statement) => (statement.do === "loop" ? laneOperations(statement.body) : []));
	const operations = inside.length > 0 ? inside.length : all.length;
	const carried = variables.filter((type) => type === "lane").length;
	return {
		operations,
		carriesMuch: 7 * carried >= operations,
		// An exponential that is written out ends in pow2.
		chains: all.some(({ op }) => op === "call" || op === "pow2"),
	};
}

function laneOperations(block: Block): Let[] {
	return block.flatMap((statement): Let[] => {
		if (statement.do === "let") return statement.type === "lane" ? [statement] : [];
		if (statement.do === "loop") return laneOperations(statement.body);
		return statement.do === "if" ? [...laneOperations(statement.yes), ...laneOperations(statement.no)] : [];
	});
}
