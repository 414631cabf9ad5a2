/** The weights as found, with initial values fitted to test records. */
import type { Forward } from "../../../estimate/forward/forward.ts";
import { naturalPoint } from "../../../estimate/observe/likelihood.ts";
import type { Observations, OutputGroup } from "../../../estimate/observe/observations.ts";
import { mostLikelyStart } from "../../../estimate/predict/record-start.ts";
import { toSearch } from "../../../estimate/unknowns/unknowns.ts";
import { designMatrix } from "../forward/linearisation.ts";
import { type ForwardModel, type Setting, WeightForward } from "../forward/weight-forward.ts";
import type { InversionRun } from "../inversion-run.ts";
import { foundLikelihood } from "./found-likelihood.ts";

/** How often a noise that varies with the states is taken from them again, and a change of it that counts. */
const mostWeighings = 5;
const otherNoise = 0.02;

/** Unknowns of test records: weights, then their own initial values. */
export async function pointIn(run: InversionRun, setting: Setting): Promise<Float64Array> {
	const { initials, observations } = setting;
	const weights = run.final!.point.subarray(0, run.work.nWeights);
	const withStarts = (starts: Float64Array): Float64Array => Float64Array.of(...weights, ...starts);
	let z: Float64Array = Float64Array.from(initials, (initial) => toSearch(initial, initial.start));
	const point = (): Float64Array => withStarts(naturalPoint(initials, z));
	if (initials.length === 0) return point();
	const model = new WeightForward(setting, run.starts.substeps);
	const forward = ofStarts(model, withStarts);
	const trained = { observations: run.work.setting.observations, spreads: foundLikelihood(run).spreads };
	let before: Float64Array | undefined;
	for (let k = 0; k < mostWeighings; k++) {
		const [{ spread }] = await model.evaluate([point()], false);
		const last = before;
		if (last && spread?.every((sd, i) => Math.abs(sd / last[i] - 1) <= otherNoise || !(sd > 0))) break;
		before = spread;
		const held = withSimulatedSpreads(observations, spread);
		z = await mostLikelyStart({ unknowns: initials, observations: held, forward }, z, trained);
		if (held === observations) break;
	}
	return point();
}

/** The model as a function of initial values. */
function ofStarts(model: ForwardModel, withStarts: (starts: Float64Array) => Float64Array): Forward {
	const { observations, initials, candidates } = model.setting;
	const free = initials.map((_, k) => candidates.weights.length + k);
	const ones = { forward: model, rowWeights: new Float64Array(observations.nObservations).fill(1), scale: 1 };
	return {
		says: model.says,
		operations: 0,
		evaluate: async (points, sensitivities) => {
			const there = await model.evaluate(points.map(withStarts), sensitivities, free);
			return there.map((each) => ({
				value: each.value,
				...(sensitivities ? { jacobian: designMatrix(ones, each, free) } : {}),
			}));
		},
	};
}

/** A noise that varies with the states, held as it is at a simulation; the same observations where there is none. */
function withSimulatedSpreads(observations: Observations, spread: Float64Array | undefined): Observations {
	if (!spread || observations.groups.every(({ spread: own }) => own.kind !== "simulated"))
		return observations;
	const groups = observations.groups.map((group): OutputGroup => {
		const { from, to, spread: own } = group;
		return own.kind === "simulated"
			? {
					...group,
					spread: {
						kind: "known",
						sd: spread.slice(from, to).map((sd) => Math.max(Math.abs(sd), Number.MIN_VALUE)),
					},
				}
			: group;
	});
	return { ...observations, groups };
}
