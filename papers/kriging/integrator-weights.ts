/**
 * Weights of the paper's multistep integrator, eq. (18): the next value of a state is predicted from its present value
 * and its derivatives at instants before, by kriging. The derivatives may carry errors (the paper's W̃).
 */
import { IntrinsicKriging } from "../../src/methods/kriging/field/intrinsic-kriging.ts";
import type { Radial } from "../../src/methods/kriging/field/radial.ts";
import { meanRow, sampleCovariance } from "../../src/methods/kriging/time/smoother.ts";
import { type TimeHyper, timeCovariance } from "../../src/methods/kriging/time/time-covariance.ts";

export interface IntegratorStep {
	readonly radial: Radial;
	readonly hyper: TimeHyper;
	/** Degree of the unknown mean beyond what `order` takes away. */
	readonly meanDegree: number;
	/** The state that is integrated is this derivative of the process. */
	readonly order: number;
	readonly step: number;
	/** How long before the present each known derivative is. */
	readonly back: Float64Array;
	/** Variance of its error. */
	readonly errors: Float64Array;
}

export interface IntegratorWeights {
	/** Weight of the present value: 1, since the mean is unknown. */
	readonly alpha: number;
	/** Weights of the derivatives, in the order of `back`. */
	readonly beta: Float64Array;
	readonly variance: number;
}

export function integratorWeights(spec: IntegratorStep): IntegratorWeights {
	const { radial, hyper, order, step, back, errors, meanDegree } = spec;
	const samples = {
		t: Float64Array.of(0, ...back.map((b) => -b)),
		order: [order, ...Array.from(back, () => order + 1)],
		y: new Float64Array(back.length + 1),
		variance: Float64Array.of(0, ...errors),
	};
	// Of 1, t, …, the derivative keeps the powers from `order` on: as many as the mean has terms.
	const mean = (t: number, derivative: number): Float64Array =>
		meanRow(t, derivative, meanDegree + order).slice(order);
	const rows = Array.from(samples.t, (t, i) => [...mean(t, samples.order[i])]);
	const kriging = new IntrinsicKriging(
		sampleCovariance(samples, radial, hyper),
		Float64Array.from(rows.flat()),
		samples.y,
		meanDegree + 1,
	);
	const target = {
		k: samples.t.map((t, i) => timeCovariance(radial, hyper, step - t, order, samples.order[i])),
		p: mean(step, order),
	};
	const reduced = kriging.reduce(target);
	const { a } = kriging.weights(target);
	const own = timeCovariance(radial, hyper, 0, order, order);
	return {
		alpha: a[0],
		beta: a.slice(1),
		variance: kriging.errorCovariance(own, reduced, reduced),
	};
}
