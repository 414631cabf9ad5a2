/** Figures of a posterior, as data. */

import type { Figure, Mark } from "../../../estimate/figure.ts";
import { exp } from "../../../num/elementary/number.ts";
import type { BayesRun } from "../bayes-run.ts";
import { isDriven } from "../filter/layout.ts";
import type { PosteriorUnknown } from "../likelihood/unknowns.ts";
import { forceBands } from "../predict/force-bands.ts";
import { Ibis } from "../smc/ibis.ts";
import { cornerFigure } from "./corner.ts";
import type { Marginal } from "./posterior.ts";
import { cloudsOf } from "./run-agreement.ts";
import { runFigures } from "./run-figures.ts";

const histogramBins = 24;

export function figuresOf(
	run: BayesRun,
	posterior: readonly Marginal[],
	z: Float64Array,
	n: number,
): Figure[] {
	return [
		...marginalFigures(run.unknowns, posterior),
		...cornerFigure(posterior, z, n),
		...forceFigures(run),
		...runFigures(cloudsOf(run)),
		...pathFigures(run),
		...shareFigures(run),
	];
}

function forceFigures(run: BayesRun): Figure[] {
	return forceBands(run).map(({ name, experiment, t, mean, lo, hi }): Figure => {
		const where = run.problem.train.length > 1 ? `, ${run.problem.train[experiment].name}` : "";
		return {
			name: `force-${name}-${experiment}`,
			title: `The force ${name}${where}`,
			caption: `What drove the model, as far as all samples tell: mean and 90 % band of ${name}.`,
			xLabel: "t",
			yLabel: name,
			section: "sure",
			zoom: true,
			marks: [
				{ type: "band", x: t, lo, hi, role: "band" },
				{ type: "line", x: t, y: mean, role: "model", label: name },
			],
		};
	});
}

export function marginalFigures(
	unknowns: readonly PosteriorUnknown[],
	posterior: readonly Marginal[],
): Figure[] {
	return posterior.map(({ name, values, mean, q05, q95 }, i) => {
		const { x, density, width } = histogram(values);
		// The prior over the range that is drawn: often it is nearly flat there, and that is the point.
		const { prior } = unknowns[i];
		const priorX = x.map((at) => at);
		const priorY = priorX.map((at) => {
			const value = exp(prior.logDensity(at));
			return Number.isFinite(value) ? value : 0;
		});
		return {
			name: `posterior-${name}`,
			title: name,
			caption: `Posterior of ${name} (bars) and its prior (line); 90 % of it lies between the rules.`,
			xLabel: name,
			yLabel: "density",
			section: "sure",
			small: true,
			marks: [
				{ type: "bars", x, y: density, role: "accent", label: "posterior" },
				...(width > 0 ? [{ type: "line", x: priorX, y: priorY, role: "muted", label: "prior" } as Mark] : []),
				{ type: "rule", axis: "x", at: q05, role: "guide" },
				{ type: "rule", axis: "x", at: mean, role: "model" },
				{ type: "rule", axis: "x", at: q95, role: "guide" },
			],
		};
	});
}

function histogram(values: Float64Array): { x: Float64Array; density: Float64Array; width: number } {
	const sorted = values.slice().sort();
	const lo = sorted[0];
	const hi = sorted[sorted.length - 1];
	const width = (hi - lo) / histogramBins;
	const x = Float64Array.from({ length: histogramBins }, (_, k) => lo + (k + 0.5) * width);
	const density = new Float64Array(histogramBins);
	for (const value of sorted) {
		const k = width > 0 ? Math.min(histogramBins - 1, Math.floor((value - lo) / width)) : 0;
		density[k] += 1 / (values.length * (width || 1));
	}
	return { x, density, width };
}

/** Effective sample size and acceptance on the way. */
function pathFigures({ samplers }: BayesRun): Figure[] {
	const [first] = samplers;
	const isIbis = first instanceof Ibis;
	const steps = first instanceof Ibis ? first.rejuvenations : first.stages;
	if (steps.length === 0) return [];
	const x =
		first instanceof Ibis
			? first.rejuvenations.map(({ sample }) => sample)
			: first.stages.map((_, k) => k + 1);
	const xLabel = isIbis ? "samples seen" : "stage";
	const ess: Mark[] =
		first instanceof Ibis
			? [
					{
						type: "line",
						x: first.path.map(({ sample }) => sample),
						y: first.path.map((one) => one.ess / first.n),
						role: "accent",
					},
				]
			: [{ type: "line", x, y: steps.map((one) => one.ess / first.n), role: "accent" }];
	return [
		{
			name: "ess",
			title: "Effective sample size on the way",
			caption: "Share of the particles that still count before each rejuvenation (first run).",
			xLabel,
			yLabel: "effective share",
			section: "doubt",
			small: true,
			marks: ess,
		},
		{
			name: "acceptance",
			title: "Acceptance on the way",
			caption:
				"Share of independent proposals that were accepted (first run): near 1 the proposal fits the posterior.",
			xLabel,
			yLabel: "acceptance",
			section: "doubt",
			small: true,
			marks: [
				{ type: "line", x, y: steps.map((one) => one.acceptance), role: "accent" },
				{ type: "rule", axis: "y", at: 1, role: "guide" },
			],
		},
	];
}

/** Where the uncertainty of a prediction comes from. */
function shareFigures({ model, train, test, likelihood, problem }: BayesRun): Figure[] {
	const { forces } = likelihood.layout;
	const unseen = forces.length > 0 ? "force" : isDriven(likelihood.layout) ? "process noise" : undefined;
	const third = unseen ? `${unseen} and integration` : "integration";
	return [
		{ predictive: train, part: "training", records: problem.train },
		{ predictive: test, part: "test", records: problem.test },
	].flatMap(({ predictive, part, records }) =>
		(predictive?.predictions ?? []).map((one): Figure => {
			const { name } = model.measures[one.output];
			const where = records.length > 1 ? `, ${records[one.experiment].name}` : "";
			const root = (values: Float64Array): Float64Array => values.map(Math.sqrt);
			return {
				name: `shares-${name}-${part}-${one.experiment}`,
				title: `Where the uncertainty of ${name} comes from (${part}${where})`,
				caption: `Standard deviations of the prediction by its three sources: noise of the measurement, spread of the parameters, error of the integration${unseen ? ` with the ${forces.length > 0 ? "unknown force" : unseen}` : ""}. ${
					unseen && part !== "test"
						? `The ${unseen} is what all samples tell of it.`
						: "The model runs from its initial values on; no sample corrects it on the way."
				}`,
				xLabel: "t",
				yLabel: `sd of ${name}`,
				section: "fit",
				zoom: true,
				marks: [
					{ type: "line", x: one.t, y: root(one.measurement), role: "data", label: "noise" },
					{ type: "line", x: one.t, y: root(one.parameters), role: "model", label: "parameters" },
					{ type: "line", x: one.t, y: root(one.integration), role: "muted", label: third },
				],
			};
		}),
	);
}
