/** Tables 1, 2 and 3 of [tyukin2016] with ours beside them, and what the paper did not try: noise. */

import type { Compute } from "../../src/compute/compute.ts";
import { runInline } from "../../src/compute/inline.ts";
import type { Figure } from "../../src/estimate/figure.ts";
import { defaultOptions } from "../../src/methods/options.ts";
import { periodicOptions } from "../../src/methods/periodic/options.ts";
import { PeriodicRun } from "../../src/methods/periodic/periodic-run.ts";
import { type Question, questionOf } from "../../src/methods/periodic/question.ts";
import { linearUnknowns } from "../../src/methods/periodic/search/linear-unknowns.ts";
import { type Found, Objective, search } from "../../src/methods/periodic/search/search.ts";
import { exp, log } from "../../src/num/elementary/number.ts";
import { stream } from "../../src/num/random.ts";
import { normalQuantile975 } from "../../src/num/statistics/quantile.ts";
import { squared } from "../../src/num/whole-power.ts";
import type {
	Reproduction,
	ReproductionContext,
	ReproductionRow,
	ReproductionTable,
} from "../../src/report/reproduction.ts";
import { stopwatch } from "../stopwatch.ts";
import { cycleBound } from "./cycle-bound.ts";
import {
	morrisLecar,
	type PaperExample,
	type PaperRecord,
	paperProblem,
	predatorPrey,
	recordOf,
} from "./paper.ts";
import { streamedArguments } from "./streamed/streamed-arguments.ts";
import { streamedKernel } from "./streamed/streamed-kernel.ts";

export const periodic: Reproduction = {
	name: "periodic",
	title: "Tyukin et al. 2016, Fast sampling of evolving systems with periodic trajectories: Tables 1 to 3",
	async run(context) {
		const tables: ReproductionTable[] = [];
		const figures: Figure[] = [];
		context.progress(0, "Table 1: predator and prey");
		tables.push(await table1(context));
		context.progress(0.25, "Table 2: Morris–Lecar");
		const second = await table2(context);
		tables.push(second.table);
		figures.push(...second.figures);
		context.progress(0.5, "Table 3: 1000 evaluations");
		tables.push(table3(context));
		context.progress(0.65, "noise");
		tables.push(await noiseTable(context));
		context.progress(1, "done");
		return { tables, figures };
	},
};

interface Starts {
	readonly found: number;
	readonly tried: number;
	/** Largest relative error of a searched parameter among the starts that found the truth. */
	readonly worst: number;
	/** Milliseconds of the middle one, and of the slowest. */
	readonly middle: number;
	readonly slowest: number;
}

/** Single searches from many starts. */
function fromStarts(
	{ coarse, record, unknowns, form }: Question,
	truth: Readonly<Record<string, number>>,
	starts: readonly ((name: string, i: number) => number)[],
	limit: number,
): Starts {
	const objective = new Objective(coarse(record.series.c, record.series.omega), unknowns);
	const linear = linearUnknowns(form, unknowns).filter((j) => unknowns[j].kind === "initial");
	let found = 0;
	let worst = 0;
	const times: number[] = [];
	for (const startOf of starts) {
		const z = Float64Array.from(unknowns, ({ name }, i) => startOf(name, i));
		const once = (): Found => {
			const start = objective.bestLinear(z, linear);
			return search(objective, unknowns, start, "levenberg-marquardt", 300, new Set(), linear);
		};
		const result = once();
		// The least of a few: other work on the machine slows some of them.
		let least = Number.POSITIVE_INFINITY;
		for (let round = 0; round < 4; round++) {
			const elapsed = stopwatch();
			once();
			least = Math.min(least, elapsed());
		}
		times.push(least);
		const error = Math.max(...form.lambda.map((name, i) => Math.abs(result.z[i] / truth[name] - 1)));
		if (!(error < limit)) continue;
		found++;
		worst = Math.max(worst, error);
	}
	times.sort((a, b) => a - b);
	return {
		found,
		tried: starts.length,
		worst,
		middle: times[times.length >> 1],
		slowest: times[times.length - 1],
	};
}

