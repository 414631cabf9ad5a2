/** Residuals of a population: held against those of its closed form, and what the judge says of them in every method that takes populations. */
import { describe, expect, it } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import { innovationSeries } from "../../../src/estimate/population/innovations.ts";
import { bayes } from "../../../src/methods/bayes/bayes.ts";
import { experimentOf } from "../../../src/methods/experiment-of.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import { fitOptions } from "../../../src/methods/fit/options.ts";
import { PopulationFit } from "../../../src/methods/fit/population/population-fit.ts";
import { defaultOptions } from "../../../src/methods/options.ts";
import { runOf } from "../../../src/methods/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { choleskyInto } from "../../../src/num/linear/cholesky.ts";
import { stream } from "../../../src/num/random.ts";

const model = parseModel(
	`param m ~ normal(0, 5)
param w ~ lognormal(0, 0.5)
param s ~ lognormal(-1, 0.5)
param a[record] ~ normal(m, w)
state x = a
x' = 0
measure y ~ normal(x, s)
`,
	"m.ode",
);
const [nUnits, nSamples] = [9, 8];
const t = Array.from({ length: nSamples }, (_, i) => i);
const random = stream(5, "population of constants");
/** `slope`: what the model misses. */
const records = (slope: number) =>
	Array.from({ length: nUnits }, (_, u) => {
		const own = 2 + 0.8 * random.normal(1000 + u);
		return record(
			{ t, y: t.map((time, i) => own + slope * time + 0.4 * random.normal(u * nSamples + i)) },
			{ name: `unit ${u}` },
		);
	});

describe("residuals of a population", () => {
	it("are those of each record's samples together, made independent in the order of time", async () => {
		const train = records(0).map(({ table, options }) =>
			experimentOf(table, { ...options, doses: {}, name: options.name!, time: "t" }, model, ["y"]),
		);
		const run = new PopulationFit(
			{ model, train, test: [], start: {}, seed: 1, compute: inline },
			{ ...defaultOptions(fitOptions), starts: 1, candidates: 4 },
		);
		while (!(await run.advance()).done);
		const { end, likelihood } = run.search;
		const { unknowns } = run.population;
		const natural = Object.fromEntries(
			unknowns.map(({ name, scale }, i) => [
				name,
				scale === "log" ? Math.exp(end!.modes[0].z[i]) : end!.modes[0].z[i],
			]),
		);
		const series = await innovationSeries(likelihood, end!);
		expect(series.length).toBe(nUnits);
		const l = Float64Array.from(
			{ length: nSamples * nSamples },
			(_, k) => natural.w ** 2 + (k % (nSamples + 1) === 0 ? natural.s ** 2 : 0),
		);
		expect(choleskyInto(l, nSamples)).toBe(true);
		for (const { observed, residual } of series) {
			const expected: number[] = [];
			for (let i = 0; i < nSamples; i++) {
				const before = expected.reduce((sum, each, j) => sum + l[i * nSamples + j] * each, 0);
				expected.push((observed[i] - natural.m - before) / l[i * nSamples + i]);
			}
			for (const [i, each] of expected.entries()) expect(residual[i]).toBeCloseTo(each, 5);
		}
	});

	for (const [name, method, options] of [
		["fit", fit, { starts: 1, candidates: 4 }],
		["bayes", bayes, { particles: 200, netcdf: false }],
	] as const)
		it(`say in ${name} that a slope is missing, and nothing where none is`, { timeout: 60_000 }, async () => {
			const codes = async (slope: number): Promise<string[]> => {
				const { doubts, message } = await runOf(method as typeof fit, model, records(slope), options, {});
				const grave = doubts.filter((each) => each.grave).map(({ code }) => code);
				expect(message.includes("do not trust it yet")).toBe(grave.length > 0);
				return grave;
			};
			expect(await codes(0)).toEqual([]);
			expect(await codes(0.3)).toContain("dependent-residuals");
		});
});
