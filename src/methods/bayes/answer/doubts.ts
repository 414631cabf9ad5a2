/** What to doubt about a posterior, in words: what was seen, why it matters, what to try. */
import { coarseDoubt } from "../../../estimate/judge/coarse-steps.ts";
import { namedGroups, openDoubts } from "../../../estimate/judge/identifiability.ts";
import { dependenceDoubt, dependences } from "../../../estimate/judge/independence.ts";
import { instrumentDoubt, instrumentFault } from "../../../estimate/judge/instrument.ts";
import { outlierDoubt } from "../../../estimate/judge/outliers.ts";
import { poorFitDoubt } from "../../../estimate/judge/poor-fit.ts";
import {
	predictedBy,
	type ResidualSeries,
	tailsOf,
	unitOf,
	withTaken,
} from "../../../estimate/judge/series.ts";
import { isLarger, sizeDoubts, strangeSizes } from "../../../estimate/judge/size.ts";
import { stretchDoubt } from "../../../estimate/judge/stretch.ts";
import { ownStart, testDoubt } from "../../../estimate/judge/test-record.ts";
import { tooFastDoubt } from "../../../estimate/judge/too-fast.ts";
import { counted, doubt, list, note, percent } from "../../../estimate/judge/words.ts";
import { sampleLaw } from "../../../estimate/law/declared.ts";
import { isOpen, openGroups } from "../../../estimate/least-squares/null-space.ts";
import { isFound } from "../../../estimate/observe/declared-spreads.ts";
import { conditionInto, memoryOf } from "../../../estimate/observe/memory.ts";
import { normalScores, type SampleSet } from "../../../estimate/observe/sample-terms.ts";
import type { Doubt, Prediction, Remark } from "../../../estimate/result.ts";
import type { BayesRun } from "../bayes-run.ts";
import { isDriven } from "../filter/layout.ts";
import { sampleSet } from "../likelihood/solution-terms.ts";
import { naturalValues } from "../likelihood/unknowns.ts";
import { quantile95 } from "../predict/force-bands.ts";
import type { RecordPrediction } from "../predict/predictive.ts";
import { Ibis } from "../smc/ibis.ts";
import { correlation, type Marginal } from "./posterior.ts";
import { cloudsOf, distinctParticles, type RunClouds, runAgreement } from "./run-agreement.ts";
import { spreadRemedy, spreadText } from "./spread-trouble.ts";
import { isToldOf, verdictOf } from "./verdicts.ts";

/** Share of different particles below which a cloud is none. */
const fewDistinct = 0.1;

export function remarksOf(
	run: BayesRun,
	posterior: readonly Marginal[],
	z: Float64Array,
	n: number,
	predictions: readonly Prediction[],
): Remark[] {
	// Nothing where no record was followed.
	const series = run.train ? residualSeries(run, run.train) : [];
	return [
		...divergence(run),
		...cutBySolver(run),
		...collapsed(run),
		...runsDisagree(cloudsOf(run), run.evidence.plusMinus),
		...severalModes(run, z, n),
		...unevenErrors(run),
		...outlierDoubt(series, run.unknowns.length),
		...poorFitDoubt(
			predictions,
			series,
			run.unknowns.length,
			"Another part of the prior may explain more, or the equations lack something. Take more particles (bayes: { particles: 4000 }), other priors, or another model.",
		),
		...residualsAndNoise(run, series),
		...coarseSteps(run),
		...tooFastDoubt(
			run.swinging,
			"At the posterior",
			"Then only the prior tells them apart. If such fast motion is not meant, take a prior that leaves it out.",
		),
		...dependenceDoubt(dependences(series, run.unknowns.length), { model: run.model }),
		...uneven(run, series),
		...instrumentDoubt(instrumentFault(series, run.unknowns.length)),
		...openDoubts(
			namedGroups(openGroups(run.open), (i) => run.unknowns[i].name),
			{ so: "The rest is the prior's.", grave: false },
		),
		...uninformed(run, posterior),
		...endsWithPrior(run, posterior),
		...correlated(run, z, n),
		...idleTests(run),
		...lostOnTest(run),
		...testDoubt(predictions, { quantile: quantile95, remedy: ownStart(run.model, " ~ normal(0, 1)") }),
		...poorMoves(run),
		...fewParticles(run),
	];
}