async function estimate(
	example: PaperExample,
	record: PaperRecord,
	start: Readonly<Record<string, number>>,
	compute: Compute,
) {
	const run = await PeriodicRun.of(
		paperProblem(example, record, start, compute),
		defaultOptions(periodicOptions),
	);
	while (!(await run.advance()).done);
	return run;
}

async function table1({ compute, seed }: ReproductionContext): Promise<ReproductionTable> {
	const record = recordOf(predatorPrey, 2.2, 1000);
	// Row 2 of the table; the level of the hidden state is not among the paper's unknowns.
	const start = { p1: 0.3, p2: 0.3, p4: 0.3, p5: 1.5, p6: 0.01, p3: 1 };
	const paper = { p1: 0.9999, p2: 1.3018, p4: 0.9991, p5: 2.9966, p6: 0.1 };
	const run = await estimate(predatorPrey, record, start, compute);
	const found = new Map(run.natural?.params.map(({ name, value }) => [name, value]));
	const rows = Object.entries(paper).map(([name, printed]): ReproductionRow => {
		const error = Math.abs(found.get(name)! / predatorPrey.truth[name] - 1);
		return {
			what: `${name}, estimated from row 2`,
			paper: `${printed}`,
			ours: `${Number(found.get(name)!.toPrecision(10))} (error ${error.toExponential(1)})`,
			goal: "error ≤ 1e-6",
			verdict: error <= 1e-6 ? "better" : "not reached",
		};
	});
	const random = stream(seed, "factor 3.3");
	const far = Array.from(
		{ length: 20 },
		(_, k) => (name: string, i: number) =>
			(predatorPrey.truth[name] ?? 1) * exp(log(3.3) * (2 * random.uniform(100 * k + i) - 1)),
	);
	const starts = fromStarts(run.question, predatorPrey.truth, far, 1e-3);
	const own = fromStarts(
		run.question,
		predatorPrey.truth,
		[(name: string) => start[name as "p4"] ?? 1],
		1e-3,
	);
	rows.push(
		{
			what: "single searches from starts within a factor 3.3",
			paper: "one start",
			ours: `${starts.found} of ${starts.tried}, errors up to ${starts.worst.toExponential(1)}`,
			goal: "20 of 20, ≤ 1e-6",
			verdict: starts.found === starts.tried && starts.worst <= 1e-6 ? "reached" : "not reached",
		},
		{
			what: "time of the search from row 2",
			paper: "21.06 s (Matlab, i5-2400)",
			ours: `${own.middle.toPrecision(3)} ms (from the far starts: middle ${starts.middle.toPrecision(3)}, up to ${starts.slowest.toPrecision(3)})`,
			goal: "≤ 20 ms",
			verdict: own.middle <= 20 ? "better" : "not reached",
		},
	);
	return { title: "Table 1: predator and prey", rows };
}

