/** Laws by where they have mass, with the coordinate in which each is sampled: x, log x, or the logit within bounds. */
import { exp, log } from "../../num/elementary/number.ts";
import type { Law } from "./law.ts";

type Common = Pick<Law, "centre" | "centreIs" | "mass" | "draw">;

const same = (x: number): number => x;

/** On all of the line. */
export function symmetric(law: Common & Pick<Law, "logDensity">): Law {
	return {
		...law,
		lo: Number.NEGATIVE_INFINITY,
		hi: Number.POSITIVE_INFINITY,
		toSampled: same,
		fromSampled: same,
		logDensitySampled: law.logDensity,
	};
}

/** Above 0; `ofLog`: log density of z = log x. */
export function positive({ ofLog, ...law }: Common & { ofLog(z: number): number }): Law {
	return {
		...law,
		lo: 0,
		hi: Number.POSITIVE_INFINITY,
		logDensity: (x) => (x > 0 ? ofLog(log(x)) - log(x) : Number.NEGATIVE_INFINITY),
		toSampled: log,
		fromSampled: exp,
		logDensitySampled: ofLog,
	};
}

/** `inside`: log density between the bounds; `sampled`: that of the logit, where it can be had better. */
export function bounded(
	lo: number,
	hi: number,
	{ inside, sampled, ...law }: Common & { inside(x: number): number; sampled?(z: number): number },
): Law {
	const width = hi - lo;
	const fromSampled = (z: number): number => lo + width / (1 + exp(-z));
	return {
		...law,
		lo,
		hi,
		logDensity: (x) => (x >= lo && x <= hi ? inside(x) : Number.NEGATIVE_INFINITY),
		toSampled: (x) => log(x - lo) - log(hi - x),
		fromSampled,
		logDensitySampled:
			sampled ?? ((z) => inside(fromSampled(z)) + log(width) - logOnePlusExp(-z) - logOnePlusExp(z)),
	};
}

export function logOnePlusExp(z: number): number {
	return z > 0 ? z + log(1 + exp(-z)) : log(1 + exp(z));
}
