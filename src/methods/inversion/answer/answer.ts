/** The answer of an inversion: chosen terms, predictions, figures, doubts, and the model text. */

import { distrust, sorted } from "../../../estimate/judge/words.ts";
import {
	type Doubt,
	type FoundLaw,
	ofRecord,
	type ParameterRow,
	type Result,
} from "../../../estimate/result.ts";
import { unanswered } from "../../../estimate/unanswered.ts";
import { studentQuantile975 } from "../../../num/statistics/quantile.ts";
import { squared } from "../../../num/whole-power.ts";
import { openUnknowns, standardErrors } from "../descent/fitted-model.ts";
import { deviation } from "../forward/smooth-states.ts";
import type { InversionRun } from "../inversion-run.ts";
import { type Finding, findingOf } from "../selection/finding.ts";
import { chanceOf, namedRivals } from "../selection/judged.ts";
import { type LeftOut, leftOut } from "../selection/left-out.ts";
import type { InversionSummary } from "../summary.ts";
import type { ChosenWeight } from "./chosen-terms.ts";
import {
	correlatedPairs,
	difference,
	openCombinations,
	percentOf,
	remarksOf,
	skippedTests,
} from "./doubts.ts";
import { figuresOf } from "./figures.ts";
import { foundLikelihood } from "./found-likelihood.ts";
import { foundLaw } from "./law.ts";
import { testPredictions, trainPredictions } from "./prediction.ts";
import { type FoundBeside, selectedModel } from "./selected-model.ts";

export async function answer(run: InversionRun): Promise<Result<InversionSummary>> {
	if (!run.final) return noAnswer(run);
	const { work, final, options } = run;
	const parameters = rows(run);
	const test = await testPredictions(run);
	const predictions = [...(await trainPredictions(run)), ...test.predictions];
	const { doubts, notes } = sorted(remarksOf(run, predictions));
	const chosen = chosenWeights(run, parameters);
	const kept = work.terms(final.active).length;
	const finding = findingOf(run);
	const found = finding === "terms" || finding === "noneNeeded";
	const outcome = found ? run.finalOutcome : "nothingFound";
	const out = await leftOut(run);
	const law = lawOf(run, chosen, parameters, out);
	const headline =
		finding === "terms" ? sentence(run, kept, doubts) : withoutTerms(run, kept, finding, doubts);
	return {
		method: "inversion",
		outcome,
		message: finding === "terms" ? headline + designText(run) : headline,
		answered: found && run.finalOutcome === "converged",
		parameters,
		intervalName: run.profiles.length > 0 ? "95 % profile interval" : "95 % interval",
		predictions,
		summary: summaryOf(run, chosen, parameters, law, out),
		...(found ? { law } : {}),
		doubts,
		notes,
		assumptions: [
			"Errors of the measurements are independent from sample to sample.",
			"Standard errors and intervals hold for the chosen terms: they do not count that others could have been chosen.",
			...(options.select === "evidence"
				? ["Before the data, every term is as likely to be there as not, with effects of about one size."]
				: []),
			...(test.fittedInitials.length > 0
				? [`Initial values of the test record (${test.fittedInitials.join(", ")}) were fitted to it.`]
				: []),
		],
		figures: figuresOf(run),
		files: [
			{
				name: "selected.ode",
				content: selectedModel(
					run.problem.model,
					work.setting.candidates,
					chosen,
					foundBeside(run, parameters),
					[
						`The model after inversion, outcome ${outcome}: ${headline}`,
						...doubts.filter(({ grave }) => grave).map(({ title }) => `Grave doubt: ${title}.`),
					],
				),
			},
		],
		references: [
			"whiten2014",
			...(options.select === "evidence" ? ["mackay1992"] : []),
			...(run.profiles.length > 0 ? ["raue2009"] : []),
			...(run.stability.of > 0 ? ["meinshausen2010"] : []),
		],
	};
}

function rows(run: InversionRun): ParameterRow[] {
	const { work, final, profiles, variance, degrees, stability } = run;
	const isChance = findingOf(run) !== "terms";
	const se = standardErrors(final!, variance);
	const quantile = studentQuantile975(degrees);
	// In the fit of all terms: which of them is zero was not told by the data.
	const open = openUnknowns(run.candidates!);
	return final!.active.map((u, k) => {
		const estimate = final!.point[u];
		const name = work.nameOf(u);
		if (open.has(u) || Number.isNaN(se[k])) return { name, estimate, verdict: "structurally unidentifiable" };
		const profile = profiles.find(({ unknown }) => unknown === u);
		const term = work.sets.of(u);
		const often = stability.of > 0 && term !== undefined ? stability.counts[term] / stability.of : undefined;
		return {
			name,
			estimate,
			sd: se[k],
			lo: profile ? (profile.lo ?? Number.NEGATIVE_INFINITY) : estimate - quantile * se[k],
			hi: profile ? (profile.hi ?? Number.POSITIVE_INFINITY) : estimate + quantile * se[k],
			verdict:
				term === undefined
					? "always there"
					: isChance
						? "could be chance"
						: often === undefined
							? "kept"
							: `found again in ${Math.round(100 * often)} %`,
		};
	});
}