async function table2({
	compute,
	seed,
}: ReproductionContext): Promise<{ table: ReproductionTable; figures: Figure[] }> {
	const record = recordOf(morrisLecar, 3.1, 378.5);
	const paper = {
		V1: -0.95,
		V2: 15.08,
		V3: -10.15,
		V4: 14.44,
		T0: 3.04,
		gCa: -1.12,
		gK: -2.02,
		gL: -0.539,
		I: 10.65,
	};
	const random = stream(seed, "30 % off");
	const off = (k: number, i: number): number => 1 + 0.3 * (2 * random.uniform(100 * k + i) - 1);
	const names = Object.keys(morrisLecar.truth);
	const start = Object.fromEntries(names.map((name, i) => [name, morrisLecar.truth[name] * off(0, i)]));
	const run = await estimate(morrisLecar, record, start, compute);
	const found = new Map(run.natural?.params.map(({ name, value }) => [name, value]));
	const rows = Object.entries(paper).map(([name, printed]): ReproductionRow => {
		const error = Math.abs(found.get(name)! / morrisLecar.truth[name] - 1);
		return {
			what: `${name}, from 30 % off`,
			paper: `${printed} (error ${(100 * Math.abs(printed / morrisLecar.truth[name] - 1)).toPrecision(2)} %)`,
			ours: `${Number(found.get(name)!.toPrecision(10))} (error ${error.toExponential(1)})`,
			goal: "error ≤ 1e-7",
			verdict: error <= 1e-7 ? "better" : "not reached",
		};
	});
	const far = Array.from(
		{ length: 40 },
		(_, k) => (name: string, i: number) => morrisLecar.truth[name] * off(k, i),
	);
	const starts = fromStarts(run.question, morrisLecar.truth, far, 1e-3);
	rows.push(
		{
			what: "single searches from starts 30 % off",
			paper: "one start, 12 000 iterations",
			ours: `${starts.found} of ${starts.tried}, errors up to ${starts.worst.toExponential(1)}`,
			goal: "40 of 40, ≤ 1e-7",
			verdict: starts.found === starts.tried && starts.worst <= 1e-7 ? "better" : "not reached",
		},
		{
			what: "time of one search",
			paper: "about 1 hour (Matlab)",
			ours: `${starts.middle.toPrecision(3)} ms (middle of 40; up to ${starts.slowest.toPrecision(3)})`,
			goal: "≤ 5 ms",
			verdict: starts.middle <= 5 ? "better" : "not reached",
		},
	);
	return { table: { title: "Table 2: Morris–Lecar", rows }, figures: hiddenFigure(run, record) };
}

function hiddenFigure({ adjusted }: PeriodicRun, record: PaperRecord): Figure[] {
	if (!adjusted) return [];
	const { grid, scans } = adjusted.representation;
	const x = Float64Array.from({ length: grid.intervals + 1 }, (_, k) => k * grid.h);
	const within = record.times.filter((t) => t <= grid.period);
	return [
		{
			name: "periodic-hidden-state",
			title: "Morris–Lecar: the hidden recovery variable q",
			caption: "Simulated, and found from the voltage alone by integrals: it was never measured.",
			xLabel: "t",
			yLabel: "q",
			marks: [
				{
					type: "line",
					x: within,
					y: within.map((_, i) => record.states[2 * i + 1]),
					role: "truth",
					label: "simulated",
				},
				{ type: "line", x, y: scans[0].starts.slice(), role: "model", label: "found" },
			],
			section: "fit",
		},
	];
}

/** Table 3: 1000 evaluations of ŷ, as one batch. */
function table3({ compute, quick, seed }: ReproductionContext): ReproductionTable {
	const record = recordOf(morrisLecar, 3.1, 378.5);
	const problem = paperProblem(morrisLecar, record, morrisLecar.truth, compute);
	const rows: ReproductionRow[] = [];
	for (const { intervals, nodes, lanes, paper, goal } of [
		{ intervals: 75_800, nodes: 1, lanes: quick ? 32 : 1000, paper: "24.041 s (Xeon, one core)", goal: 1300 },
		{ intervals: 379, nodes: 3, lanes: 1000, paper: "not tried", goal: 20 },
	]) {
		const question = questionOf(problem, { ...defaultOptions(periodicOptions), intervals, nodes });
		const rep = question.coarse(question.record.series.c, question.record.series.omega);
		const truth = Float64Array.from(question.unknowns, ({ name }) => morrisLecar.truth[name]);
		const random = stream(seed, "1000 evaluations");
		const lambda = Float64Array.from(
			{ length: truth.length * lanes },
			(_, i) => truth[Math.floor(i / lanes)] * (1 + 0.1 * (2 * random.uniform(i) - 1)),
		);
		const launch = streamedArguments(rep, lambda, rep.evaluate(truth, false)!.R);
		const kernel = streamedKernel(question.form, rep.grid.rule);
		let least = Number.POSITIVE_INFINITY;
		for (let round = 0; round < (intervals > 1000 ? 3 : 20); round++) {
			const elapsed = stopwatch();
			runInline(kernel, launch);
			least = Math.min(least, (elapsed() * 1000) / lanes);
		}
		const what = nodes === 1 ? `n = ${intervals}` : `Gauss nodes, ${nodes} in each of ${intervals} intervals`;
		rows.push({
			what: `1000 evaluations, ${what}`,
			paper,
			ours: `${Math.round(least)} ms of one core${lanes < 1000 ? ` (from ${lanes})` : ""}`,
			goal: `≤ ${goal} ms on one core`,
			verdict: least <= goal ? "better" : "not reached",
		});
	}
	rows.push({
		what: "1000 evaluations on a graphics processor",
		paper: "0.616 s (K10); explicit Euler 0.395 s",
		ours: "—",
		goal: "≤ 2 ms, 15 times faster than Euler",
		verdict: "not run here",
		why: "npm run bench -- cuda  times it where there is a device; docs/performance.md has what it gave.",
	});
	return { title: "Table 3: time", rows };
}

