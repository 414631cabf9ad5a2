/** Range of a polynomial of the unknowns over a box: cut into pieces along each of one or two unknowns, by best-first search for more. */
import type { Monomials } from "../../../interval/taylor/monomials.ts";
import { shiftPolynomial } from "../../../interval/taylor/polynomial-shift.ts";
import type { TaylorModel, TaylorSpace } from "../../../interval/taylor/taylor-model.ts";
import { wholePower } from "../../../num/whole-power.ts";
import type { FlowSet } from "../flow/flow-set.ts";
import { searchRange } from "./range-search.ts";

/** More unknowns are not cut along each of them, */
const mostGridded = 2;
/** but searched by so many pieces. */
const mostSearched = 17;

export class PolynomialRange {
	readonly #space: TaylorSpace;
	readonly #table: Monomials;
	readonly #model: TaylorModel;
	readonly #a: Float64Array;
	readonly #b: Float64Array;
	readonly #bounds = new Float64Array(2);

	constructor(space: TaylorSpace, table: Monomials) {
		this.#space = space;
		this.#table = table;
		this.#model = space.model();
		this.#a = new Float64Array(space.nVars);
		this.#b = new Float64Array(space.nVars);
	}

	/** Bounds of P, in the scaled unknowns of a set, over a box of these unknowns (stride 2). */
	over(
		P: Float64Array,
		{ centre, scale }: Pick<FlowSet, "centre" | "scale">,
		box: Float64Array,
		pieces: number,
	): [number, number] {
		const nVars = centre.length;
		if (nVars > mostGridded) {
			const found = searchRange(box, (part) => this.#piece(P, { centre, scale }, part), mostSearched)!;
			return [found.lo, found.hi];
		}
		let least = Number.POSITIVE_INFINITY;
		let most = Number.NEGATIVE_INFINITY;
		const total = wholePower(pieces, nVars);
		const part = new Float64Array(2 * nVars);
		for (let k = 0; k < total; k++) {
			for (let v = 0, rest = k; v < nVars; v++, rest = Math.floor(rest / pieces)) {
				const lo = box[2 * v];
				const width = (box[2 * v + 1] - lo) / pieces;
				part[2 * v] = lo + width * (rest % pieces);
				part[2 * v + 1] = lo + width * ((rest % pieces) + 1);
			}
			const { lo, hi } = this.#piece(P, { centre, scale }, part);
			least = Math.min(least, lo);
			most = Math.max(most, hi);
		}
		return [least, most];
	}

	/** Bounds over one piece, whose ends may be off by some roundings, and the unknown that they depend on most. */
	#piece(
		P: Float64Array,
		{ centre, scale }: Pick<FlowSet, "centre" | "scale">,
		box: Float64Array,
	): { lo: number; hi: number; side: number } {
		const nVars = centre.length;
		const { c } = this.#model;
		const [a, b] = [this.#a, this.#b];
		for (let v = 0; v < nVars; v++) {
			const middle = box[2 * v] / 2 + box[2 * v + 1] / 2;
			const half = (box[2 * v + 1] / 2 - box[2 * v] / 2) * (1 + 1e-12);
			a[v] = scale[v] === 0 ? 0 : (middle - centre[v]) / scale[v];
			b[v] = scale[v] === 0 ? 0 : (half + Math.abs(middle) * 1e-15) / scale[v];
		}
		c.set(P);
		this.#model.r = shiftPolynomial(c, this.#table, a, b);
		this.#model.top = 0;
		this.#space.boundsInto(this.#bounds, 0, this.#model);
		let side = 0;
		let most = 0;
		for (let v = 0; v < nVars && c.length > 1; v++) {
			const size = Math.abs(c[this.#table.linear[v]]);
			if (size > most) [side, most] = [v, size];
		}
		return { lo: this.#bounds[0], hi: this.#bounds[1], side };
	}
}
