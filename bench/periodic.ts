/**
 * The method `periodic`: errors under noise beside the Cramér–Rao bound, time of a search, and time of 1000 evaluations
 * beside the same kernel as C; on a graphics processor where there is one. Times are of the processor, so that other work
 * on the machine counts little.
 */

import { cycleBound } from "../papers/periodic/cycle-bound.ts";
import {
	morrisLecar,
	type PaperExample,
	paperProblem,
	predatorPrey,
	recordOf,
} from "../papers/periodic/paper.ts";
import { streamedArguments } from "../papers/periodic/streamed/streamed-arguments.ts";
import { streamedKernel } from "../papers/periodic/streamed/streamed-kernel.ts";
import { stopwatch } from "../papers/stopwatch.ts";
import { inline } from "../src/compute/inline.ts";
import { model, run } from "../src/index.ts";
import { WasmKernel } from "../src/lower/wasm/instance.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { periodicOptions } from "../src/methods/periodic/options.ts";
import { PeriodicRun } from "../src/methods/periodic/periodic-run.ts";
import { type Question, questionOf } from "../src/methods/periodic/question.ts";
import { linearUnknowns } from "../src/methods/periodic/search/linear-unknowns.ts";
import { Objective, search } from "../src/methods/periodic/search/search.ts";
import { stream } from "../src/num/random.ts";
import { compileNative, hasCompiler } from "../test/lower/support/native.ts";
import {
	type Course,
	driftingModel,
	driftingRecord,
	driftingStart,
} from "../test/methods/periodic/drifting.ts";
import { benchNvccProgram } from "./scan-as-nvcc-program.ts";

/** SEEDS=20 npm run bench -- periodic  is a quick look. */
const seeds = Number(process.env.SEEDS ?? 200);
const samplesPerPeriod = 378.5;
const options = defaultOptions(periodicOptions);

export async function bench(): Promise<void> {
	searches();
	evaluations(379, 3, 1000, 20);
	evaluations(75_800, 1, 16, 1300);
	benchNvccProgram();
	await drifts();
	for (const noise of [0.01, 0.1, 1]) await noiseStudy(noise);
}

/** Random drifts of gK of Morris–Lecar over 100 periods: how far the course is from the truth, in units of its stated error. */
async function drifts(): Promise<void> {
	console.log("\nMorris–Lecar, 100 periods of 50 samples, noise 0.1 mV, gK drifts at random and is followed");
	console.log("  drift   range of gK      pieces   rms error / stated   largest   within 1.96   stated sd");
	for (let seed = 1; seed <= Math.max(1, Math.round(seeds / 40)); seed++) {
		const { data, course } = driftingRecord(100, 50, seed);
		const result = await run(model(driftingModel), data, { method: "periodic", start: driftingStart });
		const { t, value, sd, pieces } = result.summary.followed as Course;
		const z = t.map((time, i) => (value[i] - course(time)) / sd[i]);
		const truth = t.map(course);
		const rms = Math.sqrt(z.reduce((sum, each) => sum + each * each, 0) / z.length);
		const within = z.filter((each) => Math.abs(each) <= 1.96).length / z.length;
		console.log(
			`  ${String(seed).padEnd(7)} ${Math.min(...truth).toFixed(3)}..${Math.max(...truth).toFixed(3)} ${String(pieces).padStart(6)} ${rms.toFixed(2).padStart(14)} ${Math.max(
				...z.map(Math.abs),
			)
				.toFixed(2)
				.padStart(14)} ${within.toFixed(2).padStart(10)} ${sd[t.length >> 1].toFixed(4).padStart(12)}`,
		);
	}
}

/** Seconds that an idle machine would take. */
function cpuSeconds(f: () => void): number {
	const elapsed = stopwatch();
	f();
	return elapsed() / 1e3;
}

