/**
 * A step of the solver as a linear map. Without data the gains K of the equations are numbers that depend on the steps
 * alone, X := X - K (X_n - F(X)), so that the solver is a method like any other, and its linearisation says how the
 * uncertainty of a latent force goes into the state: the equation moves the state and tells nothing of the force.
 */
import type { EntryAlgebra, Row } from "./covariance.ts";
import type { Layout } from "./layout.ts";

/** Rows by coordinate. `slopes`: of F of each block; `gain`: of each coordinate. */
export function equationRows<V>(
	a: EntryAlgebra<V>,
	{ blocks }: Layout,
	slopes: readonly Row<V>[],
	gain: (block: number, i: number) => V,
): Map<number, Row<V>> {
	const rows = new Map<number, Row<V>>();
	for (const [k, { from, q, order }] of blocks.entries()) {
		const at = from + order;
		rows.set(at, slopes[k]);
		for (let i = from; i <= from + q; i++) {
			if (i === at) continue;
			const K = gain(k, i);
			rows.set(i, [
				{ at: i, value: 1 },
				{ at, value: a.times(K, -1) },
				...slopes[k].map(({ at: on, value }) => ({ at: on, value: value === 1 ? K : a.mul(value, K) })),
			]);
		}
	}
	return rows;
}
