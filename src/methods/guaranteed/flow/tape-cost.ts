/** What one evaluation of a tape in Taylor models costs. */
import type { TaylorSpace } from "../../../interval/taylor-model.ts";
import type { Tape } from "../../../lower/interval/tape.ts";

/** Products for one evaluation of a tape, about: of two models as many as there are pairs of terms, a function some of these. */
export function costOf({ instructions }: Tape, { M, timeOrder, order, table, size }: TaylorSpace): number {
	let pairs = 0;
	for (let m = 0; m < M; m++) pairs += table.upTo[order - table.degree[m]];
	const product = (pairs * (timeOrder + 1) * (timeOrder + 2)) / 2;
	return instructions.reduce((sum, { op, n }) => {
		if (op === "mul") return sum + product + 4 * size;
		if (op === "powInt") return sum + (n - 1) * (product + 4 * size);
		if (op === "recip") return sum + 2 * product;
		return (
			sum + ("exp log sin cos tan sinh cosh tanh atan asin pow".includes(op) ? 8 * product : 4 * size) + 50
		);
	}, 200);
}