async function noiseStudy(noise: number): Promise<void> {
	const record = recordOf(morrisLecar, 3, samplesPerPeriod);
	const bound = cycleBound(morrisLecar, record.times, noise);
	const names = [...Object.keys(morrisLecar.truth), "period"];
	const truth: Record<string, number> = { ...morrisLecar.truth, period: morrisLecar.period };
	const errors = new Map(names.map((name): [string, { error: number; sd: number }[]] => [name, []]));
	let failed = 0;
	for (let seed = 1; seed <= seeds; seed++) {
		const start = Object.fromEntries(
			Object.entries(morrisLecar.truth).map(([name, value]) => [name, 1.1 * value]),
		);
		const run = await PeriodicRun.of(paperProblem(morrisLecar, record, start, inline, noise, seed), options);
		while (!(await run.advance()).done);
		const { natural } = run;
		if (!natural) {
			failed++;
			continue;
		}
		const found = [...natural.params, { name: "period", value: natural.period, sd: natural.periodSd }];
		for (const { name, value, sd } of found) errors.get(name)!.push({ error: value - truth[name], sd });
	}
	console.log(
		`\nMorris–Lecar, noise ${noise} mV, 3 periods of ${samplesPerPeriod} samples, period estimated, ${seeds} seeds (${failed} without answer)`,
	);
	console.log("  parameter   middle error   rms error / bound   stated sd / bound   coverage of 95 %");
	let inside = 0;
	let all = 0;
	for (const name of names) {
		const each = errors.get(name)!;
		const sizes = each.map(({ error }) => Math.abs(error / truth[name])).sort((a, b) => a - b);
		const rms = Math.sqrt(each.reduce((sum, { error }) => sum + error ** 2, 0) / each.length);
		const sd = each.map((one) => one.sd).sort((a, b) => a - b)[each.length >> 1];
		const covered = each.filter(({ error, sd: own }) => Math.abs(error) <= 1.96 * own).length;
		inside += covered;
		all += each.length;
		const least = bound.get(name)!;
		console.log(
			`  ${name.padEnd(10)}  ${(100 * sizes[sizes.length >> 1]).toPrecision(3).padStart(9)} %  ${(rms / least).toFixed(2).padStart(15)}  ${(sd / least).toFixed(2).padStart(18)}  ${((100 * covered) / each.length).toFixed(1).padStart(15)} %`,
		);
	}
	const coverage = (100 * inside) / all;
	console.log(
		`  all: coverage ${coverage.toFixed(1)} %  goal 90 to 98  ${mark(coverage >= 90 && coverage <= 98)}`,
	);
}

/** Single searches without noise. */
function searches(): void {
	const random = stream(1, "bench starts");
	const cases = [
		{
			title: "Morris–Lecar, 40 starts up to 30 % off",
			example: morrisLecar,
			goal: 5,
			periods: 3.1,
			per: samplesPerPeriod,
			starts: 40,
			factor: (u: number) => 1 + 0.3 * (2 * u - 1),
		},
		{
			title: "predator–prey, 20 starts within a factor 3.3",
			example: predatorPrey,
			goal: 20,
			periods: 2.2,
			per: 1000,
			starts: 20,
			factor: (u: number) => 3.3 ** (2 * u - 1),
		},
	];
	for (const { title, example, goal, periods, per, starts, factor } of cases) {
		const question = questionFor(example, periods, per);
		const { unknowns, form, coarse, record } = question;
		const objective = new Objective(coarse(record.series.c, record.series.omega), unknowns);
		const linear = linearUnknowns(form, unknowns).filter((j) => unknowns[j].kind === "initial");
		let found = 0;
		const times: number[] = [];
		for (let round = 0; round < 5; round++)
			for (let k = 0; k < starts; k++) {
				const z = Float64Array.from(
					unknowns,
					({ name }, i) => (example.truth[name] ?? 1) * factor(random.uniform(100 * k + i)),
				);
				let z1: readonly number[] = [];
				times.push(
					1e3 *
						cpuSeconds(() => {
							z1 = search(
								objective,
								unknowns,
								objective.bestLinear(z, linear),
								"levenberg-marquardt",
								300,
								new Set(),
								linear,
							).z;
						}),
				);
				if (round === 0 && form.lambda.every((name, i) => Math.abs(z1[i] / example.truth[name] - 1) < 1e-6))
					found++;
			}
		times.sort((a, b) => a - b);
		const middle = times[times.length >> 1];
		console.log(
			`${title}: ${found} found to 1e-6; ms of a search ${times[0].toFixed(2)} … ${middle.toFixed(2)} … ${times[Math.floor(0.9 * times.length)].toFixed(2)}  goal <= ${goal}  ${mark(middle <= goal)}`,
		);
	}
}

