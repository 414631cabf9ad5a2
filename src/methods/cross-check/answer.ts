/** The answers side by side, whether they agree, and what follows when they do not. */
import { type Answer, agreementOf } from "../../estimate/judge/agreement.ts";
import { distrust, inSentence, triedByAll } from "../../estimate/judge/words.ts";
import { partsOf } from "../../estimate/predict/residuals.ts";
import type { Agreement, Doubt, MethodAnswer, Result } from "../../estimate/result.ts";
import type { CrossCheckRun } from "./cross-check-run.ts";
import { columnsOf } from "./csv-columns.ts";
import { fieldDifferences } from "./field-difference.ts";
import { comparisonFigures } from "./figures.ts";
import type { Member } from "./member.ts";
import { explainedBy } from "./misfit-test.ts";
import type { FoundTerm } from "./missing-term.ts";
import type { AllSummary } from "./summary.ts";

export async function answer(run: CrossCheckRun): Promise<Result<AllSummary>> {
	const answered = run.members.filter(({ result }) => result?.answered);
	const doubted = memberDoubts(run);
	const answers = run.members.flatMap(({ result }) => (result ? [methodAnswer(result)] : []));
	const agreement = [
		...modelAgreement(run),
		...agreementOf(answered.map((member) => answerOf(member))),
		...fieldAgreement(run),
	];
	const contradictions = agreement.filter(({ verdict }) => verdict === "contradict");
	const compared = agreement.some(({ verdict }) => verdict !== "single");
	const outcome =
		contradictions.length > 0
			? "contradict"
			: answered.length === 0
				? "noAnswer"
				: compared
					? "agree"
					: "single";
	const shown =
		answered.find(({ name }) => name === "fit") ??
		answered.find(({ result }) => result!.predictions.length > 0);
	return {
		method: "all",
		outcome,
		message: sentence(run, agreement, answered, doubted),
		answered: answered.length > 0,
		parameters: shown?.result?.parameters ?? [],
		intervalName: shown?.result?.intervalName ?? "",
		predictions: shown?.result?.predictions ?? [],
		summary: {
			methods: Object.fromEntries(run.members.map((member) => [member.name, summaryOf(member)])),
			agreement: agreement.map(({ parameter, verdict, why, methods }) => ({
				parameter,
				verdict,
				why,
				methods,
			})),
			...(run.found ? { missingTerm: { ...run.found, text: "missing-term.ode" } } : {}),
		},
		doubts: [...contradictions.map(contradictionDoubt), ...doubted.map(named)],
		notes: run.members.flatMap(({ name, result }) =>
			(result?.notes ?? []).map((note) => ({ ...note, title: `${name}: ${note.title}` })),
		),
		assumptions: [
			...new Set(
				answered.flatMap(({ name, spec, result }) => [
					...spec.assumptions.map((each) => `${name}: ${each}`),
					...result!.assumptions.map((each) => `${name}: ${each}`),
				]),
			),
		],
		figures: [
			...comparisonFigures(
				answered.map(({ result }) => methodAnswer(result!)),
				agreement,
			),
			...answered.flatMap(({ name, result }) =>
				result!.figures.map((figure) => ({
					...figure,
					name: `${name}-${figure.name}`,
					title: `${name}: ${figure.title}`,
				})),
			),
		],
		files: [
			...(run.found ? [{ name: "missing-term.ode", content: run.found.text }] : []),
			...run.members.flatMap(({ name, result }) =>
				(result?.files ?? []).map((file) => ({ ...file, name: `${name}-${file.name}` })),
			),
		],
		references: [...new Set(run.members.flatMap(({ result }) => result?.references ?? []))],
		comparison: {
			answers,
			refusals: run.members.flatMap(({ name, refusal }) =>
				refusal === undefined ? [] : [{ method: name, why: refusal }],
			),
			agreement,
		},
	};
}

function methodAnswer({
	method,
	outcome,
	message,
	answered,
	parameters,
	intervalName,
}: Result): MethodAnswer {
	// What did not end in an answer, as a set that is not decided, stands beside no answer.
	return { method, outcome, message, answered, parameters: answered ? parameters : [], intervalName };
}

function answerOf({ result }: Member): Answer {
	const draws = result!.files.find(({ name }) => name === "posterior.csv")?.content;
	return {
		...methodAnswer(result!),
		...(typeof draws === "string"
			? { draws: new Map(columnsOf(draws).map(({ name, values }) => [name, values])) }
			: {}),
	};
}

