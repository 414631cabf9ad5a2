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
	const rows = A.length / inner;
	const a = lowering.lower(A);
	const offset = lowering.lower(B);
	const result: Value[] = [];
	for (let i = 0; i < rows; i++)
		for (let m = 0; m < nColumns; m++) {
			let sum: Value | undefined;
			const subtract: Value[] = [];
			for (let j = 0; j < inner; j++) {
				const node = A[i * inner + j];
				const s = S[j * nColumns + m];
				if (isConstant(node, 0)) continue;
				if (isConstant(node, -1)) {
					subtract.push(s);
					continue;
				}
				const term = isConstant(node, 1) ? s : b.mul(a[i * inner + j], s);
				sum = sum ? b.add(sum, term) : term;
			}
			if (!isConstant(B[i * nColumns + m], 0)) {
				const value = offset[i * nColumns + m];
				sum = sum ? b.add(sum, value) : value;
			}
			for (const s of subtract) sum = sum ? b.sub(sum, s) : b.neg(s);
			result.push(sum ?? b.constant(0));
		}
	return result;
}

function isConstant(node: Node, value: number): boolean {
	return node.op === "const" && Q.toDouble(node.value!) === value;
}
