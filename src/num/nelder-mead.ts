/**
 * Minimum of a function of a few variables without derivatives, by a simplex that reflects, expands and contracts, within
 * bounds (a point outside is put on the bound). Restarted from the best point until a restart gains nothing.
 *
 * Reference: Nelder, Mead, "A simplex method for function minimization", Computer Journal 7, 1965; its coefficients
 * (reflection 1, expansion 2, contraction and shrinking 1/2).
 */

export interface SimplexMinimum {
	readonly x: Float64Array;
	readonly value: number;
	readonly converged: boolean;
	readonly evaluations: number;
}

export function nelderMead(
	f: (x: Float64Array) => number,
	start: Float64Array,
	lo: ArrayLike<number>,
	hi: ArrayLike<number>,
	{ tolerance = 1e-12, maxEvaluations = 5000, firstStep = 0.1 } = {},
): SimplexMinimum {
	const n = start.length;
	let evaluations = 0;
	const value = (x: Float64Array): number => {
		evaluations++;
		const found = f(x);
		return Number.isNaN(found) ? Number.POSITIVE_INFINITY : found;
	};
	const clamped = (x: Float64Array): Float64Array => x.map((xi, i) => Math.min(Math.max(xi, lo[i]), hi[i]));
	let best = { x: clamped(start), value: Number.POSITIVE_INFINITY };
	best.value = value(best.x);
	for (let step = firstStep, converged = false; ; step /= 2) {
		const before = best.value;
		converged = descend(step);
		const gained = before - best.value > tolerance * Math.abs(best.value);
		if (evaluations >= maxEvaluations || (converged && !gained))
			return { ...best, converged: converged && !gained, evaluations };
	}

	/** One simplex around the best point, until it has shrunk; false when the evaluations ran out. */
	function descend(step: number): boolean {
		const points = [best];
		for (let i = 0; i < n; i++) {
			const x = best.x.slice();
			const size = step * (Math.abs(x[i]) || 1);
			x[i] += x[i] + size <= hi[i] ? size : -size;
			const inside = clamped(x);
			points.push({ x: inside, value: value(inside) });
		}
		while (evaluations < maxEvaluations) {
			points.sort((p, q) => p.value - q.value);
			best = points[0];
			const worst = points[n];
			const spread = points.reduce(
				(most, { x }) =>
					Math.max(most, ...x.map((xi, i) => Math.abs(xi - best.x[i]) / (Math.abs(best.x[i]) || 1))),
				0,
			);
			if (!(worst.value - best.value > tolerance * Math.abs(best.value)) || spread < tolerance) return true;
			const centre = new Float64Array(n);
			for (const { x } of points.slice(0, n)) for (let i = 0; i < n; i++) centre[i] += x[i] / n;
			const along = (factor: number): { x: Float64Array; value: number } => {
				const x = clamped(centre.map((c, i) => c + factor * (worst.x[i] - c)));
				return { x, value: value(x) };
			};
			const reflected = along(-1);
			if (reflected.value < best.value) {
				const expanded = along(-2);
				points[n] = expanded.value < reflected.value ? expanded : reflected;
			} else if (reflected.value < points[n - 1].value) points[n] = reflected;
			else {
				const contracted = along(reflected.value < worst.value ? -0.5 : 0.5);
				if (contracted.value < Math.min(reflected.value, worst.value)) points[n] = contracted;
				else
					for (let k = 1; k <= n; k++) {
						const x = points[k].x.map((xi, i) => best.x[i] + (xi - best.x[i]) / 2);
						points[k] = { x, value: value(x) };
					}
			}
		}
		best = points.reduce((p, q) => (q.value < p.value ? q : p));
		return false;
	}
}
