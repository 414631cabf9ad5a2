/**
 * Where the least squares on all outputs begins. An output alone may leave a parameter so unsure that what it found may lie nearer to another
 * optimum of all outputs than to the best: then the search begins from both sides of it, and from where the study says, too.
 */
import { squared } from "../../../num/whole-power.ts";
import { isLoose } from "../adjustment/influence.ts";
import type { Natural } from "../adjustment/natural.ts";
import type { Polished } from "../polish/polish.ts";

/** What was found; then others where something of it is unsure. */
export function startsAround(natural: Natural, given: Readonly<Record<string, number>>): Natural[] {
	const loose = new Set(natural.params.filter((value) => isLoose(value, undefined)).map(({ name }) => name));
	if (loose.size === 0) return [natural];
	const moved = (to: (value: Natural["params"][number]) => number): Natural => ({
		...natural,
		params: natural.params.map((value) => (loose.has(value.name) ? { ...value, value: to(value) } : value)),
	});
	const others = [1, -1].map((side) => moved(({ value, sd }) => value + side * sd));
	const isGiven = [...loose].some((name) => given[name] !== undefined);
	return [natural, ...others, ...(isGiven ? [moved(({ name, value }) => given[name] ?? value)] : [])];
}

/** Rises of the sum of squares within which another optimum is as good, in variances. */
const asGood = 4;
/** Standard deviations from which on it is another. */
const apart = 6;

/** The best of several; `weights`: of each output, samples over variance of the noise. */
export function bestPolished(found: readonly Polished[], weights: readonly number[]): Polished {
	const squares = ({ rms }: Polished): number => {
		const sum = rms.reduce((all, each, k) => all + weights[k] * squared(each), 0);
		return Number.isNaN(sum) ? Number.POSITIVE_INFINITY : sum;
	};
	const best = found.reduce((a, b) => (squares(b) < squares(a) ? b : a));
	const isElsewhere = ({ values }: Polished): boolean =>
		values.some(
			({ name, value }, i) =>
				!best.openNames.includes(name) && Math.abs(value - best.values[i].value) > apart * best.values[i].sd,
		);
	const rival = found.find((each) => squares(each) < squares(best) + asGood && isElsewhere(each));
	const evaluations = found.reduce((sum, each) => sum + each.evaluations, 0);
	return { ...best, evaluations, ...(rival && { rival: rival.values }) };
}