function divergence({ samplers, hint, settings, spread, blowsUp }: BayesRun): Remark[] {
	const share = blowsUp ?? Math.max(...samplers.map(({ diverged }) => diverged));
	if (!(share > 0.02)) return [];
	const said = (code: string, title: string, text: string): Remark[] =>
		share > 0.98 ? doubt(code, title, text, true) : note(code, title, text);
	if (spread && spread.share > 0.5 * share)
		return said(
			"impossible-spread",
			`${spreadText(spread)} for part of the prior`,
			`${percent(share)} of the prior make some sample impossible; those particles have weight zero, and the posterior comes from the others.${hint ? ` ${hint}` : ""} ${spreadRemedy}`,
		);
	return said(
		"prior-diverges",
		`The model blows up for ${percent(share)} of the prior`,
		`Those particles have weight zero; the posterior comes from the others.${hint ? ` ${hint}` : ""} If that part of the prior is meant to count, use smaller steps (now ${settings.substeps} a sample)${settings.linearisation === "ekf0" && !settings.stiff ? " or bayes: { linearisation: ekf1 }" : ""}; if not, a narrower prior saves time.`,
	);
}

/** An interval that ends where the solver does says nothing of the data. */
function cutBySolver({ cutOff, settings }: BayesRun): Doubt[] {
	if (cutOff.length === 0) return [];
	const ends = cutOff.map(({ name, side, edge }) => `${name} ${side} ${Number(edge.toPrecision(2))}`);
	return doubt(
		"cut-off",
		`The solver cuts the posterior off: ${list(ends)}`,
		`There the ${settings.stiff ? "" : "explicit "}steps of the filter blow up (${settings.substeps} a sample). A solver for stiff models does not, and finds the data as likely: the interval ends where the solver does. Say by the prior how far it can go, or take  method: fit, whose profiles follow stiff models.`,
		true,
	);
}

/** A Gaussian filter takes in errors of other laws by what each sample shows: right where the state is known well beside them. */
function unevenErrors({ model, likelihood: { layout } }: BayesRun): Doubt[] {
	const others = model.measures.flatMap((measure) => {
		const law = sampleLaw(measure);
		return law.isNormal || law.isCount
			? []
			: [{ name: measure.name, isMixture: law.mixture() !== undefined }];
	});
	if (!isDriven(layout) || others.length === 0) return [];
	const rough = others.flatMap(({ name, isMixture }) => (isMixture ? [] : [name]));
	const extent =
		rough.length === 0
			? "in trials the log-likelihood of 30 samples, one in seven far out, was off by 0.06, at most by 0.3"
			: `those of ${list(rough)} are of a law that is no mixture of normal ones, and count by their weights alone: the log-likelihood of 30 samples may be off by several`;
	return doubt(
		"errors-approximate",
		`Errors of ${list(others.map(({ name }) => name))} that are not normal are followed roughly`,
		`${layout.forces.length > 0 ? "An unknown force" : "Noise in the equations"} is followed by a filter of normal laws, which knows of the state no more than mean and variance after each such error. Intervals and evidence are approximate: ${extent}. Declare  normal  errors where the samples allow it, and compare.`,
		false,
	);
}

