/** What to doubt about a fit, in words: what was seen, why it matters, what to try. */

import { boundDoubt } from "../../estimate/judge/bounds.ts";
import { coarseDoubt, lengthOf } from "../../estimate/judge/coarse-steps.ts";
import { namedGroups, openDoubts } from "../../estimate/judge/identifiability.ts";
import { type Dependence, dependenceDoubt, dependences } from "../../estimate/judge/independence.ts";
import { instrumentDoubt, instrumentFault } from "../../estimate/judge/instrument.ts";
import { outlierDoubt } from "../../estimate/judge/outliers.ts";
import { poorFitDoubt } from "../../estimate/judge/poor-fit.ts";
import { predictedBy, type ResidualSeries, seriesOf } from "../../estimate/judge/series.ts";
import { sizeDoubts, strangeSizes } from "../../estimate/judge/size.ts";
import { spreadBoundDoubt } from "../../estimate/judge/spread-bounds.ts";
import { stretchDoubt } from "../../estimate/judge/stretch.ts";
import { ownStart, testDoubt } from "../../estimate/judge/test-record.ts";
import { tooFastDoubt } from "../../estimate/judge/too-fast.ts";
import { counted, doubt, list, listSome, note } from "../../estimate/judge/words.ts";
import { robustSd } from "../../estimate/least-squares/covariance.ts";
import { openGroups } from "../../estimate/least-squares/null-space.ts";
import { heldSpreads } from "../../estimate/observe/found-spreads.ts";
import { errorRatio } from "../../estimate/observe/likelihood.ts";
import type { Doubt, Prediction, Remark } from "../../estimate/result.ts";
import { fromSearch, toSearch } from "../../estimate/unknowns/unknowns.ts";
import { squared } from "../../num/whole-power.ts";
import { errorsOf, priorInformation } from "./errors.ts";
import type { FitRun } from "./fit-run.ts";
import { cutEnds } from "./standard-error.ts";
import { agreeingStarts, asGood, bestStart, onlyCut, rivalStarts } from "./starts/starts-compared.ts";

/** `swinging`: outputs that turn more often than they are sampled. */
export function remarksOf(
	run: FitRun,
	predictions: readonly Prediction[],
	swinging: readonly string[],
): Remark[] {
	const misfit = misfitRemarks(run, predictions);
	return [
		...fewSamples(run),
		...misfit,
		...startsDisagree(
			run,
			misfit.some(({ grave }) => grave),
		),
		...tooFastDoubt(
			swinging,
			"At the optimum",
			"It may fit as well, and the samples cannot tell which is meant. If such fast motion is not, begin the search at slower values (set:), or bound what makes it fast:  param k in [lo, hi]",
		),
		...guessedStarts(run),
		...integrationAbsorbed(run),
		...openParameters(run),
		...notProfiled(run),
		...cutIntervals(run),
		...boundDoubt(run.estimation.unknowns, run.best, (i) => pullOf(run, i)),
		...spreadBoundDoubt(heldSpreads(run.foundErrors), run.estimation.unknowns.length),
		...testDoubt(predictions, { remedy: ownStart(run.problem.model, "") }),
	];
}

/** What the residuals say against the answer. */
function misfitRemarks(run: FitRun, predictions: readonly Prediction[]): Remark[] {
	const series = residualSeries(run);
	const nUnknowns = run.estimation.unknowns.length;
	return [
		...outlierDoubt(series, nUnknowns),
		...poorFitDoubt(
			predictions,
			series,
			nUnknowns,
			"The optimum that was found may be a wrong one, or the equations lack something. Try other starting points (set:), more of them (fit: { starts: 32, candidates: 1000 }), or another model.",
		),
		...noiseMismatch(run, series),
		...correlatedResiduals(run, series),
		// Without noise, what is left is rounding and the error of the integration.
		...(run.scale.atFloor
			? []
			: [
					...stretchDoubt(series, nUnknowns),
					...instrumentDoubt(instrumentFault(seriesWithPredicted(run, predictions), nUnknowns)),
				]),
	];
}

