/**
 * Guaranteed estimation: the compartments as in the papers' tables, known hard predictions, and how time grows with
 * states and unknowns, each beside its goal. Times are the best of several runs in one process, after one that is not counted, each the lesser of clock and
 * processor time.
 */

import { stopwatch } from "../papers/stopwatch.ts";
import { inline } from "../src/compute/inline.ts";
import type { Experiment } from "../src/data/experiment.ts";
import { ExperimentFlow } from "../src/methods/guaranteed/flow/experiment-flow.ts";
import { type GuaranteedOptions, GuaranteedRun } from "../src/methods/guaranteed/guaranteed-run.ts";
import { guaranteedOptions } from "../src/methods/guaranteed/options.ts";
import { systemOf } from "../src/methods/guaranteed/system.ts";
import { guaranteedUnknowns, priorBox } from "../src/methods/guaranteed/unknowns.ts";
import { defaultOptions } from "../src/methods/options.ts";
import { parseModel } from "../src/model/language/parse-model.ts";
import { chainOfEnds } from "./guaranteed-chain.ts";

const compartments = (set: string): string => `param p4 in ${set}
state x1 = 1, x2 = 0
x1' = -0.5*x1 - x1/(1 + 1.2*x1) + p4*x2
x2' = 0.5*x1 - p4*x2
measure y in x2 +- 0.005`;

/** What is to be reached: milliseconds, widths beside the exact ones, or both. */
interface Goal {
	readonly ms?: number;
	readonly ratio?: number;
}

interface Predicted {
	readonly name: string;
	readonly text: string;
	readonly end: number;
	/** Exact width of each state, where it is known. */
	readonly exact: readonly (number | undefined)[];
	readonly goal?: Goal;
	/** The goal of the method by its defaults, where nothing is measured. */
	readonly reach?: Goal;
}

const predictions: readonly Predicted[] = [
	{
		name: "compartments, p4 in [.24, .26], t = 10",
		text: compartments("[0.24, 0.26]"),
		end: 10,
		exact: [undefined, 0.01109],
		goal: { ms: 60 },
	},
	{
		name: "compartments, p4 in [.1, .5], t = 10",
		text: compartments("[0.1, 0.5]"),
		end: 10,
		exact: [undefined, 0.21],
		goal: { ratio: 1.1 },
	},
	{
		name: "Lotka-Volterra, box .2 x .2, t = 3",
		text: "state x in [4.9, 5.1], y in [1.9, 2.1]\nx' = 1.5*x - x*y\ny' = -3*y + x*y\nmeasure z in x +- 1",
		end: 3,
		exact: [0.3088, 0.2146],
		goal: { ratio: 1.02 },
	},
	{
		name: "van der Pol, box .3 x .1, t = 7",
		text: "state x in [1.25, 1.55], v in [2.25, 2.35]\nx' = v\nv' = (1 - x^2)*v - x\nmeasure y in x +- 1",
		end: 7,
		exact: [0.0874, 0.4117],
		reach: { ratio: 1.05 },
	},
];

function experiment(times: Float64Array, outputs: Record<string, number[]>): Experiment {
	const from = times.length - (Object.values(outputs)[0]?.length ?? 0);
	const own = times.slice(from);
	return {
		name: "record",
		times,
		rows: { from: 0, to: times.length },
		inputs: new Map(),
		outputs: new Map(
			Object.entries(outputs).map(([name, values]) => [
				name,
				{ times: own, values: Float64Array.from(values), rows: Int32Array.from(own, (_, i) => from + i) },
			]),
		),
		conditions: {},
		removed: {},
	};
}

/** The goal and whether it is reached, for the end of a line. */
function verdict(goal: Goal | undefined, ms: number, ratios: readonly number[]): string {
	if (!goal) return "";
	const limits = [
		...(goal.ratio === undefined ? [] : [`${goal.ratio} of exact`]),
		...(goal.ms === undefined ? [] : [`${goal.ms} ms`]),
	];
	const reached =
		ratios.length > 0 && ratios.every((ratio) => ratio <= (goal.ratio ?? ratio)) && ms <= (goal.ms ?? ms);
	return `; goal ${limits.join(" in ")}: ${reached ? "reached" : "not reached"}`;
}

function best(runs: number, once: () => void): number {
	once();
	let least = Number.POSITIVE_INFINITY;
	for (let k = 0; k < runs; k++) {
		const passed = stopwatch();
		once();
		least = Math.min(least, passed());
	}
	return least;
}

function predict(text: string, end: number, order: number): { ms: number; widths: number[]; steps: number } {
	const system = systemOf(parseModel(text, "bench.ode"));
	const unknowns = guaranteedUnknowns(system, ["record"]);
	const box = priorBox(unknowns);
	const flow = new ExperimentFlow(system, experiment(Float64Array.of(0, end), {}), 0, unknowns, {
		order,
		timeOrder: 12,
		tolerance: 1e-9,
	});
	let widths: number[] = [];
	const ms = best(5, () => {
		flow.flow.steps = 0;
		const set = flow.start(box);
		const failure = flow.course.advance(set, end);
		const bounds = flow.stateBounds(set, box, 16);
		widths = failure ? [] : system.states.map((_, i) => bounds[2 * i + 1] - bounds[2 * i]);
	});
	return { ms, widths, steps: flow.flow.steps };
}

