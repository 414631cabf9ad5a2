/** Predictions with their bands, for training and test records. */

import { startOf } from "../../data/warm-up.ts";
import { type Estimation, estimationOf } from "../../estimate/forward/estimation.ts";
import type { Evaluation } from "../../estimate/forward/forward.ts";
import { forwardOf } from "../../estimate/forward/forward-of.ts";
import { countBand, meansAround } from "../../estimate/observe/count-band.ts";
import { denserObservations } from "../../estimate/observe/denser-observations.ts";
import { naturalPoint } from "../../estimate/observe/likelihood.ts";
import type { OutputGroup } from "../../estimate/observe/observations.ts";
import { measuredOf } from "../../estimate/predict/measured.ts";
import { mostLikelyStart } from "../../estimate/predict/record-start.ts";
import type { Prediction } from "../../estimate/result.ts";
import { toSearch } from "../../estimate/unknowns/unknowns.ts";
import { normalQuantile975 } from "../../num/statistics/quantile.ts";
import { errorsOf } from "./errors.ts";
import type { FitRun } from "./fit-run.ts";

/** Points of a curve, at least, so that it is smooth between sparse samples. */
const curvePoints = 400;

export async function trainPredictions(run: FitRun): Promise<Prediction[]> {
	return predictions(run, run.estimation, run.best, "train");
}

/**
 * Test records: parameters and noise as estimated. Initial values that the model leaves open are fitted to the test record
 * itself, since nothing else can tell them.
 */
export async function testPredictions(
	run: FitRun,
): Promise<{ predictions: Prediction[]; fittedInitials: string[] }> {
	const { test, start, compute } = run.problem;
	if (test.length === 0) return { predictions: [], fittedInitials: [] };
	const { model, unknowns } = run.estimation;
	const estimation = estimationOf(model, test, start, compute, run.options.priors);
	const estimate = new Map(unknowns.map(({ name, kind }, i) => [kind === "param" ? name : "", run.best[i]]));
	const point = Float64Array.from(estimation.unknowns, (unknown) =>
		unknown.kind === "param" ? estimate.get(unknown.name)! : toSearch(unknown, unknown.start),
	);
	const initials = estimation.unknowns.filter(({ kind }) => kind === "initial");
	const atStart = estimationOf(model, test.map(startOf), start, compute, run.options.priors);
	const best = initials.length > 0 ? await startIn(run, atStart, point) : point;
	return {
		predictions: await predictions(run, estimation, best, "test"),
		fittedInitials: initials.map(({ name }) => name),
	};
}

function startIn(run: FitRun, estimation: Estimation, point: Float64Array): Promise<Float64Array> {
	const { unknowns, observations } = estimation;
	const forward = forwardOf(estimation, run.integration);
	const trained = { observations: run.estimation.observations, spreads: run.optimum.spreads };
	return mostLikelyStart({ unknowns, observations, forward }, point, trained);
}

async function predictions(
	run: FitRun,
	estimation: Estimation,
	z: Float64Array,
	part: "train" | "test",
): Promise<Prediction[]> {
	const display = denserObservations(estimation.observations, (times) =>
		Math.ceil(curvePoints / Math.max(times.length, 1)),
	);
	const natural = naturalPoint(estimation.unknowns, z);
	const [evaluation] = await forwardOf(estimation, run.integration, display).evaluate([natural], true);
	return display.groups.map((group, g) => {
		const measured = estimation.observations.groups[g];
		const [y, lo, hi] = band(run, estimation, natural, evaluation, group);
		const hasBand = errorsOf(run).noise !== undefined;
		const back = (values: Float64Array): Float64Array => values.map(group.law.scale.fromCompared);
		return {
			experiment: estimation.experiments[group.experiment].name,
			output: group.measure.name,
			part,
			t: group.t,
			y: back(y),
			...(hasBand ? { lo: back(lo), hi: back(hi) } : {}),
			data: measuredOf(estimation, measured),
			...(measured.memory && part === "train"
				? { judged: run.optimum.errors.slice(measured.from, measured.to) }
				: {}),
		};
	});
}

/** y and its 95 % band: errors of the parameters, to first order, and of the measurement. */
function band(
	run: FitRun,
	{ unknowns }: Estimation,
	natural: Float64Array,
	{ value, jacobian, spread }: Evaluation,
	group: OutputGroup,
): [Float64Array, Float64Array, Float64Array] {
	const n = unknowns.length;
	const trained = run.estimation.unknowns;
	const scale = errorsOf(run);
	const { matrix } = scale.covariance;
	const m = trained.length;
	// Columns of this record's Jacobian that stand for estimated parameters, in the order of the training unknowns.
	const columns = trained.flatMap((unknown, i) => {
		const at = unknowns.findIndex(({ name, kind }) => kind === unknown.kind && name === unknown.name);
		return at < 0 || (unknown.kind === "initial" && unknowns !== trained) ? [] : [{ i, at }];
	});
	/** From what is searched to its value. */
	const chain = columns.map(({ at }) => (unknowns[at].scale === "log" ? natural[at] : 1));
	const slope = new Float64Array(columns.length);
	const noise = noiseOf(run, group, spread);
	// Errors of the estimate are nearly normal, those of the sample have their own law.
	const { law } = group;
	const tail = law.isCount ? 1 : law.widthOf(0.95);
	const y = value.slice(group.from, group.to);
	const lo = new Float64Array(y.length);
	const hi = new Float64Array(y.length);
	for (let k = 0; k < y.length; k++) {
		const row = (group.from + k) * n;
		for (const [c, { at }] of columns.entries()) slope[c] = jacobian![row + at] * chain[c];
		let variance = 0;
		for (let a = 0; a < slope.length; a++) {
			const first = columns[a].i * m;
			let sum = 0;
			for (let b = 0; b < slope.length; b++) sum += matrix[first + columns[b].i] * slope[b];
			variance += slope[a] * sum;
		}
		if (law.isCount) {
			const means = meansAround(y[k], Math.sqrt(variance * scale.variance));
			const size = sizeOf(group, spread)(k);
			[lo[k], hi[k]] = countBand(
				law,
				means.map((mean) => ({ mean, size })),
				0.95,
			);
			continue;
		}
		const own = noise(k) * tail;
		const half = normalQuantile975 * Math.sqrt(variance * scale.variance + own * own);
		lo[k] = y[k] - half;
		hi[k] = y[k] + half;
	}
	return [y, lo, hi];
}

/** The size of counts at sample k, as declared or simulated. */
function sizeOf({ spread, from }: OutputGroup, simulated: Float64Array | undefined): (k: number) => number {
	return spread.kind === "known" ? (k) => spread.sd[k] : (k) => simulated![from + k];
}

/** Spread of the measurement at sample k: declared, simulated, or as the training shows it. */
function noiseOf(
	run: FitRun,
	{ spread: own, index, from }: OutputGroup,
	simulated: Float64Array | undefined,
): (k: number) => number {
	const { noise, sizes } = errorsOf(run);
	const factor = sizes.get(index)?.size ?? Math.sqrt(noise ?? 0);
	if (own.kind === "known") return (k) => own.sd[k] * factor;
	if (own.kind === "simulated") return (k) => simulated![from + k] * factor;
	const alike = run.estimation.observations.groups.find((group) => group.index === index);
	const common = alike ? run.optimum.sd[alike.from] * factor : 0;
	return () => common;
}
