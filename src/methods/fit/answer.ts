/** The answer of a fit: table, predictions, figures, doubts. */

import type { Figure } from "../../estimate/figure.ts";
import type { Verdict } from "../../estimate/judge/identifiability.ts";
import { swingingOutputs } from "../../estimate/judge/too-fast.ts";
import { distrust, list, sorted } from "../../estimate/judge/words.ts";
import { isOpen } from "../../estimate/least-squares/null-space.ts";
import type { ProfilePoint } from "../../estimate/least-squares/profile.ts";
import { rounding } from "../../estimate/observe/error-scale.ts";
import { spreadRows } from "../../estimate/observe/found-spreads.ts";
import { naturalPoint } from "../../estimate/observe/likelihood.ts";
import type { Spread } from "../../estimate/observe/spread.ts";
import { parameterSummary } from "../../estimate/parameter-summary.ts";
import type { Doubt, ParameterRow, Result } from "../../estimate/result.ts";
import { unanswered } from "../../estimate/unanswered.ts";
import { fromSearch } from "../../estimate/unknowns/unknowns.ts";
import { squared } from "../../num/whole-power.ts";
import { covarianceFile } from "./covariance-file.ts";
import { remarksOf, residualSeries, robustSdOf } from "./doubts.ts";
import { errorsOf } from "./errors.ts";
import type { FitRun } from "./fit-run.ts";
import { testPredictions, trainPredictions } from "./prediction.ts";
import { intervalOf, standardError } from "./standard-error.ts";
import { agreeingStarts } from "./starts/starts-compared.ts";
import type { FitSummary } from "./summary.ts";

export async function answer(run: FitRun): Promise<Result<FitSummary>> {
	// Asked in the middle of the search, no start has come to its end.
	if (!run.search?.best.told || run.starts.length === 0) return noAnswer(run);
	const { outcome } = run.search.best;
	const scale = errorsOf(run);
	const parameters = [...rows(run), ...(scale.noise === undefined ? [] : spreadRows(run.foundErrors))];
	const test = await testPredictions(run);
	const predictions = [...(await trainPredictions(run)), ...test.predictions];
	const natural = naturalPoint(run.estimation.unknowns, run.best);
	const swinging = await swingingOutputs(run.estimation, run.integration, natural);
	const { doubts, notes } = sorted(remarksOf(run, predictions, swinging));
	const agree = agreeingStarts(run).length;
	return {
		method: "fit",
		outcome: outcome ?? "maxSteps",
		message: sentence(run, doubts, agree),
		answered: outcome === "converged",
		parameters,
		intervalName: run.profiles?.every((profile) => profile) ? "95 % profile interval" : "95 % interval",
		predictions,
		judged: residualSeries(run).map(({ taken: _, ...each }) => each),
		summary: {
			parameters: parameterSummary(parameters, 0.95),
			...run.optimum.goodness,
			iterations: run.iterations,
			evaluations: run.evaluations,
			starts: { tried: run.starts.length, agree },
			integration: run.misfit.forward.says,
			integrationError: run.error,
			noise: Object.fromEntries(
				run.estimation.observations.groups.flatMap((group) =>
					group.law.isCount
						? []
						: [
								[
									group.measure.name,
									{
										seen: run.optimum.sd[group.from] * Math.sqrt(run.residualVariance),
										...declared(group.spread),
									},
								],
							],
				),
			),
			robustSd: naturalRobustSd(run),
			timing: run.seconds,
		},
		doubts,
		notes,
		assumptions: [
			...(scale.atFloor && scale.noise !== undefined
				? [
						`The residuals are as small as what rounding (${rounding} of the signal) and integration error can change: standard errors and intervals are the largest change that those could make.`,
					]
				: ["Errors of the measurements are independent from sample to sample."]),
			...byProfile(run),
			...(test.fittedInitials.length > 0
				? [
						`Initial values of the test record (${test.fittedInitials.join(", ")}) were fitted to ${run.problem.test.some(({ warmUp }) => warmUp) ? "its first rows" : "it"}.`,
					]
				: []),
		],
		figures: profileFigures(run),
		files: covarianceFile(run),
		references: ["nielsen1999", ...(run.profiles ? ["raue2009"] : []), "neweywest1987"],
	};
}

function rows(run: FitRun): ParameterRow[] {
	const { unknowns } = run.estimation;
	const { covariance, noise } = errorsOf(run);
	return unknowns.map((unknown, i) => {
		const profile = run.profiles?.[i];
		const [lo, hi] = intervalOf(run, i);
		const unscaled = noise === undefined;
		const open = isOpen(covariance.open, i);
		const verdict =
			profile?.verdict ??
			(open ? "structurally unidentifiable" : unscaled ? "no standard error" : "not profiled");
		const { sd } = standardError(run, i);
		return {
			name: unknown.name,
			estimate: fromSearch(unknown, run.best[i]),
			...(sd === undefined ? {} : { sd }),
			...(verdict === "structurally unidentifiable" || unscaled ? {} : { lo, hi }),
			verdict,
		};
	});
}

