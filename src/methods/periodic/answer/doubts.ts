/** What to doubt about an answer, and which directions of the parameters the record does not determine. */

import { boundDoubt, isOnBound } from "../../../estimate/judge/bounds.ts";
import { openDoubts } from "../../../estimate/judge/identifiability.ts";
import { dependenceDoubt, dependences } from "../../../estimate/judge/independence.ts";
import { outlierDoubt } from "../../../estimate/judge/outliers.ts";
import { type ResidualSeries, seriesOf } from "../../../estimate/judge/series.ts";
import { sizeDoubts, strangeSizes } from "../../../estimate/judge/size.ts";
import { doubt, list, note } from "../../../estimate/judge/words.ts";
import { declaredSpreads } from "../../../estimate/observe/declared-spreads.ts";
import { observationsOf } from "../../../estimate/observe/observations.ts";
import type { Doubt, Remark } from "../../../estimate/result.ts";
import { toSearch, type Unknown, unknownsOf } from "../../../estimate/unknowns/unknowns.ts";
import type { Model } from "../../../model/model.ts";
import { normalQuantile975 } from "../../../num/statistics/quantile.ts";
import { squared } from "../../../num/whole-power.ts";
import { type Adjusted, excessOf, pullOf } from "../adjustment/adjustment.ts";
import { openNames } from "../adjustment/identifiability.ts";
import type { Natural, NaturalValue } from "../adjustment/natural.ts";
import type { PeriodicRun } from "../periodic-run.ts";
import type { Polished } from "../polish/polish.ts";
import type { Left } from "../polish/polish-problem.ts";
import { leavesRecord, sizeOf } from "../polish/simulation.ts";
import { residualsOf } from "../record/record-noise.ts";
import { departureText } from "../record/record-refusals.ts";
import type { Mirror } from "../search/mirrors.ts";
import { isExplained } from "./explained.ts";

/** A departure of this share of the record's range is grave. */
const graveShare = 1e-3;

/** `left`: what simulations of the answer leave of the record, where that is noise. */
export function remarksOf(run: PeriodicRun, left?: Left): Remark[] {
	return [
		...openTogether(run),
		...curvedDoubts(run),
		...scaleDoubts(run),
		...mirrorDoubts(run.mirrors, run.natural!.params),
		...misfitDoubts(run),
		...simulationDoubts(run),
		...boundDoubts(run),
		...startDoubts(run),
		...looseDoubts(run),
		...recordDoubts(run, left),
	];
}

/** What can change together, closed forms and hidden states with it, and no sample tells. */
function openTogether({ open }: PeriodicRun): Doubt[] {
	if (open.length === 0) return [];
	const example = open[0].parts
		.map(
			({ name, share }) =>
				`${name} by ${share >= 0 ? "+" : "−"}${Math.abs(Number((100 * share).toPrecision(2)))} %`,
		)
		.join(", ");
	return openDoubts([{ names: openNames(open), ways: open.length }], {
		so: `For instance ${example}. They have no standard deviation.`,
	});
}

function curvedDoubts({ curvedNames, untoldNames, question }: PeriodicRun): Remark[] {
	if (untoldNames.length > 0)
		return doubt(
			"error-unknown",
			`How well ${list(untoldNames)} are known could not be found`,
			`To first order ${question.form.output} does not change when they change against one another, and finite steps did not settle. So no errors are given. Give one of them a value, or starts that tell them apart.`,
			true,
		);
	return curvedNames.flatMap((names) =>
		note(
			"collinear",
			`The record hardly tells ${list(names)} apart`,
			`To first order ${question.form.output} does not change when they change against one another. Their errors, and those of all that goes along, come from finite steps both ways, until noise would show it.`,
		),
	);
}

function scaleDoubts({ question }: PeriodicRun): Doubt[] {
	return question.form.hidden.flatMap(({ component, closure }) =>
		closure?.scale === undefined ? [] : scaleDoubt([closure.scale], component, question.form.output),
	);
}

