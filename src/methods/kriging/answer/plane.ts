/** A function over a plane as a plot: the darker the larger, with lines of equal value and the data on top. */
import type { Figure, Mark } from "../../../estimate/figure.ts";
import { contours, roundLevels } from "./contours.ts";

/** Points of the grid along each axis. */
export const planeResolution = 32;

export interface Plane {
	readonly name: string;
	readonly title: string;
	/** What is shown; how to read it is added. */
	readonly caption: string;
	readonly xLabel: string;
	readonly yLabel: string;
	readonly xs: Float64Array;
	readonly ys: Float64Array;
	/** Row by row: those of the first y first. */
	readonly values: Float64Array;
	readonly data: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> };
	readonly small?: boolean;
}

export function planeFigure(plane: Plane): Figure {
	const { xs, ys, values, data, name, title, xLabel, yLabel, small } = plane;
	const levels = roundLevels(values, 7);
	const lines = contours(xs, ys, values, levels);
	const marks: Mark[] = [
		...lines.map(({ above }): Mark => ({ type: "band", ...above, role: "band" })),
		...lines.map(({ x, y }): Mark => ({ type: "line", x, y, role: "model" })),
		{ type: "points", ...data, role: "data" },
	];
	return {
		name,
		title,
		caption: `${plane.caption}; ${reading(levels)}`,
		xLabel,
		yLabel,
		section: "sure",
		levels,
		small,
		marks,
	};
}

function reading(levels: readonly number[]): string {
	const points = "points are where the samples are";
	if (levels.length === 0) return `it is the same everywhere; ${points}`;
	const [first, second] = levels;
	const last = levels[levels.length - 1];
	const step = Number((second - first).toPrecision(6));
	const range =
		levels.length > 1
			? `lines from ${signed(first)} to ${signed(last)} in steps of ${step}`
			: `one line, at ${signed(first)}`;
	return `the darker the larger, ${range}; ${points}`;
}

function signed(value: number): string {
	return String(value).replace("-", "−");
}

/** From the smallest to the largest value, with a margin on both sides. */
export function axisOver(values: ArrayLike<number>, share = 0.05): Float64Array {
	let lo = Number.POSITIVE_INFINITY;
	let hi = Number.NEGATIVE_INFINITY;
	for (let i = 0; i < values.length; i++) {
		lo = Math.min(lo, values[i]);
		hi = Math.max(hi, values[i]);
	}
	const margin = share * (hi - lo);
	const last = planeResolution - 1;
	return Float64Array.from(
		{ length: planeResolution },
		(_, i) => lo - margin + (i / last) * (hi - lo + 2 * margin),
	);
}
