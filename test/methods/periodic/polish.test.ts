/** Answers whose own simulation leaves the record: least squares on simulations goes on from them, and is taken where it helps. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Result } from "../../../src/estimate/result.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { periodic } from "../../../src/methods/periodic/periodic.ts";
import type { Polished } from "../../../src/methods/periodic/polish/polish.ts";
import { polishRefusal } from "../../../src/methods/periodic/polish/polished-answer.ts";
import type { Problem } from "../../../src/methods/problem.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { oscillators, problemFor, problemOf } from "./oscillators.ts";

async function answerTo(problem: Problem, polish = false): Promise<Result> {
	const run = await periodic.prepare(problem, { ...defaultOptions(periodic.options), polish });
	while (!(await periodic.advance(run)).done);
	return periodic.result(run);
}
const rmsOf = ({ predictions: [{ y, data }] }: Result): number =>
	Math.sqrt(y.reduce((sum, value, i) => sum + (value - data!.y[i]) ** 2, 0) / y.length);

describe("predator and prey under noise larger than the prey's lowest level", () => {
	// From simulations with free parameters and initial values, over the same times.
	const bound = { p1: 0.0026, p2: 0.0127, p4: 0.0127, p5: 0.0254, p6: 0.00038 };
	it.each([1, 9])(
		"errors are those of the bound, and the answer simulated fits, noise %i",
		async (seed) => {
			const { truth } = oscillators.predatorPrey;
			const spec = { periods: 3.23, samplesPerPeriod: 341, noise: 1e-3, seed };
			const result = await answerTo(problemFor(oscillators.predatorPrey, {}, spec));
			expect(result.doubts.filter(({ grave }) => grave)).toEqual([]);
			for (const [name, least] of Object.entries(bound)) {
				const { estimate, sd } = result.parameters.find((row) => row.name === name)!;
				expect(Math.abs(estimate - truth[name as "p1"]) / sd!, name).toBeLessThan(4);
				expect(sd! / least, name).toBeGreaterThan(0.7);
				expect(sd! / least, name).toBeLessThan(1.4);
			}
			expect(rmsOf(result)).toBeLessThan(1.1e-3);
		},
		180_000,
	);
});

describe("what polishing found is refused", () => {
	const found: Polished = {
		values: [{ name: "a", value: 1, sd: 0.1, from: "search" }],
		covariance: Float64Array.of(0.01),
		outcome: "converged",
		evaluations: 1,
		open: 0,
		openNames: [],
		curvedNames: [],
		rms: [1],
		weighedBy: [1],
	};
	it.each([
		["where it did not converge", { outcome: "maxSteps" }, 2, /did not converge/],
		["where it leaves more open than the integrals", { open: 1 }, 2, /undetermined/],
		["where it is no nearer to the record", {}, 0.5, /nearer/],
		["where an error is not finite", { values: [{ ...found.values[0], sd: Number.NaN }] }, 2, /finite/],
	])("%s", (_, change, rms, reason) => {
		expect(polishRefusal({ ...found, ...change }, { rms }, 0)).toMatch(reason);
	});
	it("and taken else", () => {
		expect(polishRefusal(found, { rms: 2 }, 0)).toBeUndefined();
	});
});

describe("the answer's own simulation", () => {
	it("is what is compared with the record, not the series of the record", async () => {
		const own = await answerTo(problemFor(oscillators.vanDerPol, {}, { samplesPerPeriod: 100, noise: 0.01 }));
		expect(rmsOf(own)).toBeCloseTo((own.summary.simulation as { rms: number }).rms, 12);
	}, 180_000);
});

describe("the example study", () => {
	const at = (name: string): string =>
		readFileSync(new URL(`../../../examples/papers/morris-lecar/${name}`, import.meta.url), "utf8");
	it("ends without a grave doubt", async () => {
		const rows = at("record.csv").trim().split("\n").slice(1);
		const cells = rows.map((row) => row.split(",").map(Number));
		const [times, values] = [0, 1].map((i) => Float64Array.from(cells, (cell) => cell[i]));
		const { set } = parse(at("study.yaml")) as { set: Record<string, number> };
		const model = parseModel(at("morris-lecar.ode"), "morris-lecar.ode");
		const { doubts } = await answerTo(problemOf(model, times, values, set));
		expect(doubts.filter(({ grave }) => grave)).toEqual([]);
	}, 180_000);
});

it("a value in closed form beside its range is polished all the same, and doubted", async () => {
	const model = parseModel("param k in [9.5, 30]\nstate x, v\nx' = v\nv' = -k*x\nmeasure y = x", "p.ode");
	const errors = stream(1, "noise");
	const times = Float64Array.from({ length: 60 }, (_, i) => 0.1 * i);
	const values = times.map((time, i) => 2 * Math.cos(3 * time + 0.3) + 0.02 * errors.normal(i));
	const result = await answerTo(problemOf(model, times, values, {}), true);
	expect(result.parameters[0].name).toBe("k");
	expect(Math.abs(result.parameters[0].estimate - 9)).toBeLessThan(0.05);
	expect(result.doubts.map(({ code }) => code)).toContain("against-knowledge");
});