async function noiseTable({ quick, compute, progress }: ReproductionContext): Promise<ReproductionTable> {
	const seeds = quick ? 20 : 60;
	const record = recordOf(morrisLecar, 3, 378.5);
	const names = Object.keys(morrisLecar.truth);
	const bound = cycleBound(morrisLecar, record.times, 0.1);
	const squares = new Map(names.map((name) => [name, 0]));
	let inside = 0;
	const errors: number[] = [];
	for (let seed = 1; seed <= seeds; seed++) {
		const start = Object.fromEntries(names.map((name) => [name, 1.1 * morrisLecar.truth[name]]));
		const problem = paperProblem(morrisLecar, record, start, compute, 0.1, seed);
		const run = await PeriodicRun.of(problem, defaultOptions(periodicOptions));
		while (!(await run.advance()).done);
		for (const { name, value, sd } of run.natural?.params ?? []) {
			const error = value - morrisLecar.truth[name];
			if (Math.abs(error) <= normalQuantile975 * sd) inside++;
			squares.set(name, squares.get(name)! + squared(error));
			errors.push(Math.abs(error / morrisLecar.truth[name]));
		}
		progress(0.65 + (0.35 * seed) / seeds, "noise");
	}
	errors.sort((a, b) => a - b);
	const coverage = (100 * inside) / (seeds * names.length);
	const ratios = names.map((name) => Math.sqrt(squares.get(name)! / seeds) / bound.get(name)!);
	// A root mean square of so many errors has a relative error of 1/√(2 seeds) of its own.
	const allowed = 1.1 + 2 / Math.sqrt(2 * seeds);
	return {
		title: `Noise of 0.1 mV, period estimated, ${seeds} seeds${quick ? " (quick)" : ""}`,
		rows: [
			{
				what: "coverage of 95 % intervals, all parameters",
				paper: "not tried",
				ours: `${coverage.toFixed(1)} %`,
				goal: "90 to 98 %",
				verdict: coverage >= 90 && coverage <= 98 ? "reached" : "not reached",
			},
			{
				what: "root mean square error by the Cramér–Rao bound, each parameter",
				paper: "not tried",
				ours: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
				goal: `1.0 (≤ ${allowed.toFixed(2)} with ${seeds} seeds)`,
				verdict: Math.max(...ratios) <= allowed ? "reached" : "not reached",
			},
			{
				what: "middle relative error of a parameter",
				paper: "not tried",
				ours: `${(100 * errors[errors.length >> 1]).toPrecision(2)} %`,
				goal: "0.4 to 5 %",
				verdict: errors[errors.length >> 1] <= 0.05 ? "reached" : "not reached",
			},
		],
	};
}
