/**
 * Are the steps of the integration short enough? Shorter ones move the prediction; over all samples, in standard deviations of
 * their noise, by a length D. By Cauchy and Schwarz no estimate moves by more than D of its own standard errors, and one along
 * that direction does. No noise enters, so no alarm is by chance.
 */
import type { Doubt } from "../result.ts";
import { biasMatters } from "./series.ts";
import { counted, doubt } from "./words.ts";

/** More steps a sample than methods take. */
const mostSteps = 10_000;
/** Two thirds of what it claims. */
const biasGrave = 1.6;

/** Length of a change of predictions from its root mean square, of so many samples. */
export function lengthOf(rms: number, samples: number): number {
	return rms * Math.sqrt(samples);
}

/** In words. `length`: D; `substeps`: steps a sample; `so`: what is known beside. */
export function coarseDoubt(
	length: number,
	substeps: number,
	{
		so = "",
		method = "",
		enough,
	}: {
		readonly so?: string;
		readonly method?: string;
		/** Steps that would do, where they were chosen and not given. */
		readonly enough?: number;
	} = {},
): Doubt[] {
	if (!(length > biasMatters)) return [];
	const few = substeps === 1 ? "is" : "are";
	const option = method === "" ? "substeps" : `${method}: { substeps }`;
	const size =
		length < Number.POSITIVE_INFINITY
			? `by ${Number(length.toPrecision(2))} standard deviations`
			: "without bound";
	const remedy =
		enough === undefined
			? `Leave  ${option}  at auto, or raise it`
			: enough <= mostSteps
				? `Take  ${option.replace("substeps", `substeps: ${enough}`)}`
				: "No number of steps that could be taken would do: the model is stiff for such a solver, and needs  linearisation: ekf1";
	return doubt(
		"coarse-steps",
		`${counted(substeps, "integration step")} a sample ${few} too few`,
		`Shorter ones move the prediction ${size}, taken over all samples: estimates may be off by as many of their own errors.${so === "" ? "" : ` ${so}`} ${remedy}; equations that jump (if, sign, abs) need short steps, and so do stiff ones; an input that jumps is better a column that is held.`,
		length > biasGrave,
	);
}
