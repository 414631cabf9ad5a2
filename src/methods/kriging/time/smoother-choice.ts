/** Which form of the smoother a record gets: they agree where more than one can be had. */

import type { Radial } from "../field/radial.ts";
import { BandedSmoother } from "./banded-smoother.ts";
import { DenseSmoother, type Samples } from "./smoother.ts";
import { StateSpaceSmoother } from "./state-space.ts";
import type { TimeHyper } from "./time-covariance.ts";

/** Samples up to which the dense form is used: it alone has the joint covariance of all errors. */
export const mostDense = 400;

export type AnySmoother = DenseSmoother | BandedSmoother | StateSpaceSmoother;

export function smootherFor(
	samples: Samples,
	radial: Radial,
	hyper: TimeHyper,
	meanDegree: number,
): AnySmoother {
	if (samples.t.length <= mostDense) return new DenseSmoother(samples, radial, hyper, meanDegree);
	return radial.support < Number.POSITIVE_INFINITY
		? new BandedSmoother(samples, radial, hyper, meanDegree)
		: new StateSpaceSmoother(samples, radial, hyper, meanDegree);
}
