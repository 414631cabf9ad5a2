/** The answer from several records: parameters of all, and what each record has for itself. */
import { isTooLarge } from "../../../estimate/judge/size.ts";
import { distrust, doubt } from "../../../estimate/judge/words.ts";
import { observationsOf } from "../../../estimate/observe/observations.ts";
import { parameterSummary } from "../../../estimate/parameter-summary.ts";
import type { Doubt, ParameterRow, Result } from "../../../estimate/result.ts";
import { squared } from "../../../num/whole-power.ts";
import type { JointRun } from "../joint-run.ts";
import type { PeriodicRun } from "../periodic-run.ts";
import type { Polished } from "../polish/polish.ts";
import type { PeriodicSummary } from "../summary.ts";
import { answer, openRows, rowOf } from "./answer.ts";
import { unseenErrors, unsettledDoubt } from "./doubts.ts";
import { type FoundLikelihood, foundLikelihood } from "./likelihood.ts";

interface Part {
	readonly name: string;
	readonly run: PeriodicRun;
	readonly result: Result<PeriodicSummary>;
}

export async function jointAnswer(joint: JointRun): Promise<Result<PeriodicSummary>> {
	const { runs, problem, joined, answered } = joint;
	const parts: Part[] = [];
	for (const [k, run] of runs.entries())
		parts.push({ name: problem.train[k].name, run, result: await answer(run) });
	const records = Object.fromEntries(parts.map(({ name, result }) => [name, result.summary]));
	const used = answered.map((k) => parts[k]);
	if (used.length === 0 || !joined) return { ...parts[0].result, summary: { records } };
	const sharing = sharingOf(used, joined);
	const likelihood = likelihoodOfAll(joint, joined);
	const doubts = [...doubtsOf(parts, joined, sharing), ...likelihood.doubts];
	const distrusted = distrust(doubts);
	const parameters = rowsOf(used, joined, likelihood.rows);
	const [{ result: first }] = used;
	const { chiSquare, degrees } = sharing;
	return {
		...first,
		outcome: joined.outcome,
		message: distrusted
			? `Found parameters from ${used.length} records, ${distrusted}.`
			: `Found parameters from ${used.length} records, which agree (χ² ${chiSquare.toPrecision(2)} on ${degrees}).`,
		parameters,
		predictions: parts.flatMap(({ result }) => result.predictions),
		summary: {
			parameters: parameterSummary(parameters, 0.95),
			...likelihood.goodness,
			agreement: { chiSquare, degrees },
			rms: Object.fromEntries(used.map(({ name }, k) => [name, joined.rms[k]])),
			records,
		},
		doubts,
		notes: parts.flatMap(({ name, result }) =>
			(result.notes ?? []).map((note) => ({ ...note, title: `${name}: ${note.title}` })),
		),
		assumptions: [
			...first.assumptions,
			"Parameters and initial values are those of one least squares on simulations of all records; periods, hidden states and plots are of each record by itself.",
		],
		figures: used.flatMap(({ name, result }, k) =>
			result.figures.map((figure) => ({
				...figure,
				name: `${figure.name}-${k + 1}`,
				title: `${name}: ${figure.title}`,
			})),
		),
		files: used.flatMap(({ result }, k) =>
			result.files.map((file) => ({ ...file, name: file.name.replace(/\.csv$/, `-${k + 1}.csv`) })),
		),
	};
}

/** Parameters and initial values of all; then the periods, and the spreads that the records share. */
function rowsOf(
	used: readonly Part[],
	{ values }: Polished,
	spreads: readonly ParameterRow[],
): ParameterRow[] {
	const open = new Set(used.flatMap(({ run }) => [...openRows(run)]));
	const several = new Set(used[0].run.mirrors.flatMap(({ chosen, names }) => (chosen ? [] : names)));
	const rows = values.map((value) => {
		const plain = value.name.replace(/ of .*$/, "");
		return rowOf(value, open.has(plain) ? new Set([value.name]) : new Set(), several, used[0].run.loose);
	});
	const known = new Set([...rows, ...spreads].map(({ name }) => name));
	const own = used.flatMap(({ name, result }) =>
		result.parameters
			.filter((row) => !known.has(row.name) && !row.name.endsWith("(0)"))
			.map((row) => ({ ...row, name: `${row.name} of ${name}` })),
	);
	return [...rows, ...own, ...spreads];
}

/** Of all records that were used, at the answer of all. */
function likelihoodOfAll({ runs, problem, answered }: JointRun, { left, values }: Polished): FoundLikelihood {
	const observations = observationsOf(
		runs[0].question.model,
		answered.map((k) => problem.train[k]),
	);
	const value = observations.values.map((y, i) => y - (left?.errors[i] ?? Number.NaN));
	return foundLikelihood(observations, value, values.filter(({ from }) => from !== "held").length);
}

/** Whether records can share their parameters. */
interface Sharing {
	/** By how much the squares grow when the records share the parameters, in units of their noise. */
	readonly chiSquare: number;
	readonly degrees: number;
	readonly agree: boolean;
}

function sharingOf(used: readonly Part[], { rms, weighedBy, values }: Polished): Sharing {
	let chiSquare = 0;
	let excess = 0;
	let samples = 0;
	used.forEach(({ run }, k) => {
		const { record, t } = run.question;
		// A simulation may leave the record where the orbit is sensitive: noise is the measure then.
		const simulated = run.simulated?.rms ?? Number.NaN;
		const alone = squared(simulated) < 1.5 * record.variance ? squared(simulated) : record.variance;
		// A record beside others of the same spread may be left by as much as that says.
		const variance = Math.max(record.variance, squared(weighedBy[k]));
		chiSquare += (t.length * (squared(rms[k]) - alone)) / variance;
		excess += (t.length * squared(rms[k])) / variance;
		samples += t.length;
	});
	const shared = values.filter(({ name, from }) => from !== "held" && !/\(0\)/.test(name)).length;
	const degrees = (used.length - 1) * shared;
	const agree = !isTooLarge(chiSquare, degrees) && !isTooLarge(excess, samples);
	return { chiSquare: Math.max(chiSquare, 0), degrees, agree };
}

function doubtsOf(parts: readonly Part[], joined: Polished, { agree, chiSquare, degrees }: Sharing): Doubt[] {
	const disagreeing = agree
		? []
		: doubt(
				"records-disagree",
				"The records do not agree on the parameters",
				`With the same parameters for all, more is left of them than noise and their own parameters explain (χ² ${chiSquare.toPrecision(3)} on ${degrees} degrees of freedom). A parameter may differ between them (then it is a condition), or the model is not the right one.`,
				true,
			);
	return [
		...disagreeing,
		...unsettledDoubt(
			joined,
			"records",
			"An orbit that is unstable or sensitive makes it so; look at the records one by one.",
		),
		...unseenErrors(joined),
		...parts.flatMap(({ name, result }) => [
			...result.doubts.map((each) => ({ ...each, title: `${name}: ${each.title}` })),
			...(result.answered
				? []
				: doubt("no-answer", `${name} gave no answer`, `${result.message} The others were used.`, true)),
		]),
	];
}
