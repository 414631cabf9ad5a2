/** What counts may be next: an interval of whole numbers, from laws that what is known of the mean is spread over. */

import { squared } from "../../num/whole-power.ts";
import { families } from "../law/families.ts";
import { type CountLaw, leastCount, quantile } from "../law/law.ts";

interface Mean {
	readonly mean: number;
	readonly size: number;
}

/** From the least count that is not below the lower share to the least that reaches the upper; all laws count alike. */
export function countBand(law: CountLaw, means: readonly Mean[], share: number): [lo: number, hi: number] {
	const n = means.length;
	const middle = means.reduce((sum, { mean }) => sum + mean, 0) / n;
	const variance =
		means.reduce((sum, { mean, size }) => sum + law.variance(mean, size) + squared(mean - middle), 0) / n;
	const sd = Math.sqrt(variance);
	// About where it is for a normal law, to begin with.
	const reach = quantile(standardNormal, (1 + share) / 2);
	const end = (p: number): number =>
		leastCount(
			(y) => means.reduce((sum, { mean, size }) => sum + law.below(y, mean, size), 0) >= p * n,
			Math.max(0, middle + (p < 0.5 ? -reach : reach) * sd),
			0.1 * sd,
		);
	return [end((1 - share) / 2), end((1 + share) / 2)];
}

const standardNormal = families.normal.number!(0, 1);
/** Middles of equal shares of a standard normal law. */
const nodes = Array.from({ length: 9 }, (_, i) => quantile(standardNormal, (i + 0.5) / 9));

/** Values that a mean may have which is known so well; none is negative. */
export function meansAround(mean: number, sd: number): number[] {
	return nodes.map((node) => Math.max(mean + sd * node, 0));
}
