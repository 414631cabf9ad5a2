/** The answer where a parameter drifts: its course with an error, and the parameters that all windows share. */
import type { Figure } from "../../../estimate/figure.ts";
import { isTooLarge } from "../../../estimate/judge/size.ts";
import { counted, distrust } from "../../../estimate/judge/words.ts";
import { parameterSummary } from "../../../estimate/parameter-summary.ts";
import type { Doubt, ParameterRow, Prediction, Result } from "../../../estimate/result.ts";
import { unanswered } from "../../../estimate/unanswered.ts";
import { normalQuantile975 } from "../../../num/statistics/quantile.ts";
import { squared } from "../../../num/whole-power.ts";
import type { Natural } from "../adjustment/natural.ts";
import { interval, openRows, rowOf } from "../answer/answer.ts";
import { unsettledDoubt } from "../answer/doubts.ts";
import { simulateAnswer } from "../polish/simulation.ts";
import type { PeriodicSummary } from "../summary.ts";
import { coefficientName } from "./drift.ts";
import { courseOf, type Followed, type FollowRun, middleOf, ownName } from "./follow-run.ts";

interface Place {
	readonly t: number;
	readonly value: number;
	readonly sd: number;
}

export async function followAnswer(run: FollowRun): Promise<Result<PeriodicSummary>> {
	const { followed, name, answered, cut } = run;
	if (!followed)
		return unanswered({
			method: "periodic",
			outcome: "diverged",
			message: `${name} could not be followed: of ${cut.length} windows of the record the integrals explain ${answered.length}. Give starts under  set:, or look whether the model is the right one.`,
			summary: {
				parameters: {},
				states: {},
				iterations: 0,
				evaluations: 0,
				residual: null,
			},
			references: ["tyukin2016"],
		});
	const course = courseOf(name, followed);
	const at = (t: number): Place => ({ t, ...course.at(t) });
	const first = cut[0].times[0];
	const lastTimes = cut[cut.length - 1].times;
	const last = lastTimes[lastTimes.length - 1];
	const middles = cut.map((window) => at(middleOf(window)));
	const doubts = doubtsOf(run, followed);
	const distrusted = distrust(doubts);
	const ends = [at(first), at(last)];
	const parameters = [...sharedRows(run, followed), ...ends.map((place) => endRow(run, followed, place))];
	const pieces = followed.basis.count - 3;
	return {
		method: "periodic",
		outcome: followed.polished.outcome,
		message: distrusted
			? `Followed ${name} over ${cut.length} windows, ${distrusted}.`
			: `Followed ${name} over ${cut.length} windows: ${seen(ends[0])} at the start, ${seen(ends[1])} at the end${isSteady(followed, ends) ? ", no more than its error apart" : ""}.`,
		answered: true,
		parameters,
		intervalName: "95 % interval",
		predictions: predictionsOf(run, followed),
		summary: {
			parameters: parameterSummary(parameters, 0.95),
			evaluations: run.tried.reduce((sum, { polished }) => sum + polished.evaluations, 0),
			followed: {
				parameter: name,
				pieces,
				t: middles.map(({ t }) => t),
				value: middles.map(({ value }) => value),
				sd: middles.map(({ sd }) => sd),
			},
		},
		doubts,
		assumptions: [
			`${name} is a smooth function of time (a cubic spline of ${counted(pieces, "piece")}); all other parameters are constant.`,
			"The state of each window is found anew; between windows nothing is taken for granted.",
			"Errors of the samples are independent and of one size.",
		],
		figures: [courseFigure(run, at, first, last)],
		files: [{ name: "followed.csv", content: table(name, middles) }],
		references: ["tyukin2016", "marino1992", "mikhail1976", "nielsen1999"],
	};
}

function seen({ value, sd }: Place): string {
	return `${Number(value.toPrecision(5))} ± ${sd.toPrecision(2)}`;
}

/** A constant would do: the two ends differ by what noise explains, and one piece is enough. */
function isSteady({ basis }: Followed, [a, b]: readonly Place[]): boolean {
	return (
		basis.count === 4 &&
		Math.abs(a.value - b.value) < normalQuantile975 * Math.sqrt(squared(a.sd) + squared(b.sd))
	);
}

function sharedRows(run: FollowRun, { polished }: Followed): ParameterRow[] {
	const [{ run: first }] = run.answered;
	const open = openRows(first);
	const several = new Set(first.mirrors.flatMap(({ chosen, names }) => (chosen ? [] : names)));
	const shared = new Set(first.natural!.params.map(({ name }) => name));
	return polished.values
		.filter(({ name }) => shared.has(name))
		.map((value) => rowOf(value, open, several, new Set()));
}