/** Where the sets lead by the method's defaults: the width of each state at the end. */
async function reached(
	text: string,
	end: number,
): Promise<{ ms: number; widths: number[]; order: number; models: number }> {
	const model = parseModel(text, "bench.ode");
	const train = [experiment(Float64Array.of(0, end), {})];
	const passed = stopwatch();
	const run = new GuaranteedRun(
		{ model, train, test: [], start: {}, seed: 1, compute: inline },
		defaultOptions(guaranteedOptions),
	);
	while (!(await run.advance()).done);
	const ms = passed();
	const ends = run.parts.map(({ instants }) => instants[instants.length - 1].states);
	const widths = model.components.map(
		(_, i) =>
			Math.max(...ends.map((states) => states[2 * i + 1])) - Math.min(...ends.map((states) => states[2 * i])),
	);
	return { ms, widths, order: run.order, models: run.parts.length };
}

async function estimate(
	options: Partial<GuaranteedOptions>,
): Promise<{ ms: number; lo: number; hi: number }> {
	const train = [
		experiment(Float64Array.of(0, 2, 4, 6, 8, 10), { y: [0.320759, 0.255876, 0.190112, 0.136033, 0.105644] }),
	];
	const model = parseModel(compartments("[0.1, 0.5]"), "bench.ode");
	let ms = Number.POSITIVE_INFINITY;
	let box = new Float64Array(2);
	for (let k = 0; k < 6; k++) {
		const passed = stopwatch();
		const run = new GuaranteedRun(
			{ model, train, test: [], start: {}, seed: 1, compute: inline },
			{ ...defaultOptions(guaranteedOptions), ...options },
		);
		while (!(await run.advance()).done);
		if (k > 0) ms = Math.min(ms, passed());
		box = run.enclosure as Float64Array<ArrayBuffer>;
	}
	return { ms, lo: box[0], hi: box[1] };
}

/** A chain of n compartments with d unknown rates; where there are fewer rates, the saturation is unknown too. */
function chain(n: number, d: number): string {
	const rate = (i: number): string => (i < d ? `k${i}` : "0.5");
	const lines = Array.from({ length: n }, (_, i) => {
		const inflow = i === 0 ? "" : ` + ${rate(i - 1)}*x${i - 1}`;
		return `x${i}' = -${rate(i)}*x${i}/(1 + ${d > n ? "s*" : ""}x${i})${inflow}`;
	});
	const rates = Array.from({ length: Math.min(d, n) }, (_, i) => `k${i} in [0.4, 0.6]`);
	const params = [...rates, ...(d > n ? ["s in [0.9, 1.1]"] : [])].join(", ");
	const states = Array.from({ length: n }, (_, i) => `x${i} = ${i === 0 ? 1 : 0}`).join(", ");
	return `param ${params}\nstate ${states}\n${lines.join("\n")}\nmeasure y in x${n - 1} +- 1`;
}

export async function bench(): Promise<void> {
	console.log("Prediction without data (one model, order 6 and 8)");
	for (const { name, text, end, exact, goal } of predictions)
		for (const order of [6, 8]) {
			const { ms, widths, steps } = predict(text, end, order);
			const ratios = widths.flatMap((width, i) => {
				const known = exact[i];
				return known === undefined ? [] : [width / known];
			});
			const shown = ratios.map((ratio) => `${ratio.toFixed(4)} of exact`).join(", ") || "failed";
			console.log(
				`  ${name}, order ${order}: ${ms.toFixed(1)} ms, ${steps} steps, ${shown}${verdict(goal, ms, ratios)}`,
			);
		}
	console.log("Reachability without data, all defaults");
	for (const { name, text, end, exact, reach } of predictions) {
		const { ms, widths, order, models } = await reached(text, end);
		const ratios = widths.flatMap((width, i) => (exact[i] === undefined ? [] : [width / exact[i]!]));
		console.log(
			`  ${name}: ${ms.toFixed(1)} ms, order ${order}, ${models} models, ${ratios.map((ratio) => `${ratio.toFixed(4)} of exact`).join(", ")}${verdict(reach, ms, ratios)}`,
		);
	}
	console.log("Estimation of p4 from five data (exact set [.247787, .253353])");
	const ways: [string, Partial<GuaranteedOptions>, Goal?][] = [
		["all defaults", {}],
		["one round, no paving", { rounds: 1, boxes: 0 }, { ratio: 1.005, ms: 50 }],
		[
			"Müller, Sivia .001",
			{ prediction: "mueller", correction: "sivia", precision: 0.0025 },
			{ ratio: 1.3, ms: 500 },
		],
		["Müller, sensitivities", { prediction: "mueller", precision: 0.5 }],
	];
	for (const [name, options, goal] of ways) {
		const { ms, lo, hi } = await estimate(options);
		const ratio = (hi - lo) / (0.253353 - 0.247787);
		console.log(
			`  ${name}: ${ms.toFixed(1)} ms, [${lo.toFixed(6)}, ${hi.toFixed(6)}], ${ratio.toFixed(4)} of exact${verdict(goal, ms, [ratio])}`,
		);
	}
	console.log("Scaling: a chain of compartments to t = 5, order 4, in ms");
	console.log("  states      1 unknown  2 unknowns  3 unknowns");
	for (let n = 2; n <= 6; n++) {
		const cells = [1, 2, 3].map((d) => predict(chain(n, d), 5, 4).ms.toFixed(1).padStart(11));
		console.log(`  ${String(n).padEnd(8)}${cells.join("")}`);
	}
	console.log("Chain of six compartments, four unknown rates, both ends measured");
	await chainOfEnds();
}
