/** Contraction of a box by all constraints at once: each is taken for linear on the box, the rest of it bounded, and the box shrinks to what is around the polytope. */
import type { Constraint, ConstraintReader } from "./constraint.ts";
import { Polytope } from "./polytope.ts";

const U = 2 ** -53;

const made = new Map<number, Polytope>();
function polytopeOf(n: number): Polytope {
	const known = made.get(n) ?? new Polytope(n);
	made.set(n, known);
	return known;
}

/** Narrows the box in place; false when nothing is left. */
export function contractTogether(
	reader: (constraint: Constraint) => ConstraintReader,
	constraints: readonly Constraint[],
	box: Float64Array,
): boolean {
	const n = box.length / 2;
	if (n < 2 || constraints.length < 2) return true;
	const polytope = polytopeOf(n);
	polytope.clear(constraints.length);
	for (const constraint of constraints)
		if (!reader(constraint).addRow(constraint, box, polytope)) return false;
	if (polytope.rows < 2) return true;
	for (let k = 0; k < n; k++) {
		const lo = box[2 * k];
		const hi = box[2 * k + 1];
		if (lo === hi) continue;
		// As the reader scales it.
		const middle = lo / 2 + hi / 2;
		const half = Math.max(hi - middle, middle - lo) * (1 + 4 * U);
		const wide = (Math.abs(middle) + half) * 8 * U;
		const least = polytope.least(k, 1);
		const most = polytope.least(k, -1);
		if (least > 1 || most > 1) return false;
		if (least > -1) box[2 * k] = Math.max(lo, middle + half * least - wide);
		if (most > -1) box[2 * k + 1] = Math.min(hi, middle - half * most + wide);
		if (!(box[2 * k] <= box[2 * k + 1])) return false;
	}
	return true;
}
