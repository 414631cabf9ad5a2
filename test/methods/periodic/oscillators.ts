/** Periodic records of the test models at known values: simulated until on the cycle, then sampled. */
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import type { Model } from "../../../src/model/model.ts";
import { stream } from "../../../src/num/random.ts";
import { solveIvp } from "../../../src/solve/solve-ivp.ts";
import { OdeSystem } from "../../../src/solve/system.ts";
import * as models from "./models.ts";

export interface Oscillator {
	readonly text: string;
	readonly truth: Readonly<Record<string, number>>;
	/** On the cycle, or as near as `settle` makes it. */
	readonly x0: readonly number[];
	readonly period: number;
	/** Time to let go by first. */
	readonly settle: number;
	readonly atol?: number;
}

export const oscillators = {
	morrisLecar: {
		text: models.morrisLecar,
		truth: { V1: -1, V2: 15, V3: -10, V4: 14.5, T0: 3, gCa: -1.1, gK: -2, gL: -0.5, I: 10 },
		x0: [0, 0.031892036398681094],
		period: 15.139717052007,
		settle: 0,
	},
	predatorPrey: {
		text: models.predatorPrey,
		truth: { p1: 1, p2: 1.3, p3: 1, p4: 1, p5: 3, p6: 0.1 },
		x0: [0.0053, 0.2539328539],
		period: 34.0319470789,
		settle: 0,
		atol: 1e-18,
	},
	// Every solution is periodic: the cycles form a family, and x(0) chooses one.
	lotkaVolterra: {
		text: models.lotkaVolterra,
		truth: { a: 1, b: 1, c: 1, d: 1 },
		x0: [0.5, 1],
		period: 6.48703993369,
		settle: 0,
	},
	hodgkinHuxley: {
		text: models.hodgkinHuxley,
		truth: { gNa: 120, gK: 36, gL: 0.3, I: 10 },
		x0: [-65, 0.05, 0.6, 0.32],
		period: 14.64,
		settle: 300,
	},
	fitzHughNagumo: {
		text: models.fitzHughNagumoV,
		truth: { a: 0.7, b: 0.8, c: 0.08, I: 0.5 },
		x0: [0, 0],
		period: 39.5,
		settle: 800,
	},
	vanDerPol: {
		text: models.vanDerPol,
		truth: { mu: 1, k: 1.3 },
		x0: [2, 0],
		period: 5.8,
		settle: 80,
	},
	goodwin: {
		text: models.goodwin,
		truth: { k1: 1, k2: 0.1, k3: 1, k4: 0.12, k5: 1, k6: 0.09 },
		x0: [0.1, 0.2, 2.5],
		period: 37.7,
		settle: 6000,
	},
	brusselator: {
		text: models.brusselatorX,
		truth: { a: 1, b: 3 },
		x0: [1, 1],
		period: 7.16,
		settle: 150,
	},
	hindmarshRose: {
		// Tonic spiking, one spike a period.
		text: models.hindmarshRose,
		truth: { a: 1, b: 3, c: 1, d: 5, r: 0.05, s: 4, xR: -1.6, I: 4 },
		x0: [0, 0, 3],
		period: 16.955,
		settle: 1500,
	},
	roessler: {
		text: models.roessler,
		truth: { a: 0.1, b: 0.1, c: 4 },
		x0: [5, 0, 0],
		period: 6.1,
		settle: 1500,
	},
} satisfies Record<string, Oscillator>;

/** States at the samples, row-major. */
export function simulate(
	{ text, truth, x0, settle, atol = 1e-14 }: Oscillator,
	times: Float64Array,
): { model: Model; x: Float64Array; n: number } {
	const model = parseModel(text, "oscillator.ode");
	const free = model.params.filter(({ knowledge }) => knowledge.kind !== "exact");
	const params = [...free, ...model.conditions].map(({ name }) => name);
	const system = new OdeSystem({
		graph: model.graph,
		states: model.components,
		rhs: model.rhs,
		params,
		inputs: [],
	});
	const ivp = system.ivp(params.map((name) => truth[name]));
	const options = { rtol: 1e-13, atol, method: "dop853" as const, maxSteps: 10_000_000 };
	let start = Float64Array.from(x0);
	if (settle > 0) {
		const { x } = solveIvp(ivp, 0, settle, start, { ...options, saveAt: [settle] });
		start = x.slice(-model.components.length);
	}
	const solution = solveIvp(ivp, times[0], times[times.length - 1], start, { ...options, saveAt: times });
	if (solution.outcome !== "converged") throw new Error(solution.message);
	return { model, x: solution.x, n: model.components.length };
}

export interface RecordSpec {
	readonly periods?: number;
	readonly samplesPerPeriod?: number;
	readonly noise?: number;
	readonly seed?: number;
	readonly irregular?: boolean;
}

export function problemFor(
	oscillator: Oscillator,
	start: Readonly<Record<string, number>>,
	{ periods = 3.1, samplesPerPeriod = 379, noise = 0, seed = 1, irregular = false }: RecordSpec = {},
): Problem & { states: Float64Array; n: number } {
	const count = Math.round(periods * samplesPerPeriod);
	const random = stream(seed, "sampling");
	const dt = oscillator.period / samplesPerPeriod;
	const times = Float64Array.from(
		{ length: count },
		(_, i) => (i + (irregular && i > 0 ? 0.9 * (random.uniform(i) - 0.5) : 0)) * dt,
	);
	const { model, x, n } = simulate(oscillator, times);
	// Noise in shares of an output's range where there are several.
	const columns = model.measures.map(({ value }, k) => {
		const at = model.components.indexOf(value.name!);
		const errors = stream(seed, k === 0 ? "noise" : `noise ${k}`);
		const clean = times.map((_, i) => x[i * n + at]);
		const size = model.measures.length > 1 ? Math.max(...clean) - Math.min(...clean) : 1;
		return clean.map((value, i) => value + noise * size * errors.normal(i));
	});
	const problem = problemOf(model, times, columns[0], start);
	const rows = Int32Array.from(times, (_, i) => i);
	const outputs = new Map(model.measures.map(({ name }, k) => [name, { times, values: columns[k], rows }]));
	return { ...problem, train: [{ ...problem.train[0], outputs }], states: x, n };
}

export function problemOf(
	model: Model,
	times: Float64Array,
	values: Float64Array,
	start: Readonly<Record<string, number>>,
): Problem {
	const experiment: Experiment = {
		name: "record",
		times,
		rows: { from: 0, to: times.length },
		inputs: new Map(),
		outputs: new Map([
			[model.measures[0].name, { times, values, rows: Int32Array.from(times, (_, i) => i) }],
		]),
		conditions: {},
		removed: {},
	};
	return { model, train: [experiment], test: [], start, seed: 1, compute: inline };
}