function questionFor(
	example: PaperExample,
	periods: number,
	per: number,
	more: { intervals?: number; nodes?: number } = {},
): Question {
	return questionOf(paperProblem(example, recordOf(example, periods, per), example.truth, inline), {
		...options,
		...more,
	});
}

/** 1000 evaluations as a batch, WebAssembly beside C of the same kernel. */
function evaluations(intervals: number, nodes: number, lanes: number, goal: number): void {
	const { coarse, record, form, unknowns } = questionFor(morrisLecar, 3.1, samplesPerPeriod, {
		intervals,
		nodes,
	});
	const rep = coarse(record.series.c, record.series.omega);
	const truth = Float64Array.from(unknowns, ({ name }) => morrisLecar.truth[name]);
	const random = stream(1, "bench evaluations");
	const lambda = Float64Array.from(
		{ length: truth.length * lanes },
		(_, i) => truth[Math.floor(i / lanes)] * (1 + 0.1 * (2 * random.uniform(i) - 1)),
	);
	const launch = streamedArguments(rep, lambda, rep.evaluate(truth, false)!.R);
	const kernel = streamedKernel(form, rep.grid.rule);
	const scalars = kernel.scalars.map(({ name }) => launch.scalars![name]);
	const perThousand = (seconds: number): number => (1e3 * seconds * 1000) / lanes;
	const rounds = 7;
	console.log(
		`\n1000 evaluations, ${intervals} intervals with ${nodes} node${nodes > 1 ? "s" : ""} (${lanes} at a time)`,
	);
	let best = Number.POSITIVE_INFINITY;
	for (const groups of [2, 4]) {
		const wasm = new WasmKernel(kernel, { width: 2, groups });
		const views = wasm.reserve(kernel.buffers.map(({ name }) => launch.buffers[name].length));
		for (const [i, { name }] of kernel.buffers.entries()) views[i].set(launch.buffers[name]);
		const times = Array.from({ length: rounds }, () =>
			perThousand(cpuSeconds(() => wasm.run(lanes, lanes, views, scalars))),
		);
		best = Math.min(best, ...times);
		console.log(`  WebAssembly, ${groups} groups: ${Math.min(...times).toFixed(1)} ms`);
	}
	console.log(`  goal <= ${goal} ms  ${mark(best <= goal)}`);
	if (!hasCompiler) {
		console.log("  no C compiler: the comparison is passed over");
		return;
	}
	for (const [name, flags, groups] of [
		["C, -msse2, width 2", ["-msse2", "-DWIDTH=2"], 2],
		["C, -mavx2, width 4", ["-mavx2", "-DWIDTH=4"], 1],
		["C, -march=native, width 8", ["-march=native", "-mprefer-vector-width=512", "-DWIDTH=8"], 1],
	] as const) {
		const program = compileNative(kernel, lanes, launch.buffers, scalars, flags, { groups });
		// The quickest of many short runs is hardly longer than its processor time.
		const theirs = perThousand(Math.min(...program.run(4 * rounds).seconds));
		program.remove();
		console.log(
			`  ${name.padEnd(28)} ${theirs.toFixed(1)} ms; speed of WebAssembly relative to it ${(theirs / best).toFixed(2)}`,
		);
	}
}

function mark(reached: boolean): string {
	return reached ? "reached" : "NOT REACHED";
}
