/** The problem linearised at a point: fits of fewer unknowns follow from its triangle alone, as long as simulations agree with it. */
import { solveTriangleInto, triangulateInto } from "../../../num/linear/householder.ts";
import { type Departure, departureOf } from "../forward/departure.ts";
import type { WeightedProblem } from "../forward/linearisation.ts";
import type { WeightEvaluation } from "../forward/weight-forward.ts";

export interface Triangle {
	/** R, column by column, and Qᵀr. */
	readonly triangle: Float64Array;
	readonly right: Float64Array;
	/** In segments: steps of all starts that go with a step of the unknowns. */
	follow?(step: Float64Array): Float64Array;
}

/** A fit in the linearised problem. */
export interface LinearPoint {
	readonly point: Float64Array;
	/** Its own triangle. */
	readonly system: Triangle;
}

export class LinearFit {
	constructor(
		readonly problem: WeightedProblem,
		/** At the point, with sensitivities. */
		readonly here: WeightEvaluation,
		readonly point: Float64Array,
		readonly active: readonly number[],
		readonly system: Triangle,
	) {}

	/** Some of the active unknowns alone: the others are where `held` has them. */
	fitOf(active: readonly number[], held: Float64Array): LinearPoint {
		const n = this.active.length;
		const k = active.length;
		const { triangle } = this.system;
		const place = new Map(active.map((u, j) => [u, j]));
		const columns = new Float64Array(n * k);
		const right = this.system.right.slice();
		const step = new Float64Array(n);
		this.active.forEach((u, j) => {
			const own = triangle.subarray(j * n, (j + 1) * n);
			const to = place.get(u);
			if (to !== undefined) columns.set(own, to * n);
			else {
				step[j] = held[u] - this.point[u];
				for (let i = 0; i <= j; i++) right[i] -= own[i] * step[j];
			}
		});
		triangulateInto(columns, n, right, n, k);
		const values = right.slice(0, k);
		solveTriangleInto(values, columns, n, k);
		this.active.forEach((u, j) => {
			const from = place.get(u);
			if (from !== undefined) step[j] = values[from];
		});
		const own = new Float64Array(k * k);
		for (let j = 0; j < k; j++) own.set(columns.subarray(j * n, j * n + j + 1), j * k);
		const point = this.#moved(step);
		for (const u of this.active) if (!place.has(u)) point[u] = held[u];
		return { point, system: { triangle: own, right: new Float64Array(k), follow: this.#followOf(place) } };
	}

	/** How far the simulation of a point is from what this says of it. */
	departure(there: WeightEvaluation, point: Float64Array): Departure {
		return departureOf(this.problem, this.here, this.point, there, point);
	}

	#moved(step: Float64Array): Float64Array {
		const point = this.point.slice();
		this.active.forEach((u, j) => {
			point[u] += step[j];
		});
		const starts = this.system.follow?.(step);
		if (starts)
			for (let k = 0, at = point.length - starts.length; k < starts.length; k++, at++) point[at] += starts[k];
		return point;
	}

	/** Steps of the starts that go with a step of some of the unknowns. */
	#followOf(place: ReadonlyMap<number, number>): Triangle["follow"] {
		const { follow } = this.system;
		return (
			follow &&
			((step) => this.system.follow!(Float64Array.from(this.active, (u) => step[place.get(u) ?? -1] ?? 0)))
		);
	}
}
