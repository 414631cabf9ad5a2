/** Laws by where they have mass, with the coordinate in which each is sampled: x, the logarithm of its distance from the
 * end that there is, or the logit between two. */
import { exp, log } from "../../num/elementary/number.ts";
import type { Law } from "./law.ts";

type Common = Pick<Law, "centre" | "centreIs" | "mass" | "draw">;
type Support = Pick<Law, "lo" | "hi">;

/** All of the line, spread out over a support, with log |dx/dz|. */
interface Chart extends Pick<Law, "toSampled" | "fromSampled"> {
	logSlope(z: number): number;
}

export function chartOf({ lo, hi }: Support): Chart {
	if (lo > Number.NEGATIVE_INFINITY && hi < Number.POSITIVE_INFINITY)
		return {
			toSampled: (x) => log(x - lo) - log(hi - x),
			fromSampled: (z) => lo + (hi - lo) / (1 + exp(-z)),
			logSlope: (z) => log(hi - lo) - logOnePlusExp(-z) - logOnePlusExp(z),
		};
	if (lo > Number.NEGATIVE_INFINITY)
		return { toSampled: (x) => log(x - lo), fromSampled: (z) => lo + exp(z), logSlope: (z) => z };
	if (hi < Number.POSITIVE_INFINITY)
		return { toSampled: (x) => -log(hi - x), fromSampled: (z) => hi - exp(-z), logSlope: (z) => -z };
	return { toSampled: (x) => x, fromSampled: (z) => z, logSlope: () => 0 };
}

/** `inside`: log density on the support; `sampled`: that of the sampled coordinate, where it can be had better. */
export function supported(
	{ lo, hi }: Support,
	{
		inside,
		sampled,
		...law
	}: Common & { inside(x: number): number; sampled?(z: number): number; isFlat?: boolean },
): Law {
	const { logSlope, ...chart } = chartOf({ lo, hi });
	return {
		...law,
		...chart,
		lo,
		hi,
		logDensity: (x) => (x >= lo && x <= hi ? inside(x) : Number.NEGATIVE_INFINITY),
		logDensitySampled: sampled ?? ((z) => inside(chart.fromSampled(z)) + logSlope(z)),
	};
}

const line: Support = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };

export function onTheLine({ logDensity, ...law }: Common & Pick<Law, "logDensity">): Law {
	return supported(line, { ...law, inside: logDensity });
}

/** Above 0; `ofLog`: log density of z = log x. */
export function positive({ ofLog, ...law }: Common & { ofLog(z: number): number }): Law {
	const inside = (x: number): number => (x > 0 ? ofLog(log(x)) - log(x) : Number.NEGATIVE_INFINITY);
	return supported({ lo: 0, hi: Number.POSITIVE_INFINITY }, { ...law, inside, sampled: ofLog });
}

export function logOnePlusExp(z: number): number {
	return z > 0 ? z + log(1 + exp(-z)) : log(1 + exp(z));
}
