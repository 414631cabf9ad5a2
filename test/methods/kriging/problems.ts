/** Systems with known truth, their models without it, and records made from them. */
import { inline } from "../../../src/compute/inline.ts";
import type { Experiment } from "../../../src/data/experiment.ts";
import type { Signal } from "../../../src/data/signal/signal.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { cos, exp, sin } from "../../../src/num/elementary/number.ts";
import { stream } from "../../../src/num/random.ts";
import { solveIvp } from "../../../src/solve/solve-ivp.ts";

export interface Truth {
	readonly rhs: (t: number, x: Float64Array, out: Float64Array) => void;
	readonly x0: readonly number[];
	/** Model text; `SD` stands for the noise. */
	readonly text: string;
	/** Which state each measure shows. */
	readonly outputs: Readonly<Record<string, number>>;
}

export const lotkaVolterra: Truth = {
	rhs(t, x, out) {
		const envelope = cos(t / exp(1)) ** 2;
		out[0] = x[0] - 0.2 * x[0] * x[1] + envelope * cos(t) ** 2;
		out[1] = -x[1] + 0.5 * x[0] * x[1] + envelope * sin(t) ** 2;
	},
	x0: [1, 1],
	text: `
input u1 = cos(t/exp(1))^2*cos(t)^2
input u2 = cos(t/exp(1))^2*sin(t)^2
unknown f1(x1, x2) ~ kriging(trend: 2)
unknown f2(x1, x2) ~ kriging(trend: 2)
state x1, x2
x1' = f1(x1, x2) + u1
x2' = f2(x1, x2) + u2
measure y1 ~ normal(x1, SD)
measure y2 ~ normal(x2, SD)`,
	outputs: { y1: 0, y2: 1 },
};

export const pendulum: Truth = {
	rhs(t, x, out) {
		out[0] = x[1];
		out[1] = -sin(x[0]) - 0.2 * x[1] + 0.4 * cos(0.7 * t);
	},
	x0: [1.5, 0],
	text: `
input u = 0.4*cos(0.7*t)
unknown f(x, v) ~ kriging(trend: 2)
state x, v
x' = v
v' = f(x, v) + u
measure y1 ~ normal(x, SD)
measure y2 ~ normal(v, SD)`,
	outputs: { y1: 0, y2: 1 },
};

export const fitzHughNagumo: Truth = {
	rhs(_t, x, out) {
		out[0] = x[0] - x[0] ** 3 / 3 - x[1] + 0.5;
		out[1] = 0.24 * (x[0] + 0.7 - 0.8 * x[1]);
	},
	x0: [-1, 1],
	text: `
unknown f(v, w) ~ kriging(trend: 2)
unknown g(v, w) ~ kriging(trend: 2)
state v, w
v' = f(v, w)
w' = g(v, w)
measure y1 ~ normal(v, SD)
measure y2 ~ normal(w, SD)`,
	outputs: { y1: 0, y2: 1 },
};

export const duffing: Truth = {
	rhs(t, x, out) {
		out[0] = x[1];
		out[1] = -0.2 * x[1] - x[0] - x[0] ** 3 + cos(1.2 * t);
	},
	x0: [1, 0],
	text: `
input u = cos(1.2*t)
unknown f(x, v) ~ kriging(trend: 2)
state x
x'' = f(x, x') + u
measure y ~ normal(x, SD)`,
	outputs: { y: 0 },
};

/** States at even times, row by row. */
export function solve({ rhs, x0 }: Truth, times: Float64Array): Float64Array {
	const options = { rtol: 1e-10, atol: 1e-12, saveAt: times };
	return solveIvp({ n: x0.length, rhs }, times[0], times[times.length - 1], Float64Array.from(x0), options).x;
}

export function evenTimes(n: number, step: number): Float64Array {
	return Float64Array.from({ length: n }, (_, i) => i * step);
}

export interface RecordOptions {
	readonly times: Float64Array;
	/** First sample, and the one after the last. */
	readonly from: number;
	readonly to: number;
	readonly sd: number;
	readonly seed: number;
}

/** A record of the true states with noise. */
export function recordOf(
	truth: Truth,
	states: Float64Array,
	{ times, from, to, sd, seed }: RecordOptions,
	inputs: ReadonlyMap<string, Signal> = new Map(),
): Experiment {
	const n = truth.x0.length;
	const t = times.slice(from, to);
	return {
		name: "record",
		times: t,
		rows: { from, to },
		inputs: new Map(inputs),
		outputs: new Map(
			Object.entries(truth.outputs).map(([name, c]) => {
				const noise = stream(seed, `noise of ${name}`);
				const values = Float64Array.from(
					t,
					(_, i) => states[(from + i) * n + c] + sd * noise.normal(from + i),
				);
				return [name, { times: t, values, rows: Int32Array.from(t, (_, i) => from + i) }];
			}),
		),
		conditions: {},
		removed: {},
	};
}

export function problemOf(
	truth: Truth,
	train: readonly Experiment[],
	test: readonly Experiment[],
	sd: number,
	start: Readonly<Record<string, number>> = {},
): Problem {
	const model = parseModel(truth.text.replaceAll("SD", String(sd)), "model.ode");
	return { model, train, test, start, seed: 1, compute: inline };
}