function endRow(
	{ name, answered }: FollowRun,
	{ polished }: Followed,
	{ t, value, sd }: Place,
): ParameterRow {
	const label = `${name} at t = ${Number(t.toPrecision(6))}`;
	if (openRows(answered[0].run).has(name))
		return { name: label, estimate: value, verdict: "structurally unidentifiable" };
	const [{ degrees }] = polished.values;
	return interval({ name: label, value, sd, degrees }, "identifiable");
}

function doubtsOf(run: FollowRun, { chiSquare, nSamples, polished, basis }: Followed): Doubt[] {
	const { name, answered, cut } = run;
	const doubts = unsettledDoubt(polished, "windows", "Give better starts under  set:.");
	const open = openRows(answered[0].run);
	if (open.has(name))
		doubts.push({
			code: "unidentifiable",
			title: `${name} can only be found together with others`,
			text: `A window leaves ${[...open].join(", ")} open: changes of some make up for those of others, so that the course of ${name} is one of many. Give one of them a value.`,
			grave: true,
		});
	const unknowns = polished.values.length;
	if (isTooLarge(chiSquare, nSamples - unknowns))
		doubts.push({
			code: "drift-unexplained",
			title: `More is left of the record than noise and the drift of ${name} explain`,
			text: `What is left is ${Math.sqrt(chiSquare / (nSamples - unknowns)).toPrecision(3)} times the noise, with ${name} in ${basis.count - 3} pieces. ${name} may jump or change faster than that, another parameter may drift, or the model is not the right one.`,
			grave: true,
		});
	if (answered.length < cut.length)
		doubts.push({
			code: "windows-left-out",
			title: `${cut.length - answered.length} of ${cut.length} windows were left out`,
			text: `The integrals do not explain them, and ${name} is interpolated there. They may not be periodic, or the model may do something else there.`,
			grave: 4 * (cut.length - answered.length) > cut.length,
		});
	return doubts;
}

/** Each window simulated from its own state, with the parameter as it drifts. */
function predictionsOf({ answered, name }: FollowRun, { question, polished, basis }: Followed): Prediction[] {
	const found = new Map(polished.values.map((value) => [value.name, value]));
	const output = question.model.measures[0].name;
	const params = [
		...answered[0].run.natural!.params.filter((param) => param.name !== name).map((param) => param.name),
		...Array.from({ length: basis.count }, (_, j) => coefficientName(name, j)),
	].map((each) => found.get(each)!);
	const parts = answered.map(({ experiment, run }) => {
		const { times: t, values: y } = experiment.outputs.get(output)!;
		const initial = run.natural!.initial.map((each) => found.get(ownName(each.name, experiment))!);
		const natural: Natural = { ...run.natural!, params, initial };
		return { t, y, simulated: simulateAnswer({ ...question, t, y, experiment }, natural).y };
	});
	const joined = (of: (part: (typeof parts)[number]) => Float64Array): Float64Array =>
		Float64Array.from(parts.flatMap((part) => [...of(part)]));
	const t = joined((part) => part.t);
	return [
		{
			experiment: question.experiment.name.replace(/^window \d+$/, "record"),
			output,
			part: "train",
			unasked: true,
			t,
			y: joined(({ simulated }) => simulated),
			data: { t, y: joined(({ y }) => y) },
		},
	];
}

const curvePoints = 200;

function courseFigure(
	{ name, answered }: FollowRun,
	at: (t: number) => Place,
	from: number,
	to: number,
): Figure {
	const curve = Array.from({ length: curvePoints + 1 }, (_, i) => at(from + ((to - from) * i) / curvePoints));
	const x = curve.map(({ t }) => t);
	return {
		name: "followed",
		title: `${name} as it drifts`,
		caption: `The course of ${name} with its 95 % band, and as points what the integrals found in each window by itself.`,
		xLabel: "t",
		yLabel: name,
		marks: [
			{
				type: "band",
				x,
				lo: curve.map(({ value, sd }) => value - normalQuantile975 * sd),
				hi: curve.map(({ value, sd }) => value + normalQuantile975 * sd),
				role: "model",
				label: "95 % band",
			},
			{
				type: "points",
				x: answered.map(({ experiment }) => middleOf(experiment)),
				y: answered.map(({ run }) => run.natural!.params.find((each) => each.name === name)!.value),
				role: "data",
				label: "windows by themselves",
			},
			{ type: "line", x, y: curve.map(({ value }) => value), role: "model", label: name },
		],
		section: "sure",
	};
}

function table(name: string, places: readonly Place[]): string {
	return `t,${name},sd\n${places.map(({ t, value, sd }) => `${t},${value},${sd}\n`).join("")}`;
}