/** Where the interval gives the standard error. */
function byProfile(run: FitRun): string[] {
	const names = run.estimation.unknowns.flatMap(({ name }, i) => {
		const { sd, byProfile } = standardError(run, i);
		return byProfile && sd !== undefined ? [name] : [];
	});
	return names.length === 0
		? []
		: [
				`The cost is no parabola in ${list(names)}: the standard error there is that of an even interval as wide as the profile's.`,
			];
}

function naturalRobustSd(run: FitRun): Record<string, number> {
	const robust = robustSdOf(run);
	return Object.fromEntries(
		run.estimation.unknowns.flatMap((unknown, i) =>
			isOpen(run.covariance.open, i)
				? []
				: [
						[
							unknown.name,
							robust[i] *
								standardError(run, i).factor *
								(unknown.scale === "log" ? fromSearch(unknown, run.best[i]) : 1),
						],
					],
		),
	);
}

/** A spread that is the same at all samples. */
function declared(spread: Spread): { declared?: number } {
	return spread.kind === "known" && spread.sd.every((sd) => sd === spread.sd[0])
		? { declared: spread.sd[0] }
		: {};
}

function sentence(run: FitRun, doubts: readonly Doubt[], agree: number): string {
	const { outcome } = run.search!.best;
	const starts =
		run.starts.length === 1
			? "only one start was made (a better optimum may exist)"
			: `${agree} of ${run.starts.length} starts agree`;
	if (outcome !== "converged")
		return `Stopped after ${run.evaluations} evaluations before it converged; the best point so far is shown. Raise  fit: { maxEvaluations }.`;
	const distrusted = distrust(doubts);
	const open = (run.profiles ?? []).filter((profile) => profile?.verdict.endsWith("unidentifiable")).length;
	if (distrusted) return `Converged, ${distrusted}.`;
	if (open > 0)
		return `Converged (${starts}); ${open} of ${run.profiles!.length} unknowns are not bounded by the data.`;
	const identifiable = run.profiles?.every((profile) => profile?.verdict === "identifiable");
	return `Converged; ${starts}${identifiable ? ", and every unknown is identifiable" : ""}.`;
}

function profileCaption(verdict: Verdict): string {
	if (verdict === "structurally unidentifiable") return "flat: the others make up for any value of it";
	if (verdict === "practically unidentifiable") return "the curve does not pass the line on both sides";
	return `${verdict}; the interval is where the curve stays below the line`;
}

/** Points between points: the score is nearly a straight line there, its square is not. */
function between(points: readonly ProfilePoint[]): ProfilePoint[] {
	const parts = 8;
	return points.flatMap((point, i) => {
		const next = points[i + 1];
		if (!next) return [point];
		return Array.from({ length: parts }, (_, k) => ({
			z: point.z + (k / parts) * (next.z - point.z),
			score: point.score + (k / parts) * (next.score - point.score),
		}));
	});
}

function profileFigures(run: FitRun): Figure[] {
	const { quantile } = errorsOf(run);
	return (run.profiles ?? []).flatMap((profile, i): Figure[] => {
		if (!profile) return [];
		const unknown = run.estimation.unknowns[i];
		const shown = profile.points.filter(({ score }) => Math.abs(score) < 4 * quantile);
		const x = shown.map(({ z }) => fromSearch(unknown, z));
		const curve = between(shown);
		const figure: Figure = {
			name: `profile-${i}`,
			title: unknown.name,
			caption: profileCaption(profile.verdict),
			xLabel: unknown.name,
			yLabel: "rise of the cost / variance",
			section: "sure",
			small: true,
			marks: [
				{
					type: "line",
					x: curve.map(({ z }) => fromSearch(unknown, z)),
					y: curve.map(({ score }) => squared(score)),
					role: "model",
				},
				{ type: "points", x, y: shown.map(({ score }) => squared(score)), role: "model" },
				{ type: "rule", at: squared(quantile), axis: "y", role: "guide", label: "95 %" },
				{ type: "rule", at: fromSearch(unknown, run.best[i]), axis: "x", role: "guide" },
			],
		};
		return [figure];
	});
}

function noAnswer(run: FitRun): Result<FitSummary> {
	return unanswered({
		method: "fit",
		outcome: "diverged",
		message: `No starting point gave a finite simulation (${run.misfit.forward.says}). Give a start under  set:  from which the model can be simulated, or narrower knowledge of the parameters.`,
		summary: { parameters: {}, iterations: 0, starts: { tried: run.starts.length, agree: 0 } },
	});
}
