/** Populations: held against the closed form of a linear one, and against the truth of simulated twins. */
import { describe, expect, it } from "vitest";
import { inline } from "../../../src/compute/inline.ts";
import { record } from "../../../src/data/data-record.ts";
import { limitsByOutput, rmseByOutput } from "../../../src/estimate/predict/residuals.ts";
import { fit } from "../../../src/methods/fit/fit.ts";
import { runOf } from "../../../src/methods/run.ts";
import { parseModel } from "../../../src/model/language/parse-model.ts";
import { stream } from "../../../src/num/random.ts";
import { oralSubjects, oralText } from "../population-twin.ts";

const linear = `param m in [-10, 10]
param w
param s
param a[record] ~ normal(m, w)
state x = a
x' = 0
measure y ~ normal(x, s)
`;

const fitted = (text: string, records: Parameters<typeof runOf>[2], options = {}, common = {}) =>
	runOf(fit, parseModel(text, "m.ode"), records, options, { compute: inline, ...common });

describe("a linear population", () => {
	const [nUnits, nSamples] = [9, 5];
	const random = stream(3, "linear population");
	const t = Array.from({ length: nSamples }, (_, i) => i);
	const values = Array.from({ length: nUnits }, (_, u) =>
		t.map((_, i) => 2 + 0.8 * random.normal(1000 + u) + 0.5 * random.normal(u * nSamples + i)),
	);
	const records = values.map((y, u) => record({ t, y }, { name: `unit ${u}` }));
	const means = values.map((y) => y.reduce((a, b) => a + b) / nSamples);
	const grand = means.reduce((a, b) => a + b) / nUnits;
	const within = values.reduce((sum, y, u) => sum + y.reduce((q, each) => q + (each - means[u]) ** 2, 0), 0);
	const between = means.reduce((sum, mean) => sum + (mean - grand) ** 2, 0) / nUnits;
	const s2 = within / (nUnits * (nSamples - 1));
	const w2 = between - s2 / nSamples;

	it("has the estimates, errors, likelihood and shrinkage that can be written down", async () => {
		const { summary, parameters, outcome, files } = await fitted(linear, records);
		expect(outcome).toBe("converged");
		const row = (name: string) => parameters.find((each) => each.name === name)!;
		expect(row("m").estimate).toBeCloseTo(grand, 4);
		expect(row("s").estimate).toBeCloseTo(Math.sqrt(s2), 4);
		expect(row("w").estimate).toBeCloseTo(Math.sqrt(w2), 3);
		const total = s2 + nSamples * w2;
		expect(row("m").sd! / Math.sqrt(total / nSamples / nUnits)).toBeCloseTo(1, 3);
		// The spread of log s at the optimum: its information is 2 N (n - 1) and a little from between.
		expect(row("s").sd! / (Math.sqrt(s2) / Math.sqrt(2 * nUnits * (nSamples - 1)))).toBeCloseTo(1, 2);
		const logLikelihood =
			(-nUnits / 2) * (nSamples * Math.log(2 * Math.PI) + (nSamples - 1) * Math.log(s2) + Math.log(total)) -
			within / (2 * s2) -
			(nSamples * nUnits * between) / (2 * total);
		expect(summary.logLikelihood).toBeCloseTo(logLikelihood, 5);
		const shrunk = w2 / (w2 + s2 / nSamples);
		means.forEach((mean, u) => {
			const { estimate, sd } = summary.individuals![`unit ${u}`].a;
			expect(estimate).toBeCloseTo(grand + shrunk * (mean - grand), 3);
			expect(sd).toBeCloseTo(Math.sqrt(w2 * (1 - shrunk)), 3);
		});
		// eta-hat of all: their root mean square is √shrunk, with n - 1 below.
		expect(summary.population!.a.shrinkage).toBeCloseTo(1 - Math.sqrt((shrunk * nUnits) / (nUnits - 1)), 3);
		expect(summary.population!.a.typical).toBeCloseTo(grand, 4);
		expect(files[0].content).toContain("unit 3");
	});
});

