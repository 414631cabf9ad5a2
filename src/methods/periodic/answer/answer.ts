/** The answer of a run: table, predictions, figures, doubts. */

import { counted, distrust, sorted } from "../../../estimate/judge/words.ts";
import { parameterSummary } from "../../../estimate/parameter-summary.ts";
import type { ParameterRow, Result } from "../../../estimate/result.ts";
import { unanswered } from "../../../estimate/unanswered.ts";
import { normalQuantile975, studentQuantile975 } from "../../../num/statistics/quantile.ts";
import { openNames } from "../adjustment/identifiability.ts";
import type { NaturalValue } from "../adjustment/natural.ts";
import type { PeriodicRun } from "../periodic-run.ts";
import type { PeriodicSummary } from "../summary.ts";
import { mirrorText, missesRecord, namesOnBounds, relativeMisfit, remarksOf } from "./doubts.ts";
import { leftBy } from "./explained.ts";
import { figuresOf } from "./figures.ts";
import { likelihoodOf } from "./likelihood.ts";
import { predictionsOf } from "./prediction.ts";

export async function answer(run: PeriodicRun): Promise<Result<PeriodicSummary>> {
	const { question, natural, adjusted, best } = run;
	if (!natural || !adjusted || !best)
		return noAnswer(
			run,
			`No start out of ${run.found.length} led to a periodic solution. Give starts under  set:  for ${question.unknowns.map(({ name }) => name).join(", ")}, or ranges in the model.`,
		);
	if (missesRecord(run))
		return {
			...noAnswer(
				run,
				`The record has a period of ${natural.period.toPrecision(7)}, but no parameters were found with which the model does what it does. Give starts under  set:, or look whether the model is the right one.`,
			),
			figures: figuresOf(run),
		};
	const likelihood = likelihoodOf(run);
	const { doubts, notes } = sorted([...remarksOf(run, await leftBy(run)), ...likelihood.doubts]);
	const open = openRows(run);
	const several = new Set(run.mirrors.flatMap(({ chosen, names }) => (chosen ? [] : names)));
	// A direction that nothing is known of takes part in all that follows from it.
	const told = (row: ParameterRow): ParameterRow =>
		run.untoldNames.length === 0 || row.sd === undefined
			? row
			: { name: row.name, estimate: row.estimate, verdict: "error not known" };
	const held = namesOnBounds(run);
	const params = natural.params.map((value) => {
		const row = told(rowOf(value, open, several, run.loose));
		return held.has(row.name) ? { ...row, verdict: "on its bound" } : row;
	});
	const initial = natural.initial.map(({ name, ...rest }) => ({ name: `${name}(0)`, ...rest }));
	const states = initial.map((value) => told(rowOf(value, open, new Set(), run.loose)));
	const combinations = natural.combinations.map((value) => told(rowOf(value, open, new Set(), run.loose)));
	const period: ParameterRow =
		question.drive.period === undefined
			? interval(
					{
						name: "period",
						value: natural.period,
						sd: natural.periodSd,
						degrees: natural.periodDegrees,
					},
					"identifiable",
				)
			: { name: "period", estimate: natural.period, verdict: "that of the drive" };
	const parameters = [...params, ...combinations, ...states, period, ...likelihood.rows];
	const converged = best.outcome === "converged" && adjusted.converged;
	return {
		method: "periodic",
		outcome: best.outcome === "converged" ? (adjusted.converged ? "converged" : "maxSteps") : best.outcome,
		message: sentence(run, distrust(doubts)),
		answered: best.outcome !== "diverged",
		parameters,
		intervalName: "95 % interval",
		predictions: predictionsOf(run),
		summary: {
			period: natural.period,
			periodSd: natural.periodSd,
			parameters: parameterSummary([...params, ...combinations, ...likelihood.rows], 0.95),
			states: Object.fromEntries(natural.initial.map(({ name }, i) => [name, states[i].estimate])),
			...likelihood.goodness,
			iterations: run.iterations,
			evaluations: run.evaluations,
			residual: relativeMisfit(run.adjusted),
			converged,
			starts: { tried: run.found.length, agree: agreeing(run) },
			record: {
				cycles: question.record.cycles,
				harmonics: question.record.series.harmonics,
				noise: Math.sqrt(question.record.variance),
				periodOfSeries: question.record.period,
			},
			class: {
				searched: question.unknowns.map(({ name }) => name),
				closedForm: [...question.form.recovered.keys()],
				closure: question.form.hidden.flatMap(({ closure }) => (closure ? [closure.param] : [])),
				chain: question.form.chain.map(({ component }) => component),
				hidden: question.form.hidden.map(({ component }) => component),
			},
			misfit: {
				ratio: adjusted.misfit / question.variance / Math.max(adjusted.degrees, 1),
				degrees: adjusted.degrees,
			},
			singularValues: [...adjusted.singular],
			mirrors: run.mirrors,
			unidentifiable: run.open.map(({ parts }) =>
				Object.fromEntries(parts.map(({ name, share }) => [name, share])),
			),
			simulation: run.simulated && {
				outcome: run.simulated.outcome,
				rms: run.simulated.rms,
				rmsFirstPeriod: run.simulated.rmsFirst,
			},
			...(run.polished
				? {
						polish: {
							outcome: run.polished.outcome,
							evaluations: run.polished.evaluations,
							rms: run.polished.rms[0],
							taken: run.polishRefused === undefined,
						},
					}
				: {}),
			timing: run.seconds,
		},
		doubts,
		notes,
		assumptions: assumptions(run),
		figures: figuresOf(run),
		files: [{ name: "cycle.csv", content: cycle(run) }],
		references: ["tyukin2016", "marino1992", "blelloch1990", "mikhail1976", "nielsen1999"],
	};
}

