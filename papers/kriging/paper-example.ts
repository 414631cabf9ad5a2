/**
 * The paper's section 5: a driven Lotka–Volterra system, eq. (20) with `+ δ x1 x2` in its second line (with the printed
 * minus the state explodes) and, since it is not printed, the initial state (1, 1).
 */

import type { Experiment } from "../../src/data/experiment.ts";
import { parseModel } from "../../src/model/language/parse-model.ts";
import type { Model } from "../../src/model/model.ts";
import { cos, exp, sin } from "../../src/num/elementary/number.ts";
import { stream } from "../../src/num/random.ts";
import { squared } from "../../src/num/whole-power.ts";
import { solveIvp } from "../../src/solve/solve-ivp.ts";

export const nSamples = 40;
export const spacing = 0.5;
export const end = 60;

export interface PaperExample {
	readonly model: Model;
	/** Times 0, 0.5, …, 60, true states and derivatives there, row by row. */
	readonly t: Float64Array;
	readonly x: Float64Array;
	readonly slope: Float64Array;
	record(seed: number): Experiment;
}

export function paperExample(sd: number, driven = true): PaperExample {
	const input = driven ? ["cos(t/exp(1))^2*cos(t)^2", "cos(t/exp(1))^2*sin(t)^2"] : ["0", "0"];
	const model = parseModel(
		`input u1 = ${input[0]}
input u2 = ${input[1]}
unknown f1(x1, x2) ~ kriging(trend: 2)
unknown f2(x1, x2) ~ kriging(trend: 2)
state x1, x2
x1' = f1(x1, x2) + u1
x2' = f2(x1, x2) + u2
measure y1 ~ normal(x1, ${sd})
measure y2 ~ normal(x2, ${sd})`,
		"lotka-volterra-blackbox.ode",
	);
	const rhs = (t: number, x: Float64Array, out: Float64Array): void => {
		const envelope = driven ? squared(cos(t / exp(1))) : 0;
		out[0] = x[0] - 0.2 * x[0] * x[1] + envelope * squared(cos(t));
		out[1] = -x[1] + 0.5 * x[0] * x[1] + envelope * squared(sin(t));
	};
	const t = Float64Array.from({ length: end / spacing + 1 }, (_, i) => i * spacing);
	const { x } = solveIvp({ n: 2, rhs }, 0, end, Float64Array.of(1, 1), {
		rtol: 1e-10,
		atol: 1e-12,
		saveAt: t,
	});
	const slope = new Float64Array(x.length);
	for (let i = 0; i < t.length; i++)
		rhs(t[i], x.subarray(2 * i, 2 * i + 2), slope.subarray(2 * i, 2 * i + 2));
	return {
		model,
		t,
		x,
		slope,
		record(seed) {
			const times = t.slice(0, nSamples);
			const outputs = ["y1", "y2"].map((name, c) => {
				const noise = stream(seed, `noise of ${name}`);
				const values = Float64Array.from(times, (_, i) => x[2 * i + c] + sd * noise.normal(i));
				return [name, { times, values, rows: Int32Array.from(times, (_, i) => i) }] as const;
			});
			return {
				name: "Lotka–Volterra",
				times,
				rows: { from: 0, to: nSamples },
				inputs: new Map(),
				outputs: new Map(outputs),
				conditions: {},
				removed: {},
			};
		},
	};
}
