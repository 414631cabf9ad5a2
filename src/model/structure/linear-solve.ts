/**
 * Symbolic solution of A x = b. Small systems by Cramer's rule: it divides by the determinant only, so that the
 * answer holds wherever the system is regular, whichever entries vanish on the way (a pendulum on a cart has cos(θ)
 * in its mass matrix). Larger ones by elimination, with constants and parameters as pivots where there are any.
 */
import type { Graph, Node } from "../graph.ts";
import { topological } from "../walk.ts";
import { vanishes } from "./identity.ts";

const largestCramer = 6;

/** `undefined` when A is singular whatever its symbols are. `varies`: symbols that change during a run. */
export function solveLinear(
	graph: Graph,
	matrix: readonly (readonly Node[])[],
	right: readonly Node[],
	varies: (symbol: string) => boolean,
): Node[] | undefined {
	return matrix.length <= largestCramer
		? cramer(graph, matrix, right)
		: eliminate(graph, matrix, right, varies);
}

function cramer(
	graph: Graph,
	matrix: readonly (readonly Node[])[],
	right: readonly Node[],
): Node[] | undefined {
	const determinant = determinantOf(graph, matrix);
	if (vanishes(determinant)) return undefined;
	return right.map((_, column) => {
		const replaced = matrix.map((row, i) => row.with(column, right[i]));
		return graph.div(determinantOf(graph, replaced), determinant);
	});
}

/** By rows, each minor of the lower rows being found once for each set of columns. */
function determinantOf(graph: Graph, matrix: readonly (readonly Node[])[]): Node {
	const n = matrix.length;
	const memo = new Map<number, Node>();
	const minor = (row: number, used: number): Node => {
		if (row === n) return graph.one;
		const known = memo.get(used);
		if (known) return known;
		const terms: Node[] = [];
		let sign = 1;
		for (let column = 0; column < n; column++) {
			if (used & (1 << column)) continue;
			const entry = matrix[row][column];
			if (entry !== graph.zero) {
				const term = graph.mul(entry, minor(row + 1, used | (1 << column)));
				terms.push(sign > 0 ? term : graph.neg(term));
			}
			sign = -sign;
		}
		const value = graph.sum(terms);
		memo.set(used, value);
		return value;
	};
	return minor(0, 0);
}

function eliminate(
	graph: Graph,
	matrix: readonly (readonly Node[])[],
	right: readonly Node[],
	varies: (symbol: string) => boolean,
): Node[] | undefined {
	const n = matrix.length;
	const rows = matrix.map((row, i) => [...row, right[i]]);
	for (let k = 0; k < n; k++) {
		const pivot = choosePivot(rows, k, varies);
		if (pivot < 0) return undefined;
		[rows[k], rows[pivot]] = [rows[pivot], rows[k]];
		for (let i = k + 1; i < n; i++) {
			if (rows[i][k] === graph.zero) continue;
			const factor = graph.div(rows[i][k], rows[k][k]);
			for (let j = k + 1; j <= n; j++) rows[i][j] = graph.sub(rows[i][j], graph.mul(factor, rows[k][j]));
		}
	}
	const solution: Node[] = new Array(n);
	for (let k = n - 1; k >= 0; k--) {
		const known = solution.slice(k + 1).map((x, j) => graph.neg(graph.mul(rows[k][k + 1 + j], x)));
		solution[k] = graph.div(graph.sum([rows[k][n], ...known]), rows[k][k]);
	}
	return solution;
}

/** A constant, else an expression that is constant during a run, else the smallest that is not zero. */
function choosePivot(rows: readonly Node[][], k: number, varies: (symbol: string) => boolean): number {
	let best = -1;
	let bestCost = Number.POSITIVE_INFINITY;
	for (let i = k; i < rows.length; i++) {
		const node = rows[i][k];
		const symbols = topological([node]).filter(({ op }) => op === "sym" || op === "call");
		const cost =
			symbols.length === 0
				? 0
				: node.size + (symbols.some(({ op, name }) => op === "call" || varies(name!)) ? 1e15 : 0);
		if (cost < bestCost && !vanishes(node)) {
			best = i;
			bestCost = cost;
		}
	}
	return best;
}