/** Slope of the cost along an unknown, with all others free, in standard deviations of what noise makes it. */
function pullOf(run: FitRun, unknown: number): number {
	const { search, estimation } = run;
	const { curvature, variances } = errorsOf(run);
	const { residual, jacobian } = search!.best;
	const n = estimation.unknowns.length;
	let slope = 0;
	for (let i = 0; i < residual!.length; i++) slope += residual![i] * jacobian![i * n + unknown];
	return (Math.abs(slope) * curvature.sd[unknown]) / Math.sqrt(variances[unknown]);
}

export function robustSdOf(run: FitRun): Float64Array {
	const { residual, jacobian } = run.rows;
	const { groups } = run.estimation.observations;
	const { matrix } = errorsOf(run).curvature;
	const n = run.estimation.unknowns.length;
	const ofSamples = robustSd(residual, jacobian, groups, matrix, n);
	const priors = priorInformation(run);
	if (!priors) return ofSamples;
	return ofSamples.map((sd, i) =>
		Math.sqrt(sd * sd + priors.reduce((sum, p, k) => sum + p * squared(matrix[i * n + k]), 0)),
	);
}

/** `isMisfit`: whether the residuals speak against the answer. */
function startsDisagree(run: FitRun, isMisfit: boolean): Remark[] {
	const { starts, estimation } = run;
	if (starts.length < 2) return [];
	const best = bestStart(run).cost;
	const agree = agreeingStarts(run);
	const elsewhere = rivalStarts(run);
	const doubts: Remark[] = [];
	if (elsewhere.length > 0) {
		const point = estimation.unknowns.map(
			(unknown, i) => `${unknown.name} = ${Number(fromSearch(unknown, elsewhere[0].z[i]).toPrecision(4))}`,
		);
		doubts.push(
			...doubt(
				"other-optimum",
				"Another optimum is as good",
				`${agree.length} of ${starts.length} starts ended at the answer shown, and ${elsewhere.length} at ${point.join(", ")}, which fits as well. The data cannot tell them apart: restrict a parameter in the model, like  param k in [0, 10].`,
				true,
			),
		);
	} else if (agree.length === 1) {
		const title = `Only one of ${starts.length} starts reached this optimum`;
		// Residuals that are noise leave nothing to find: a better optimum would fit the noise.
		doubts.push(
			...(isMisfit
				? doubt(
						"single-start",
						title,
						"A better one may exist that no start reached. Try more starts: fit: { starts: 32, candidates: 1000 }, or narrower knowledge of the parameters.",
						true,
					)
				: note(
						"single-start",
						title,
						"What it leaves of the data is noise, so it is none to doubt. Should another one be as good, more starts would find it: fit: { starts: 32, candidates: 1000 }.",
					)),
		);
	}
	if (!asGood(run).includes(starts[0])) {
		const ratio = errorRatio(run.misfit, starts[0].cost, best);
		const worse = starts[0].spurious
			? "ended where only integration error makes a good fit"
			: ratio < Number.POSITIVE_INFINITY
				? `ended at another optimum with residuals ${ratio < 1.005 ? "slightly larger" : `${ratio.toPrecision(3)} times as large`}`
				: "gave no finite simulation";
		doubts.push(
			...note(
				"first-start-left",
				"The first starting point did not lead here",
				`The start that was given, or the middle of what the model declares, ${worse}; ${agree.length} of ${starts.length} starts agree on the answer shown.`,
			),
		);
	}
	return doubts;
}

/** No sample is left over to tell the size of the errors. */
function fewSamples(run: FitRun): Doubt[] {
	const { estimation, degrees } = run;
	const scale = errorsOf(run);
	if (degrees > 0) return [];
	const nSamples = estimation.observations.nObservations;
	const nUnknowns = estimation.unknowns.length;
	const [samples, unknowns] = [counted(nSamples, "sample"), counted(nUnknowns, "unknown")];
	const noise =
		scale.noise === undefined
			? "and nothing tells how large the noise is: no standard errors can be given. Declare the noise, like  measure y ~ normal(x, 0.1), or take more samples."
			: "so the standard errors are those of the declared noise, and nothing checks the model. Take more samples.";
	if (degrees < 0)
		return doubt(
			"too-few-samples",
			`${samples} cannot determine ${unknowns}`,
			`Many values fit exactly, ${noise} Or fix some of the unknowns.`,
			true,
		);
	return doubt(
		"too-few-samples",
		scale.noise === undefined
			? `There is no standard error: ${samples} for ${unknowns}`
			: `${samples} for ${unknowns} leave nothing to check the model by`,
		`The curve passes through every sample, ${noise}`,
		scale.noise === undefined,
	);
}

