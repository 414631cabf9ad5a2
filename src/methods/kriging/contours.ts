/** Lines of equal height of a function on a grid (marching squares), as one broken line a level. */

export interface Contour {
	readonly level: number;
	/** Points of the segments, with NaN between two segments. */
	readonly x: Float64Array;
	readonly y: Float64Array;
}

/** `values[j * xs.length + i]` belongs to (xs[i], ys[j]). */
export function contours(
	xs: Float64Array,
	ys: Float64Array,
	values: Float64Array,
	levels: readonly number[],
): Contour[] {
	const n = xs.length;
	return levels.map((level) => {
		const x: number[] = [];
		const y: number[] = [];
		for (let j = 0; j + 1 < ys.length; j++)
			for (let i = 0; i + 1 < n; i++) {
				// Corners around the cell, and where the level crosses its sides.
				const corners = [
					[i, j],
					[i + 1, j],
					[i + 1, j + 1],
					[i, j + 1],
				];
				const crossings: [number, number][] = [];
				for (let k = 0; k < 4; k++) {
					const [ai, aj] = corners[k];
					const [bi, bj] = corners[(k + 1) % 4];
					const a = values[aj * n + ai] - level;
					const b = values[bj * n + bi] - level;
					if (!(a < 0 !== b < 0)) continue;
					const share = a / (a - b);
					crossings.push([xs[ai] + share * (xs[bi] - xs[ai]), ys[aj] + share * (ys[bj] - ys[aj])]);
				}
				for (let k = 0; k + 1 < crossings.length; k += 2) {
					x.push(crossings[k][0], crossings[k + 1][0], Number.NaN);
					y.push(crossings[k][1], crossings[k + 1][1], Number.NaN);
				}
			}
		return { level, x: Float64Array.from(x), y: Float64Array.from(y) };
	});
}

/** About `count` round levels between the smallest and the largest value. */
export function roundLevels(values: Float64Array, count: number): number[] {
	let lo = Number.POSITIVE_INFINITY;
	let hi = Number.NEGATIVE_INFINITY;
	for (const value of values) {
		lo = Math.min(lo, value);
		hi = Math.max(hi, value);
	}
	if (!(hi > lo)) return [];
	const raw = (hi - lo) / count;
	let unit = 1;
	while (unit > raw) unit /= 10;
	while (unit * 10 <= raw) unit *= 10;
	const step =
		raw / unit < 1.5 ? unit : raw / unit < 3.5 ? 2 * unit : raw / unit < 7.5 ? 5 * unit : 10 * unit;
	const first = Math.ceil(lo / step);
	const levels: number[] = [];
	for (let k = first; k * step <= hi; k++) levels.push(Number((k * step).toPrecision(12)));
	return levels;
}
