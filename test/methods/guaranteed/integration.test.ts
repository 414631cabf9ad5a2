/**
 * Verified integration against closed forms, with few orders and coarse tolerances, so that remainders are large and have to be right:
 * for random unknowns the exact solution, in interval arithmetic, is within the remainder of the polynomial.
 */
import { describe, expect, it } from "vitest";
import * as I from "../../../src/interval/index.ts";
import { ExperimentFlow } from "../../../src/methods/guaranteed/flow/experiment-flow.ts";
import { remainderOf } from "../../../src/methods/guaranteed/flow/flow-set.ts";
import { systemOf } from "../../../src/methods/guaranteed/system.ts";
import { guaranteedUnknowns, priorBox } from "../../../src/methods/guaranteed/unknowns.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { record } from "./records.ts";

type X = I.Interval;
interface Case {
	readonly name: string;
	readonly text: string;
	/** The states at t for these unknowns. */
	readonly exact: (t: X, v: readonly X[]) => X[];
	readonly end: number;
}
const one = I.interval(1);

const cases: Case[] = [
	{
		name: "decay",
		text: "param a in [0.5, 1]\nstate x in [1, 2]\nx' = -a*x\nmeasure y in x +- 1",
		exact: (t, [a, b]) => [I.mul(b, I.exp(I.mul(I.neg(a), t)))],
		end: 3,
	},
	{
		name: "oscillator",
		text: "param w in [0.9, 1.1]\nstate x = 1, v = 0\nx' = w*v\nv' = -w*x\nmeasure y in x +- 1",
		exact: (t, [w]) => [I.cos(I.mul(w, t)), I.neg(I.sin(I.mul(w, t)))],
		end: 8,
	},
	{
		name: "hyperbola",
		text: "state x in [0.5, 0.7]\nx' = x^2\nmeasure y in x +- 1",
		exact: (t, [b]) => [I.div(b, I.sub(one, I.mul(b, t)))],
		end: 1,
	},
	{
		name: "logistic",
		text: "param r in [0.8, 1.2]\nstate n = 0.5\nn' = r*n*(1 - n)\nmeasure y in n +- 1",
		exact: (t, [r]) => [I.div(one, I.add(one, I.exp(I.neg(I.mul(r, t)))))],
		end: 4,
	},
	{
		name: "time in the equations",
		text: "param a in [0, 1]\nstate x = 0\nx' = a*cos(t)\nmeasure y in x +- 1",
		exact: (t, [a]) => [I.mul(a, I.sin(t))],
		end: 5,
	},
	{
		name: "division",
		text: "state x in [1, 1.5]\nx' = 1/x\nmeasure y in x +- 1",
		exact: (t, [b]) => [I.sqrt(I.add(I.sqr(b), I.mul(I.interval(2), t)))],
		end: 4,
	},
	{
		name: "exponential",
		text: "state x in [-0.5, 0]\nx' = -exp(x)\nmeasure y in x +- 1",
		exact: (t, [b]) => [I.neg(I.log(I.add(I.exp(I.neg(b)), t)))],
		end: 3,
	},
];

describe.each(cases)("$name", ({ text, exact, end }) => {
	it.each([
		[1, 3, 1e-2],
		[2, 4, 1e-3],
		[3, 6, 1e-5],
		[6, 12, 1e-9],
	])("order %i, time order %i, tolerance %d", (order, timeOrder, tolerance) => {
		const system = systemOf(parseModel(text, "m.ode"));
		const unknowns = guaranteedUnknowns(system, ["run"]);
		const options = { order, timeOrder, tolerance };
		const flow = new ExperimentFlow(system, record(Float64Array.of(0, end), new Map()), 0, unknowns, options);
		const whole = priorBox(unknowns);
		const random = stream(11, text);
		let index = 0;
		const u = (): number => random.uniform(index++);
		let reached = 0;
		for (let trial = 0; trial < 6; trial++) {
			// From a tenth of the box up to all of it.
			const box = whole.map((_, i) => {
				const k = i - (i % 2);
				const width = (whole[k + 1] - whole[k]) * (trial === 5 ? 1 : 0.2);
				const lo = trial === 5 ? whole[k] : whole[k] + (trial * (whole[k + 1] - whole[k] - width)) / 5;
				return i % 2 === 0 ? lo : lo + width;
			});
			const set = flow.start(box);
			for (const share of [0.3, 1]) {
				if (flow.course.advance(set, share * end)) break;
				reached++;
				const rest = remainderOf(set);
				const { table } = flow;
				for (let sample = 0; sample < 12; sample++) {
					const values = unknowns.map(
						(_, v) => box[2 * v] + (sample < 2 ? sample : u()) * (box[2 * v + 1] - box[2 * v]),
					);
					const zeta = values.map((value, v) => I.div(I.sub(value, set.centre[v]), I.interval(set.scale[v])));
					const truth = exact(
						I.interval(set.t),
						values.map((value) => I.interval(value)),
					);
					truth.forEach((value, i) => {
						let p = I.interval(0);
						for (let m = 0; m < table.length; m++) {
							let term = I.interval(set.P[i * table.length + m]);
							zeta.forEach((z, v) => {
								term = I.mul(term, I.powInt(z, table.exponent(m, v)));
							});
							p = I.add(p, term);
						}
						expect(value.hi).toBeGreaterThanOrEqual(p.lo - rest[i]);
						expect(value.lo).toBeLessThanOrEqual(p.hi + rest[i]);
					});
				}
			}
		}
		expect(reached).toBeGreaterThanOrEqual(order === 1 ? 6 : 10);
	});
});
