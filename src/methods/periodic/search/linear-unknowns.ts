/**
 * Unknowns in which ŷ is affine for fixed others, though with coefficients that depend on them: conductances in front of
 * gates, levels of hidden states. They are found by linear least squares within each step of the search (variable
 * projection; Golub and Pereyra 2003, in Kaufman's form), which leaves fewer dimensions and far fewer wrong turns.
 */

import type { Unknown } from "../../../estimate/unknowns/unknowns.ts";
import { Dependence } from "../../../model/dependence.ts";
import { affineIn } from "../../../model/structure/affine.ts";
import { dot } from "../../../num/linear/dense.ts";
import type { PeriodicForm } from "../form/form.ts";

/** Positions in λ. */
export function linearUnknowns(form: PeriodicForm, unknowns: readonly Unknown[]): number[] {
	const { graph, hidden, lambda, g } = form;
	const dependence = new Dependence();
	const chosen: string[] = [];
	const positions: number[] = [];
	const inHidden = (name: string): boolean =>
		hidden.some(({ alpha, w, loop }) =>
			[...(loop?.row ?? [alpha]), w].some((node) => dependence.has(node, name)),
		);
	const affine = (symbol: string): boolean =>
		g.every((row) => {
			const form = affineIn(graph, row, [symbol]);
			const coefficient = form?.coefficients.get(symbol);
			return (
				form !== undefined && (!coefficient || !chosen.some((name) => dependence.has(coefficient, name)))
			);
		});
	const levels = hidden.filter(({ closure }) => closure).map(({ component }) => component);
	unknowns.forEach(({ lo, hi, scale }, i) => {
		if (lo !== Number.NEGATIVE_INFINITY || hi !== Number.POSITIVE_INFINITY || scale !== "linear") return;
		const symbol = lambda[i] ?? levels[i - lambda.length];
		if (inHidden(symbol) || !affine(symbol)) return;
		chosen.push(symbol);
		positions.push(i);
	});
	return positions;
}

/** Orthonormal columns, and their triangle: column a of `columns` is Σ_b r[a][b] q[b]. */
export interface Orthonormal {
	readonly q: readonly Float64Array[];
	readonly r: readonly (readonly number[])[];
}

export function orthonormal(columns: readonly Float64Array[]): Orthonormal {
	const q: Float64Array[] = [];
	const r: number[][] = [];
	for (const column of columns) {
		const rest = column.slice();
		const row = new Array<number>(q.length + 1).fill(0);
		// Twice is enough.
		for (let pass = 0; pass < 2; pass++)
			q.forEach((unit, b) => {
				const share = dot(unit, rest);
				row[b] += share;
				subtractInto(rest, share, unit);
			});
		const norm = Math.sqrt(dot(rest, rest));
		row[q.length] = norm;
		r.push(row);
		q.push(norm > 0 ? rest.map((value) => value / norm) : rest);
	}
	return { q, r };
}

/** The change of the coefficients that makes residual + columns · change least. */
export function leastChange({ q, r }: Orthonormal, residual: Float64Array): Float64Array {
	const change = new Float64Array(q.length);
	for (let a = q.length - 1; a >= 0; a--) {
		let value = -dot(q[a], residual);
		for (let b = a + 1; b < q.length; b++) value -= r[b][a] * change[b];
		change[a] = r[a][a] > 0 ? value / r[a][a] : 0;
	}
	return change;
}

/** Takes the share of the columns off `values`. */
export function projectInto(values: Float64Array, { q }: Orthonormal): void {
	for (const unit of q) subtractInto(values, dot(unit, values), unit);
}

function subtractInto(out: Float64Array, share: number, unit: Float64Array): void {
	for (let i = 0; i < out.length; i++) out[i] -= share * unit[i];
}
