/**
 * Section 5 of the paper repeated: derivatives, field and simulation of the Lotka–Volterra example over many noise seeds,
 * the paper's way and ours.
 */
import type { Figure } from "../../src/estimate/figure.ts";
import { radials } from "../../src/methods/kriging/field/radial.ts";
import { krigingOptions } from "../../src/methods/kriging/options.ts";
import type { KrigingOptions } from "../../src/methods/kriging/run.ts";
import { defaultOptions } from "../../src/methods/options.ts";
import type { Reproduction, ReproductionRow } from "../../src/report/reproduction.ts";
import { coverageRow } from "./coverage-row.ts";
import { integratorWeights } from "./integrator-weights.ts";
import { type PaperExample, paperExample } from "./paper-example.ts";
import { paperFigures } from "./paper-figures.ts";
import { type Trial, trial, windows } from "./trial.ts";

const ours = defaultOptions(krigingOptions);
/** Wendland covariance and likelihood in time, generalised covariance, errors of the derivatives alone. */
const paperWay: KrigingOptions = {
	...ours,
	covariance: "wendland33",
	criterion: "ml",
	field: "generalized",
	errors: "derivatives",
};
/** Medians of the same task with a Gaussian process library, the best of four kernels, measured beforehand. */
const library = [0.038, 0.042, 0.037, 0.04];
const seen = { low: [0.012, 0.008, 0.008, 0.008], strong: [0.181, 0.134, 0.113, 0.091] };

export const kriging: Reproduction = {
	name: "kriging",
	title:
		"Black-box identification and simulation of continuous-time systems by random processes and kriging, section 5",
	async run(context) {
		const seeds = context.quick ? 5 : 50;
		const low = paperExample(0.01);
		const work = [
			{ name: "paper's way", example: low, options: paperWay, integrator: "solver" as const },
			{ name: "paper's way, its integrator", example: low, options: paperWay, integrator: "paper" as const },
			{
				name: "paper's way, its integrator with error terms",
				example: low,
				options: paperWay,
				integrator: "paper with errors" as const,
			},
			{ name: "ours", example: low, options: ours, integrator: "solver" as const },
			{ name: "ours, noise 0.1", example: paperExample(0.1), options: ours, integrator: "solver" as const },
			{
				name: "paper's way, no input",
				example: paperExample(0.01, false),
				options: paperWay,
				integrator: "solver" as const,
			},
		];
		const trials: Trial[][] = [];
		for (const [w, { name, example, options, integrator }] of work.entries()) {
			const own: Trial[] = [];
			for (let s = 0; s < seeds; s++) {
				own.push(await trial(example, options, integrator, context.seed + s, context.compute));
				context.progress((w + (s + 1) / seeds) / work.length, `${name}: ${s + 1} of ${seeds} seeds`);
			}
			trials.push(own);
		}
		const [paper, integrated, weighted, default_, strong, undriven] = trials;
		const note = context.quick ? ` (${seeds} seeds)` : "";
		return {
			tables: [
				{
					title: `Simulation error, median over ${seeds} seeds`,
					rows: windows.map((from, w) =>
						compared(
							`RMSE on [${from}, ${from + 10}]${note}`,
							`a plot; its way ${text(median(paper, w))}, its integrator ${text(median(integrated, w))}, with error terms ${text(median(weighted, w))}`,
							median(default_, w),
							seen.low[w],
							`Gaussian process library: ${library[w]}`,
						),
					),
				},
				{
					title: `Strong noise (standard deviation 0.1), median over ${seeds} seeds`,
					rows: windows.map((from, w) =>
						compared(
							`RMSE on [${from}, ${from + 10}]${note}`,
							"not developed",
							median(strong, w),
							seen.strong[w],
						),
					),
				},
				{ title: "Claims", rows: claims(paper, default_, undriven, low) },
			],
			figures: [...paperFigures(low, default_[0], integrated[0]), ...errorFigure(work, trials)],
		};
	},
};