/** Of a hidden state that acts on what is `seen` only in products with parameters: the first of them was held. */
export function scaleDoubt(names: readonly string[], component: string, seen: string): Doubt[] {
	const one = names.length === 1;
	return doubt(
		"open-scale",
		`${list(names)} alone cannot be found: the scale of ${component} is open`,
		`Only ${one ? "the product" : "the products"} ${list(names.map((name) => `${name}·${component}`))} ${one ? "acts" : "act"} on ${seen}. ${names[0]} was held at its start; ${list([...names.slice(1), component])} ${one ? "is" : "are"} in the unit that goes with it. Give ${names[0]} a value in the model if it is known.`,
		false,
	);
}

/** Of a least squares over several series, all called `what`. */
export function unsettledDoubt({ outcome, evaluations }: Polished, what: string, advice: string): Doubt[] {
	if (outcome === "converged") return [];
	return doubt(
		"not-converged",
		`The least squares on all ${what} did not settle`,
		`It ended as ${outcome} after ${evaluations} simulations. ${advice}`,
		true,
	);
}

/** What a least squares on simulations does not see to first order, or not as far as finite steps go. */
export function unseenErrors({ curvedNames }: Pick<Polished, "curvedNames">): Doubt[] {
	return curvedNames.flatMap((names) =>
		doubt(
			"error-unknown",
			`How well ${list(names)} ${names.length === 1 ? "is" : "are"} known could not be found`,
			names.length === 1
				? "Held 16 standard deviations away, with all others fitted again, what is measured is explained as well: the errors of first order say far too little, its own and those of all that goes along with it. Give it a value or a range, or measure where it matters more."
				: "To first order what is measured does not change when they change against one another; by larger changes it does. So they have no errors, and those of all that goes along with them are too small. Two rates that can change places and are nearly equal do this: give one of them a value, or starts that tell them apart.",
			true,
		),
	);
}

/** Of answers that nothing chooses between; `params` are those that were found. */
export function mirrorDoubts(
	mirrors: readonly Mirror[],
	params: readonly Pick<NaturalValue, "name" | "value">[],
): Doubt[] {
	const left = mirrors.filter(({ chosen }) => !chosen);
	if (left.length === 0) return [];
	const [name] = left[0].names;
	const { value } = params.find((param) => param.name === name)!;
	let reach = 1e-9;
	while (reach < Math.abs(value)) reach *= 10;
	const ends = [0, Number((Math.sign(value) * reach).toPrecision(1))].sort((x, y) => x - y);
	return doubt(
		"mirror-answers",
		`Other values of ${list([...new Set(left.flatMap((mirror) => mirror.names))])} explain the record just as well`,
		`The model does the same with ${left.map(mirrorText).join(", or with ")}, while hidden states and what is found in closed form go along. Nothing measured tells these answers apart: give starts under  set:  or declare ranges, such as  param ${name} in [${ends.join(", ")}].`,
		true,
	);
}

/** What changes between two answers. */
export function mirrorText({ how, names }: Mirror): string {
	return `${list(names)} ${how === "sign" ? "of the other sign" : "exchanged"}`;
}

function misfitDoubts(run: PeriodicRun): Doubt[] {
	const { adjusted, question } = run;
	if (!adjusted) return [];
	const { variance } = question;
	const share = relativeMisfit(run.adjusted);
	const ratio = excessOf(adjusted, variance);
	if (!(ratio > 1) || share < 1e-7) return [];
	return doubt(
		"record-corrected",
		"The model does not reproduce the record within its noise",
		`The least correction of the record that makes it a solution is ${Math.sqrt(ratio).toPrecision(2)} times what noise explains (ŷ - y is ${(100 * share).toPrecision(2)} % of the record). The model misses something, the search ended beside the best point, or the record is not quite periodic.`,
		ratio > 9 && (share > 1e-4 || (ratio > 1e4 && share > 1e-6)),
	);
}

/** Root mean square of ŷ - y relative to that of y about its mean. */
export function relativeMisfit(adjusted: Adjusted | undefined): number {
	if (!adjusted) return Number.NaN;
	const { starts } = adjusted.representation.y;
	const mean = starts.reduce((a, b) => a + b, 0) / starts.length;
	let misfit = 0;
	let size = 0;
	starts.forEach((y, k) => {
		misfit += squared(adjusted.evaluation.y[k] - y);
		size += squared(y - mean);
	});
	return Math.sqrt(misfit / size);
}