function fieldAgreement(run: CrossCheckRun): Agreement[] {
	const fit = run.member("fit")?.result;
	const kriging = run.member("kriging");
	const table = kriging?.result?.files.find(({ name }) => name === "derivatives.csv")?.content;
	const { train, model } = run.problem;
	// With one output that contradicts the others, or one term missing, every equation is off: that is said already.
	if (!fit?.answered || typeof table !== "string" || train.length !== 1 || guilty(run).length > 0) return [];
	return fieldDifferences(model, fit.parameters, table, train[0]).filter(
		({ state, verdict }) => verdict === "agree" || !run.found || run.found.state === state,
	);
}

/** Outputs without which the proved set is not empty. */
function guilty({ blame }: CrossCheckRun): string[] {
	return (blame ?? []).flatMap(({ output, member }) => (member.result?.answered ? [output] : []));
}

/** What is said of the model as a whole: a set that became empty, a term that is missing. */
function modelAgreement(run: CrossCheckRun): Agreement[] {
	const guaranteed = run.member("guaranteed")?.result;
	const said: Agreement[] = [];
	const methods = ["guaranteed"];
	if (guaranteed?.outcome === "refuted") {
		const empty = guaranteed.summary.empty as { t: number; output: string; record: string } | undefined;
		const since = empty
			? ` The set became empty at t = ${empty.t}, by ${empty.output} of ${empty.record}.`
			: "";
		const outputs = guilty(run);
		const who =
			outputs.length === 1
				? ` Without ${outputs[0]} it is not empty: ${outputs[0]} contradicts the other outputs. Check its sensor, its offset and its bound.${orTerm(run)}`
				: outputs.length > 1
					? ` It is not empty without any one of ${outputs.join(", ")}: they contradict one another.`
					: run.refutedAtOnce
						? " That is where the record begins, so no term of an equation is to blame: check the initial values, the offset of the output and its bound."
						: "";
		said.push({
			parameter: "model",
			verdict: "contradict",
			why: `The model cannot explain the data within the bounds: no value of its parameters is consistent.${since}${who}`,
			methods,
		});
	}
	const { found } = run;
	const fit = run.member("fit")?.result;
	const instrument = instrumentDoubtOf(run);
	if (instrument && guilty(run).length === 0)
		said.push({
			parameter: "model",
			verdict: "contradict",
			why: `${instrument.title}. ${instrument.text.replaceAll(triedByAll, "")}`,
			methods: ["fit"],
		});
	if (found && guilty(run).length !== 1) {
		said.push({
			parameter: found.top,
			verdict: "contradict",
			why: foundText(found) + untriedText(run),
			methods: ["fit"],
		});
	} else if (!found && !instrument && fit?.answered && run.trials.length > 0) {
		const { strange } = explainedBy(fit);
		if (strange.length === 0) return said;
		said.push({
			parameter: "model",
			verdict: "contradict",
			why: `The residuals of ${strange.join(" and ")} are larger than the declared errors, and none of ${run.trials.length} single changes of an equation that were tried explains more than half of them.${untriedText(run)}`,
			methods: ["fit"],
		});
	}
	return said;
}

function untriedText({ untried, options }: CrossCheckRun): string {
	return untried === 0
		? ""
		: ` Another ${untried} changes were not tried: that would have taken longer than it may (all: { effort: ${options.effort} }).`;
}

/** An output that the others contradict may be the only one that shows what the model misses. */
function orTerm({ found }: CrossCheckRun): string {
	return found
		? ` Or it is right, and the only one that shows what the model misses. ${foundText(found)}`
		: "";
}

function foundText({ top, term, weight, replaces, before, after, count, nearly }: FoundTerm): string {
	const what = replaces
		? `A term of the equation of ${top} levels off: with ${term} in place of ${replaces}`
		: `A term is missing in the equation of ${top}: with ${Number(weight!.toPrecision(3))}*${term} in it`;
	const others =
		nearly.length > 0
			? ` The record cannot tell it from: ${nearly.join("; ")}. What is known of the process, or other data, must.`
			: "";
	return `${what} the sum of squares, over the declared variance, falls from ${before.toPrecision(3)} to ${after.toPrecision(3)} (${count} samples).${others} The model with it stands in missing-term.ode; which terms there are is for  method: inversion  to find.`;
}