function guessedStarts({ estimation, starts }: FitRun): Remark[] {
	const guessed = estimation.unknowns.filter(({ informed }) => !informed).map(({ name }) => name);
	if (guessed.length === 0 || starts.length < 1) return [];
	return note(
		"nothing-known",
		`Nothing was known of ${list(guessed)}`,
		"Starting points were drawn around 1. If that is far from the truth, give a start under  set:  or a range in the model, like  param k in [0, 10].",
	);
}

function integrationAbsorbed({ absorbed, error, estimation }: FitRun): Doubt[] {
	if (!absorbed) return [];
	const shift = Math.max(...absorbed.shift);
	const { name } = estimation.unknowns[absorbed.shift.indexOf(shift)];
	return coarseDoubt(lengthOf(error, estimation.observations.nObservations), absorbed.substeps, {
		so: `With ${absorbed.finer}, ${name} moves by ${shift.toPrecision(2)}.`,
	});
}

function openParameters(run: FitRun): Remark[] {
	const { estimation, profiles, covariance } = run;
	const { unknowns } = estimation;
	const groups = openGroups(covariance.open);
	const ranOff = groups.flatMap(({ members: [i, ...others] }) =>
		others.length === 0 && unknowns[i].scale === "log" && farFromStarts(run, i) ? [i] : [],
	);
	const open = groups.filter(({ members }) => !ranOff.includes(members[0]));
	const practical = [...unknowns.keys()].filter(
		(i) => profiles?.[i]?.verdict === "practically unidentifiable",
	);
	const named = (indices: readonly number[]): string => list(indices.map((i) => unknowns[i].name));
	return [
		...openDoubts(namedGroups(open, (i) => unknowns[i].name)),
		...(ranOff.length > 0
			? doubt(
					"ran-off",
					`${named(ranOff)} ran off to where it has no effect`,
					"The search followed it towards 0 or infinity, where it can change nothing any more. Either the term is not needed, or this is a wrong optimum: try other starts, or a range in the model.",
					true,
				)
			: []),
		...(practical.length > 0
			? note(
					"unbounded",
					`The data do not bound ${named(practical)}`,
					`The fit hardly gets worse out to the end of the range that was searched: ${practical.map((i) => openEnds(run, i)).join("; ")}. More or other data, or knowledge of the range, would help.`,
				)
			: []),
	];
}

function notProfiled(run: FitRun): Remark[] {
	const { estimation, profiles, options } = run;
	const names = estimation.unknowns.flatMap(({ name }, i) => (profiles && !profiles[i] ? [name] : []));
	if (names.length === 0) return [];
	if (onlyCut(run))
		return note(
			"not-profiled",
			"Intervals are those of the curvature at the optimum",
			"It was found with the records in segments, and only so: along a profile, fits to the whole records would fall out of step with them, as the plain starts did. Standard errors are those of small errors; more samples or records make them so.",
		);
	return note(
		"not-profiled",
		`${listSome(names)} ${names.length === 1 ? "was" : "were"} not profiled to the end`,
		`Profiles would have taken longer than they may (fit: { effort: ${options.effort} }). Intervals there follow from the curvature of the fit at the optimum alone: where the cost is no parabola they are too short or too long. Allow more, or set some of the parameters.`,
	);
}