function chosenWeights({ work, final }: InversionRun, parameters: readonly ParameterRow[]): ChosenWeight[] {
	const { weights } = work.setting.candidates;
	return final!.active.flatMap((u, k) =>
		u < weights.length ? [{ weight: weights[u], estimate: final!.point[u], sd: parameters[k].sd }] : [],
	);
}

/** The chosen terms as equations, rivals beside them. */
function lawOf(
	run: InversionRun,
	chosen: readonly ChosenWeight[],
	parameters: readonly ParameterRow[],
	out: readonly LeftOut[],
): FoundLaw {
	const { work, selection, problem } = run;
	const { weights } = work.setting.candidates;
	const rivals = namedRivals(selection!).map((rival) => ({
		words: difference(run, rival),
		weights: rival.active.flatMap((u, k) => {
			if (u >= weights.length) return [];
			const t = rival.t[k];
			const sd = t === null || !(t > 0) ? undefined : Math.abs(rival.point[u]) / t;
			return [{ weight: weights[u], estimate: rival.point[u], sd }];
		}),
	}));
	const own = chosen.map((each) => {
		const row = parameters.find(({ name }) => name === each.weight.name);
		return { ...each, lo: row?.lo, hi: row?.hi };
	});
	const named = out.map(({ unknown, lo, hi }) => ({ name: work.nameOf(unknown), lo, hi }));
	return foundLaw(problem.model, work.setting.candidates, own, rivals, named);
}

/** Noise and initial values that the model leaves open, as the fit shows them. */
function foundBeside(
	{ work, starts, final }: InversionRun,
	parameters: readonly ParameterRow[],
): FoundBeside {
	const { observations, initials, candidates } = work.setting;
	const noise = new Map(
		observations.groups.flatMap(({ spread: own, from }) =>
			own.kind === "common" && own.param ? [[own.param, starts.noise.sd[from] / own.perParam!] as const] : [],
		),
	);
	const initial = new Map(
		candidates.model.components.flatMap((name, c) => {
			const own = initials.flatMap(({ component }, i) => {
				const k = final!.active.indexOf(work.nWeights + i);
				return component === c && k >= 0 ? [parameters[k]] : [];
			});
			if (own.length === 0) return [];
			const estimate = meanOf(own.map((each) => each.estimate));
			// Experiments that begin elsewhere: wide enough for all of them.
			const spread = deviation(own.map((each) => each.estimate)) / 3;
			const sds = own.map(({ sd }) => sd ?? Number.POSITIVE_INFINITY);
			return [[name, { estimate, sd: Math.max(spread, ...sds) }] as const];
		}),
	);
	return { noise, initial };
}

const meanOf = (values: readonly number[]): number =>
	values.reduce((sum, value) => sum + value / values.length, 0);

function summaryOf(
	run: InversionRun,
	chosen: readonly ChosenWeight[],
	parameters: readonly ParameterRow[],
	law: FoundLaw,
	out: readonly LeftOut[],
): InversionSummary {
	const { work, selection, starts, final, stability } = run;
	const { weights } = work.setting.candidates;
	const kept = new Set(final!.active);
	const often = (u: number) => {
		const term = work.sets.of(u) ?? u;
		return stability.of > 0 ? { frequency: stability.counts[term] / stability.of } : {};
	};
	return {
		terms: chosen.map(({ weight, estimate, sd }) => ({
			of: weight.of,
			term: weight.term,
			...(weight.record === undefined ? {} : { record: weight.record }),
			weight: estimate,
			sd,
			...intervalIn(parameters.find(({ name }) => name === weight.name)),
			...often(weights.indexOf(weight)),
		})),
		law: {
			equations: law.equations.map(ofRecord),
			intervals: law.intervals,
			rivals: law.rivals.map(({ words, equations }) => ({
				equations: equations.map(ofRecord),
				words,
			})),
		},
		dropped: weights.flatMap(({ of, term, record }, w) => {
			if (kept.has(w)) return [];
			const whose = record === undefined ? {} : { record };
			return [{ of, term, ...whose, ...often(w), ...limitsOf(out.find(({ unknown }) => unknown === w)) }];
		}),
		...foundLikelihood(run).goodness,
		iterations: starts.iterations,
		selections: selection!.path.length - 1,
		residualSd: residualSd(run),
		initialValues: Object.fromEntries(
			work.setting.initials.map(({ name }, k) => [name, final!.point[work.nWeights + k]]),
		),
		integration: starts.problem.forward.says,
		integrationError: run.integrationError,
		starts: {
			tried: starts.results.map(({ from, sse, iterations, outcome }) => ({ from, sse, iterations, outcome })),
			others: run.others.map(({ from, sse, outcome }) => ({ from, sse, outcome })),
		},
		path: selection!.path.map(({ key, dropped, t, tie, terms, sse, bic, evidence }) => ({
			dropped: dropped === null ? null : work.termName(dropped),
			standardErrors: t,
			terms,
			sse,
			bic,
			evidence,
			nearTie: tie ? { term: work.termName(tie.term), standardErrors: tie.t } : null,
			chosen: key === final!.active.join(),
		})),
		rivals: namedRivals(selection!).map((rival) => difference(run, rival)),
		...(run.options.select === "evidence" ? { chance: chanceOf(selection!) } : {}),
		...(run.options.design > 0
			? { design: run.design.map(({ design, found, of }) => ({ design, found, of, share: found / of })) }
			: {}),
		correlatedPairs: correlatedPairs(run),
		unidentifiable: openCombinations(run),
	};
}

