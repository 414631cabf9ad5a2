/** The two examples of [tyukin2016]: models as printed, values of its tables, and records on the cycle. */
import type { Compute } from "../../src/compute/compute.ts";
import type { Experiment } from "../../src/data/experiment.ts";
import type { Problem } from "../../src/methods/problem.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import { stream } from "../../src/num/random.ts";
import { solveIvp } from "../../src/solve/solve-ivp.ts";
import { OdeSystem } from "../../src/solve/system.ts";

export interface PaperExample {
	readonly text: string;
	readonly truth: Readonly<Record<string, number>>;
	/** On the cycle: the paper's start of predator and prey is beside it. */
	readonly x0: readonly number[];
	readonly period: number;
	readonly atol: number;
}

/** Table 2, with the signs as printed. */
export const morrisLecar: PaperExample = {
	text: `param ECa = -100, EK = 70, EL = 50
param gCa, gK, gL, I, V1, V2, V3, V4, T0
state v, q
let mInf = 0.5*(1 + tanh((v - V1)/V2))
let wInf = 0.5*(1 + tanh((v + V3)/V4))
let tau = T0/cosh((v + V3)/(2*V4))
v' = gCa*mInf*(v + ECa) + gK*q*(v + EK) + gL*(v + EL) + I
q' = (wInf - q)/tau
measure y = v
`,
	truth: { V1: -1, V2: 15, V3: -10, V4: 14.5, T0: 3, gCa: -1.1, gK: -2, gL: -0.5, I: 10 },
	x0: [0, 0.031892036398681094],
	period: 15.139717052007,
	atol: 1e-14,
};

/** Table 1. The minimum of x is 8.8e-6, so absolute tolerances have to be far below it. */
export const predatorPrey: PaperExample = {
	text: `param p1, p2, p3, p4, p5, p6
state x, z
x' = p1*x*(1 - x/p2) - p3*z*x/(p4 + x)
z' = p5*z*x/(p4 + x) - p6*z
measure y = x
`,
	truth: { p1: 1, p2: 1.3, p3: 1, p4: 1, p5: 3, p6: 0.1 },
	x0: [0.0053, 0.2539328539],
	period: 34.0319470789,
	atol: 1e-18,
};

export interface PaperRecord {
	readonly times: Float64Array;
	/** The measured state without noise. */
	readonly y: Float64Array;
	/** All states, row-major. */
	readonly states: Float64Array;
}

export function recordOf(example: PaperExample, periods: number, samplesPerPeriod: number): PaperRecord {
	const model = parseModel(example.text, "paper.ode");
	const params = Object.keys(example.truth);
	const system = new OdeSystem({
		graph: model.graph,
		states: model.components,
		rhs: model.rhs,
		params,
		inputs: [],
	});
	const dt = example.period / samplesPerPeriod;
	const times = Float64Array.from({ length: Math.round(periods * samplesPerPeriod) }, (_, i) => i * dt);
	const solution = solveIvp(
		system.ivp(params.map((name) => example.truth[name])),
		0,
		times[times.length - 1],
		Float64Array.from(example.x0),
		{ rtol: 1e-13, atol: example.atol, saveAt: times, method: "dop853" },
	);
	const n = model.components.length;
	return { times, y: times.map((_, i) => solution.x[i * n]), states: solution.x };
}

export function paperProblem(
	example: PaperExample,
	{ times, y }: PaperRecord,
	start: Readonly<Record<string, number>>,
	compute: Compute,
	noise = 0,
	seed = 1,
): Problem {
	const errors = stream(seed, "noise of the paper's record");
	const values = noise > 0 ? y.map((value, i) => value + noise * errors.normal(i)) : y;
	const experiment: Experiment = {
		name: "record",
		times,
		rows: { from: 0, to: times.length },
		inputs: new Map(),
		outputs: new Map([["y", { times, values, rows: Int32Array.from(times, (_, i) => i) }]]),
		conditions: {},
		removed: {},
	};
	return {
		model: parseModel(example.text, "paper.ode"),
		train: [experiment],
		test: [],
		start,
		seed,
		compute,
	};
}
