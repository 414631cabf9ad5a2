/** What to doubt about an inversion, in words: what was seen, why it matters, what to try. */

import { coarseDoubt, lengthOf } from "../../../estimate/judge/coarse-steps.ts";
import { type NamedGroup, namedGroups, openDoubts } from "../../../estimate/judge/identifiability.ts";
import { outlierDoubt } from "../../../estimate/judge/outliers.ts";
import { ownStart, testDoubt } from "../../../estimate/judge/test-record.ts";
import { doubt, list, listSome, note, toldApart } from "../../../estimate/judge/words.ts";
import { openGroups } from "../../../estimate/least-squares/null-space.ts";
import type { Doubt, Prediction, Remark } from "../../../estimate/result.ts";
import { conditionCombinations } from "../candidates/condition-rank.ts";
import { openUnknowns, standardErrors } from "../descent/fitted-model.ts";
import { asGood, heldWithin } from "../descent/other-optima.ts";
import { beyondSteps, sureShare } from "../finer-look.ts";
import { fastRate } from "../forward/fast-rates.ts";
import type { InversionRun } from "../inversion-run.ts";
import { type Finding, findingOf } from "../selection/finding.ts";
import { chanceOf, type Judged, namedRivals, sureFrom } from "../selection/judged.ts";
import { contradictsKnowledge } from "./knowledge-doubt.ts";
import { misfit, systematicResiduals } from "./misfit-doubts.ts";
import { unseenInRecords } from "./record-notes.ts";
import { residualSeries } from "./residuals.ts";
import { inSegments } from "./segment-doubt.ts";

/** Weights of the fit of all terms that are so correlated can stand for one another. */
const correlatedFrom = 0.95;
/** Share of the chosen terms that others could stand for, above which the choice itself is doubtful. */
const graveExchanges = 0.1;
/** Chance of the answer among its rivals below which the choice itself is doubtful, however well it fits. */
const likelyFrom = 1 / 8;

export function remarksOf(run: InversionRun, predictions: readonly Prediction[]): Remark[] {
	const finding = findingOf(run);
	// What holds near an optimum only says nothing of a point that is none.
	const nearOptimum = run.finalOutcome === "converged" ? [...unbounded(run), ...unstable(run)] : [];
	return [
		...noTerms(run, finding),
		...notConverged(run),
		...misfit(run, finding, predictions),
		...systematicResiduals(run),
		...outliers(run),
		...coarseSteps(run),
		...inSegments(run),
		...contradictsKnowledge(run),
		...leftOpen(run),
		...idle(run),
		...exchangeable(run),
		...(finding === "terms" ? [...tooFast(run), ...untriedLaws(run)] : []),
		...otherOptima(run),
		...rivals(run),
		...nearOptimum,
		...unseenInRecords(run),
		...correlated(run),
		...testDoubt(predictions, { remedy: ownStart(run.problem.model, "") }),
		...untested(run),
	];
}

function outliers(run: InversionRun): Doubt[] {
	return run.starts.noise.floored ? [] : outlierDoubt(residualSeries(run), run.final!.active.length);
}

/** Tests that were not made, in words. */
export function skippedTests({ options, work, stability, profiles, others, final }: InversionRun): string[] {
	if (work.terms(final!.active).length === 0) return [];
	return [
		...(others.length === 0 ? [`other starts${options.starts === 0 ? " (starts: 0)" : ""}`] : []),
		...(profiles.length === 0 ? [`profile likelihood${options.profile ? "" : " (profile: false)"}`] : []),
		...(stability.of === 0 && options.select !== "none"
			? [`choosing again under simulated noise${options.stability === 0 ? " (stability: 0)" : ""}`]
			: []),
	];
}

/** An answer that nothing speaks against may just not have been asked. */
function untested(run: InversionRun): Doubt[] {
	const skipped = skippedTests(run);
	if (skipped.length === 0) return [];
	return doubt(
		"untested",
		`The answer was not put to ${skipped.length === 3 ? "the" : "every"} test`,
		`Not done: ${list(skipped)}. ${run.work.isLarge ? "With so many candidates these take too long" : "They were switched off, or there is nothing or too much to test"}: what they would have shown is not known.`,
		false,
	);
}

function tooFast(run: InversionRun): Doubt[] {
	const fast = fastRate(run);
	if (!fast) return [];
	const { components, rate, perSample } = fast;
	return doubt(
		"too-fast",
		`${list(components)} ${components.length === 1 ? "is" : "are"} faster than the samples can show`,
		`The answer has a rate of ${rate.toPrecision(2)} per unit of time, ${perSample.toPrecision(2)} per sample: what such a state does on its own is over before the next sample, and only where it settles is seen. Its weights are known by their ratios at best, and in every equation a term in it can stand for one in what it follows. Sample more densely where it moves, or propose only terms that are sure.`,
		true,
	);
}