describe("simulated twins of an oral dose", () => {
	it("give the truth back within their errors, a covariate as well", async () => {
		const { model, records, truth } = oralSubjects(16, 7);
		const { parameters, doubts, summary } = await runOf(fit, model, records, { starts: 2 }, {});
		const squares = parameters.map(({ name, estimate, sd }) => ((estimate - truth[name]) / sd!) ** 2);
		// Each within 3.3 standard errors, all of them as a sum of 7 squares: 24.3 is passed once in a thousand.
		for (const square of squares) expect(square).toBeLessThan(3.3 * 3.3);
		expect(squares.reduce((a, b) => a + b)).toBeLessThan(24.3);
		expect(doubts.filter(({ grave }) => grave)).toEqual([]);
		// A covariate moves the middle: there is none of all.
		expect(summary.population!.cl.typical).toBeUndefined();
		expect(Object.keys(summary.individuals!).length).toBe(16);
	}, 180_000);

	it("test records: a subject that was learned from has its own curve, another the middle", async () => {
		const { model, records } = oralSubjects(6, 3);
		const { predictions } = await runOf(
			fit,
			model,
			records.slice(0, 5),
			{ starts: 1, candidates: 8 },
			{ test: [records[0], records[5]], start: { lka: 0.4, lcl: 1, lv: 3.4 } },
		);
		const [own, other] = predictions.filter(({ part }) => part === "test");
		const learned = predictions.find(
			({ experiment, part }) => part === "train" && experiment === own.experiment,
		)!;
		expect([...own.y]).toEqual([...learned.y]);
		const width = (each: typeof own): number =>
			each.y.reduce((sum, _, i) => sum + each.hi![i] - each.lo![i], 0);
		expect(width(other)).toBeGreaterThan(width(own));
	}, 180_000);
});

describe("what is no population", () => {
	const one = record({ t: [0, 1, 2], y: [1, 2, 3] });
	const wrong = async (text: string, records: Parameters<typeof runOf>[2] = [one, one]): Promise<string> => {
		try {
			await fitted(text, records);
		} catch (error) {
			return (error as Error).message;
		}
		throw new Error("accepted");
	};

	it.each([
		["a number", linear.replace("~ normal(m, w)", "= 2"), /is exactly known, and differs/],
		["another family", linear.replace("normal(m, w)", "gamma(m, w)"), /unknown law of a population "gamma"/],
		[
			"an unknown covariate",
			linear.replace("normal(m, w)", "normal(m + wheight, w)"),
			/unknown name "wheight"/,
		],
		["a state in its law", linear.replace("normal(m, w)", "normal(m*x, w)"), /cannot use the state "x"/],
		["another word", linear.replace("[record]", "[subject]"), /the word record/],
		["one of another", `${linear}param b[record] ~ normal(a, w)\n`, /differs from record to record itself/],
		[
			"an open initial value",
			linear.replace("state x = a\nx' = 0", "state x\nx' = a"),
			/initial value of each record/,
		],
	])("%s is refused clearly", async (_, text, words) => {
		expect(await wrong(text)).toMatch(words);
	});

	it("one record, or none, is refused clearly", async () => {
		expect(await wrong(linear, [one])).toMatch(/there is one record.*\n?.*group: Subject/);
	});
});

describe("errors of two parts", () => {
	it("are told apart, though records without differences have one part alone", async () => {
		const text = oralText
			.replace("param s ~ halfnormal(1)", "param s ~ halfnormal(1), r ~ halfnormal(1)")
			.replace("normal(centre/v, s)", "normal(centre/v, s + r*centre/v)");
		const truth = { s: 0.1, r: 0.1 };
		// Later samples alone, where both parts look alike.
		const times = [0.5, 1, 2, 4, 8, 11.9, 14, 18, 24];
		const { model, records } = oralSubjects(12, 32, { ...truth, ocl: 0.3 }, text, times);
		const { parameters } = await runOf(fit, model, records, {}, { compute: inline });
		const row = (name: string) => parameters.find((each) => each.name === name)!;
		expect(Math.abs(row("r").estimate - truth.r)).toBeLessThan(4 * row("r").sd!);
		expect(row("r").sd).toBeLessThan(0.04);
	}, 120_000);
});

it("tells limits from samples beside its predictions", async () => {
	const text =
		"param m\nparam a[record] ~ normal(m, 0.5)\nstate x = a\nx' = -x\nmeasure y ~ normal(x, 0.1)\n";
	const records = [2.1, 1.4, 2.6, 1.9].map((a, u) =>
		record(
			{ t: [0, 1, 2, 4], y: [a + 0.05, a * Math.exp(-1) - 0.08, a * Math.exp(-2) + 0.06, "<0.5"] },
			{ name: `unit ${u}` },
		),
	);
	const { predictions } = await fitted(text, records);
	expect(limitsByOutput(predictions, "train")).toEqual({ y: { below: 4, above: 0, of: 16 } });
	// Kept, they leave nothing.
	expect(rmseByOutput(predictions, "train").y).toBeLessThan(0.15);
});
