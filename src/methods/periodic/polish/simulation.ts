/** The answer simulated directly over the record: what the integrals promise, checked without them. */

import { squared } from "../../../num/whole-power.ts";
import { knotsOf } from "../../../solve/piecewise-inputs.ts";
import { solveIvp } from "../../../solve/solve-ivp.ts";
import { OdeSystem } from "../../../solve/system.ts";
import type { Natural } from "../adjustment/natural.ts";
import type { Question } from "../question.ts";

export interface Simulated {
	/** Measured state at the samples; NaN after a simulation that broke off. */
	readonly y: Float64Array;
	/** Root mean square of measured minus simulated. */
	readonly rms: number;
	/** The same over the first period alone. */
	readonly rmsFirst: number;
	/** All states over the first period, row-major; empty where it broke off. */
	readonly cycle: Float64Array;
	readonly outcome: string;
	readonly message: string;
}

export function simulateAnswer(
	{ model, form, t, y, constants, record, experiment }: Question,
	natural: Natural,
): Simulated {
	const params = natural.params.map(({ name }) => name);
	const inputs = form.drives.filter((name) => name !== "t");
	const signals = inputs.map((name) => experiment.inputs.get(name)!);
	const system = new OdeSystem({
		graph: model.graph,
		states: model.components,
		rhs: model.rhs,
		params: [...params, ...form.constants],
		inputs: [...inputs],
	});
	const values = [...natural.params.map(({ value }) => value), ...constants];
	const x0 = Float64Array.from(natural.initial, ({ value }) => value);
	const simulated = new Float64Array(t.length).fill(Number.NaN);
	let cycle = new Float64Array(0);
	const first = t.findIndex((time) => time > t[0] + record.period);
	let outcome = "notFinite";
	let message = "An initial value is not finite.";
	if (x0.every(Number.isFinite)) {
		const solution = solveIvp(system.ivp(values, signals), t[0], t[t.length - 1], x0, {
			rtol: 1e-11,
			atol: x0.map((value) => 1e-12 * Math.max(Math.abs(value), 1e-4)),
			saveAt: t,
			knots: knotsOf(signals),
		});
		({ outcome, message } = solution);
		const n = model.components.length;
		const at = model.components.indexOf(form.output);
		for (let i = 0; i < solution.t.length; i++) simulated[i] = solution.x[i * n + at];
		if (outcome === "converged") cycle = solution.x.slice(0, (first < 0 ? t.length : first) * n);
	}
	return {
		y: simulated,
		rms: rms(y, simulated, t.length),
		rmsFirst: rms(y, simulated, first < 0 ? t.length : first),
		cycle,
		outcome,
		message,
	};
}

/** Root mean square of the record about its mean. */
export function sizeOf({ record }: Pick<Question, "record">): number {
	return Math.sqrt(record.series.c.slice(1).reduce((sum, c) => sum + (c * c) / 2, 0));
}

/** Whether a simulation differs from the record by more than noise explains, and more than rounding. */
export function leavesRecord(
	question: Pick<Question, "record" | "variance" | "t">,
	simulated: Pick<Simulated, "rms"> | undefined,
): boolean {
	const { noise, departure } = question.record;
	const { correlation } = noise;
	const independent = (question.t.length * (1 - correlation)) / (1 + correlation);
	// What is not periodic about the record is no fault of the answer, and is said by itself.
	const beside = departure ? 3 : 5 * Math.sqrt(2 / Math.max(independent, 1));
	const expected = question.variance * (1 + beside);
	const { rms: left } = simulated ?? { rms: Number.NaN };
	return !(left * left <= expected) && !(left <= 1e-5 * sizeOf(question));
}

function rms(a: Float64Array, b: Float64Array, count: number): number {
	let sum = 0;
	for (let i = 0; i < count; i++) sum += squared(a[i] - b[i]);
	return Math.sqrt(sum / count);
}
