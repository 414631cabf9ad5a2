/** What a cloud goes to: the posterior of a likelihood, over a cheaper one where there is one near it. */
import type { Likelihood } from "../likelihood/likelihood.ts";
import { drawPriors, logPriors, naturalValues } from "../likelihood/unknowns.ts";
import { withSteps } from "../steps/step-effect.ts";
import type { Target } from "./tempering.ts";

/** Samples that a first part has at least, and that for each unknown; its largest share of all. */
const fewestSamples = 256;
const fewestPerUnknown = 16;
const smallPart = 1 / 8;
const mostUnknowns = 60;

/** Steps so many times as long make a likelihood so cheap that the way over it pays. */
const worthBridge = 4;

/** `rough`: fewer steps a sample, that come near the posterior too. */
export function targetOf(likelihood: Likelihood, seed: number, rough = likelihood.settings.substeps): Target {
	const { settings } = likelihood;
	const wanted = targetNow(() => likelihood, seed);
	// With Γ from a simulation the filter is near the exact solver, which costs far less. A filter that follows the data is
	// smoother than any simulation: there the way over the exact solver would be the harder one.
	const isSimulated = settings.diffusion === "simulated" && settings.linearisation === "ekf0";
	if (!isSimulated && rough >= settings.substeps) return wanted;
	const approximation = withSteps(likelihood, isSimulated ? { diffusion: "off" } : { substeps: rough });
	const near = targetNow(() => approximation, seed);
	if (isSimulated || worthBridge * rough <= settings.substeps)
		return { ...near, logLik: wanted.logLik, cheap: near.logLik };
	// The law that a first part leads to need only be near the posterior.
	return { ...wanted, ...(near.first && { first: near.first }) };
}

/** That of a likelihood, whichever it is by then. */
export function targetNow(now: () => Likelihood, seed: number): Target {
	const { unknowns, scales, bounded } = now();
	const of =
		(part: number): Target["logLik"] =>
		(z, n) =>
			now().logLikelihoods(naturalValues(unknowns, z, n), n, part);
	const part = firstPart(now());
	return {
		d: unknowns.length,
		scales,
		bounded,
		draw: (n, purpose) => drawPriors(unknowns, n, seed, purpose),
		logPrior: (z, n) => logPriors(unknowns, z, n),
		logLik: of(1),
		...(part !== undefined && { first: { part, logLik: of(part) } }),
	};
}

/** Share of the samples that says where the posterior lies, where that is but a small part of what they cost. */
function firstPart({ nSamples, unknowns, settings }: Likelihood): number | undefined {
	// A Γ that comes from a simulation needs the whole record; and Hessians by differences are for few unknowns.
	if (settings.diffusion !== "off" || unknowns.length > mostUnknowns) return undefined;
	const part = Math.max(fewestSamples, fewestPerUnknown * unknowns.length) / nSamples;
	return part <= smallPart ? part : undefined;
}
