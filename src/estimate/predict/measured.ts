/** Samples as they stand beside a prediction. */
import type { Estimation } from "../forward/estimation.ts";
import type { OutputGroup } from "../observe/observations.ts";
import type { Prediction } from "../result.ts";

/** In the user's units, with what of them are limits. */
export function measuredOf(
	{ experiments }: Pick<Estimation, "experiments">,
	group: OutputGroup,
): NonNullable<Prediction["data"]> {
	const { t, observed, law, within, measure, experiment } = group;
	if (!within) return { t, y: observed.map(law.scale.fromCompared) };
	const { values, limits } = experiments[experiment].outputs.get(measure.name)!;
	return { t, y: values, ...(limits && { limits }) };
}
