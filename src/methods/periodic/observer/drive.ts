/** What drives the model, at the nodes of a grid. */
import { type Grid, sampleOn } from "./grid.ts";

export interface Drive {
	/** One value a node for each drive, node by node. */
	readonly nodes: Float64Array;
	/** All drives at node j. */
	at(j: number): Float64Array;
	/** At the start of the period. */
	readonly start: Float64Array;
}

const none = new Float64Array(0);

export const undriven: Drive = {
	nodes: none,
	at: () => none,
	start: none,
};

/** `functions`: of the phase, 0 to 2π. */
export function driveOn(grid: Grid, functions: readonly ((phi: number) => number)[]): Drive {
	const d = functions.length;
	if (d === 0) return undriven;
	const columns = functions.map((f) => sampleOn(grid, f).nodes);
	const nodes = new Float64Array(grid.count * d);
	columns.forEach((column, i) => {
		column.forEach((value, j) => {
			nodes[j * d + i] = value;
		});
	});
	const rows = Array.from({ length: grid.count }, (_, j) => nodes.subarray(j * d, (j + 1) * d));
	return {
		nodes,
		at: (j) => rows[j],
		start: Float64Array.from(functions, (f) => f(0)),
	};
}
