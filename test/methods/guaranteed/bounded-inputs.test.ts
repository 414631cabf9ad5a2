/** Inputs that are known within bounds only: whatever they do there, the courses are in the tube. */
import { describe, expect, it } from "vitest";
import { SignalZoh } from "../../../src/data/signal/signal-zoh.ts";
import { applicability } from "../../../src/methods/applicability.ts";
import { answer, outcomeOf } from "../../../src/methods/guaranteed/answer/answer.ts";
import type { GuaranteedRun } from "../../../src/methods/guaranteed/guaranteed-run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { printModel } from "../../../src/model/print/model.ts";
import { stream } from "../../../src/num/random.ts";
import { withFormulas } from "../../../src/study/simulate/simulated-model.ts";
import { enclose, record, simulateTruth } from "./records.ts";

const grid = (end: number, n: number): Float64Array =>
	Float64Array.from({ length: n + 1 }, (_, i) => (i * end) / n);

/** Inputs that jump between places in [lo, hi], mostly its ends, at places of a fine grid. */
function jumping(seed: number, end: number, lo: number, hi: number): SignalZoh {
	const random = stream(seed, "inputs");
	const length = 2 + Math.floor(38 * random.uniform(0));
	const times = grid(end, length);
	const values = times.map((_, i) => {
		const u = random.uniform(2 * i + 1);
		return random.uniform(2 * i + 2) < 0.7 ? (u < 0.5 ? lo : hi) : lo + u * (hi - lo);
	});
	return new SignalZoh(times, values);
}

interface Case {
	readonly name: string;
	/** Without the declaration of w. */
	readonly text: string;
	readonly bounds: readonly [number, number];
	readonly values: (u: (i: number) => number) => Record<string, number>;
	readonly x0: (u: (i: number) => number) => number[];
	readonly end: number;
}

const cases: readonly Case[] = [
	{
		name: "a predator and its prey, disturbed",
		text: "param a in [1.4, 1.5]\nstate x in [4.9, 5.1], y = 2\nx' = a*x - x*y + w\ny' = -3*y + x*y - 0.5*w*y",
		bounds: [-0.02, 0.02],
		values: (u) => ({ a: 1.4 + 0.1 * u(0) }),
		x0: (u) => [4.9 + 0.2 * u(1), 2],
		end: 1,
	},
	{
		name: "a pendulum that is pushed",
		text: "param c in [0.1, 0.2]\nstate q = 0.5, v = 0\nq' = v\nv' = -sin(q) - c*v + w",
		bounds: [-0.05, 0.08],
		values: (u) => ({ c: 0.1 + 0.1 * u(0) }),
		x0: () => [0.5, 0],
		end: 4,
	},
	{
		name: "a stiff follower",
		text: "param k in [900, 1000]\nstate x = 1\nx' = -k*(x - cos(t) - w)",
		bounds: [-0.1, 0.1],
		values: (u) => ({ k: 900 + 100 * u(0) }),
		x0: () => [1],
		end: 2,
	},
];

const declared = ({ text, bounds }: Case): string => `input w in [${bounds.join(", ")}]\n${text}`;

describe("an input within bounds", () => {
	it.each(cases)(
		"holds every course: $name",
		async (each) => {
			const times = grid(each.end, 8);
			const run = await enclose(declared(each), [record(times, new Map())]);
			expect(outcomeOf(run)).toBe("proved");
			const { summary } = await answer(run);
			const names = run.system.model.components;
			for (let seed = 0; seed < 60; seed++) {
				const random = stream(seed, "values");
				const u = (i: number): number => (seed < 4 ? (seed >> (i % 2)) & 1 : random.uniform(i));
				const w = jumping(seed, each.end, ...each.bounds);
				const { x } = simulateTruth({
					text: `input w\n${each.text.replace(/ in \[[^\]]*\]/g, (_: string, at: number) => (each.text.slice(0, at).includes("state") ? " = 0" : ""))}`,
					values: each.values(u),
					x0: each.x0(u),
					times,
					inputs: { w },
				});
				for (const i of times.keys())
					for (const [k, name] of names.entries()) {
						const [lo, hi] = summary.states[i][name] as readonly [number, number];
						const value = x[i * names.length + k];
						const slack = 1e-9 * (1 + Math.abs(value));
						expect(value, `seed ${seed}, t = ${times[i]}, ${name}`).toBeGreaterThanOrEqual(lo - slack);
						expect(value, `seed ${seed}, t = ${times[i]}, ${name}`).toBeLessThanOrEqual(hi + slack);
					}
			}
		},
		180_000,
	);

	it("is no wider than what the ends of a linear equation reach, with nothing else unknown", async () => {
		// Within one step an input acts as if nothing decayed meanwhile: rows that are close keep steps short.
		const times = grid(2, 20);
		const run = await enclose("input w in [-0.1, 0.1]\nstate x = 1\nx' = -x + w", [record(times, new Map())]);
		expect(outcomeOf(run)).toBe("proved");
		const { summary } = await answer(run);
		for (const [i, t] of times.entries()) {
			const [lo, hi] = summary.states[i].x as readonly [number, number];
			const reach = 0.1 * (1 - Math.exp(-t));
			expect(lo).toBeLessThanOrEqual(Math.exp(-t) - reach);
			expect(hi).toBeGreaterThanOrEqual(Math.exp(-t) + reach);
			expect(hi - lo).toBeLessThanOrEqual(2 * reach * 1.2 + 1e-12);
		}
	});

	describe("beside data", () => {
		const body = "state x = 1\nx' = -k*x + w\n";
		const times = grid(2, 10);
		const estimate = async (
			bound: number,
			options: Parameters<typeof enclose>[2] = {},
		): Promise<GuaranteedRun> => {
			const { outputs } = simulateTruth({
				text: `param k\ninput w\n${body}measure y = x`,
				values: { k: 0.7 },
				x0: [1],
				times,
				inputs: { w: jumping(5, 2, -bound, bound) },
			});
			const text = `param k in [0.2, 2]\ninput w in [-${bound}, ${bound}]\n${body}measure y in x +- 0.01`;
			return enclose(text, [record(times, outputs)], options);
		};
		it.each(["taylor", "mueller"] as const)(
			"keeps the truth, and tells less the larger it is, by %s",
			async (prediction) => {
				const small = await estimate(0.02, { prediction });
				const large = await estimate(0.1, { prediction });
				for (const { enclosure } of [small, large]) {
					expect(enclosure![0]).toBeLessThanOrEqual(0.7);
					expect(enclosure![1]).toBeGreaterThanOrEqual(0.7);
				}
				const width = ({ enclosure }: GuaranteedRun): number => enclosure![1] - enclosure![0];
				expect(width(small)).toBeLessThan(0.15);
				expect(width(large)).toBeGreaterThan(1.5 * width(small));
			},
		);
		it("says so", async () => {
			const { assumptions } = await answer(await estimate(0.05));
			expect(assumptions).toContain("Within their bounds at all times, whatever they do there: w.");
		});
	});

	it("is refused by every other method and by a simulation, with what to write", () => {
		const text =
			"param k in [0.2, 2]\ninput w in [-0.1, 0.1]\nstate x = 1\nx' = -k*x + w\nmeasure y in x +- 0.01";
		const model = parseModel(text, "model.ode");
		for (const { method, applies, why } of applicability(model)) {
			expect(applies, method).toBe(method === "guaranteed");
			if (!applies) expect(why).toContain("input w is known within bounds only");
		}
		expect(() => withFormulas(model)).toThrow("known within bounds only");
		expect(printModel(model)).toMatch(/input +w in \[-0\.1, 0\.1\]/);
	});
});