function claims(
	paper: readonly Trial[],
	default_: readonly Trial[],
	undriven: readonly Trial[],
	example: PaperExample,
): ReproductionRow[] {
	const growth = [median(undriven, 0), median(undriven, 3)];
	const derivative = (trials: readonly Trial[], c: number): number =>
		middle(trials.map(({ derivatives }) => derivatives[c]));
	const fit = paper[0].run.fits[0];
	const sum = (h: number): number => {
		const back = Float64Array.from({ length: 4 }, (_, i) => (3 - i) * h);
		const { beta } = integratorWeights({
			radial: radials.get("wendland33")!,
			hyper: fit,
			meanDegree: 0,
			order: 0,
			step: h,
			back,
			errors: new Float64Array(4),
		});
		return beta.reduce((all, b) => all + b, 0) / h;
	};
	return [
		{
			what: "derivatives at the samples, RMSE of x1' and x2'",
			paper: "a plot",
			ours: `its way ${text(derivative(paper, 0))}, ${text(derivative(paper, 1))}; step 1 of ours ${text(derivative(default_, 0))}, ${text(derivative(default_, 1))}`,
			goal: "no larger than its way",
			verdict: [0, 1].every((c) => derivative(default_, c) <= derivative(paper, c))
				? "reached"
				: "not reached",
		},
		coverageRow(default_.map(({ coverage }) => coverage)),
		{
			what: "the integrator's weights sum to the step: Σβ/h at h = 0.5 and 0.1",
			paper: "consistent as h → 0",
			ours: `${sum(0.5).toFixed(3)}, ${sum(0.1).toFixed(3)}`,
			goal: "0.785, 0.997",
			verdict:
				Math.abs(sum(0.5) - 0.785) < 0.02 && Math.abs(sum(0.1) - 0.997) < 0.002 ? "reached" : "not reached",
		},
		{
			what: "the error does not grow with time",
			paper: "holds",
			ours: `with the inputs as printed ${text(median(paper, 0))} → ${text(median(paper, 3))}; without inputs ${text(growth[0])} → ${text(growth[1])}`,
			goal: "—",
			verdict: "not reproducible",
			why: "It is the inputs that make the system forget; without them errors grow.",
		},
		{
			what: "eq. (20) as printed, − δ x1 x2",
			paper: "used",
			ours: `+ δ x1 x2, from (1, 1); largest state ${text(example.x.reduce((a, b) => Math.max(a, b), 0))}`,
			goal: "—",
			verdict: "not reproducible",
			why: "With the printed sign the state grows without bound, and the initial state is not printed.",
		},
	];
}

function errorFigure(work: readonly { name: string }[], trials: readonly (readonly Trial[])[]): Figure[] {
	const middleOf = windows.map((from) => from + 5);
	const shown = [0, 1, 3];
	return [
		{
			name: "kriging-errors",
			title: "Error of the simulation",
			caption: "medians over the seeds, window by window",
			xLabel: "t",
			yLabel: "RMSE",
			section: "sure",
			marks: shown.map((w) => ({
				type: "line" as const,
				x: middleOf,
				y: windows.map((_, i) => median(trials[w], i)),
				role: w === 3 ? ("model" as const) : w === 0 ? ("guide" as const) : ("muted" as const),
				label: work[w].name,
			})),
		},
	];
}

function compared(what: string, paper: string, value: number, goal: number, more = ""): ReproductionRow {
	return {
		what,
		paper,
		ours: `${text(value)}${more ? ` (${more})` : ""}`,
		goal: `≤ ${goal}`,
		verdict: value <= 0.9 * goal ? "better" : value <= goal ? "reached" : "not reached",
	};
}

function median(trials: readonly Trial[], window: number): number {
	return middle(trials.map((trial) => trial.windows[window]));
}

function middle(values: readonly number[]): number {
	const sorted = Float64Array.from(values).sort();
	const half = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

function text(value: number): string {
	return String(Number(value.toPrecision(2)));
}
