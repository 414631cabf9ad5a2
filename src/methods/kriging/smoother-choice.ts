/** Which form of the smoother a record gets: they agree where both can be had. */
import { InputError } from "../../errors.ts";
import type { Radial } from "./radial.ts";
import { DenseSmoother, type Samples } from "./smoother.ts";
import { StateSpaceSmoother } from "./state-space.ts";
import type { TimeHyper } from "./time-covariance.ts";

/** Samples up to which the dense form is used: it alone has the joint covariance of all errors. */
export const mostDense = 400;
/** Samples up to which covariances without a state space are still affordable. */
const mostWithoutStateSpace = 1500;

export function smootherFor(
	samples: Samples,
	radial: Radial,
	hyper: TimeHyper,
	meanDegree: number,
): DenseSmoother | StateSpaceSmoother {
	const n = samples.t.length;
	if (n > mostDense && radial.name.startsWith("matern"))
		return new StateSpaceSmoother(samples, radial, hyper, meanDegree);
	if (n > mostWithoutStateSpace)
		throw new InputError(
			`covariance ${radial.name}`,
			`has no form for ${n} samples`,
			"Choose a Matérn covariance, such as matern72: its cost grows only in proportion to the record.",
		);
	return new DenseSmoother(samples, radial, hyper, meanDegree);
}
