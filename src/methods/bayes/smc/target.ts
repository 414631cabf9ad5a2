/** What a cloud goes to: the posterior of a likelihood, over a cheaper one where there is one near it. */
import type { FilterSettings, Likelihood } from "../likelihood/likelihood.ts";
import { drawPriors, logPriors, naturalValues } from "../likelihood/unknowns.ts";
import { withSteps } from "../steps/step-effect.ts";
import type { Target } from "./tempering.ts";

/** `rough`: far fewer steps a sample, that come near the posterior too. */
export function targetOf(likelihood: Likelihood, seed: number, rough: number | undefined): Target {
	const { unknowns } = likelihood;
	const of =
		(one: Likelihood): Target["logLik"] =>
		(z, n) =>
			one.logLikelihoods(naturalValues(unknowns, z, n), n);
	const cheaper = cheaperThan(likelihood.settings, rough);
	return {
		d: unknowns.length,
		scales: likelihood.scales,
		draw: (n, purpose) => drawPriors(unknowns, n, seed, purpose),
		logPrior: (z, n) => logPriors(unknowns, z, n),
		logLik: of(likelihood),
		...(cheaper ? { cheap: of(withSteps(likelihood, cheaper)) } : {}),
	};
}

/**
 * With Γ from a simulation the filter is near the exact solver, which costs far less. A filter that follows the data is smoother
 * than any simulation: there the way over the exact solver would be the harder one. Far longer steps come near it, too.
 */
function cheaperThan(
	settings: FilterSettings,
	rough: number | undefined,
): Partial<FilterSettings> | undefined {
	if (settings.diffusion === "simulated" && settings.linearisation === "ekf0") return { diffusion: "off" };
	return rough === undefined ? undefined : { substeps: rough };
}
