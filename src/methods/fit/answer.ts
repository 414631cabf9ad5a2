/** The answer of a fit: table, predictions, figures, doubts. */

import type { Figure } from "../../estimate/figure.ts";
import { list } from "../../estimate/judge/words.ts";
import { isOpen } from "../../estimate/least-squares/covariance.ts";
import type { ProfilePoint, Verdict } from "../../estimate/least-squares/profile.ts";
import { rounding } from "../../estimate/observe/error-scale.ts";
import { parameterSummary } from "../../estimate/parameter-summary.ts";
import type { Doubt, ParameterRow, Result } from "../../estimate/result.ts";
import { fromSearch } from "../../estimate/unknowns/unknowns.ts";
import { normalQuantile975 } from "../../num/quantile.ts";
import { doubtsOf, robustSdOf } from "./doubts.ts";
import type { FitRun } from "./fit-run.ts";
import { testPredictions, trainPredictions } from "./prediction.ts";
import { intervalOf, standardError } from "./standard-error.ts";
import { agreeingStarts } from "./starts-compared.ts";

export async function answer(run: FitRun): Promise<Result> {
	// Asked in the middle of the search, no start has come to its end.
	if (!run.search?.best.told || run.starts.length === 0) return noAnswer(run);
	const { outcome } = run.search.best;
	const parameters = [...rows(run), ...spreadRows(run)];
	const test = await testPredictions(run);
	const predictions = [...(await trainPredictions(run)), ...test.predictions];
	const doubts = doubtsOf(run, predictions);
	const agree = agreeingStarts(run).length;
	return {
		method: "fit",
		outcome: outcome ?? "maxSteps",
		message: sentence(run, doubts, agree),
		answered: outcome === "converged",
		parameters,
		intervalName: run.profiles ? "95 % profile interval" : "95 % interval",
		predictions,
		summary: {
			parameters: parameterSummary(parameters, 0.95),
			iterations: run.iterations,
			evaluations: run.evaluations,
			starts: { tried: run.starts.length, agree },
			integration: run.misfit.forward.says,
			integrationError: run.error,
			noise: Object.fromEntries(
				run.estimation.observations.groups.map((group) => [
					group.measure.name,
					{ seen: run.sd[group.from] * Math.sqrt(run.residualVariance), ...declared(group.noise) },
				]),
			),
			robustSd: naturalRobustSd(run),
			timing: run.seconds,
		},
		doubts,
		assumptions: [
			...(run.scale.atFloor && run.scale.noise !== undefined
				? [
						`The residuals are as small as what rounding (${rounding} of the signal) and integration error can change: standard errors and intervals are the largest change that those could make.`,
					]
				: ["Errors of the measurements are independent from sample to sample."]),
			...byProfile(run),
			...(test.fittedInitials.length > 0
				? [`Initial values of the test record (${test.fittedInitials.join(", ")}) were fitted to it.`]
				: []),
		],
		figures: profileFigures(run),
		files: [],
		references: ["nielsen1999", ...(run.profiles ? ["raue2009"] : []), "neweywest1987"],
	};
}

function rows(run: FitRun): ParameterRow[] {
	const { unknowns } = run.estimation;
	const { covariance } = run;
	const { noise, variance, quantile } = run.scale;
	return unknowns.map((unknown, i) => {
		const profile = run.profiles?.[i];
		const half = quantile * covariance.sd[i] * Math.sqrt(variance);
		const [lo, hi] = profile
			? intervalOf(run, i)
			: [fromSearch(unknown, run.best[i] - half), fromSearch(unknown, run.best[i] + half)];
		const unscaled = noise === undefined;
		const open = isOpen(covariance, i);
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

/** Spreads that were declared as parameters: the size of the residuals, with its own error. */
function spreadRows(run: FitRun): ParameterRow[] {
	if (run.scale.noise === undefined) return [];
	const { groups } = run.estimation.observations;
	const names = new Set(
		groups.flatMap(({ noise }) => (noise.kind === "unknown" && noise.param ? [noise.param] : [])),
	);
	return [...names].map((name) => {
		const alike = groups.filter(({ noise }) => noise.kind === "unknown" && noise.param === name);
		const count = alike.reduce((sum, { from, to }) => sum + to - from, 0);
		const estimate = run.sd[alike[0].from] * Math.sqrt(run.residualVariance);
		const sd = estimate / Math.sqrt(2 * count);
		return {
			name,
			estimate,
			sd,
			lo: estimate - normalQuantile975 * sd,
			hi: estimate + normalQuantile975 * sd,
			verdict: "identifiable",
		};
	});
}

function naturalRobustSd(run: FitRun): Record<string, number> {
	const robust = robustSdOf(run);
	return Object.fromEntries(
		run.estimation.unknowns.flatMap((unknown, i) =>
			isOpen(run.covariance, i)
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

function declared(noise: { kind: string; sd?: number }): { declared?: number } {
	return noise.kind === "known" ? { declared: noise.sd } : {};
}

function sentence(run: FitRun, doubts: readonly Doubt[], agree: number): string {
	const { outcome } = run.search!.best;
	const starts =
		run.starts.length === 1
			? "only one start was made (a better optimum may exist)"
			: `${agree} of ${run.starts.length} starts agree`;
	if (outcome !== "converged")
		return `Stopped after ${run.evaluations} evaluations before it converged; the best point so far is shown. Raise  fit: { maxEvaluations }.`;
	const grave = doubts.filter((doubt) => doubt.grave);
	const open = (run.profiles ?? []).filter(({ verdict }) => verdict.endsWith("unidentifiable")).length;
	if (grave.length > 0) return `Converged, but do not trust it yet: ${inSentence(grave[0].title)}.`;
	if (open > 0)
		return `Converged (${starts}); ${open} of ${run.profiles!.length} unknowns are not bounded by the data.`;
	const identifiable = run.profiles?.every(({ verdict }) => verdict === "identifiable");
	return `Converged; ${starts}${identifiable ? ", and every unknown is identifiable" : ""}.`;
}

/** A title inside a sentence: its first word is small, unless it may be a name of the user's. */
function inSentence(title: string): string {
	return title.replace(/^(The|Only|Nothing|Another) /, (word) => word.toLowerCase());
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
	const { quantile } = run.scale;
	return (run.profiles ?? []).map((profile, i) => {
		const unknown = run.estimation.unknowns[i];
		const shown = profile.points.filter(({ score }) => Math.abs(score) < 4 * quantile);
		const x = shown.map(({ z }) => fromSearch(unknown, z));
		const curve = between(shown);
		return {
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
					y: curve.map(({ score }) => score ** 2),
					role: "model",
				},
				{ type: "points", x, y: shown.map(({ score }) => score ** 2), role: "model" },
				{ type: "rule", at: quantile ** 2, axis: "y", role: "guide", label: "95 %" },
				{ type: "rule", at: fromSearch(unknown, run.best[i]), axis: "x", role: "guide" },
			],
		};
	});
}

function noAnswer(run: FitRun): Result {
	return {
		method: "fit",
		outcome: "diverged",
		message: `No starting point gave a finite simulation (${run.misfit.forward.says}). Give a start under  set:  from which the model can be simulated, or narrower knowledge of the parameters.`,
		answered: false,
		parameters: [],
		intervalName: "",
		predictions: [],
		summary: { parameters: {}, iterations: 0, starts: { tried: run.starts.length, agree: 0 } },
		doubts: [],
		assumptions: [],
		figures: [],
		files: [],
		references: [],
	};
}
