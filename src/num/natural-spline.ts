/**
 * Natural cubic splines: piecewise cubic with continuous second derivative, straight outside their knots. A bump is the
 * one that takes the values of a cubic B-spline at the knots, scaled to 1 at its own knot and 0 at both ends; bumps, a
 * straight line and a constant span all natural splines of the knots.
 *
 * Reference: de Boor, A Practical Guide to Splines, chapters IV and IX.
 */

export interface NaturalSpline {
	readonly knots: readonly number[];
	readonly values: Float64Array;
	readonly slopes: Float64Array;
}

/** The natural spline through given values at the knots. */
export function naturalSpline(knots: readonly number[], values: ArrayLike<number>): NaturalSpline {
	const n = knots.length;
	const second = secondDerivatives(knots, values);
	const slopes = new Float64Array(n);
	for (let i = 0; i < n; i++) {
		const left = Math.min(i, n - 2);
		const h = knots[left + 1] - knots[left];
		const chord = (values[left + 1] - values[left]) / h;
		slopes[i] =
			i < n - 1
				? chord - (h * (2 * second[i] + second[i + 1])) / 6
				: chord + (h * (second[left] + 2 * second[i])) / 6;
	}
	return { knots, values: Float64Array.from(values), slopes };
}

/** Number `j` (1 to knots - 2) of the bumps. */
export function splineBump(knots: readonly number[], j: number): NaturalSpline {
	const n = knots.length;
	// One knot more on either side, mirrored.
	const extended = [2 * knots[0] - knots[1], ...knots, 2 * knots[n - 1] - knots[n - 2]];
	const support = extended.slice(j - 1, j + 4);
	const peak = cubicBSpline(support, knots[j]);
	const values = knots.map((x, i) => (i === 0 || i === n - 1 ? 0 : cubicBSpline(support, x) / peak));
	return naturalSpline(knots, values);
}

export function splineAt({ knots, values, slopes }: NaturalSpline, x: number): number {
	const n = knots.length;
	if (x <= knots[0]) return values[0] + slopes[0] * (x - knots[0]);
	if (x >= knots[n - 1]) return values[n - 1] + slopes[n - 1] * (x - knots[n - 1]);
	let i = 0;
	while (x > knots[i + 1]) i++;
	const { b, c, d } = splinePiece({ knots, values, slopes }, i);
	const u = x - knots[i];
	return values[i] + u * (b + u * (c + u * d));
}

/** Piece i from its left end: value + b u + c u² + d u³. */
export function splinePiece(
	{ knots, values, slopes }: NaturalSpline,
	i: number,
): { b: number; c: number; d: number } {
	const h = knots[i + 1] - knots[i];
	const chord = (values[i + 1] - values[i]) / h;
	return {
		b: slopes[i],
		c: (3 * chord - 2 * slopes[i] - slopes[i + 1]) / h,
		d: (slopes[i] + slopes[i + 1] - 2 * chord) / (h * h),
	};
}

/** Second derivatives at the knots, zero at both ends: a tridiagonal system. */
function secondDerivatives(knots: readonly number[], values: ArrayLike<number>): Float64Array {
	const n = knots.length;
	const second = new Float64Array(n);
	const above = new Float64Array(n);
	for (let i = 1; i < n - 1; i++) {
		const before = knots[i] - knots[i - 1];
		const after = knots[i + 1] - knots[i];
		const right = (values[i + 1] - values[i]) / after - (values[i] - values[i - 1]) / before;
		const pivot = 2 * (before + after) - before * above[i - 1];
		above[i] = after / pivot;
		second[i] = (6 * right - before * second[i - 1]) / pivot;
	}
	for (let i = n - 2; i > 0; i--) second[i] -= above[i] * second[i + 1];
	return second;
}

/** The cubic B-spline of five knots at x, by Cox's and de Boor's recurrence. */
function cubicBSpline(knots: readonly number[], x: number): number {
	const values: number[] = [0, 1, 2, 3].map((i) => (x >= knots[i] && x < knots[i + 1] ? 1 : 0));
	for (let degree = 1; degree <= 3; degree++)
		for (let i = 0; i + degree < 4; i++)
			values[i] =
				((x - knots[i]) / (knots[i + degree] - knots[i])) * values[i] +
				((knots[i + degree + 1] - x) / (knots[i + degree + 1] - knots[i + 1])) * values[i + 1];
	return values[0];
}
