/**
 * Rows of samples whose errors are not normal: each counts by its weight, and its slope by the information of its law. A density
 * with a corner (Laplace's) has its optimum in corners of some samples, of which the information knows nothing; to climb it
 * rows may hold on to small errors by their weights instead, as least squares that are weighted anew do.
 */
import type { NoiseLaw } from "../law/law.ts";
import type { Observations } from "./observations.ts";
import { isPlain, numbers } from "./sample-terms.ts";

/** From errors over their spreads, in place. */
export function countErrors(
	{ groups }: Observations,
	e: Float64Array,
	jacobian: Float64Array,
	n: number,
	holdsCorners: boolean,
): void {
	for (const group of groups) {
		const { law, from, to } = group;
		if (law.isNormal || law.isCount || !isPlain(group)) continue;
		const isHeld = holdsCorners && law.corner !== undefined;
		const plain = Math.sqrt(law.information.value);
		for (let i = from; i < to; i++) {
			const weight = law.weight(numbers, e[i] * e[i]);
			const root = isHeld ? Math.sqrt(weight) : plain;
			e[i] *= weight / root;
			for (let j = i * n; j < (i + 1) * n; j++) jacobian[j] *= root;
		}
	}
}

/** Rows whose JᵀJ is the information, from those that held on to corners: there ρ² is the size of an error. */
export function informationRows(
	{ groups }: Observations,
	rows: { readonly residual: Float64Array; readonly jacobian: Float64Array },
): { readonly residual: Float64Array; readonly jacobian: Float64Array } {
	const held = groups.filter(
		(group) => isPlain(group) && !group.law.isCount && group.law.corner !== undefined,
	);
	if (held.length === 0) return rows;
	const [residual, jacobian] = [rows.residual.slice(), rows.jacobian.slice()];
	const n = jacobian.length / residual.length;
	for (const { law, from, to } of held)
		for (let i = from; i < to; i++) {
			const { corner, information } = law as NoiseLaw;
			const size = Math.max(residual[i] * residual[i], corner!);
			const factor = Math.sqrt(information.value * size);
			residual[i] /= factor;
			for (let j = i * n; j < (i + 1) * n; j++) jacobian[j] *= factor;
		}
	return { residual, jacobian };
}