/** How large a term that was left out could be; nothing where the chosen ones could stand for it. */
function limitsOf(out: LeftOut | undefined): { lo: number; hi: number; level: number } | undefined {
	return out && out.hi < Number.POSITIVE_INFINITY ? { lo: out.lo, hi: out.hi, level: 0.95 } : undefined;
}

function intervalIn(row: ParameterRow | undefined): Record<string, unknown> {
	return row?.lo === undefined ? {} : { lo: row.lo, hi: row.hi, level: 0.95 };
}

/** Standard deviation of the residuals of each output, with the degrees of freedom shared out by samples. */
export function residualSd({ work, final, starts }: InversionRun): Record<string, number> {
	const { observations } = work.setting;
	const share = 1 - final!.active.length / observations.nObservations;
	const sums = new Map<string, { squares: number; count: number }>();
	for (const { measure, from, to } of observations.groups) {
		const own = sums.get(measure.name) ?? { squares: 0, count: 0 };
		for (let i = from; i < to; i++)
			own.squares += squared(final!.residual[i]) * squared(starts.noise.sd[i] / starts.noise.scale);
		own.count += to - from;
		sums.set(measure.name, own);
	}
	return Object.fromEntries(
		[...sums].map(([name, { squares, count }]) => [name, Math.sqrt(squares / Math.max(count * share, 1))]),
	);
}

function sentence(run: InversionRun, kept: number, doubts: readonly Doubt[]): string {
	const { work, final, selection } = run;
	if (run.finalOutcome !== "converged")
		return `No answer: the fit of the ${kept} of ${work.selectable.length} terms that were chosen did not converge${work.smooth ? "" : ", with states that are not measured"}. The best point so far is shown.`;
	const weights = work.sets.areSingle ? "" : " in all records, each with weights of its own";
	const found = `${kept} of ${work.selectable.length} terms are there${weights}`;
	const distrusted = distrust(doubts);
	if (distrusted) return `${found}, ${distrusted}.`;
	const near = namedRivals(selection!).length;
	const chance =
		run.options.select === "evidence"
			? `, and it has a chance of ${percentOf(chanceOf(selection!))} among them`
			: "";
	const others = selection!.exchanges?.length ?? 0;
	const beside =
		near > 0
			? `${near} other set${near === 1 ? " is" : "s are"} not ruled out${chance}`
			: others > 0
				? `${others} of them could be others`
				: "no other set of terms that was tried comes near";
	const open = final!.open.length > 0 ? " Some weights are open." : "";
	return `${found}; ${beside}.${open}${skippedTests(run).length > 0 ? " It was not put to every test." : ""}`;
}

/** What the design study found, where there was one. */
function designText({ options, design }: InversionRun): string {
	if (options.design === 0) return "";
	const shares = design.map(({ design: name, found, of }) => `${name} ${found} of ${of}`);
	return ` In records simulated from it, the same terms are found again: ${shares.join("; ")}.`;
}

function withoutTerms(
	{ work }: InversionRun,
	kept: number,
	finding: Exclude<Finding, "terms">,
	doubts: readonly Doubt[],
): string {
	const distrusted = distrust(doubts);
	const of = `${work.selectable.length} candidate${work.selectable.length === 1 ? "" : "s"}`;
	const shown = kept > 0 ? `; the ${kept} shown could be chance` : "";
	switch (finding) {
		case "noneNeeded":
			return `None of ${of} is needed: what the model always has explains the data${distrusted ? `, ${distrusted}` : ""}.`;
		case "misfit":
			return `No set of terms that was found fits the data, of ${of}.`;
		case "nothing":
			return `No term stands out from the noise, of ${of}${shown}.`;
	}
}

function noAnswer({ starts, work }: InversionRun): Result<InversionSummary> {
	const see = work.smooth ? "" : ", or measure every state so that the samples can give a start";
	return unanswered({
		method: "inversion",
		outcome: "diverged",
		message: `No start gave a finite simulation (${starts.problem.forward.says}). Give a start under  set:  from which the model can be simulated, or raise  inversion: { substeps }${see}.`,
		summary: { terms: [], dropped: [], iterations: 0, selections: 0, residualSd: {} },
	});
}