/** What the record leaves open: combinations, and starts of hidden states whose scale is only held. */
export function openRows({ open, question }: PeriodicRun): Set<string> {
	return new Set([
		...openNames(open),
		...question.form.hidden.flatMap(({ component, closure }) =>
			closure?.scale === undefined ? [] : [`${component}(0)`],
		),
	]);
}

export function rowOf(
	value: NaturalValue,
	open: ReadonlySet<string>,
	several: ReadonlySet<string>,
	loose: ReadonlySet<string>,
): ParameterRow {
	if (value.from === "held")
		return {
			name: value.name,
			estimate: value.value,
			verdict: "held: only its product with a hidden state acts",
		};
	if (open.has(value.name))
		return { name: value.name, estimate: value.value, verdict: "structurally unidentifiable" };
	if (several.has(value.name)) return interval(value, "one of several");
	return interval(
		value,
		loose.has(value.name.replace(/ of .*$/, "")) ? "practically unidentifiable" : "identifiable",
	);
}

export function interval(
	{ name, value, sd, degrees }: Pick<NaturalValue, "name" | "value" | "sd" | "degrees">,
	verdict: string,
): ParameterRow {
	const half = (degrees === undefined ? normalQuantile975 : studentQuantile975(degrees)) * sd;
	return { name, estimate: value, sd, lo: value - half, hi: value + half, verdict };
}

function agreeing({ found, best }: PeriodicRun): number {
	return found.filter(({ cost, outcome }) => outcome !== "diverged" && cost <= best!.cost * 1.01 + 1e-16)
		.length;
}

function sentence(run: PeriodicRun, distrusted: string | undefined): string {
	const { natural, question } = run;
	const { period: driven } = question.drive;
	const times = driven === undefined ? 1 : Math.round(natural!.period / driven);
	const found =
		driven === undefined
			? `a period of ${natural!.period.toPrecision(7)} ± ${natural!.periodSd.toPrecision(2)}`
			: `an answer to the drive with ${times === 1 ? "its" : `${times} times its`} period, ${natural!.period.toPrecision(7)}`;
	if (distrusted) return `Found ${found}, ${distrusted}.`;
	const searched = question.unknowns.length;
	const closed = question.form.recovered.size + question.form.hidden.filter(({ closure }) => closure).length;
	return `Found ${found}; ${counted(searched, "unknown")} by a search (${agreeing(run)} of ${run.found.length} starts agree), ${closed} in closed form.`;
}

function assumptions({ question, options, mirrors, polished, polishRefused }: PeriodicRun): string[] {
	const chosen = mirrors.filter((mirror) => mirror.chosen);
	const distributions = question.model.params.some(({ knowledge }) => knowledge.kind === "distribution");
	const declared = question.model.components.filter((_, i) => question.model.initial[i].kind !== "none");
	return [
		"The record is periodic: transients have died out.",
		...(question.drive.period === undefined
			? []
			: ["What drives is known, and repeats itself with the period of the drive."]),
		"Errors of the samples are independent and of one size.",
		...(polished && polishRefused === undefined
			? [
					"Parameters and initial values are those of least squares on simulations of the whole record; period and hidden states over the cycle are those of the integrals.",
				]
			: []),
		...(options.adjust
			? []
			: ["The record is taken as it is; errors of the estimate are not the least possible."]),
		...(chosen.length > 0
			? [
					`The model does the same with ${chosen.map(mirrorText).join(", or with ")}: the answer is the one near the starts that were given.`,
				]
			: []),
		...(distributions
			? ["Distributions in the model say where to start, and which sign; they do not pull the estimate."]
			: []),
		...(declared.length > 0
			? [
					`Initial values follow from the record; what the model declares of ${declared.join(", ")} at the start was not used.`,
				]
			: []),
	];
}

/** One period at the starts of the intervals: time, measured state, ŷ and hidden states. */
function cycle({ question, adjusted }: PeriodicRun): string {
	const { grid, scans, y } = adjusted!.representation;
	const { form } = question;
	const names = form.hidden.map(({ component, closure }) =>
		closure?.scale ? `${closure.scale}*${component}` : component,
	);
	const lines = [["t", form.output, "yhat", ...names].join(",")];
	for (let k = 0; k < grid.intervals; k++)
		lines.push(
			[k * grid.h, y.starts[k], adjusted!.evaluation.y[k], ...scans.map(({ starts }) => starts[k])].join(","),
		);
	return `${lines.join("\n")}\n`;
}

function noAnswer(run: PeriodicRun, message: string): Result<PeriodicSummary> {
	return unanswered({
		method: "periodic",
		outcome: "diverged",
		message,
		summary: {
			period: run.question.record.period,
			periodSd: run.question.record.periodSd,
			parameters: {},
			states: {},
			iterations: run.iterations,
			evaluations: run.evaluations,
			residual: null,
		},
		references: ["tyukin2016"],
	});
}
