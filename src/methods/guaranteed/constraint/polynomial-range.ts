/** Range of a polynomial of the unknowns over a box, cut into pieces along each unknown. */
import type { Monomials } from "../../../interval/monomials.ts";
import { shiftPolynomial } from "../../../interval/polynomial-shift.ts";
import type { TaylorModel, TaylorSpace } from "../../../interval/taylor-model.ts";
import { pow } from "../../../num/elementary/number.ts";
import { wholePower } from "../../../num/whole-power.ts";
import type { FlowSet } from "../flow/flow-set.ts";

/** Pieces in all, whatever the number of unknowns. */
const mostPieces = 256;

export class PolynomialRange {
	readonly #space: TaylorSpace;
	readonly #table: Monomials;
	readonly #piece: TaylorModel;

	constructor(space: TaylorSpace, table: Monomials) {
		this.#space = space;
		this.#table = table;
		this.#piece = space.model();
	}

	/** Bounds of P, in the scaled unknowns of a set, over a box of these unknowns (stride 2). */
	over(
		P: Float64Array,
		{ centre, scale }: Pick<FlowSet, "centre" | "scale">,
		box: Float64Array,
		pieces: number,
	): [number, number] {
		const nVars = centre.length;
		const per =
			nVars === 0 ? 1 : Math.max(1, Math.min(pieces, Math.floor(pow(mostPieces, 1 / nVars) + 1e-9)));
		let least = Number.POSITIVE_INFINITY;
		let most = Number.NEGATIVE_INFINITY;
		const total = wholePower(per, nVars);
		const c = this.#piece.c;
		const a = new Float64Array(nVars);
		const b = new Float64Array(nVars);
		const bounds = new Float64Array(2);
		for (let k = 0; k < total; k++) {
			for (let v = 0, rest = k; v < nVars; v++, rest = Math.floor(rest / per)) {
				const lo = box[2 * v];
				const width = (box[2 * v + 1] - lo) / per;
				const half = (width / 2) * (1 + 1e-12);
				const middle = lo + width * ((rest % per) + 0.5);
				a[v] = scale[v] === 0 ? 0 : (middle - centre[v]) / scale[v];
				b[v] = scale[v] === 0 ? 0 : (half + Math.abs(middle) * 1e-15) / scale[v];
			}
			c.set(P);
			this.#piece.r = shiftPolynomial(c, this.#table, a, b);
			this.#piece.top = 0;
			this.#space.boundsInto(bounds, 0, this.#piece);
			least = Math.min(least, bounds[0]);
			most = Math.max(most, bounds[1]);
		}
		return [least, most];
	}
}