/** Independent runs that end in other places, or with other evidence, have not found the whole posterior. */
export function runsDisagree(clouds: RunClouds, plusMinus = 0): Remark[] {
	const agreement = runAgreement(clouds);
	if (!agreement) return [];
	const { apart, evidences, isLost, nLost, n } = agreement;
	const gap = Math.max(...evidences) - Math.min(...evidences);
	const range = `from ${Math.min(...evidences).toFixed(1)} to ${Math.max(...evidences).toFixed(1)}`;
	if (apart.length > 0)
		return doubt(
			"runs-disagree",
			"The runs disagree",
			`They differ in ${list(apart)}; their log evidences range ${range}, and what is shown weighs each run by its evidence. The posterior may have several modes: take more particles (now ${n} a run) and more runs, or a narrower prior for ${list(apart)}.`,
			true,
		);
	const lost =
		nLost > 0
			? note(
					"lost-runs",
					`${nLost} of ${nLost + evidences.length} runs missed the best part of the posterior`,
					`Their log evidence is lower by more than ten, and they weigh nothing in what is shown; ${evidences.length} independent runs found the same.`,
				)
			: [];
	if (!(Math.max(gap, 2 * plusMinus) > 2)) return lost;
	if (isLost)
		return doubt(
			"evidence-uncertain",
			"The runs disagree in their log evidence",
			`Their log evidences range ${range}: at least one run missed the best part of the posterior, and others may have too. Take more particles (now ${n} a run) and more runs, or narrower priors.`,
			true,
		);
	return note(
		"evidence-uncertain",
		"The log evidence is not certain",
		`The runs agree on the parameters; the log evidence is known to ± ${plusMinus.toFixed(1)}, and by single runs it ranges ${range}. Before models are compared by it, take more particles (now ${n} a run).`,
	);
}

/** Copies of a few particles tell neither mean nor spread. */
function collapsed(run: BayesRun): Doubt[] {
	if (run.unknowns.length === 0) return [];
	const { distinct, n } = distinctParticles(run);
	if (distinct >= Math.max(2, fewDistinct * n)) return [];
	return doubt(
		"collapsed",
		distinct === 1 ? "The cloud has collapsed onto one point" : `Only ${distinct} of ${n} particles differ`,
		"The others are copies of them: none of their moves was accepted, so intervals say nothing. Most often the declared noise is far too small for the model: let it be found,  param s ~ lognormal(log(…), 1). Else take more particles.",
		true,
	);
}

/** A gap through the cloud: a mean between two modes describes neither. */
function severalModes({ unknowns }: BayesRun, z: Float64Array, n: number): Doubt[] {
	const split = unknowns.flatMap(({ name, prior }, i) => {
		const sorted = z.slice(i * n, (i + 1) * n).sort();
		const [lo, hi] = [Math.floor(0.05 * n), Math.ceil(0.95 * n) - 1];
		let widest = lo;
		for (let k = lo; k < hi; k++)
			if (sorted[k + 1] - sorted[k] > sorted[widest + 1] - sorted[widest]) widest = k;
		const gap = sorted[widest + 1] - sorted[widest];
		if (!(gap > 0.3 * (sorted[hi] - sorted[lo]))) return [];
		const edges = [sorted[widest], sorted[widest + 1]].map((value) =>
			Number(prior.fromSampled(value).toPrecision(2)),
		);
		return [{ name, share: (widest + 1) / n, edges }];
	});
	return split.flatMap(({ name, share, edges }) =>
		doubt(
			"several-modes",
			`The posterior of ${name} has two modes`,
			`${percent(share)} of it lies below ${edges[0]}, the rest above ${edges[1]}: mean and interval describe neither. The share of each is uncertain; more particles and runs, or a prior that leaves one of them out.`,
			false,
		),
	);
}

function residualsAndNoise(run: BayesRun, series: readonly ResidualSeries[]): Doubt[] {
	const found = strangeSizes(series, run.unknowns.length);
	// A force follows the samples: what is left of them is smaller than the noise, by as much as it took up of that.
	const isForced = isDriven(run.likelihood.layout);
	return sizeDoubts(isForced ? found.filter(isLarger) : found, {
		larger: "The posterior is then too narrow.",
		smaller: "The posterior is then too wide.",
	});
}

/** What ever shorter steps would do to the posterior, with all that it carries of the integration's error. */
function coarseSteps({ stepEffect, enoughSteps, settings, options }: BayesRun): Doubt[] {
	return coarseDoubt(stepEffect, settings.substeps, {
		method: "bayes",
		...(options.substeps === "auto" ? { enough: enoughSteps } : {}),
	});
}

