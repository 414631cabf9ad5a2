/**
 * Where a record begins whose doses have been repeated for ever. With x' = A x + g u + b, one dose of the amount a every τ,
 * the next of them θτ after the start, what is left of all earlier ones is the sum of exp(A(k - θ)τ) g a over k = 1, 2, …:
 * in M = -Aτ exp(Mθ)/(exp(M) - 1), which is 1/M + B1(θ) + B2(θ) M/2 + … with Bernoulli's polynomials. What the series
 * leaves out is small where M is, and fades where it is not, since some doses are given after the start in full. So the
 * start is rational in the parameters, at any rate: the rest at the mean rate of the doses, and two corrections.
 */
import type { Graph, Node } from "./graph.ts";
import type { Model } from "./model.ts";
import { affineIn } from "./structure/affine.ts";
import { stabilityMargin } from "./structure/stability.ts";
import { symbolsOf } from "./walk.ts";

/** Conditions of a record that say its repeated doses into one place: mean rate, and the factors of both corrections. */
export const steadyConditions = (name: string): readonly [string, string, string] => [
	`${name}#mean`,
	`${name}#first`,
	`${name}#second`,
];
/** The condition that is 1 in records that begin in a steady state, and 0 in others. */
export const steadyFlag = "#steady";

/** A place of doses: the symbol of their rate in the equations. */
export interface SteadyPlace {
	readonly name: string;
	readonly symbol: string;
}

/**
 * Initial values in a steady state; undefined where the equations are not linear, or nothing holds them. Not a number with
 * values for which doses lead to none: what they left would grow for ever.
 */
export function steadyStart(
	{ graph, components, params, conditions }: Model,
	rhs: readonly Node[],
	places: readonly SteadyPlace[],
): Node[] | undefined {
	const symbols = [...components, ...places.map(({ symbol }) => symbol)];
	const forms = rhs.map((node) => affineIn(graph, node, symbols));
	const constant = new Set([...params, ...conditions].map(({ name }) => name));
	const parts: Node[] = [];
	for (const form of forms) {
		if (!form) return undefined;
		parts.push(form.offset, ...form.coefficients.values());
	}
	if ([...symbolsOf(parts)].some((name) => !constant.has(name))) return undefined;
	const entry = (i: number, name: string): Node => forms[i]!.coefficients.get(name) ?? graph.zero;
	const matrix = components.map((_, i) => components.map((name) => entry(i, name)));
	const right = forms.map((form, i) =>
		graph.neg(
			graph.sum([
				form!.offset,
				...places.map(({ name, symbol }) =>
					graph.mul(entry(i, symbol), graph.sym(steadyConditions(name)[0])),
				),
			]),
		),
	);
	const rest = solved(graph, matrix, right);
	const isStable = graph.compare("lt", graph.zero, stabilityMargin(graph, matrix));
	const none = graph.unary("log", graph.neg(graph.sym(steadyFlag)));
	return rest?.map((value, i) => {
		const left = places.flatMap(({ name, symbol }) => {
			const [, first, second] = steadyConditions(name).map((each) => graph.sym(each));
			const moved = graph.sum(components.map((_, j) => graph.mul(matrix[i][j], entry(j, symbol))));
			return [graph.mul(entry(i, symbol), first), graph.neg(graph.mul(moved, second))];
		});
		return graph.if(isStable, graph.sum([value, ...left]), none);
	});
}

/** Elimination; of the pivots that are not 0 the one that fills least. Undefined where there is none. */
function solved(
	graph: Graph,
	matrix: readonly (readonly Node[])[],
	right: readonly Node[],
): Node[] | undefined {
	const n = right.length;
	const a = matrix.map((row) => [...row]);
	const b = [...right];
	const isZero = (node: Node): boolean => node === graph.zero;
	const rows = new Set(a.keys());
	const columns = new Set(a.keys());
	const order: { row: number; column: number }[] = [];
	while (rows.size > 0) {
		let best: { row: number; column: number; cost: number } | undefined;
		for (const row of rows)
			for (const column of columns) {
				if (isZero(a[row][column])) continue;
				const across = [...columns].filter((j) => !isZero(a[row][j])).length;
				const down = [...rows].filter((i) => !isZero(a[i][column])).length;
				const cost = (across - 1) * (down - 1);
				if (!best || cost < best.cost) best = { row, column, cost };
			}
		if (!best) return undefined;
		const { row, column } = best;
		order.push(best);
		rows.delete(row);
		columns.delete(column);
		for (const i of rows) {
			if (isZero(a[i][column])) continue;
			const factor = graph.div(a[i][column], a[row][column]);
			for (const j of columns) a[i][j] = graph.sub(a[i][j], graph.mul(factor, a[row][j]));
			b[i] = graph.sub(b[i], graph.mul(factor, b[row]));
		}
	}
	const x = new Array<Node>(n).fill(graph.zero);
	const known = new Set<number>();
	for (const { row, column } of order.reverse()) {
		const rest = [...known].map((j) => graph.mul(a[row][j], x[j]));
		x[column] = graph.div(graph.sub(b[row], graph.sum(rest)), a[row][column]);
		known.add(column);
	}
	return x;
}
