/** What the conditions of the experiments cannot tell apart: combinations of a parameter's terms that are zero in all of them. */
import { nullSpace, roundingError } from "../../../estimate/least-squares/null-space.ts";
import type { Setting } from "../forward/weight-forward.ts";

/** For each parameter: combinations of its weights that can be added without any effect, as text. */
export function conditionCombinations({ candidates, experiments, factors }: Setting): string[] {
	const { weights } = candidates;
	const nWeights = weights.length;
	return candidates.inner.flatMap((_, inner) => {
		const own = weights.flatMap((weight, w) => (weight.inner === inner ? [w] : []));
		const n = own.length;
		if (n < 2) return [];
		const matrix = new Float64Array(experiments.length * n);
		for (let e = 0; e < experiments.length; e++)
			for (let k = 0; k < n; k++) matrix[e * n + k] = factors[e * nWeights + own[k]];
		const { open, norms } = nullSpace(matrix, n, { error: roundingError });
		return open.map((direction) =>
			combinationText(own.map((w, k) => ({ name: weights[w].name, share: direction[k] / norms[k] }))),
		);
	});
}

function combinationText(parts: readonly { name: string; share: number }[]): string {
	const largest = parts.reduce((a, b) => (Math.abs(b.share) > Math.abs(a.share) * (1 + 1e-9) ? b : a));
	return parts
		.map(({ name, share }) => ({ name, share: share / largest.share }))
		.filter(({ share }) => Math.abs(share) > 1e-9)
		.map(({ name, share }, k) => {
			const size = Math.abs(share);
			const sign = share < 0 ? (k === 0 ? "-" : " - ") : k === 0 ? "" : " + ";
			return `${sign}${Math.abs(size - 1) < 1e-9 ? "" : `${Number(size.toPrecision(3))}·`}${name}`;
		})
		.join("");
}
