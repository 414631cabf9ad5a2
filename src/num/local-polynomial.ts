/**
 * Interpolation by the polynomial through the nearest samples, at any sampling: of degree 5 (six samples) it is exact to
 * order h⁶ for smooth functions, and knows nothing of what is far away. By Neville's scheme, with the derivative.
 */

export interface LocalPolynomial {
	at(t: number): number;
	/** Value and slope. */
	withSlope(t: number): { value: number; slope: number };
}

/** `t` rising; `points` samples are used for each value. */
export function localPolynomial(t: Float64Array, y: Float64Array, points = 6): LocalPolynomial {
	const n = t.length;
	const used = Math.min(points, n);
	const p = new Float64Array(used);
	const d = new Float64Array(used);
	let last = 0;
	/** The first of the samples around `time`. */
	const window = (time: number): number => {
		if (!(t[last] <= time && (last + 1 >= n || time < t[last + 1]))) {
			let lo = 0;
			let hi = n - 1;
			while (hi - lo > 1) {
				const middle = (lo + hi) >> 1;
				if (t[middle] <= time) lo = middle;
				else hi = middle;
			}
			last = lo;
		}
		return Math.min(Math.max(last - (used >> 1) + 1, 0), n - used);
	};
	const evaluate = (time: number): void => {
		const from = window(time);
		for (let i = 0; i < used; i++) {
			p[i] = y[from + i];
			d[i] = 0;
		}
		for (let level = 1; level < used; level++)
			for (let i = 0; i + level < used; i++) {
				const [a, b] = [t[from + i], t[from + i + level]];
				const share = (time - a) / (b - a);
				d[i] = (p[i + 1] - p[i]) / (b - a) + (1 - share) * d[i] + share * d[i + 1];
				p[i] = (1 - share) * p[i] + share * p[i + 1];
			}
	};
	return {
		at(time) {
			evaluate(time);
			return p[0];
		},
		withSlope(time) {
			evaluate(time);
			return { value: p[0], slope: d[0] };
		},
	};
}
