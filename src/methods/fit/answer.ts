/** The answer of a fit: table, predictions, figures, doubts. */
import { normalQuantile975 } from "../../num/quantile.ts";
import { fromSearch } from "../common/unknowns.ts";
import type { Figure } from "../figure.ts";
import type { Doubt, ParameterRow, Result } from "../result.ts";
import { isOpen } from "./covariance.ts";
import { doubtsOf, robustSdOf } from "./doubts.ts";
import { rounding } from "./error-scale.ts";
import type { FitRun } from "./fit-run.ts";
import { testPredictions, trainPredictions } from "./prediction.ts";
import type { Verdict } from "./profile.ts";
import { agreeingStarts } from "./starts-compared.ts";

export async function answer(run: FitRun): Promise<Result> {
	if (!run.search?.best.told) return noAnswer(run);
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
			parameters: Object.fromEntries(
				parameters.map(({ name, estimate, sd, lo, hi, verdict }) => [
					name,
					{ estimate, sd, lo, hi, verdict },
				]),
			),
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
	const { sd } = covariance;
	const { noise, variance, quantile } = run.scale;
	const scale = Math.sqrt(variance);
	return unknowns.map((unknown, i) => {
		const profile = run.profiles?.[i];
		const estimate = fromSearch(unknown, run.best[i]);
		const open = isOpen(covariance, i);
		const half = quantile * sd[i] * scale;
		const interval = profile
			? { lo: fromSearch(unknown, profile.lo), hi: fromSearch(unknown, profile.hi) }
			: { lo: fromSearch(unknown, run.best[i] - half), hi: fromSearch(unknown, run.best[i] + half) };
		const unscaled = noise === undefined;
		const verdict =
			profile?.verdict ??
			(open ? "structurally unidentifiable" : unscaled ? "no standard error" : "not profiled");
		return {
			name: unknown.name,
			estimate,
			...(open || unscaled ? {} : { sd: sd[i] * scale * (unknown.scale === "log" ? estimate : 1) }),
			...(verdict === "structurally unidentifiable" || unscaled ? {} : interval),
			verdict,
		};
	});
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
				: [[unknown.name, robust[i] * (unknown.scale === "log" ? fromSearch(unknown, run.best[i]) : 1)]],
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

function profileFigures(run: FitRun): Figure[] {
	const { quantile } = run.scale;
	return (run.profiles ?? []).map((profile, i) => {
		const unknown = run.estimation.unknowns[i];
		const shown = profile.points.filter(({ score }) => Math.abs(score) < 4 * quantile);
		const x = shown.map(({ z }) => fromSearch(unknown, z));
		return {
			name: `profile-${i}`,
			title: unknown.name,
			caption: profileCaption(profile.verdict),
			xLabel: unknown.name,
			yLabel: "rise of the cost / variance",
			section: "sure",
			small: true,
			marks: [
				{ type: "line", x, y: shown.map(({ score }) => score ** 2), role: "model" },
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
