/**
 * How far a point is from the data of an unknown function, in units of the distance at which it is far: three times the
 * widest gap between neighbouring observations, or half their spread.
 */
import type { Site } from "./field-design.ts";
import type { LearnedField } from "./learned-field.ts";

/** Half the spread of the (scaled) arguments. */
const least = 0.5;

export class DataDistance {
	readonly #points: readonly (readonly Float64Array[])[];
	readonly #far: readonly number[];

	constructor({ design, data }: LearnedField) {
		this.#points = design.functions.map((_, fn) =>
			data.sites.filter(({ of }) => of === fn).map((site) => site.x),
		);
		this.#far = this.#points.map((points) => {
			const nearest = points.map((a, i) =>
				points.reduce(
					(found, b, j) => (i === j ? found : Math.min(found, distance(a, b))),
					Number.POSITIVE_INFINITY,
				),
			);
			return Math.max(3 * Math.max(...nearest), least);
		});
	}

	/** 1 and more: far from all data. */
	of({ of, x }: Site): number {
		let nearest = Number.POSITIVE_INFINITY;
		for (const point of this.#points[of]) nearest = Math.min(nearest, distance(point, x));
		return nearest / this.#far[of];
	}
}

function distance(a: Float64Array, b: Float64Array): number {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
	return Math.sqrt(sum);
}
