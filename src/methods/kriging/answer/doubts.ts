/** What to doubt of a learned field, in words. */

import { openDoubts } from "../../../estimate/judge/identifiability.ts";
import { dependenceDoubt, dependences } from "../../../estimate/judge/independence.ts";
import { outlierDoubt } from "../../../estimate/judge/outliers.ts";
import { sizeDoubts, strangeSizes } from "../../../estimate/judge/size.ts";
import { missChance, testDoubt } from "../../../estimate/judge/test-record.ts";
import { list, note, percent } from "../../../estimate/judge/words.ts";
import type { Doubt, Prediction, Remark } from "../../../estimate/result.ts";
import type { Outcome } from "../../../solve/ivp.ts";
import { twoValued } from "../field/two-valued.ts";
import { noiseOf, sampleTimes } from "../records.ts";
import { residualSeries } from "../residual-series.ts";
import type { KrigingRun } from "../run.ts";
import type { Visits } from "../simulate/far-from-data.ts";
import { medianSpacing } from "../time/time-hyper.ts";
import { type Hint, isNear } from "./hints.ts";
import { asksOrder, mostTrain, type Simulated } from "./predictions.ts";

interface Answered {
	readonly run: KrigingRun;
	readonly simulated: readonly Simulated[];
	readonly predictions: readonly Prediction[];
	readonly hints: readonly Hint[];
}

export function remarksOf({ run, simulated, predictions, hints }: Answered): Remark[] {
	const ended = endedEarly(simulated);
	const left = residualDoubts(run, simulated);
	const tested = testDoubt(predictions, {
		remedy:
			"Or the function has a term that the record hardly shows (more records, or a higher trend, would), the state holds more than the model says, or the field is not smooth (a stop, dry friction).",
	});
	return [
		...(ended.length + left.size.filter(({ code }) => code !== "noise-smaller").length > 0
			? missing(run)
			: []),
		...ended,
		...inputEnds(simulated),
		...unbounded(simulated),
		...farFromData(simulated, predictions),
		...left.size,
		...left.order,
		...confounded(run),
		...tooSparse(run),
		...noise(run),
		...tested,
		...otherTerms(hints),
		...notConverged(run),
		...trajectories(run),
	];
}

function endedEarly(simulated: readonly Simulated[]): Doubt[] {
	return simulated
		.filter(({ simulation }) => simulation.outcome !== "converged")
		.map(({ experiment, simulation: { t, outcome }, part, asked, seenUntil, far }) => {
			const samples = experiment.times.filter((time) => time >= asked[0] && time <= asked[asked.length - 1]);
			const end = t[t.length - 1];
			const reached = samples.filter((time) => time <= end).length;
			return {
				code: "simulation-stops",
				title:
					t.length > 0
						? `The simulation of ${experiment.name} ends at t = ${format(end)}: it reaches ${reached} of ${samples.length} samples`
						: `The simulation of ${experiment.name} does not reach its first sample at t = ${format(asked[0])}`,
				text: `The learned system cannot be followed further: ${stops[outcome]}${far.far.share > 0 ? " Outside the data the field is a guess; data from there would help." : ""}`,
				grave: part === "test" || end >= seenUntil || !(shareDone(experiment.times, t) >= 0.5),
			};
		});
}

/** Why a solver stopped, of a field that the data made. */
const stops: Readonly<Record<Outcome, string>> = {
	converged: "",
	maxSteps: "the learned field is so steep there that its steps became too short.",
	stepTooSmall: "the learned field is so steep there that no step is short enough.",
	diverged: "a state grows without bound.",
	notFinite: "a derivative is no finite number.",
};

/** A function that would need two values at one place: the cause of a system that does not come back to its samples. */
function missing(run: KrigingRun): Doubt[] {
	const found = twoValued(run);
	if (!found) return [];
	const { name, argNames } = run.layout.functions[found.fn];
	const [a, b] = found.pair.map(({ t, args, value }) => {
		const where = argNames.map((arg, k) => `${arg} = ${format(args[k])}`).join(", ");
		return `${format(value)} at ${where} (t = ${format(t)})`;
	});
	return [
		{
			code: "missing-argument",
			title: `${name} cannot be a function of ${list(argNames)} alone`,
			text: `It would have to be ${a}, and ${b}, nearly the same place. A state is missing (what swings needs two: where it is, and how fast it moves), or an input is, or the function jumps there. Add to the model what else the derivative depends on.`,
			grave: true,
		},
	];
}

/** How much of a record a simulation came through. */
function shareDone(times: Float64Array, t: Float64Array): number {
	const [start, end] = [times[0], times[times.length - 1]];
	return ((t[t.length - 1] ?? start) - start) / (end - start);
}

/**
 * A band outside the data is widened by what is open there, so that being there is no evidence against it; samples that a
 * test has there are, where they miss it. Where there are none, far outside, nothing was ever held against it.
 */