/** Residuals of the mean prediction in standard deviations of measurement and integration. */
export function residualSeries(run: BayesRun, predictive: RecordPrediction): ResidualSeries[] {
	const { samples, model, experiments } = predictive.likelihood;
	const nOutputs = model.measures.length;
	const series = predictive.predictions.map((prediction): ResidualSeries & { along?: Float64Array } => {
		const { experiment, output, t, mean, measurement, integration, along } = prediction;
		const { y, present } = samples[experiment];
		const { name } = model.measures[output];
		const set = sampleSet(model, output, samples[experiment]);
		const { law } = set;
		const memory = memoryOf(model, model.measures[output], experiments[experiment]);
		const there = Array.from(mean.keys()).filter((s) => present[s * nOutputs + output] !== 0);
		const spread = Float64Array.from(there, (s) => Math.sqrt(measurement[s] + integration[s]));
		const isPlain = !law.isCount && !set.within && !memory;
		return {
			experiment: experiments[experiment].name,
			output: name,
			t: there.map((s) => t[s]),
			observed: there.map((s) => law.scale.fromCompared(y[s * nOutputs + output])),
			residual: memory
				? newErrors(
						{ ...set, observed: pick(set.observed, there) },
						memory.time((param) => meanOf(run, param)),
						Float64Array.from(there, (s) => t[s]),
						pick(mean, there),
						pick(prediction.spread, there),
						`${name} ${experiment}`,
					)
				: law.isCount || set.within
					? pick(normalScores(set, mean, prediction.spread, `${name} ${experiment}`), there)
					: Float64Array.from(there, (s) =>
							law.normalScore(
								(y[s * nOutputs + output] - mean[s]) / Math.sqrt(measurement[s] + integration[s]),
							),
						),
			noise:
				!law.isCount && isFound(model, model.measures[output]) ? "found" : unitOf(model.measures[output]),
			start: experiments[experiment].times[0],
			...tailsOf(law),
			...(isPlain
				? {
						predicted: predictedBy(
							{ t, y: mean.map(law.scale.fromCompared) },
							there.map((s) => t[s]),
							spread,
							law.scale.isLog,
						),
					}
				: {}),
			...(isPlain && along ? { along: alongSamples(along, mean.length, there, spread) } : {}),
		};
	});
	return withTaken(series);
}

/** Rows of the samples, in their spreads. */
function alongSamples(
	along: Float64Array,
	n: number,
	there: readonly number[],
	spread: Float64Array,
): Float64Array {
	const rank = along.length / n;
	return Float64Array.from({ length: there.length * rank }, (_, at) => {
		const i = Math.floor(at / rank);
		return along[there[i] * rank + (at % rank)] / spread[i];
	});
}

/** Of errors that are remembered, what is new in each. */
function newErrors(
	set: SampleSet,
	time: number,
	t: Float64Array,
	value: Float64Array,
	spread: Float64Array,
	purpose: string,
): Float64Array {
	conditionInto({ t, observed: set.observed }, time, value, spread);
	return normalScores(set, value, spread, purpose);
}

/** Over the posterior. */
function meanOf(run: BayesRun, name: string): number {
	const { z, n } = run.thinned(64);
	const i = run.unknowns.findIndex((each) => each.name === name);
	const theta = naturalValues(run.unknowns, z, n).subarray(i * n, (i + 1) * n);
	return theta.reduce((sum, value) => sum + value, 0) / n;
}

function pick(values: Float64Array, places: readonly number[]): Float64Array {
	return Float64Array.from(places, (s) => values[s]);
}

/** A force takes up of the noise where it acts: what is left is of no one size. */
function uneven(run: BayesRun, series: readonly ResidualSeries[]): Doubt[] {
	return isDriven(run.likelihood.layout) ? [] : stretchDoubt(series, run.unknowns.length);
}

function uninformed(run: BayesRun, posterior: readonly Marginal[]): Remark[] {
	const names = posterior.flatMap(({ name, sampledSd }, i) =>
		!isToldOf(sampledSd, run.priorSd[i]) && !isOpen(run.open, i) ? [name] : [],
	);
	if (names.length === 0) return [];
	return note(
		"uninformed",
		`The data say little about ${list(names)}`,
		"The posterior is nearly as wide as the prior: the interval shown is mostly what you put in.",
	);
}