/** Whether the answer is none: ŷ is far from the record, or neither search nor simulation came to anything. */
export function missesRecord(run: PeriodicRun): boolean {
	const { adjusted, simulated, best } = run;
	const share = relativeMisfit(run.adjusted);
	if (!(share < 0.3)) return true;
	const settled = best?.outcome === "converged" && adjusted?.converged === true;
	const size = sizeOf(run.question);
	return !settled && !(simulated?.outcome === "converged" && simulated.rmsFirst < 0.5 * size);
}

function simulationDoubts(run: PeriodicRun): Doubt[] {
	const { simulated, question, polished, polishRefused } = run;
	if (!simulated) return [];
	const refused =
		polished && polishRefused !== undefined
			? ` Least squares on simulations from this answer was not taken: ${polishRefused}.`
			: "";
	if (simulated.outcome !== "converged")
		return doubt(
			"simulation-stops",
			"Direct simulation of the answer breaks off",
			`${simulated.message} The orbit may be unstable, or the answer wrong.${refused}`,
			true,
		);
	const noise = Math.sqrt(question.variance);
	if (!leavesRecord(question, simulated))
		return refused
			? doubt("not-polished", "The answer is that of the integrals, not polished", `${refused.trim()}`, false)
			: [];
	return doubt(
		"simulation-leaves",
		"Direct simulation of the answer leaves the record",
		`Simulated over the whole record the answer differs from it by ${simulated.rms.toPrecision(2)} (root mean square; the noise is ${noise.toPrecision(2)}), over the first period by ${simulated.rmsFirst.toPrecision(2)}. Either the answer is wrong, or the orbit is unstable or so sensitive that it shows this even with good parameters.${refused}`,
		simulated.rms > 1e-4 * sizeOf(question),
	);
}

function boundDoubts({ question, adjusted, natural }: PeriodicRun): Remark[] {
	if (!adjusted || !natural) return [];
	const outside = outsideOf(question.model, natural);
	return [
		...boundDoubt(question.unknowns, searched(question.unknowns, adjusted), (i) =>
			pullOf(adjusted, question.variance, i, question.unknowns[i]),
		),
		...(outside.length > 0
			? doubt(
					"against-knowledge",
					`${list(outside)} came out beyond what the model allows`,
					"What is found in closed form knows no bounds, and its whole 95 % interval lies outside. The model is not the right one for this record, or the range is wrong.",
					true,
				)
			: []),
	];
}

/** What was searched for, and stands where its range ends. */
export function namesOnBounds({ question, adjusted }: PeriodicRun): Set<string> {
	const { unknowns } = question;
	const z = searched(unknowns, adjusted!);
	return new Set(unknowns.flatMap((unknown, i) => (isOnBound(unknown, z[i]) ? [unknown.name] : [])));
}

function searched(unknowns: readonly Unknown[], { lambda }: Adjusted): number[] {
	return unknowns.map((unknown, i) => toSearch(unknown, lambda[i]));
}

/** Parameters in closed form, or from a closure, whose interval misses what is declared of them. */
function outsideOf(model: Model, natural: Natural): string[] {
	const found = new Map<string, NaturalValue>(
		natural.params.flatMap((value) =>
			["closed form", "closure"].includes(value.from) ? [[value.name, value] as const] : [],
		),
	);
	const declared = unknownsOf({
		model,
		experiments: [],
		start: {},
		except: new Set(model.params.map(({ name }) => name).filter((name) => !found.has(name))),
		initialGuess: () => undefined,
	});
	return declared.flatMap(({ name, lo, hi }) => {
		const { value, sd } = found.get(name)!;
		const half = normalQuantile975 * sd;
		return value + half < lo || value - half > hi ? [name] : [];
	});
}

function startDoubts(run: PeriodicRun): Doubt[] {
	const { best } = run;
	if (!best || best.outcome === "converged") return [];
	return doubt(
		"not-converged",
		"The search ran out of evaluations",
		`The best start had not converged after ${best.evaluations} evaluations. Raise  periodic: { maxEvaluations }.`,
		false,
	);
}