/** What the steps cannot hold is not found, however well the record shows it: another law is, that they hold. */
function untriedLaws(run: InversionRun): Doubt[] {
	const count = beyondSteps(run);
	if (count === 0) return [];
	return doubt(
		"untried-laws",
		"Faster laws could not be tried",
		`${count} set${count === 1 ? "" : "s"} of terms blew up in the simulation, beside an answer whose own rates are as large as ${run.starts.substeps} steps from one sample to the next hold, and finer ones are not made. The true law may be among them. Where a state becomes ever faster, leave out the later part of the record; or sample more densely.`,
		true,
	);
}

function noTerms({ work, final }: InversionRun, finding: Finding): Doubt[] {
	const shown = work.terms(final!.active).length > 0;
	if (finding === "misfit")
		return doubt(
			"no-fit",
			"No set of terms that was found fits the data",
			`${shown ? "The terms that are shown explain hardly any of the data" : "No candidate was found to explain any of the data"}, yet the residuals are far from being noise. The fit may not have found its way from its start: give one under  set:, or measure every state so that the samples can give a start. Or the right terms are not among the candidates.`,
			true,
		);
	if (finding === "nothing")
		return doubt(
			"no-terms",
			"No term stands out from the noise",
			`${shown ? "The terms that are shown explain no more of the data than the best of so many candidates would explain of noise alone" : "No candidate explains more of the data than it would explain of noise alone"}. The data are too few or too noisy, or the right terms are not among the candidates.`,
			true,
		);
	return [];
}

function otherOptima(run: InversionRun): Doubt[] {
	const { final, comparable, others, variance, work } = run;
	if (final!.active.length === 0) return [];
	const se = standardErrors(final!, variance);
	// Each dropped term that was put back explains about one variance by chance.
	const added = ({ point }: { point: readonly number[] }): number[] =>
		[...point.keys()].filter((u) => u < work.nWeights && point[u] !== 0 && !final!.active.includes(u));
	const held = others.filter(
		(other) => other.held !== null && other.sse <= comparable + (heldWithin - added(other).length) * variance,
	);
	if (held.length > 0) {
		const shown = held.map((other) => {
			const { from, held: u, point, sse } = other;
			const back = added(other).map((v) => work.nameOf(v));
			const change = (sse - comparable) / variance;
			return `with ${from} (${work.nameOf(u!)} = ${point[u!].toPrecision(3)} instead of ${final!.point[u!].toPrecision(3)}${back.length > 0 ? `; ${list(back)} put back` : ""}) the sum of squares ${change > 0 ? `rises by only ${change.toFixed(1)}` : `falls by ${(-change).toFixed(1)}`} variances`;
		});
		return doubt(
			"other-rates",
			"Much faster or slower rates fit as well",
			`The others fitted again, ${shown.join("; ")}. A state that is fast beside the sampling shows only ratios of its weights: the values and small standard errors shown are not to be trusted. Sample more densely where it moves, or fix one of its weights.`,
			true,
		);
	}
	const alike = others
		.filter((other) => other.held === null && other.sse <= comparable + asGood * variance)
		.map(({ point, from }) => ({
			from,
			...final!.active
				.map((u, k) => ({
					u,
					shift: Math.abs(point[u] - final!.point[u]) / (se[k] || Number.POSITIVE_INFINITY),
					value: point[u],
				}))
				.reduce((a, b) => (b.shift > a.shift ? b : a)),
		}))
		.filter(({ shift }) => shift > 6);
	if (alike.length === 0) return [];
	const { u, value, from, shift } = alike.reduce((a, b) => (b.shift > a.shift ? b : a));
	const [there, here] = toldApart(value, final!.point[u]);
	return doubt(
		"other-optimum",
		"Other weights fit as well",
		`${alike.length} of ${others.length} other starts end elsewhere with residuals as small: from ${from}, ${work.nameOf(u)} becomes ${there} instead of ${here}, ${shift.toFixed(0)} standard errors away. The standard errors shown hold near this answer only.`,
		true,
	);
}

/** Combinations that the data leave open, in the fit of all terms and in the answer. */
export function openCombinations(run: InversionRun): string[] {
	const alone = conditionCombinations(run.work.setting);
	const groups = leftOpenGroups(run);
	const ways = groups.reduce((sum, group) => sum + group.ways, 0);
	if (alone.length >= ways && ways > 0) return alone;
	return groups.map(({ names, ways: own }) => `${listSome(names)}${own === 1 ? "" : `, in ${own} ways`}`);
}

