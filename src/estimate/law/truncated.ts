/** A law cut to a part of its support: `normal(0, 1) > 0`. */
import { log } from "../../num/elementary/number.ts";
import { type Law, quantile } from "./law.ts";
import { chartOf, supported } from "./supports.ts";

/** Below this share of the mass, what is left of a law is a matter of rounding. */
const least = 1e-10;

/** Undefined where nothing to speak of is left. */
export function truncated(law: Law, below: number, above: number): Law | undefined {
	const lo = Math.max(law.lo, below);
	const hi = Math.min(law.hi, above);
	if (lo === law.lo && hi === law.hi) return law;
	const massBelow = lo === law.lo ? 0 : law.mass(lo);
	const share = (hi === law.hi ? 1 : law.mass(hi)) - massBelow;
	if (!(lo < hi && share > least)) return undefined;
	const at = (p: number): number => Math.min(Math.max(quantile(law, massBelow + p * share), lo), hi);
	const { toSampled } = chartOf({ lo, hi });
	const logShare = log(share);
	return supported(
		{ lo, hi },
		{
			centre: at(0.5),
			centreIs: "median",
			inside: (x) => law.logDensity(x) - logShare,
			mass: (x) => Math.min(Math.max((law.mass(x) - massBelow) / share, 0), 1),
			draw: (random, index) => toSampled(at(random.uniform(index))),
			...(law.isFlat ? { isFlat: true } : {}),
		},
	);
}
