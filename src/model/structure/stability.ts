/**
 * Whether x' = A x fades, as an expression: positive where all eigenvalues of A have negative real parts. States that move
 * one another are looked at together: up to three by Hurwitz's conditions; more where none takes from another, as of
 * compartments, by the pivots of -A (an M-matrix). Of other matrices of four and more nothing is said: 1.
 */
import type { Graph, Node } from "../graph.ts";
import { strongComponents } from "./strong-components.ts";

type Matrix = readonly (readonly Node[])[];

export function stabilityMargin(graph: Graph, matrix: Matrix): Node {
	const moving = (i: number): number[] => [...matrix.keys()].filter((j) => matrix[i][j] !== graph.zero);
	const margins = strongComponents(matrix.length, moving).flatMap((group) => {
		const own = group.map((i) => group.map((j) => graph.neg(matrix[i][j])));
		if (group.length <= 3) return hurwitz(graph, own);
		const others = own.flatMap((row, i) => row.filter((_, j) => j !== i));
		const gives = least(
			graph,
			others.map((each) => graph.neg(each)),
		);
		return [graph.if(graph.compare("le", graph.zero, gives), least(graph, pivots(graph, own)), graph.one)];
	});
	return least(graph, margins);
}

function least(graph: Graph, nodes: readonly Node[]): Node {
	return nodes.reduce((a, b) => graph.binary("min", a, b));
}

/** All positive where the eigenvalues of b (3 × 3 at most) have positive real parts. */
function hurwitz(graph: Graph, b: Matrix): Node[] {
	const n = b.length;
	const minor = (i: number, j: number, k: number, l: number): Node =>
		graph.sub(graph.mul(b[i][k], b[j][l]), graph.mul(b[i][l], b[j][k]));
	if (n === 1) return [b[0][0]];
	const trace = graph.sum(b.map((row, i) => row[i]));
	if (n === 2) return [trace, minor(0, 1, 0, 1)];
	const determinant = graph.sum([
		graph.mul(b[0][0], minor(1, 2, 1, 2)),
		graph.neg(graph.mul(b[0][1], minor(1, 2, 0, 2))),
		graph.mul(b[0][2], minor(1, 2, 0, 1)),
	]);
	const second = graph.sum([minor(0, 1, 0, 1), minor(0, 2, 0, 2), minor(1, 2, 1, 2)]);
	return [trace, determinant, graph.sub(graph.mul(trace, second), determinant)];
}

/** Of elimination along the diagonal, those that fill least first. */
function pivots(graph: Graph, matrix: Matrix): Node[] {
	const a = matrix.map((row) => [...row]);
	const left = new Set(a.keys());
	const found: Node[] = [];
	while (left.size > 0) {
		const others = (k: number): number[] => [...left].filter((j) => j !== k && a[k][j] !== graph.zero);
		const best = [...left].reduce((k, l) => (others(l).length < others(k).length ? l : k));
		const row = others(best);
		left.delete(best);
		found.push(a[best][best]);
		for (const i of left) {
			if (a[i][best] === graph.zero) continue;
			const factor = graph.div(a[i][best], a[best][best]);
			for (const j of row) a[i][j] = graph.sub(a[i][j], graph.mul(factor, a[best][j]));
		}
	}
	return found;
}
