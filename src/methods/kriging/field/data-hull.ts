/**
 * Where a function is seen and where it is extrapolated, by leverage: how much the prediction of a polynomial at a point
 * would scatter, beside the most that it does at any point of the data. Up to 1 a point is inside their hull; it rises
 * with the power 2 degree of the distance.
 *
 * Reference: Cook, "Influential observations in linear regression", 1979 (the independent variable hull).
 */
import { choleskyInto, solveLowerInto } from "../../../num/linear/cholesky.ts";
import { wholePower } from "../../../num/whole-power.ts";
import type { Site } from "./field-design.ts";
import type { LearnedField } from "./learned-field.ts";
import { monomials, monomialsAt } from "./monomials.ts";

/** Keeps directions that the data do not show from dividing by nothing. */
const ridge = 1e-9;

export class DataHull {
	readonly #leverage: readonly ((x: Float64Array) => number)[];
	readonly #most: readonly number[];

	constructor(
		{ design, data }: Pick<LearnedField, "design" | "data">,
		readonly degree: number,
	) {
		const points = design.functions.map((_, fn) =>
			data.sites.filter(({ of }) => of === fn).map((site) => site.x),
		);
		this.#leverage = design.functions.map(({ argNames }, fn) =>
			leverageOf(monomials(argNames.length, degree), points[fn]),
		);
		this.#most = points.map((own, fn) => own.reduce((most, x) => Math.max(most, this.#leverage[fn](x)), 0));
	}

	/** Leverage in units of the largest of the data. */
	leverage({ of, x }: Site): number {
		return this.#leverage[of](x) / this.#most[of];
	}

	/** A point so many times as far from the middle of the data as these reach. */
	isBeyond(reach: number, site: Site): boolean {
		return !(this.leverage(site) <= wholePower(reach, 2 * this.degree));
	}
}

/** p(x)ᵀ (Σ p pᵀ)⁻¹ p(x), for the monomials p. */
function leverageOf(
	basis: readonly (readonly number[])[],
	points: readonly Float64Array[],
): (x: Float64Array) => number {
	const m = basis.length;
	const gram = new Float64Array(m * m);
	for (const x of points) {
		const row = monomialsAt(basis, x);
		for (let i = 0; i < m; i++) for (let j = 0; j <= i; j++) gram[i * m + j] += row[i] * row[j];
	}
	for (let i = 0; i < m; i++) gram[i * m + i] += ridge * points.length;
	choleskyInto(gram, m);
	return (x) => {
		const row = monomialsAt(basis, x);
		solveLowerInto(row, gram, m);
		return row.reduce((sum, value) => sum + value * value, 0);
	};
}