/** Of all candidates, and what the answer alone shows. */
function leftOpenGroups({ candidates, final, work }: InversionRun): NamedGroup[] {
	const known = openUnknowns(candidates!);
	return [candidates!, final!].flatMap(({ open, active }) => {
		const groups = openGroups(open);
		const more =
			open === candidates!.open
				? groups
				: groups.filter(({ members }) => !members.every((k) => known.has(active[k])));
		return namedGroups(more, (k) => work.nameOf(active[k]));
	});
}

function leftOpen(run: InversionRun): Doubt[] {
	const { work, candidates } = run;
	const combinations = conditionCombinations(work.setting);
	const advice =
		combinations.length > 0
			? `Conditions that change together do this (${combinations.join("; ")}): add experiments that tell them apart.`
			: run.problem.model.unknowns.length > 0
				? "States or inputs that stay where terms are alike do this (a knot that no state comes near, an input of two values beside its square): add records that go elsewhere, or propose fewer terms."
				: undefined;
	return openDoubts(leftOpenGroups(run), {
		so:
			candidates!.open.length > 0
				? "Which of them is zero was chosen by the fewest terms, not by the data, and they have no standard error."
				: "All models that differ in them alone, as in the unit of a state that is not measured, are equivalent: the one that is shown is one of these, and they have no standard error.",
		remedy: advice,
	});
}

/** Among very many candidates: those that no record shows. Fewer ones are told by what is left open. */
function idle({ selection, work }: InversionRun): Doubt[] {
	const names = (selection?.idle ?? []).map((u) => work.nameOf(u));
	if (names.length === 0) return [];
	return doubt(
		"idle-candidates",
		`${names.length} candidate${names.length === 1 ? " does" : "s do"} nothing in these records`,
		`Whatever their weights, no sample changes: ${listSome(names)}. They are left out because nothing shows them, not because the data speak against them. States that stay 0 do this: add records in which they move.`,
		true,
	);
}

/** Among very many candidates: chosen terms that others could stand for. Fewer ones are judged as whole sets. */
function exchangeable({ selection, work, final }: InversionRun): Doubt[] {
	const exchanges = selection?.exchanges ?? [];
	if (exchanges.length === 0) return [];
	const all = work.terms(final!.active).length;
	const shown = exchanges.slice(0, 6).map((each) => `${work.nameOf(each.in)} for ${work.nameOf(each.out)}`);
	return doubt(
		"exchangeable-terms",
		`${exchanges.length} of ${all} terms could be others`,
		`In their place another candidate fits about as well: ${shown.join(", ")}${exchanges.length > 6 ? ", …" : ""}. Records that begin elsewhere, or less noise, would decide between them.`,
		exchanges.length > graveExchanges * all,
	);
}

function coarseSteps({ integrationError, starts, work }: InversionRun): Doubt[] {
	return coarseDoubt(lengthOf(integrationError, work.nObservations), starts.substeps);
}

function unbounded({ profiles, work }: InversionRun): Doubt[] {
	const open = profiles
		.filter(({ lo, hi }) => lo === null || hi === null)
		.map(({ unknown }) => work.nameOf(unknown));
	if (open.length === 0) return [];
	return doubt(
		"unbounded",
		`The data do not bound ${list(open)}`,
		"The profile of the sum of squares stays low on one side as far as it could be followed (33 standard errors, or until the simulation blows up): the standard error says too little there. More data of another kind are needed to fix the value.",
		true,
	);
}

/**
 * Sets that the evidence does not rule out: a doubt where they leave the answer less sure than the intervals beside it, which hold in 95 of 100 cases.
 * One that is as sure is no more doubtful than these: its rivals are named, and no more.
 */
function rivals(run: InversionRun): Remark[] {
	if (run.options.select !== "evidence") return pathTies(run);
	const near = namedRivals(run.selection!);
	if (near.length === 0) return [];
	const texts = near.slice(0, 4).map((rival) => difference(run, rival));
	const chance = chanceOf(run.selection!);
	const title = `${near.length} other set${near.length === 1 ? " of terms is" : "s of terms are"} not ruled out`;
	const text = `Beside the answer: ${texts.join("; ")}${near.length > 4 ? "; and more" : ""}. Among all that were tried it has a chance of ${percentOf(chance)}. More data or less noise would decide between them.`;
	return chance < sureFrom
		? doubt("rival-terms", title, text, chance < likelyFrom)
		: note("rival-terms", title, text);
}

/** Of a chance that is not certain. */
export function percentOf(chance: number): string {
	return `${Math.min(Math.round(100 * chance), 99)} %`;
}

function pathTies({ selection, work, final }: InversionRun): Doubt[] {
	const kept = new Set(final!.active);
	const ties = selection!.path.filter(
		({ tie, dropped }) => tie && dropped !== null && kept.has(tie.term) && !kept.has(dropped),
	);
	if (ties.length === 0) return [];
	return doubt(
		"rival-terms",
		"Near-ties in the elimination",
		`${ties.map(({ dropped, t, tie }) => `${work.termName(dropped!)} (${t!.toFixed(2)} standard errors) was dropped while ${work.termName(tie!.term)} (${tie!.t.toFixed(2)}) stayed`).join("; ")}. The other choice is almost as good.`,
		false,
	);
}

