/** What the answer says of every output of every experiment, with its band, on a grid fine enough for a smooth curve. */

import type { Experiment } from "../../../data/experiment.ts";
import { denserObservations } from "../../../estimate/observe/denser-observations.ts";
import { type Observations, observationsOf } from "../../../estimate/observe/observations.ts";
import type { Prediction } from "../../../estimate/result.ts";
import { denserCuts } from "../../../estimate/segments/cuts.ts";
import { normalQuantile975 } from "../../../num/statistics/quantile.ts";
import { designMatrix } from "../forward/linearisation.ts";
import { SegmentedForward } from "../forward/segmented-forward.ts";
import { type Setting, settingOf, WeightForward } from "../forward/weight-forward.ts";
import type { InversionRun } from "../inversion-run.ts";
import { pointIn } from "./record-start.ts";

/** Points of a curve, at least. */
const curvePoints = 200;

export async function trainPredictions(run: InversionRun): Promise<Prediction[]> {
	if (!run.joined) return segmentPredictions(run);
	return predictions(run, run.work.setting, run.final!.point, "train");
}

/** Each segment from its own start; the band is that of the noise. */
async function segmentPredictions(run: InversionRun): Promise<Prediction[]> {
	const { work, starts, final } = run;
	const { observations, between } = denser(work.setting.observations);
	const substeps = Math.max(1, Math.ceil(starts.substeps / between));
	const cuts = denserCuts(starts.cuts!, between);
	const forward = new SegmentedForward(
		{ ...work.setting, observations },
		substeps,
		cuts,
		(work.smooth ?? work.guess)!,
	);
	const [{ value }] = await forward.evaluate([final!.point], false);
	return observations.groups.map((group, g) => {
		const measured = work.setting.observations.groups[g];
		const half = normalQuantile975 * noiseOf(run, group.index);
		const y = value.slice(group.from, group.to);
		const back = (values: Float64Array): Float64Array => values.map(group.law.scale.fromCompared);
		return {
			experiment: work.setting.experiments[group.experiment].name,
			output: group.measure.name,
			part: "train",
			t: group.t,
			y: back(y),
			lo: back(y.map((each) => each - half)),
			hi: back(y.map((each) => each + half)),
			data: { t: measured.t, y: back(measured.observed) },
		};
	});
}

/** Weights and noise as found; initial values that the model leaves open are fitted to the test record itself. */
export async function testPredictions(
	run: InversionRun,
): Promise<{ predictions: Prediction[]; fittedInitials: string[] }> {
	const { test, start, compute } = run.problem;
	if (test.length === 0) return { predictions: [], fittedInitials: [] };
	const { candidates } = run.work.setting;
	const observations = observationsOf(candidates.model, test);
	const setting = settingOf(candidates, test, observations, start, compute);
	return {
		predictions: await predictions(run, setting, await pointIn(run, setting), "test"),
		fittedInitials: setting.initials.map(({ name }) => name),
	};
}

async function predictions(
	run: InversionRun,
	setting: Setting,
	point: Float64Array,
	part: "train" | "test",
): Promise<Prediction[]> {
	if (run.work.isLarge) return plainPredictions(run, setting, point, part);
	const { observations, between } = denser(setting.observations);
	const dense = { ...setting, observations };
	const forward = new WeightForward(dense, Math.max(1, Math.ceil(run.starts.substeps / between)));
	const [evaluation] = await forward.evaluate([point], true);
	const ones = { forward, rowWeights: new Float64Array(observations.nObservations).fill(1), scale: 1 };
	// Initial values of a test record have errors of their own, which are not counted.
	const active = run.final!.active.filter((u) => part === "train" || u < run.work.nWeights);
	const b = designMatrix(ones, evaluation, active);
	const places = active.map((u) => run.final!.active.indexOf(u));
	return observations.groups.map((group, g) => {
		const measured = setting.observations.groups[g];
		const y = evaluation.value.slice(group.from, group.to);
		const noise = noiseOf(run, group.index);
		const half = Float64Array.from(y, (_, k) => {
			const variance = quadratic(
				b,
				group.from + k,
				active.length,
				run.final!.covariance,
				places,
				run.final!.active.length,
			);
			return normalQuantile975 * Math.sqrt(variance * run.variance + noise * noise);
		});
		const back = (values: Float64Array): Float64Array => values.map(group.law.scale.fromCompared);
		return {
			experiment: (setting.experiments[group.experiment] as Experiment).name,
			output: group.measure.name,
			part,
			t: group.t,
			y: back(y),
			lo: back(y.map((value, k) => value - half[k])),
			hi: back(y.map((value, k) => value + half[k])),
			data: { t: measured.t, y: back(measured.observed) },
		};
	});
}

/** At the samples only and without bands: derivatives by very many parameters would not fit into memory. */
async function plainPredictions(
	run: InversionRun,
	setting: Setting,
	point: Float64Array,
	part: "train" | "test",
): Promise<Prediction[]> {
	const [{ value }] = await new WeightForward(setting, run.starts.substeps).evaluate([point], false);
	return setting.observations.groups.map(({ experiment, measure, law, t, observed, from, to }) => {
		const back = (values: Float64Array): Float64Array => values.map(law.scale.fromCompared);
		return {
			experiment: setting.experiments[experiment].name,
			output: measure.name,
			part,
			t,
			y: back(value.slice(from, to)),
			data: { t, y: back(observed) },
		};
	});
}

function quadratic(
	b: Float64Array,
	row: number,
	n: number,
	covariance: Float64Array,
	places: readonly number[],
	size: number,
): number {
	let sum = 0;
	for (let i = 0; i < n; i++) {
		const left = b[row * n + i];
		if (left !== 0)
			for (let j = 0; j < n; j++) sum += left * covariance[places[i] * size + places[j]] * b[row * n + j];
	}
	return sum;
}

/** Noise of an output as the residuals show it. */
function noiseOf(run: InversionRun, index: number): number {
	const { observations } = run.work.setting;
	const own = observations.groups.find((group) => group.index === index);
	return own ? (run.starts.noise.sd[own.from] * Math.sqrt(run.variance)) / run.starts.noise.scale : 0;
}

/** The same outputs at more times. */
function denser(observations: Observations): { observations: Observations; between: number } {
	const shortest = Math.min(...observations.grids.map(({ times }) => Math.max(times.length, 2)));
	const between = Math.max(1, Math.ceil(curvePoints / shortest));
	return { observations: denserObservations(observations, () => between), between };
}
