/**
 * Whether records are cut into segments, and where. A record is simulated as one where that is near the samples from the start
 * that the integral form gives, and where a change of its beginning does not grow along it; otherwise fits would be led astray.
 */
import { measuredValue } from "../../../estimate/observe/compared.ts";
import { type Cuts, cutsOf } from "../../../estimate/segments/cuts.ts";
import { squared } from "../../../num/whole-power.ts";
import { type SmoothStates, spreadOf, typicalNoise } from "../forward/smooth-states.ts";
import type { Setting, WeightEvaluation } from "../forward/weight-forward.ts";
import type { Workspace } from "../workspace.ts";
import type { Bridge } from "./bridge.ts";

/** Share of an output's variance that a simulation may miss, and how many times the noise. */
const nearBelow = 0.1;
const nearNoise = 1.5;
/** How much a change of the initial state may grow, both in deviations. */
const growthBelow = 30;
/** How far the states go along a segment, in their deviations (a turn is four or more), and its samples at least. */
const arc = 2;
const fewestSamples = 4;
/** Share of a record that is slower than where it goes fast. */
const fastShare = 0.9;

export async function segmentsFor(
	work: Workspace,
	{ sparse }: Bridge,
	substeps: number,
): Promise<Cuts | undefined> {
	const forward = work.forward(substeps);
	const points = sparse.map(({ point }) => point);
	const missed = (await forward.evaluate(points, false)).map((evaluation) => missedBy(work, evaluation));
	const least = missed.indexOf(Math.min(...missed));
	if (!(missed[least] < 1)) return recordsCut(work.setting, work.smooth!);
	const [nearest] = await forward.evaluate([points[least]], true);
	return growthAlong(work, nearest) < growthBelow ? undefined : recordsCut(work.setting, work.smooth!);
}

/** The largest misfit of an output, as a share of what may be missed. */
function missedBy(work: Workspace, { value }: WeightEvaluation): number {
	const { observations, candidates } = work.setting;
	let most = 0;
	for (const { from, to, observed, measure, law } of observations.groups) {
		const node = measuredValue(measure);
		const c = node.op === "sym" ? candidates.model.components.indexOf(node.name!) : -1;
		const noise = c >= 0 && !law.scale.isLog ? typicalNoise(work.smooth!, c) : 0;
		let sum = 0;
		for (let i = from; i < to; i++) sum += squared(value[i] - observed[i - from]) / (to - from);
		const allowed = Math.max(nearBelow * squared(spreadOf(observed)), squared(nearNoise * noise));
		most = Math.max(most, Number.isNaN(sum) ? Number.POSITIVE_INFINITY : sum / allowed);
	}
	return most;
}

/** How much a change of the initial state grows, at most. */
function growthAlong({ setting }: Workspace, { inner }: WeightEvaluation): number {
	const { observations, kernels, candidates } = setting;
	let growth = 0;
	for (let i = 0; i < observations.nObservations; i++)
		for (let c = candidates.inner.length; c < kernels.nSens; c++)
			growth = Math.max(growth, Math.abs(inner![i * kernels.nSens + c]));
	return growth;
}

/** Every record in segments along which the states go about `arc` deviations; undefined where none is long enough. */
export function recordsCut(setting: Setting, states: readonly SmoothStates[]): Cuts | undefined {
	const { grids } = setting.observations;
	const pace = Math.max(...states.map((own) => paceOf(own)));
	const cuts = cutsOf(grids, Math.max(fewestSamples, pace > 0 ? Math.floor(arc / pace) : fewestSamples));
	return cuts.nStarts > 0 ? cuts : undefined;
}

/** How far all states go together from one sample to the next, in their deviations: where they go fast. */
function paceOf({ nodes, parts, x }: SmoothStates): number {
	const n = x.length / nodes.length;
	const spread = Array.from({ length: n }, (_, c) => spreadOf(x.filter((__, k) => k % n === c)));
	const steps = Array.from({ length: nodes.length - 1 }, (_, k) => {
		let sum = 0;
		for (let c = 0; c < n; c++) sum += squared((x[(k + 1) * n + c] - x[k * n + c]) / spread[c]) / n;
		return Math.sqrt(sum);
	}).sort((a, b) => a - b);
	return steps[Math.floor(fastShare * (steps.length - 1))] * parts;
}
