/** Small linear combinations of values, as code. */
import type { Node } from "../../model/graph.ts";
import * as Q from "../../model/rational.ts";
import type { Builder, Value } from "../builder.ts";
import type { ExpressionLowering } from "../expression.ts";

/** x + h·Σ w_j·k_j; terms of equal weight are added first. */
export function addScaled(
	b: Builder,
	x: Value,
	h: Value,
	weights: readonly number[],
	k: readonly Value[],
): Value {
	const groups = new Map<number, Value>();
	for (const [j, value] of k.entries()) {
		const weight = weights[j];
		if (weight === 0) continue;
		const sum = groups.get(weight);
		groups.set(weight, sum ? b.add(sum, value) : value);
	}
	let change: Value | undefined;
	for (const [weight, sum] of groups) {
		const term = b.mul(weight === 1 ? h : b.mul(h, b.constant(weight)), sum);
		change = change ? b.add(change, term) : term;
	}
	return change ? b.add(x, change) : x;
}

/**
 * A·S + B for a matrix A and an optional B of expressions (row-major) and a matrix S of values with `nColumns` columns.
 * Zeros and ones cost nothing.
 */
export function matrixTimes(
	b: Builder,
	lowering: ExpressionLowering,
	A: readonly Node[],
	S: readonly Value[],
	B: readonly Node[],
	nColumns: number,
): Value[] {
	if (nColumns === 0) return [];
	const inner = S.length / nColumns;
	const rows = rowsOf(lowering, A, inner);
	const offset = lowering.lower(B);
	return rows.flatMap((row, i) =>
		Array.from({ length: nColumns }, (_, m) => {
			const at = i * nColumns + m;
			const direct = isConstant(B[at], 0) ? undefined : offset[at];
			return rowTimes(b, row, (j) => S[j * nColumns + m], direct) ?? b.constant(0);
		}),
	);
}

/** What is not zero in a row of a matrix of expressions. */
export type Row = readonly { readonly column: number; readonly node: Node; readonly value: Value }[];

export function rowsOf(lowering: ExpressionLowering, A: readonly Node[], nColumns: number): Row[] {
	const values = lowering.lower(A);
	return Array.from({ length: A.length / nColumns }, (_, i) =>
		Array.from({ length: nColumns }, (_, column) => ({
			column,
			node: A[i * nColumns + column],
			value: values[i * nColumns + column],
		})).filter(({ node }) => !isConstant(node, 0)),
	);
}

/** A row times a column, plus `direct`; undefined where there is nothing to add. */
export function rowTimes(
	b: Builder,
	row: Row,
	column: (j: number) => Value,
	direct?: Value,
): Value | undefined {
	let sum: Value | undefined;
	for (const { column: j, node, value } of row) {
		if (isConstant(node, -1)) continue;
		const term = isConstant(node, 1) ? column(j) : b.mul(value, column(j));
		sum = sum ? b.add(sum, term) : term;
	}
	if (direct) sum = sum ? b.add(sum, direct) : direct;
	for (const { column: j, node } of row)
		if (isConstant(node, -1)) sum = sum ? b.sub(sum, column(j)) : b.neg(column(j));
	return sum;
}

export function isConstant(node: Node, value: number): boolean {
	return node.op === "const" && Q.toDouble(node.value!) === value;
}