const asRemark =
	(grave: boolean) =>
	(code: string, title: string, text: string): Remark[] =>
		grave ? doubt(code, title, text, true) : note(code, title, text);

function looseDoubts({ natural, weak, loose: all, open, question }: PeriodicRun): Remark[] {
	const said = new Set([...openNames(open), ...weak.flatMap(({ parts }) => parts.map(({ name }) => name))]);
	const loose = (natural?.params ?? []).filter(({ name }) => all.has(name) && !said.has(name));
	return [
		...weak.flatMap(({ parts, grave }): Remark[] =>
			asRemark(grave)(
				"collinear",
				`The record hardly tells ${list(parts.map(({ name }) => name))} apart`,
				`${parts.map(({ name, change }) => `${name} by ${change >= 0 ? "+" : "−"}${Math.abs(Number(change.toPrecision(2)))}`).join(", ")}: changed together, ${question.form.output} stays within its noise, ${grave ? "though each alone would change the model's rates by as much as they are" : "though each alone would be seen"}. What they do is nearly collinear along the cycle. Fix one of them in the model, or take a record with less noise.`,
			),
		),
		...(loose.length > 0
			? note(
					"undetermined",
					`The record hardly determines ${list(loose.map(({ name }) => name))}`,
					"The standard deviation is larger than the value, and than a change that would matter. A longer record or less noise would help.",
				)
			: []),
	];
}

/** What the answer leaves of the record; where that is no noise, `isAnswer` is false, and it is what the series leaves. */
function residualSeries(
	run: PeriodicRun,
	left: Left | undefined,
): { series: ResidualSeries[]; nUnknowns: number; isAnswer: boolean } {
	const { question, simulated, problem, natural } = run;
	const { t, y, record, model } = question;
	const isAnswer = isExplained(run);
	const rest = isAnswer ? y.map((value, i) => value - simulated!.y[i]) : residualsOf(t, y, record.series);
	const [measure] = model.measures;
	const declared = declaredSpreads(model, measure, problem.train[0], t);
	const found = Math.sqrt(record.variance);
	const jacobian = isAnswer && left ? { of: left.jacobian, nUnknowns: left.nUnknowns } : "unknown";
	const residual = rest.map((value, i) => value / (declared?.[i] ?? found));
	const { groups } = observationsOf(model, problem.train);
	return {
		series: record.exact ? [] : seriesOf(groups, residual, problem.train, { jacobian }),
		nUnknowns: isAnswer ? natural!.params.length + natural!.initial.length : 2 * record.series.harmonics + 2,
		isAnswer,
	};
}

function recordDoubts(run: PeriodicRun, taken: Left | undefined): Doubt[] {
	const { question, adjusted } = run;
	const { record } = question;
	const unsettled =
		adjusted && !adjusted.converged
			? doubt(
					"not-settled",
					"The adjustment of record and parameters did not settle",
					"Noise may be too large for the parameters to be told apart: the answer is the best step of it.",
					true,
				)
			: [];
	const { series, nUnknowns, isAnswer } = residualSeries(run, taken);
	const uses = "Standard deviations here use the record's own noise.";
	const left = [
		...(isAnswer ? sizeDoubts(strangeSizes(series, nUnknowns), { larger: uses, smaller: uses }) : []),
		...outlierDoubt(series, nUnknowns),
		...(isAnswer ? dependenceDoubt(dependences(series, nUnknowns), { allowed: true }) : []),
	];
	const text = record.departure && departureText(record.departure);
	const departing = text
		? doubt(
				"not-periodic",
				"The record is not quite periodic",
				`It ${text.problem}. Errors do not hold this. ${text.remedy}`,
				record.departure!.share > graveShare,
			)
		: [];
	const short =
		record.cycles < 2 && record.variance > 0
			? doubt(
					"short-record",
					`The record is only ${record.cycles.toFixed(2)} periods long`,
					"Whether it is periodic, and how long the period is, rests on the part that is seen twice.",
					false,
				)
			: [];
	return [...unsettled, ...departing, ...left, ...short];
}