/** How another set differs from the answer: `with p1[c2], without p2[c2]`. */
export function difference({ work, final, selection }: InversionRun, rival: Judged): string {
	const own = work.terms(final!.active);
	const theirs = work.terms(rival.active);
	const more = theirs.filter((u) => !own.includes(u)).map((u) => work.termName(u));
	const less = own.filter((u) => !theirs.includes(u)).map((u) => work.termName(u));
	const parts = [
		...(more.length > 0 ? [`with ${list(more)}`] : []),
		...(less.length > 0 ? [`without ${list(less)}`] : []),
	];
	return `${parts.join(", ")} (${(rival.evidence - selection!.chosen.evidence).toFixed(1)} behind)`;
}

function unstable({ stability, final, work }: InversionRun): Doubt[] {
	if (stability.of === 0) return [];
	// Along what the data leave open a linearised problem takes a term to 0 for nothing, which the equations do not let it do.
	const open = openUnknowns(final!);
	const weak = work
		.terms(final!.active)
		.filter((u) => stability.counts[u] < sureShare * stability.of)
		.filter((u) => !work.sets.membersOf(u).some((member) => open.has(member)));
	const missed = work.selectable.filter(
		(u) => !final!.active.includes(u) && stability.counts[u] > 0.3 * stability.of,
	);
	const share = (u: number): string =>
		`${work.termName(u)} (${Math.round((100 * stability.counts[u]) / stability.of)} %)`;
	return [
		...(weak.length > 0
			? doubt(
					"unstable-terms",
					`${list(weak.map((u) => work.termName(u)))} would often not be found again`,
					`Under repeated noise these terms are chosen in less than 80 of 100 cases: ${weak.map(share).join(", ")}.`,
					true,
				)
			: []),
		...(missed.length > 0
			? doubt(
					"chance-terms",
					`${list(missed.map((u) => work.termName(u)))} could be there by chance`,
					`Under repeated noise these terms, which are not in the answer, are chosen in more than 30 of 100 cases: ${missed.map(share).join(", ")}.`,
					false,
				)
			: []),
	];
}

/** Pairs of weights of the fit of all terms that are strongly correlated. */
export function correlatedPairs({
	candidates,
	work,
}: InversionRun): { a: string; b: string; correlation: number }[] {
	const { active, covariance } = candidates!;
	const n = active.length;
	// What the data leave open is named on its own: what is left of its covariance says nothing.
	const open = openUnknowns(candidates!);
	const isOpen = (i: number): boolean => open.has(active[i]);
	const pairs: { a: string; b: string; correlation: number }[] = [];
	for (let i = 0; i < n; i++)
		for (let j = 0; j < i; j++) {
			const size = Math.sqrt(covariance[i * n + i] * covariance[j * n + j]);
			const correlation = size > 0 ? covariance[i * n + j] / size : 0;
			if (Math.abs(correlation) >= correlatedFrom && !isOpen(i) && !isOpen(j))
				pairs.push({ a: work.nameOf(active[j]), b: work.nameOf(active[i]), correlation });
		}
	return pairs.sort((a, b) => Math.abs(b.correlation) - Math.abs(a.correlation));
}

/** A fact about the candidates: what of it touches the choice is in rivals and in how often terms are chosen again. */
function correlated(run: InversionRun): Remark[] {
	const pairs = correlatedPairs(run);
	if (pairs.length === 0) return [];
	const shown = pairs.slice(0, 6).map(({ a, b, correlation }) => `${a} and ${b} (${correlation.toFixed(3)})`);
	return note(
		"collinear",
		`${pairs.length} pair${pairs.length === 1 ? "" : "s"} of candidates can hardly be told apart`,
		`With all terms in, these weights are strongly correlated, so one can stand for the other: ${shown.join("; ")}${pairs.length > 6 ? "; and more" : ""}.`,
	);
}

function notConverged({ finalOutcome, work }: InversionRun): Doubt[] {
	if (finalOutcome === "converged") return [];
	const why = work.smooth
		? ""
		: " Not every state is measured: the course of what is hidden was guessed from what is, and no guess led to a fit that comes to its end. That is no proof that the data could not tell: another start may.";
	const remedy = work.smooth ? "or" : "measure another state, or";
	return doubt(
		"not-converged",
		"The fit of the chosen terms did not converge",
		`The best point so far is shown, and is no answer.${why} Raise  inversion: { maxIterations }, ${remedy} give a start under  set:.`,
		true,
	);
}