/** What is not said to be wrong as a whole may still be what a member does not trust. */
function sentence(
	run: CrossCheckRun,
	agreement: readonly Agreement[],
	answered: readonly Member[],
	doubted: readonly MemberDoubt[],
): string {
	if (answered.length === 0) {
		const refuted = agreement.find(({ parameter }) => parameter === "model");
		return refuted?.why ?? "No method has an answer. Why, is said for each of them.";
	}
	const names = answered.map(({ name }) => name);
	const against = agreement
		.filter(({ verdict }) => verdict === "contradict")
		.map(({ parameter }) => parameter);
	const [output, ...others] = guilty(run);
	if (output && others.length === 0)
		return `${output} contradicts the model and the other outputs${run.found ? `, or a term of the equation of ${run.found.top} is missing or wrong` : ""}.`;
	const fault = instrumentDoubtOf(run);
	const instrument = fault && inSentence(fault.title);
	if (run.found)
		return `The model does not explain the data: ${run.found.replaces ? `${run.found.replaces} levels off` : "a term is missing"} in the equation of ${run.found.top}${run.found.nearly.length > 0 ? ", or another change that the record cannot tell from it" : ""}.${instrument ? ` Or not the model is wrong: ${instrument}.` : ""}`;
	if (instrument) return `The model does not explain the data: ${instrument}.`;
	if (against.includes("model")) return "The model does not explain the data within the declared errors.";
	if (against.length > 0) return `The methods contradict one another: ${[...new Set(against)].join(", ")}.`;
	const said =
		names.length === 1
			? `Only ${names[0]} has an answer, so nothing checks it`
			: (agreedText(run, agreement) ??
				`${names.join(", ")} answered, and none checks another on a parameter`);
	const distrusted = distrust(doubted);
	return distrusted ? `${said}, ${distrusted} (${doubted.find(({ grave }) => grave)!.by}).` : `${said}.`;
}

/** A fault of an instrument that would explain what the fit leaves. */
function instrumentDoubtOf(run: CrossCheckRun): Doubt | undefined {
	return run.member("fit")?.result?.doubts.find(({ code }) => code === "instrument");
}

/** Who agrees on what: on equations, and on parameters. */
function agreedText({ problem }: CrossCheckRun, agreement: readonly Agreement[]): string | undefined {
	const tops = new Set(problem.model.states.map(({ name, order }) => name + "'".repeat(order)));
	const said = [true, false].flatMap((isEquation) => {
		const asked = agreement.filter(({ parameter }) => tops.has(parameter) === isEquation);
		const agreed = asked.filter(({ verdict }) => verdict === "agree");
		if (agreed.length === 0) return [];
		const who = [...new Set(agreed.flatMap(({ methods }) => methods))].join(", ");
		const names = agreed.map(({ parameter }) => parameter).join(", ");
		if (isEquation) return [`${who} agree on the equation${agreed.length > 1 ? "s" : ""} of ${names}`];
		return [`${who} agree on ${agreed.length === asked.length ? "every parameter" : names}`];
	});
	return said.length > 0 ? said.join("; ") : undefined;
}

function summaryOf({ result, refusal, spec }: Member): Record<string, unknown> {
	if (!result) return { outcome: "doesNotApply", message: refusal ?? "" };
	return {
		outcome: result.outcome,
		message: result.message,
		...(spec.assumptions.length > 0 ? { assumed: spec.assumptions } : {}),
		doubts: result.doubts.map((each) => ({ ...each, text: each.text.replaceAll(triedByAll, "") })),
		notes: result.notes ?? [],
		...result.summary,
		...partsOf(result),
	};
}

function contradictionDoubt({ parameter, why }: Agreement): Doubt {
	return { code: "contradiction", title: `Contradiction: ${parameter}`, text: why, grave: true };
}

/** A doubt with the member whose it is. */
interface MemberDoubt extends Doubt {
	readonly by?: string;
}

function named({ by, ...each }: MemberDoubt): Doubt {
	return by === undefined ? each : { ...each, title: `${by}: ${each.title}` };
}

function memberDoubts(run: CrossCheckRun): MemberDoubt[] {
	const hasField = run.problem.model.unknowns.length > 0;
	return run.members.flatMap(({ name, result, spec }): MemberDoubt[] => [
		// Who has no answer casts no doubt on the others'; nor does a field that nobody asked for and that is only compared.
		...(result?.doubts ?? []).map((each) => ({
			...each,
			by: name,
			text: each.text.replaceAll(triedByAll, ""),
			grave: each.grave && result!.answered && (hasField || spec.problem.model.unknowns.length === 0),
		})),
		...(result && !result.answered && result.outcome !== "refuted"
			? [{ code: "no-answer", title: `${name} has no answer`, text: result.message, grave: false }]
			: []),
	]);
}