function farFromData(simulated: readonly Simulated[], predictions: readonly Prediction[]): Remark[] {
	const isMissed = missChance(predictions.filter(({ part }) => part === "test")) < missLevel;
	return simulated.flatMap(({ experiment, far: { far, outside }, part, simulation }): Remark[] => {
		// Between its own samples a training record may pass their hull a little: this is no news.
		const isOut = part === "test" ? isMuch(outside) || far.share > 0 : outside.ahead > few || far.ahead > 0;
		const visits = isMuch(far) ? far : outside;
		if (!(isMuch(far) || isOut) || !(visits.from <= simulation.boundedUntil)) return [];
		const where = `${percent(Math.max(visits.share, visits.ahead))} of its instants${part === "train" && visits.ahead > 0 ? " beyond the record" : ""} lie outside the observations of the field.`;
		const isFar = visits === far;
		const isGrave = isFar && (part === "test" ? isMissed : far.ahead > 0.2);
		return note(
			"extrapolated",
			`The simulation of ${experiment.name} ${isFar ? "leaves" : "goes beyond"} the data at t = ${format(visits.from)}`,
			`${where} There the field is extrapolated${isFar ? "" : " a little"}, and its band is widened by what these leave open of a trend of higher degree. Data from there would narrow it.`,
		).map((each) => (isGrave ? { ...each, grave: true } : each));
	});
}

/** Few simulations go so far, so that samples beside their band may count more than they do elsewhere. */
const missLevel = 0.01;

/** Share of the instants that is not worth a word. */
const few = 0.02;

function isMuch({ share, ahead }: Visits): boolean {
	return Math.max(share, ahead) > few;
}

/** What drives the system is not known so far: the band ends, however well the functions are. */
function inputEnds(simulated: readonly Simulated[]): Doubt[] {
	return simulated.flatMap(({ experiment, inputEnd, asked }) => {
		if (!inputEnd) return [];
		const { names, t } = inputEnd;
		const are = names.length > 1 ? "s" : "";
		return [
			{
				code: "input-ends",
				title: `The input${are} ${list(names)} ${are ? "are" : "is"} not known after t = ${format(t)}`,
				text: `The simulation of ${experiment.name} goes on to t = ${format(asked[asked.length - 1])} with the last value held, and what the system does then depends on what comes: from there on the band goes from minus to plus infinity. Give the input as a formula ( input ${names[0]} = … ), or a record of it that goes on.`,
				grave: true,
			},
		];
	});
}

/** Where the band ends: the same words as the band itself. */
function unbounded(simulated: readonly Simulated[]): Doubt[] {
	return simulated
		.filter(
			({ simulation: { t, boundedUntil }, inputEnd }) =>
				// Where it ends with an input, this is said already.
				boundedUntil < Math.min(t[t.length - 1], inputEnd?.t ?? Number.POSITIVE_INFINITY),
		)
		.map(({ experiment, simulation, seenUntil }) => {
			const last = simulation.boundedUntil;
			const from = simulation.t.find((t) => t > last)!;
			const isAll = from === simulation.t[0];
			return {
				code: "no-band",
				title: `The simulation of ${experiment.name} has no band from t = ${format(from)} on`,
				text: `${isAll ? "Its first state is so uncertain, or so far from the data," : "Its error is as large there as half the spread of the data, or it is so far from them,"} that nothing bounds it: the band goes from minus to plus infinity, and the curve is one guess of many. Data from there, or a shorter test, would help.`,
				grave: from > seenUntil,
			};
		});
}

/** What the system that was learned leaves of the samples, simulated from its start. */
function residualDoubts(run: KrigingRun, simulated: readonly Simulated[]): { size: Doubt[]; order: Doubt[] } {
	const series = residualSeries(run, simulated);
	const nStarts = simulated.filter(({ part }) => part === "train").length * run.dynamics.n;
	const nUnknowns = nStarts + run.pass.field.design.nMean;
	return {
		size: sizeDoubts(strangeSizes(series, nUnknowns), {
			larger:
				"The state may hold more than the model says, or an input may be missing or move otherwise between its samples (input: in the study). Bands are too narrow then; only a system that is sensitive to its start leaves its samples by itself.",
			smaller: "Bands are too wide then.",
		}),
		order: asksOrder(run)
			? [...dependenceDoubt(dependences(series, nUnknowns)), ...outlierDoubt(series, nUnknowns)]
			: [],
	};
}

function confounded({ pass, layout, dynamics }: KrigingRun): Doubt[] {
	const { design, kriging } = pass.field;
	const kept = new Set(kriging.reflections.kept);
	const params = layout.params.filter((_, j) => !kept.has(design.nTrend + j));
	const trends = design.functions.filter((_, fn) => {
		for (let j = design.trendStart[fn]; j < design.trendStart[fn + 1]; j++) if (!kept.has(j)) return true;
		return false;
	});
	const names = params.length > 0 ? [...params, "the trends of the functions"] : [];
	const doubts = openDoubts(names.length > 0 ? [{ names, ways: params.length }] : [], {
		so: "The trend of an unknown function can take over what the parameter does.",
		remedy: "Give the parameter a value, lower the trend, or change the arguments of the function.",
	});
	if (trends.length > 0)
		doubts.push({
			code: "open-trend",
			title: `The trend of ${list(trends.map(({ name }) => name))} is not determined by the data`,
			text: `${dynamics.nCalls > 1 && trends.length < design.functions.length ? "Two functions share a term that only their sum shows, or an" : "An"} argument hardly varies in the record. Values of a single function may be off by what another takes over; simulations that stay near the data are not touched.`,
			grave: false,
		});
	return doubts;
}