/** Of a posterior that is no narrower than its prior on one side, mean and half of the interval are the prior's. */
function endsWithPrior({ unknowns, open, priorSd }: BayesRun, posterior: readonly Marginal[]): Remark[] {
	const found = posterior.flatMap((one, i) => {
		if (isOpen(open, i)) return [];
		const verdict = verdictOf(one, priorSd[i], unknowns[i].prior);
		return verdict.startsWith("bounded from") ? [{ name: one.name, verdict }] : [];
	});
	return [...new Set(found.map(({ verdict }) => verdict))].flatMap((verdict) => {
		const names = found.filter((one) => one.verdict === verdict).map(({ name }) => name);
		const [side, other] = verdict === "bounded from below only" ? ["below", "upper"] : ["above", "lower"];
		return note(
			"one-sided",
			`The data bound ${list(names)} from ${side} only`,
			`On the other side the posterior goes along with the prior to its end: the ${other} end of the interval is what you put in, and so is much of the mean.`,
		);
	});
}

function correlated({ unknowns }: BayesRun, z: Float64Array, n: number): Remark[] {
	const pairs: { names: string[]; rho: number }[] = [];
	for (let i = 0; i < unknowns.length; i++)
		for (let j = 0; j < i; j++) {
			const rho = correlation(z, n, i, j);
			if (Math.abs(rho) > 0.98) pairs.push({ names: [unknowns[j].name, unknowns[i].name], rho });
		}
	if (pairs.length === 0) return [];
	const [{ names, rho }] = pairs.sort((a, b) => Math.abs(b.rho) - Math.abs(a.rho));
	return note(
		"collinear",
		`${list(names)} are almost one parameter`,
		`Their correlation in the posterior is ${rho.toFixed(3)}: the data tell a combination of them much better than either.`,
	);
}

/** Records so short that any parameters would pass. */
function idleTests({ test }: BayesRun): Doubt[] {
	if (!test) return [];
	const { experiments, samples, unknowns } = test.likelihood;
	return experiments.flatMap(({ name, times: [t0] }, e) => {
		const { times, present } = samples[e];
		const width = present.length / times.length;
		const there = Array.from(present.keys()).filter((place) => present[place] !== 0);
		const free = unknowns.filter(({ kind, experiment }) => kind === "initial" && experiment === e).length;
		const after = there.filter((place) => times[Math.floor(place / width)] > t0).length;
		if (after > 0 && there.length > free) return [];
		const count = counted(there.length, "sample");
		return doubt(
			"idle-test",
			`The test record ${name} tests nothing`,
			after === 0
				? `It has ${count}, and none after its start, where the model says what it was told. Give a longer record.`
				: `It has ${count}, and as many initial values are found from it. Give a longer record.`,
			false,
		);
	});
}

function lostOnTest({ test }: BayesRun): Doubt[] {
	if (!test) return [];
	const share = test.lost.reduce((sum, one) => sum + one, 0) / test.lost.length;
	if (share === 0) return [];
	return doubt(
		"test-diverges",
		`${percent(share)} of the particles blow up on the test record`,
		"The test goes where the training never was, and there the model is unstable for part of the posterior. Bands leave those particles out.",
		share > 0.5,
	);
}

function poorMoves({ samplers }: BayesRun): Remark[] {
	const rates = samplers.flatMap((sampler) => {
		const last = sampler instanceof Ibis ? sampler.rejuvenations.at(-1) : sampler.stages.at(-1);
		return last ? [last.acceptance] : [];
	});
	const worst = Math.min(...rates);
	if (!(worst < 0.05)) return [];
	return note(
		"poor-moves",
		`Only ${percent(worst)} of the independent proposals were accepted at the end`,
		"The posterior is far from normal in shape; the cloud was moved by small steps instead and may have missed part of it. More particles help.",
	);
}

/** Particles of a run for each unknown below which the widths of single runs were seen to fall to less than half. */
const leastParticles = 10;

function fewParticles({ samplers: [{ n }], unknowns }: BayesRun): Doubt[] {
	if (n >= leastParticles * unknowns.length) return [];
	return doubt(
		"few-particles",
		`${n} particles a run are few for ${unknowns.length} unknowns`,
		`Intervals may be much too narrow by chance. Take  bayes: { particles: 1000 }  or more.`,
		false,
	);
}
