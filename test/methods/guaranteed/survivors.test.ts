/** Where some parts of the unknowns could not be followed, nothing is said from the others alone. */
import { describe, expect, it } from "vitest";
import type { Mark } from "../../../src/estimate/figure.ts";
import type { Result } from "../../../src/estimate/result.ts";
import { guaranteed } from "../../../src/methods/guaranteed/guaranteed.ts";
import { guaranteedOptions } from "../../../src/methods/guaranteed/options.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { problemOf, record } from "./records.ts";

const model = `param p in [0.5, 3.5]
state x = 1
x' = (2.5 - p)*x^2
measure y in x +- 1000`;

/** x(t) = 1/(1 - (2.5 - p)·t) as far as there is one. */
const truth = (p: number, t: number): number => 1 / (1 - (2.5 - p) * t);
const exists = (p: number, t: number): boolean => (2.5 - p) * t < 1;

const times = Float64Array.of(0, 0.5, 0.9);
const later = (name: string) => {
	const whole = record(times, new Map([["y", Float64Array.of(1, 1, 1)]]), { name });
	const series = whole.outputs.get("y")!;
	return {
		...whole,
		outputs: new Map([
			["y", { times: series.times.slice(1), values: series.values.slice(1), rows: series.rows.slice(1) }],
		]),
	};
};

async function result(names: readonly string[], options = {}): Promise<Result> {
	const problem = problemOf(parseModel(model, "blow-up.ode"), names.map(later));
	const run = await guaranteed.prepare(problem, { ...defaultOptions(guaranteedOptions), ...options });
	while (!(await guaranteed.advance(run)).done);
	return guaranteed.result(run);
}

function bands(marks: readonly Mark[]) {
	return marks.flatMap((mark) => (mark.type === "band" ? [mark] : []));
}

describe("a solution that blows up for some values only", () => {
	it.each([
		["one record", ["a"], {}],
		["two records", ["a", "b"], {}],
		["many models", ["a"], { models: 24 }],
		["brackets", ["a"], { prediction: "mueller", boxes: 4 }],
	] as const)("%s: no band and no prediction leaves a value out", async (_, names, options) => {
		const { outcome, predictions, figures, summary } = await result(names, options);
		expect(outcome).toBe("undecided");
		const missed: string[] = [];
		const check = (what: string, p: number, t: number, lo: number, hi: number): void => {
			if (exists(p, t) && !(lo <= truth(p, t) && truth(p, t) <= hi))
				missed.push(`${what}: p = ${p} at ${t} is not in [${lo}, ${hi}]`);
		};
		for (let p = 0.5; p <= 3.5; p += 0.05) {
			for (const { t, lo, hi } of predictions)
				t.forEach((at, i) => {
					check("prediction", p, at, lo![i], hi![i]);
				});
			for (const { marks } of figures.filter(({ name }) => name.startsWith("state")))
				for (const { x, lo, hi } of bands(marks))
					for (let i = 0; i < x.length; i++) check("band", p, x[i], lo[i], hi[i]);
			for (const { t, x } of summary.states as { t: number; x: [number, number] }[])
				check("states", p, t, x[0], x[1]);
		}
		expect(missed).toEqual([]);
	});
	it("says in the caption where the band ends", async () => {
		const { figures } = await result(["a"]);
		const figure = figures.find(({ name }) => name === "state-0-0")!;
		const [{ x }] = bands(figure.marks);
		expect(x[x.length - 1]).toBeLessThan(0.9);
		expect(figure.caption).toMatch(/It ends at t = 0\.[4-9]\d*: nothing is proved from there on\./);
	});
	it("says nothing of states before all parts were tried", async () => {
		const problem = problemOf(parseModel(model, "blow-up.ode"), [later("a")]);
		const run = await guaranteed.prepare(problem, { ...defaultOptions(guaranteedOptions), parts: 4 });
		while (run.parts.length === 0) await guaranteed.advance(run);
		expect(run.isSorted).toBe(false);
		const early = await guaranteed.result(run);
		expect(early.predictions).toEqual([]);
		expect(early.summary.states).toEqual([]);
		expect(early.figures.filter(({ name }) => name.startsWith("state"))).toEqual([]);
	});
});