/** Intervals of the curvature know nothing of declared sets. */
function cutIntervals(run: FitRun): Remark[] {
	const cut = run.estimation.unknowns.flatMap(({ name }, i) => {
		const ends = cutEnds(run, i);
		return ends.length > 0
			? [`${name} at ${list(ends.map((end) => String(Number(end.toPrecision(3)))))}`]
			: [];
	});
	if (cut.length === 0) return [];
	return note(
		"interval-cut",
		`${counted(cut.length, "interval")} ended where the set of the unknown does`,
		`By the curvature of the fit at the optimum they would reach further: ${listSome(cut)}. Profiles tell whether the data bound them there (fit: { profile: true }).`,
	);
}

/** `p4 up to 0.5, where its set ends`. */
function openEnds({ estimation, profiles, best }: FitRun, i: number): string {
	const { name, lo, hi } = estimation.unknowns[i];
	const { sides, lo: from, hi: to } = profiles![i]!;
	const ends = sides.flatMap(({ passed, reach }, k) => {
		if (passed || reach === 0) return [];
		const bound = k === 0 ? lo : hi;
		const isSet = (k === 0 ? from : to) === best[i] + (k === 0 ? -reach : reach);
		const end = isSet ? bound : fromSearch(estimation.unknowns[i], best[i] + (k === 0 ? -reach : reach));
		return [
			`${k === 0 ? "down" : "up"} to ${Number(end.toPrecision(3))}${isSet ? ", where its set ends" : " at least"}`,
		];
	});
	return `${name} ${ends.join(", and ")}`;
}

/** Whether an unknown on a logarithmic scale left the range of its start by a factor of 20 or more. */
function farFromStarts({ best, estimation }: FitRun, i: number): boolean {
	return Math.abs(best[i] - toSearch(estimation.unknowns[i], estimation.unknowns[i].start)) > 3;
}

function noiseMismatch(run: FitRun, series: readonly ResidualSeries[]): Doubt[] {
	const { degrees, estimation } = run;
	const scale = errorsOf(run);
	if (degrees < 1) return [];
	const isByLaw = estimation.observations.groups.some(({ law }) => law.isCount);
	const uses = isByLaw
		? "Standard deviations and intervals here are those of the declared law."
		: !scale.byDeclaration
			? scale.atFloor
				? "Standard deviations and intervals here are what rounding and integration error leave."
				: "Standard deviations and intervals here use the residuals as they are."
			: "With so few samples, standard deviations and intervals here use the declared noise.";
	return sizeDoubts(strangeSizes(series, estimation.unknowns.length), {
		larger: uses,
		smaller: uses,
	});
}

function correlatedResiduals(run: FitRun, series: readonly ResidualSeries[]): Doubt[] {
	return dependenceDoubt(dependent(run, series), { model: run.problem.model });
}

function dependent(run: FitRun, series: readonly ResidualSeries[]): Dependence[] {
	// Without noise, what is left is rounding and the error of the integration.
	return run.scale.atFloor ? [] : dependences(series, run.estimation.unknowns.length);
}

/** Whether what is left of the samples is no noise. */
export function leavesStructure(run: FitRun): boolean {
	return dependent(run, residualSeries(run)).length > 0;
}

export function seriesWithPredicted(run: FitRun, predictions: readonly Prediction[]): ResidualSeries[] {
	const {
		estimation,
		optimum: { spreads },
	} = run;
	const { groups, grids } = estimation.observations;
	return residualSeries(run).map((each, g) => {
		const { law, from, to, experiment, memory, within } = groups[g];
		const curve = predictions.find(
			({ part, experiment: record, output }) =>
				part === "train" && record === each.experiment && output === each.output,
		);
		if (!curve || law.isCount || memory || within) return each;
		return {
			...each,
			start: grids[experiment].t0,
			predicted: predictedBy(curve, each.t, spreads.subarray(from, to), law.scale.isLog),
		};
	});
}

/** As the judge reads them. */
export function residualSeries(run: FitRun): ResidualSeries[] {
	const { estimation, search } = run;
	const { errors, spreads, sd } = run.optimum;
	return seriesOf(estimation.observations.groups, errors, estimation.experiments, {
		// Of scaled squares all rows are divided by their spreads but for one factor.
		unit: spreads[0] / sd[0] || 1,
		jacobian: search?.best.jacobian
			? { of: run.rows.jacobian, nUnknowns: estimation.unknowns.length }
			: "unknown",
	});
}