function tooSparse({ fits, layout, records }: KrigingRun): Doubt[] {
	return layout.tracks.flatMap(({ name }, track) => {
		const spacing = Math.max(...records.map(({ tracks }) => medianSpacing(tracks[track].t)));
		if (fits[track].length >= 1.5 * spacing) return [];
		return [
			{
				code: "too-sparse",
				title: `${name} is sampled too slowly for its derivatives`,
				text: `Its correlation in time (${format(fits[track].length)}) is hardly longer than the time between samples (${format(spacing)}). Sample faster, or give an input that moves more slowly.`,
				grave: true,
			},
		];
	});
}

function noise({ layout, fits, records }: KrigingRun): Doubt[] {
	return layout.tracks.flatMap((each, track) => {
		const kind = noiseOf(layout, each);
		const sd = Math.sqrt(records[0].tracks[track].variance[0]) * fits[track].noiseFactor;
		if (kind === "none")
			return [
				{
					code: "noise-declared-none",
					title: `The noise of ${each.name} is declared as none`,
					text: fits[track].atFloor
						? `No noise was found in the samples; the equations need some, and ${format(sd)} was used. If the instrument has more, declare it: bands are too narrow then.`
						: `The samples are not that smooth: ${format(sd)} was found, and used. Declare what the instrument has:  measure … ~ normal(${each.name}, ${format(sd)}).`,
					grave: false,
				},
			];
		if (kind !== "open") return [];
		return [
			{
				code: "noise-estimated",
				title: fits[track].atFloor
					? `The noise of ${each.name} could not be found`
					: `The noise of ${each.name} was estimated: ${format(sd)}`,
				text: fits[track].atFloor
					? `Its estimate ran to the smallest value allowed (${format(sd)}). Declare it; if it is larger, the bands here are too narrow.`
					: "It shares the samples with everything else that is estimated. If the instrument's noise is known, declare it.",
				grave: fits[track].atFloor,
			},
		];
	});
}

/** Of the form that a function is near to, which stands beside what was learned: the function itself needs no terms. */
function otherTerms(hints: readonly Hint[]): Remark[] {
	return hints
		.filter((hint) => isNear(hint) && hint.others.length > 0)
		.flatMap(({ of, others }) =>
			note(
				"rival-terms",
				`Other terms fit ${of} as well`,
				`The noise does not tell the terms that it is near to from as many others: ${list(others.map(({ term, inPlaceOf }) => `${term} in place of ${inPlaceOf}`))}. Their errors hold given the chosen terms. A record that visits more states would tell.`,
			),
		);
}

/** What the outcome `maxSteps` means. */
function notConverged({ fits, pass, layout }: KrigingRun): Doubt[] {
	const states = layout.tracks.filter((_, k) => !fits[k].converged).map(({ name }) => name);
	const of = [
		...(states.length > 0 ? [`of ${list(states)} in time`] : []),
		...(pass.fit.converged ? [] : ["of the functions"]),
	];
	if (of.length === 0) return [];
	return [
		{
			code: "not-converged",
			title: `The search for the lengths and variances ${list(of)} did not come to an end`,
			text: "They are the best that were found in the steps it has, not the likeliest: bands rest on them and may be too narrow or too wide. Data that show the functions over a wider range, or a lower trend, would tell them better.",
			grave: false,
		},
	];
}

function trajectories(run: KrigingRun): Doubt[] {
	const { learning, records } = run;
	const why = learning?.givenUp;
	const doubts: Doubt[] = [];
	if (why !== undefined)
		doubts.push({
			code: "not-on-trajectories",
			title: "The field was not fitted to the trajectories",
			text: `The reason: ${why}. It rests on states and derivatives found from the samples, whose errors are allowed for to first order.`,
			grave: false,
		});
	const { kind, before } = run.pass;
	if (kind === "trajectory" && before.longest < learning!.records.longest)
		doubts.push({
			code: "short-trajectories",
			title: `Trajectories were followed ${before.longest} samples at a time`,
			text: "Over longer stretches the learned system leaves the samples: it is unstable there, or something else drives it. Simulations that are longer than this may go astray.",
			grave: false,
		});
	const long = records.filter((record) => sampleTimes(record).length > mostTrain);
	if (long.length > 0)
		doubts.push({
			code: "long-record",
			title: `Only the first ${mostTrain} samples of ${list(long.map(({ experiment }) => experiment.name))} are simulated`,
			text: "A simulation from the first state of a longer record says little of its end: errors add up along it. States and derivatives are given at every sample time in derivatives.csv.",
			grave: false,
		});
	return doubts;
}

export function format(value: number): string {
	return String(Number(value.toPrecision(3)));
}
