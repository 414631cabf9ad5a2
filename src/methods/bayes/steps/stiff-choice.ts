/** Where steps are taken that fast rates do not make blow up: they cost more each, and so only where explicit ones lose part of what is likely. */
import type { Model } from "../../../model/model.ts";
import { isDriven } from "../filter/layout.ts";
import type { FilterSettings, Likelihood } from "../likelihood/likelihood.ts";
import { mostSubsteps } from "../likelihood/step-choice.ts";
import { drawPriors, naturalValues } from "../likelihood/unknowns.ts";
import { withSteps } from "./step-effect.ts";
import { lostShare, pilotParticles } from "./step-pilot.ts";

/** More states make code so long that compilers take their time over it. */
const mostStates = 20;
/** Steps a sample to begin with. */
const firstSubsteps = 2;

/** Whether such steps can be taken in place of those of a likelihood. */
export function mayBeStiff({ settings, layout, model }: Likelihood): boolean {
	return (
		settings.diffusion === "off" &&
		!settings.stiff &&
		!isDriven(layout) &&
		model.components.length <= mostStates
	);
}

export function stiffSettings(settings: FilterSettings, { states }: Model): FilterSettings {
	// Nothing is kept of a step but the components themselves.
	const q = settings.layout === "stacked" ? 1 : Math.max(...states.map(({ order }) => order));
	return { ...settings, q, form: "covariance", stiff: true, substeps: firstSubsteps };
}

/** Whether explicit steps, as short as they are ever taken, lose more than a small part of the likely half of the prior. */
export async function losesToSteps(likelihood: Likelihood): Promise<boolean> {
	const { unknowns, settings, model } = likelihood;
	const n = pilotParticles;
	const z = drawPriors(unknowns, n, 0, "steps");
	const own = await likelihood.logLikelihoods(naturalValues(unknowns, z, n), n);
	const alive = own.filter(Number.isFinite).sort();
	const middle = alive[Math.floor(alive.length / 2)] ?? Number.NEGATIVE_INFINITY;
	const some = (chosen: readonly number[]): Float64Array =>
		Float64Array.from(
			{ length: unknowns.length * chosen.length },
			(_, at) => z[Math.floor(at / chosen.length) * n + chosen[at % chosen.length]],
		);
	const among = async (chosen: readonly number[], other: Likelihood): Promise<Float64Array> =>
		other.logLikelihoods(naturalValues(unknowns, some(chosen), chosen.length), chosen.length);
	const lost = [...own.keys()].filter((b) => !Number.isFinite(own[b]));
	if (lost.length <= lostShare * n) return false;
	const saved = await among(lost, withSteps(likelihood, stiffSettings(settings, model)));
	const likely = lost.filter((_, k) => Number.isFinite(saved[k]) && saved[k] > middle);
	if (likely.length <= lostShare * n) return false;
	const finest = await among(likely, withSteps(likelihood, { substeps: mostSubsteps }));
	return finest.filter((value) => !Number.isFinite(value)).length > lostShare * n;
}
