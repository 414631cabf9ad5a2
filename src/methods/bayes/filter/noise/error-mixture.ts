/**
 * Errors that are not normal, in a filter of normal laws. Where they are normal ones of a random variance, the filter knows of
 * each variance what a sample says, and what all of them say together is collapsed to mean and variance again. So the density of
 * each sample is exact, given a normal law of the state before it, and so are the two moments that it leaves.
 */
import type { NormalMixture } from "../../../../estimate/law/normal-mixture.ts";
import type { Builder, Value } from "../../../../lower/builder.ts";
import { log } from "../../../../num/elementary/number.ts";

/** What a sample says: the normal one that says the same of the state, by its innovation and its variance R; and its log density. */
export interface NormalLike {
	readonly innovation: Value;
	readonly R: Value;
	readonly logDensity: Value;
	/** The variance with which the innovation as it is moves the state as far. */
	readonly asItIs: Value;
}

/** `ahead`: the variance of the expected value. With p the density of the innovation e: -p'/p = e j and -(log p)'' = D. */
export function normalLike(
	b: Builder,
	errors: NormalMixture,
	innovation: Value,
	ahead: Value,
	R: Value,
	mayWiden: boolean,
): NormalLike {
	const [half, zero] = [b.constant(0.5), b.constant(0)];
	const square = b.mul(innovation, innovation);
	const inverses = errors.map(({ variance }) =>
		b.div(b.constant(1), b.add(ahead, b.mul(R, b.constant(variance)))),
	);
	// The largest variance makes the smallest exponent: no sum is 0.
	const smallest = b.mul(half, b.mul(square, inverses[0]));
	let [sum, first, second] = [zero, zero, zero];
	for (const [k, { chance }] of errors.entries()) {
		const J = inverses[k];
		const power = b.call("exp", b.sub(smallest, b.mul(half, b.mul(square, J))));
		const share = b.mul(b.mul(b.constant(chance), b.sqrt(J)), power);
		sum = b.add(sum, share);
		first = b.add(first, b.mul(share, J));
		second = b.add(second, b.mul(share, b.mul(J, J)));
	}
	const j = b.div(first, sum);
	const curvature = b.sub(j, b.mul(square, b.sub(b.div(second, sum), b.mul(j, j))));
	// An error that may be large or not may leave less known of the state than before: a variance that is negative says so. Roots know none.
	const tiny = b.mul(b.constant(1e-6), j);
	const D = b.select(b.lt(mayWiden ? b.abs(curvature) : curvature, tiny), tiny, curvature);
	return {
		innovation: b.div(b.mul(innovation, j), D),
		R: b.sub(b.div(b.constant(1), D), ahead),
		asItIs: b.sub(b.div(b.constant(1), j), ahead),
		logDensity: b.sub(b.sub(b.call("log", sum), smallest), b.constant(0.5 * log(2 * Math.PI))),
	};
}
