/**
 * Rooted trees, and with them the order conditions of one-step methods (E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary
 * Differential Equations I, II.2; for Rosenbrock methods II, IV.7).
 */
export interface Tree {
	readonly children: readonly Tree[];
	readonly order: number;
	/** The density of the tree: the product of the orders of all its subtrees. */
	readonly density: number;
}

/** All rooted trees with at most `order` vertices, by their number of vertices (index 0 is empty). */
export function treesByOrder(order: number): Tree[][] {
	const byOrder: Tree[][] = [[]];
	for (let n = 1; n <= order; n++) {
		const smaller = byOrder.flat();
		byOrder.push(forests(smaller, n - 1, smaller.length).map(plant));
	}
	return byOrder;
}

/** Multisets of trees among the first `upTo` with `vertices` vertices in all. */
function forests(trees: readonly Tree[], vertices: number, upTo: number): Tree[][] {
	if (vertices === 0) return [[]];
	const found: Tree[][] = [];
	for (let k = 0; k < upTo; k++) {
		if (trees[k].order > vertices) continue;
		for (const rest of forests(trees, vertices - trees[k].order, k + 1)) found.push([trees[k], ...rest]);
	}
	return found;
}

function plant(children: readonly Tree[]): Tree {
	const order = 1 + children.reduce((sum, child) => sum + child.order, 0);
	return { children, order, density: children.reduce((product, child) => product * child.density, order) };
}

/**
 * Elementary weights of the stages. `single` multiplies along an edge to an only child, `many` along the edges to
 * several: for Runge-Kutta methods both are `a`, for Rosenbrock methods alpha + Gamma and alpha.
 */
export function stageWeights(
	tree: Tree,
	single: readonly (readonly number[])[],
	many: readonly (readonly number[])[],
): number[] {
	const matrix = tree.children.length === 1 ? single : many;
	const weights = new Array<number>(matrix.length).fill(1);
	for (const child of tree.children) {
		const below = stageWeights(child, single, many);
		matrix.forEach((row, i) => {
			weights[i] *= row.reduce((sum, a, j) => sum + a * below[j], 0);
		});
	}
	return weights;
}
