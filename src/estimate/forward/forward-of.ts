/** The model of an estimation problem as a function, at a chosen integration. */
import { rememberingForward } from "../observe/memory.ts";
import type { Observations } from "../observe/observations.ts";
import type { Estimation, Integration } from "./estimation.ts";
import type { Forward } from "./forward.ts";
import { adaptiveForward } from "./forward-adaptive.ts";
import { gridForward } from "./forward-grid.ts";

export function forwardOf(
	estimation: Estimation,
	integration: Integration,
	observations: Observations = estimation.observations,
): Forward {
	const spec = { ...estimation, observations };
	const forward =
		integration.kind === "fixed"
			? gridForward({ ...spec, substeps: integration.substeps, even: integration.even })
			: adaptiveForward({ ...spec, rtol: integration.rtol });
	return rememberingForward(forward, observations, estimation.unknowns);
}
