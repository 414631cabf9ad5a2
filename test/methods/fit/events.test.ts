/** A fit follows events: what they set and when they happen is estimated. */
import { describe, expect, test } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import { applicability } from "../../../src/methods/applicability.ts";
import { experimentOf } from "../../../src/methods/experiment-of.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import { FitRun } from "../../../src/methods/fit/fit-run.ts";
import { fitOptions } from "../../../src/methods/fit/options.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";

const options = defaultOptions(fitOptions);

function problemOf(text: string, t: readonly number[], y: readonly number[]): Problem {
	const model = parseModel(text, "events.ode");
	const { table } = record({ t: [...t], y: [...y] });
	const train = [experimentOf(table, { name: "run", time: "t" }, model, ["y"])];
	return { model, train, test: [], start: {}, seed: 1, compute: inline, settings: {} };
}

async function finished(problem: Problem, asked: Partial<typeof options> = {}): Promise<FitRun> {
	const run = new FitRun(problem, { ...options, profile: false, ...asked });
	while (!(await run.advance()).done);
	return run;
}

const values = (run: FitRun): Map<string, number> =>
	new Map(
		run.estimation.unknowns.map(({ name, scale }, j) => [
			name,
			scale === "log" ? Math.exp(run.best[j]) : run.best[j],
		]),
	);

describe("fit of a model with events", () => {
	const t = Array.from({ length: 81 }, (_, i) => i / 10);

	test("finds a rate, a dose, and the instant of another", async () => {
		const text = `param k in [0.01, 10]
param d in [0.1, 100]
param tau in [2.31, 2.39]
state x = 1
x' = -k*x
when t >= tau { x = x + 2 }
when t >= 5 { x = x + d }
measure y ~ normal(x, 0.01)`;
		const truth = { k: 0.7, d: 2.5, tau: 2.34 };
		const y = t.map(
			(each) =>
				Math.exp(-0.7 * each) +
				(each >= 2.34 ? 2 * Math.exp(-0.7 * (each - 2.34)) : 0) +
				(each >= 5 ? 2.5 * Math.exp(-0.7 * (each - 5)) : 0),
		);
		const found = values(await finished(problemOf(text, t, y)));
		// The instant shows by how far its dose has faded at the samples after it.
		for (const [name, value] of Object.entries(truth)) expect(found.get(name)).toBeCloseTo(value, 4);
	});

	test("finds how a ball bounces", async () => {
		const text = `param g in [1, 100]
param e in [0.1, 1]
state h = 1, v = 0
h' = v
v' = -g
when h < 0 { v = -e*v, h = 0 }
measure y ~ normal(h, 0.001)`;
		const [g, e] = [9.81, 0.8];
		const height = (time: number): number => {
			let [start, speed, from] = [0, 0, 1];
			for (;;) {
				const fall = (speed + Math.sqrt(speed * speed + 2 * g * from)) / g;
				if (time <= start + fall) return from + speed * (time - start) - (g / 2) * (time - start) ** 2;
				speed = e * (g * fall - speed);
				[start, from] = [start + fall, 0];
			}
		};
		const times = t.slice(0, 16);
		const problem = problemOf(text, times, times.map(height));
		const found = values(await finished({ ...problem, start: { g: 9, e: 0.7 } }));
		expect(found.get("g")).toBeCloseTo(g, 4);
		expect(found.get("e")).toBeCloseTo(e, 4);
	});

	test("a record that begins at rest: events of the time happen in it, not before", async () => {
		const text = `param k in [0.01, 10]
param d in [0.1, 100]
state x = 9
x' = 1 - k*x
when t >= 1 { x = x + d }
measure y ~ normal(x, 0.01)`;
		const rest = 1 / 0.7;
		const y = t.map((at) => rest + (at < 1 ? 0 : 2.5 * Math.exp(-0.7 * (at - 1))));
		const problem = problemOf(text, t, y);
		const train = problem.train.map((each) => ({ ...each, rest: [{}] }));
		const found = values(await finished({ ...problem, train }));
		expect(found.get("k")).toBeCloseTo(0.7, 5);
		expect(found.get("d")).toBeCloseTo(2.5, 5);
	});

	test("says what it does not follow", async () => {
		const text = (more: string): string =>
			`param k in [0.1, 1]\nstate x = 1\nx' = -k*x\nwhen t >= 1${more} { x = 2 }\nmeasure y ~ normal(x, 0.1)`;
		expect(fit.appliesTo(parseModel(text(", delay: 1"), "a.ode")).why).toMatch(/delay/);
		expect(fit.appliesTo(parseModel(text(""), "a.ode")).applies).toBe(true);
		const others = applicability(parseModel(text(""), "a.ode")).filter(({ method }) => method !== "fit");
		const bounded = parseModel(text("").replace("~ normal(x, 0.1)", "in x +- 0.1"), "a.ode");
		expect(applicability(bounded).find(({ method }) => method === "guaranteed")?.applies).toBe(true);
		for (const { method, applies, why } of others) {
			expect(applies).toBe(false);
			expect(why).toMatch(method === "guaranteed" ? /largest error/ : /events/);
		}
		const problem = problemOf(text("").replace("t >= 1", "x < 0.5"), [0, 1, 2], [1, 2, 1]);
		const train = problem.train.map((each) => ({ ...each, rest: [{}] }));
		await expect(fit.prepare({ ...problem, train }, options)).rejects.toThrow(/begins at rest/);
	});
});
