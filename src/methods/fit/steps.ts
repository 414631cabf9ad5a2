/** How a fit integrates: at first, and where that was too coarse, as far as its options leave it the choice. */
import type { Estimation, Integration } from "../../estimate/forward/estimation.ts";
import { chooseIntegration, looseAdaptive, refine } from "../../estimate/forward/integration.ts";
import { candidatePoints } from "../../estimate/least-squares/starts.ts";
import { naturalPoint } from "../../estimate/observe/likelihood.ts";
import type { FitOptions } from "./options.ts";

/** Samples up to which the adaptive solver, which is slow, has the last word. */
export const smallRecord = 300;

export function firstIntegration(
	estimation: Estimation,
	{ substeps, integrator }: FitOptions,
	seed: number,
): Integration {
	// Nothing else finds rest, or the instants of events.
	const hasRest = estimation.experiments.some(({ rest }) => rest);
	const hasEvents = estimation.model.events.length > 0;
	if (integrator === "adaptive" || hasRest || hasEvents) return looseAdaptive;
	if (substeps !== "auto") return { kind: "fixed", substeps };
	const { unknowns } = estimation;
	const points = candidatePoints(unknowns, 9, seed).map((z) => naturalPoint(unknowns, z));
	const chosen = chooseIntegration(estimation, points);
	return integrator === "fixed" && chosen.kind === "adaptive" ? { kind: "fixed", substeps: 256 } : chosen;
}

/** The next finer one for an error of this size, if the options allow it. */
export function finerIntegration(
	integration: Integration,
	error: number,
	{ substeps, integrator }: FitOptions,
): Integration | undefined {
	if (integration.kind === "fixed" && substeps !== "auto") return undefined;
	const refined = refine(integration, error);
	return integrator === "fixed" && refined?.kind === "adaptive" ? undefined : refined;
}
