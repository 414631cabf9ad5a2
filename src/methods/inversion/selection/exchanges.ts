/**
 * Which of the chosen terms could be another candidate instead: to first order, from the normal equations at the answer. When u
 * comes in the sum of squares falls by s²/l (its slope and what is left of its column beside the chosen ones); when a then goes it
 * rises by the square of its new value over its new variance, both by a rank-one change.
 */
import { choleskyInto, choleskyInverse } from "../../../num/linear/cholesky.ts";
import { squared } from "../../../num/whole-power.ts";
import type { NormalEquations } from "../descent/normal-equations.ts";

export interface Exchange {
	readonly out: number;
	readonly in: number;
	/** Rise of the sum of squares. */
	readonly rise: number;
}

/** For each chosen term the best other candidate in its place, where the sum of squares then rises by less than `within`. */
export function exchanges(
	{ gram, right }: NormalEquations,
	point: ArrayLike<number>,
	chosen: readonly number[],
	mayMove: (u: number) => boolean,
	within: number,
): Exchange[] {
	const n = right.length;
	const k = chosen.length;
	const l = new Float64Array(k * k);
	for (let i = 0; i < k; i++) for (let j = 0; j <= i; j++) l[i * k + j] = gram[chosen[i] * n + chosen[j]];
	if (!choleskyInto(l, k)) return [];
	const c = choleskyInverse(l, k);
	const inside = new Set(chosen);
	const best = new Map<number, Exchange>();
	const share = new Float64Array(k);
	for (let u = 0; u < n; u++) {
		if (inside.has(u) || !mayMove(u)) continue;
		const cross = chosen.map((a) => gram[u * n + a]);
		let slope = right[u];
		let left = gram[u * n + u];
		for (let i = 0; i < k; i++) {
			let sum = 0;
			for (let j = 0; j < k; j++) sum += c[i * k + j] * cross[j];
			share[i] = sum;
			slope -= sum * right[chosen[i]];
			left -= sum * cross[i];
		}
		// A column that the chosen ones make up says nothing of its own.
		if (!(left > 1e-9 * gram[u * n + u])) continue;
		const fall = (slope * slope) / left;
		for (let i = 0; i < k; i++) {
			if (!mayMove(chosen[i])) continue;
			const value = point[chosen[i]] - (share[i] * slope) / left;
			const rise = squared(value) / (c[i * k + i] + squared(share[i]) / left) - fall;
			if (rise < Math.min(within, best.get(chosen[i])?.rise ?? within))
				best.set(chosen[i], { out: chosen[i], in: u, rise });
		}
	}
	return [...best.values()].sort((a, b) => a.rise - b.rise);
}
